#include "compiler/ops/op.hpp"

namespace slab::compiler {

#define SLAB_OP(name, signature) extern const OpDef op_##name;
#include "compiler/ops/all.def"
#undef SLAB_OP

namespace {
constexpr const OpDef* all[] = {
#define SLAB_OP(name, signature) &op_##name,
#include "compiler/ops/all.def"
#undef SLAB_OP
};
}  // namespace

const OpDef* find_op(std::string_view name) {
    for (const OpDef* op : all)
        if (op->name == name) return op;
    return nullptr;
}

std::string_view op_signature(std::string_view name) {
#define SLAB_OP(op, signature) \
    if (name == #op) return signature;
#include "compiler/ops/all.def"
#undef SLAB_OP
    return name;
}

std::vector<std::string> op_names() {
    std::vector<std::string> names;
    for (const OpDef* op : all) names.emplace_back(op->name);
    return names;
}

}  // namespace slab::compiler
