#include <algorithm>

#include "compiler/lower/lowering.hpp"

// Memory seen in another way: permuted, with another shape, as another type.
namespace slab::compiler {

using schedule::none;

schedule::Space Lowering::space_of(const Reference& reference) const {
    // the parts of a value are told as if it lay in VMEM
    if (reference.id < 0) return schedule::Space::vmem;
    return reference.kind == Reference::Kind::operand ? schedule::Space::hbm
                                                      : program_.buffers[reference.id].space;
}

Value Lowering::view(const Reference& base, schedule::View seen) {
    Reference result = base;
    if (base.views.empty())
        result.viewed = base.dims;
    else
        result.views.back().dims = base.dims;
    result.type = seen.type;
    result.dims.clear();
    for (const std::int64_t size : seen.shape)
        result.dims.push_back({scalars_.constant(0), none, size});
    result.views.push_back(std::move(seen));
    return result;
}

}  // namespace slab::compiler
