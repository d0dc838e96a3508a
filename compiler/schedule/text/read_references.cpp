#include <fmt/format.h>

#include "compiler/schedule/text/reader.hpp"

namespace slab::schedule {

MemoryRef Reader::memory_ref() {
    MemoryRef ref;
    if (tokens_.accept("hbm"))
        ref.operand = reference(operands_);
    else
        ref.buffer = reference(buffers_);
    ref.copy = copy_number();
    ref.dims = ref_dims();
    while (tokens_.at("permuted") || tokens_.at("as")) ref.views.push_back(view());
    return ref;
}

View Reader::view() {
    View view;
    if (tokens_.accept("permuted"))
        list("(", ")", [&] {
            const Token at = tokens_.current();
            const std::int64_t dimension = tokens_.integer("a dimension");
            view.order.push_back(static_cast<std::int32_t>(dimension));
            if (view.order.back() != dimension)
                Tokens::fail(at.span, fmt::format("no dimension {}", dimension));
        });
    tokens_.expect("as");
    BlockType seen = block_type("the type of the view");
    view.type = seen.type;
    view.shape = std::move(seen.shape);
    view.dims = ref_dims();
    return view;
}

ExprId Reader::copy_number() {
    if (!tokens_.accept("{")) return none;
    const ExprId copy = expression();
    tokens_.expect("}");
    return copy;
}

std::vector<RefDim> Reader::ref_dims() {
    std::vector<RefDim> dims;
    list("[", "]", [&] { dims.push_back(ref_dim()); });
    return dims;
}

RefDim Reader::ref_dim() {
    RefDim dim;
    dim.start = expression();
    dim.dropped = !tokens_.accept("+:");
    if (!dim.dropped) {
        Tokens after = tokens_;
        after.take();
        if (after.at(",") || after.at("]") || after.at("step")) {
            dim.size = tokens_.integer("a size; a length known at run time needs `upto`");
        } else {
            dim.live = expression();
            dim.size = field("upto");
        }
    }
    if (tokens_.at("step")) dim.step = field("step");
    return dim;
}

SemaphoreRef Reader::semaphore_ref() {
    SemaphoreRef ref;
    ref.semaphore = reference(semaphores_);
    if (tokens_.at("[")) list("[", "]", [&] { ref.index.push_back(expression()); });
    return ref;
}

/// A coordinate per axis of the mesh, in their order.
Device Reader::device() {
    Device device;
    const Token begin = tokens_.current();
    list("(", ")", [&] {
        const Token name = tokens_.current();
        const auto axis = static_cast<std::size_t>(reference(mesh_));
        if (axis != device.size())
            Tokens::fail(name.span, fmt::format("axis `{}` out of order: a device has a coordinate "
                                                "per mesh axis, in their order",
                                                name.text));
        tokens_.expect(":");
        device.push_back(expression());
    });
    if (device.size() != program_.mesh.size())
        Tokens::fail(begin.span, fmt::format("the device has {} coordinates, the mesh {} axes",
                                             device.size(), program_.mesh.size()));
    return device;
}

}  // namespace slab::schedule
