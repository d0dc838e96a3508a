#include "compiler/ops/op.hpp"

namespace slab::compiler {

#define SLAB_OP(name) extern const OpDef op_##name;
#include "compiler/ops/all.def"
#undef SLAB_OP

namespace {
constexpr const OpDef* all[] = {
#define SLAB_OP(name) &op_##name,
#include "compiler/ops/all.def"
#undef SLAB_OP
};
}  // namespace

const OpDef* find_op(std::string_view name) {
    for (const OpDef* op : all)
        if (op->name == name) return op;
    return nullptr;
}

std::vector<std::string> op_names() {
    std::vector<std::string> names;
    for (const OpDef* op : all) names.emplace_back(op->name);
    return names;
}

}  // namespace slab::compiler
