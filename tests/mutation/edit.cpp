#include "edit.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "dsl/parse.hpp"
#include "support/diagnostics.hpp"

namespace slab::mutation {

namespace ast = dsl::ast;

namespace {

template <typename T>
concept Variant = requires {
    typename T::variant_type;
};
template <typename T>
concept Node = std::derived_from<T, ast::Located>;

/// Looks for nodes that are equal to those of `from` and puts those of `to` in their place.
template <typename Found>
class Replacement {
public:
    Replacement(std::vector<Found> from, std::vector<Found> to, int match)
        : from_(std::move(from)), to_(std::move(to)), left_(match) {}

    bool is_made() const { return left_ == 0; }

    void look(ast::File& file) {
        for (ast::Item& item : file.items) {
            if (auto* kernel = boost::get<ast::Kernel>(&item.get())) look(*kernel);
            if (auto* program = boost::get<ast::Program>(&item.get())) look(*program);
        }
    }

private:
    template <typename T>
    void look(T&) {}
    template <typename T>
    void look(ast::x3::forward_ast<T>& node) {
        look(node.get());
    }
    template <typename T>
    void look(ast::Optional<T>& node) {
        if (node) look(*node);
    }
    template <typename T>
    void look(std::vector<T>& nodes) {
        if constexpr (std::is_same_v<T, Found> && !std::is_same_v<T, ast::Expr>) replace(nodes);
        for (T& node : nodes) look(node);
    }
    template <Variant T>
    void look(T& node) {
        if constexpr (std::is_same_v<T, Found> && std::is_same_v<T, ast::Expr>)
            if (node == from_.front() && left_ > 0 && --left_ == 0) {
                node = to_.front();
                return;
            }
        boost::apply_visitor([this](auto& held) { look(held); }, node.get());
    }

    /// All nodes below one, whatever it is: fields go by their names.
    template <Node T>
    void look(T& node) {
#define FIELD(name) \
    if constexpr (requires { node.name; }) look(node.name);
        FIELD(base) FIELD(suffixes) FIELD(first) FIELD(rest) FIELD(operand) FIELD(items);
        FIELD(start) FIELD(index) FIELD(size) FIELD(upto) FIELD(lo) FIELD(hi) FIELD(step);
        FIELD(clauses) FIELD(conditions) FIELD(extents) FIELD(bytes);
        FIELD(axes) FIELD(where) FIELD(decls) FIELD(type) FIELD(dims) FIELD(init);
        FIELD(region) FIELD(depth) FIELD(window) FIELD(transfers) FIELD(options);
        FIELD(condition) FIELD(at_most) FIELD(then) FIELD(else_ifs) FIELD(otherwise);
        FIELD(unroll) FIELD(factor) FIELD(source) FIELD(target) FIELD(value) FIELD(result);
        FIELD(coordinates) FIELD(device) FIELD(done) FIELD(arrive) FIELD(priority);
        FIELD(semaphore) FIELD(amount) FIELD(by) FIELD(devices) FIELD(values);
        FIELD(bindings) FIELD(arguments) FIELD(stmts) FIELD(body);
#undef FIELD
    }

    void replace(std::vector<Found>& nodes) {
        for (auto at = nodes.begin(); left_ > 0; ++at) {
            at = std::search(at, nodes.end(), from_.begin(), from_.end());
            if (at == nodes.end()) return;
            if (--left_ > 0) continue;
            // copied, as a `forward_ast` that was moved from cannot be assigned to
            std::vector<Found> changed(nodes.begin(), at);
            changed.insert(changed.end(), to_.begin(), to_.end());
            changed.insert(changed.end(), at + static_cast<std::ptrdiff_t>(from_.size()),
                           nodes.end());
            nodes = std::move(changed);
            return;
        }
    }

    std::vector<Found> from_;
    std::vector<Found> to_;
    int left_;
};

/// The kernel whose text is put around a snippet that no kernel can do without.
std::optional<ast::Kernel> kernel_of(const std::string& text) {
    Diagnostics diags;
    const ast::File file = dsl::parse(SourceFile("edit", text), diags);
    if (diags.has_errors() || file.items.size() != 1) return std::nullopt;
    return boost::get<ast::Kernel>(file.items.front().get());
}
std::optional<ast::Pipe> grid_of(const std::string& text) {
    const auto kernel = kernel_of("kernel k(x: hbm f32[1])\ngrid " + text);
    if (!kernel) return std::nullopt;
    return boost::get<ast::Pipe>(kernel->body.get());
}

/// What a snippet holds, or nothing if it cannot be read.
std::optional<std::vector<ast::Expr>> read(const std::string& text, const ast::Expr*) {
    Diagnostics diags;
    const auto expr = dsl::parse_expression(SourceFile("edit", text), diags);
    return expr ? std::optional(std::vector{*expr}) : std::nullopt;
}
std::optional<std::vector<ast::Stmt>> read(const std::string& text, const ast::Stmt*) {
    const auto kernel = kernel_of("kernel k(x: hbm f32[1])\n{\n" + text + "\n}");
    if (!kernel) return std::nullopt;
    return boost::get<ast::Block>(kernel->body.get()).stmts;
}
std::optional<std::vector<ast::PipeItem>> read(const std::string& text, const ast::PipeItem*) {
    const auto grid = grid_of("(i in 1)\n" + text + "\n{ }");
    return grid ? std::optional(grid->items) : std::nullopt;
}
std::optional<std::vector<ast::Axis>> read(const std::string& text, const ast::Axis*) {
    const auto grid = grid_of("(" + text + ") { }");
    return grid ? std::optional(grid->axes) : std::nullopt;
}

template <typename Found>
std::string apply_as(const Edit& edit, ast::File& file) {
    const auto from = read(edit.from, static_cast<const Found*>(nullptr));
    const auto to = read(edit.to, static_cast<const Found*>(nullptr));
    if (!from || from->empty() || !to) return "cannot be read: " + (from ? edit.to : edit.from);
    if (*from == *to) return "changes nothing: " + edit.from;
    Replacement<Found> replacement(*from, *to, edit.match);
    replacement.look(file);
    return replacement.is_made() ? "" : "is nowhere: " + edit.from;
}

}  // namespace

std::string apply(const Edit& edit, ast::File& file) {
    switch (edit.part) {
        case Edit::Part::expression:
            return apply_as<ast::Expr>(edit, file);
        case Edit::Part::statements:
            return apply_as<ast::Stmt>(edit, file);
        case Edit::Part::streams:
            return apply_as<ast::PipeItem>(edit, file);
        case Edit::Part::axes:
            return apply_as<ast::Axis>(edit, file);
    }
    return "";
}

}  // namespace slab::mutation
