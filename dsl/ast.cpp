#include "dsl/ast.hpp"

#include "dsl/visit.hpp"

namespace slab::dsl::ast {

namespace {

template <typename Variant>
bool equal(const Variant& a, const Variant& b) {
    return visit(a, [&](const auto& held) {
        const auto* other = get_if<std::decay_t<decltype(held)>>(b);
        return other && held == *other;
    });
}

template <typename Variant>
Span span_of(const Variant& variant) {
    return visit(variant, [](const auto& held) { return held.span; });
}

}  // namespace

bool Expr::operator==(const Expr& other) const {
    return equal(*this, other);
}
bool Slice::operator==(const Slice& other) const {
    return equal(*this, other);
}
bool Suffix::operator==(const Suffix& other) const {
    return equal(*this, other);
}
bool PipeItem::operator==(const PipeItem& other) const {
    return equal(*this, other);
}
bool Declaration::operator==(const Declaration& other) const {
    return equal(*this, other);
}
bool Control::operator==(const Control& other) const {
    return equal(*this, other);
}
bool Movement::operator==(const Movement& other) const {
    return equal(*this, other);
}
bool Effect::operator==(const Effect& other) const {
    return equal(*this, other);
}
bool Stmt::operator==(const Stmt& other) const {
    return equal(*this, other);
}
bool Clause::operator==(const Clause& other) const {
    return equal(*this, other);
}
bool KernelBody::operator==(const KernelBody& other) const {
    return equal(*this, other);
}
bool Item::operator==(const Item& other) const {
    return equal(*this, other);
}
bool Block::operator==(const Block& other) const {
    return stmts == other.stmts;
}

Span Expr::span() const {
    return span_of(*this);
}
Span Slice::span() const {
    return span_of(*this);
}
Span Suffix::span() const {
    return span_of(*this);
}
Span Stmt::span() const {
    return visit(*this, [](const auto& group) { return span_of(group); });
}
Span Item::span() const {
    return span_of(*this);
}

}  // namespace slab::dsl::ast
