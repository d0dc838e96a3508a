#include "compiler/lower/sizes.hpp"

#include <algorithm>
#include <set>

#include "compiler/lower/lowering.hpp"
#include "compiler/ops/op.hpp"
#include "dsl/parse.hpp"

// Sizes: every shape name, bracket parameter and run-time scalar of a kernel gets its value here.
namespace slab::compiler {

namespace ast = dsl::ast;
using Int = std::int64_t;

namespace {

struct NameCollector {
    using result_type = void;
    std::vector<ast::Name>& names;

    void in(const ast::Expr& expr) const { boost::apply_visitor(*this, expr); }
    void operator()(const ast::Number&) const {}
    void operator()(const ast::Text&) const {}
    void operator()(const ast::Name& name) const { names.push_back(name); }
    void operator()(const ast::List& list) const {
        for (const ast::Expr& item : list.items) in(item);
    }
    void operator()(const ast::Unary& unary) const { in(unary.operand); }
    void operator()(const ast::Chain& chain) const {
        in(chain.first);
        for (const ast::Link& link : chain.rest) in(link.operand);
    }
    void operator()(const ast::Postfix& postfix) const {
        in(postfix.base);
        for (const ast::Suffix& suffix : postfix.suffixes)
            if (const auto* arguments = boost::get<ast::Arguments>(&suffix.get()))
                for (const ast::Argument& argument : arguments->items) in(argument.value);
    }
};

bool is_word(const std::string& name) {
    return dtype_from_name(name) || name == "inf" || name == "true" || name == "false" ||
           find_op(name);
}

/// A name with the expression that gives it a value, not evaluated yet.
struct Pending {
    ast::Name name;
    ast::Expr expr;
    std::string setting;  ///< as given by --set; empty for a default
    std::string type;
    bool is_shape = false;
    bool is_runtime = false;
};

bool ready(const Pending& pending, const std::vector<Pending>& all, std::size_t self) {
    for (const ast::Name& used : names_in(pending.expr))
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i != self && all[i].name.text == used.text) return false;
    for (const ast::Name& used : names_in(pending.expr))
        if (used.text == pending.name.text) return false;
    return true;
}

bool check_value(const Pending& pending, const Constant& value, Diagnostics& diags) {
    const Span span = pending.name.span;
    const std::string& type = pending.type;
    const auto wrong = [&](const char* needed) {
        diags.add<Diag::E0006_kind>(span, pending.name.text, needed, to_string(value), kind(value));
        return false;
    };
    if (type == "bool") return value.truth() ? true : wrong("true or false");
    if (type == "dtype") return value.dtype() ? true : wrong("an element type");
    if (const auto element = dtype_from_name(type); element && is_float(*element))
        return value.is_number() ? true : wrong("a number");
    if (!value.integer()) return wrong("an integer");
    if (type.empty() && *value.integer() < 1) {
        diags.add<Diag::E0006_small>(span, pending.name.text, *value.integer());
        return false;
    }
    constexpr Int most = (Int{1} << 31) - 1;
    if (*value.integer() > most || *value.integer() < -most) {
        diags.add<Diag::E0006_large>(span, pending.name.text, *value.integer(), most)
            .because("indices are 32-bit integers");
        return false;
    }
    return true;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
    return text;
}

}  // namespace

std::vector<ast::Name> names_in(const ast::Expr& expr) {
    std::vector<ast::Name> names;
    NameCollector{names}.in(expr);
    std::erase_if(names, [](const ast::Name& name) { return is_word(name.text); });
    return names;
}

std::string sizes_used_in(const ast::Expr& expr, const Unit& unit) {
    std::string text;
    std::set<std::string> seen;
    for (const ast::Name& name : names_in(expr))
        if (const Bound* bound = unit.find(name.text); bound && seen.insert(name.text).second)
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name.text,
                                to_string(bound->value));
    return text.empty() ? "it is false" : text;
}

std::vector<ast::Name> shape_names(const ast::File& file, const ast::Kernel& kernel) {
    std::set<std::string> declared = {"KiB", "MiB", "GiB", "pi"};
    for (const ast::Item& item : file.items) {
        if (const auto* constant = boost::get<ast::Const>(&item.get()))
            declared.insert(constant->name.text);
        if (const auto* fn = boost::get<ast::Fn>(&item.get())) declared.insert(fn->name.text);
    }
    for (const ast::BracketParam& bracket : kernel.brackets) declared.insert(bracket.name.text);
    for (const ast::Param& param : kernel.params) declared.insert(param.name.text);
    std::vector<ast::Name> names;
    const auto add = [&](const ast::Expr& expr) {
        for (const ast::Name& name : names_in(expr))
            if (declared.insert(name.text).second) names.push_back(name);
    };
    for (const ast::Clause& clause : kernel.clauses) {
        if (const auto* constant = boost::get<ast::Const>(&clause.get()))
            declared.insert(constant->name.text);
        if (const auto* mesh = boost::get<ast::MeshClause>(&clause.get()))
            for (const ast::Coordinate& axis : mesh->extents.coordinates) add(axis.value);
    }
    for (const ast::Param& param : kernel.params)
        if (param.memory)
            for (const ast::Expr& dim : param.memory->dims) add(dim);
    return names;
}

std::optional<Constant> Lowering::evaluate_setting(const std::string& name,
                                                   const std::string& value) {
    const SourceFile text("--set " + name, value);
    Diagnostics own;
    std::optional<Constant> result;
    if (const auto expr = dsl::parse_expression(text, own)) {
        std::swap(own, diags_);
        const SourceFile* outer = std::exchange(source_, &text);
        result = constant(*expr, "a value");
        source_ = outer;
        std::swap(own, diags_);
    }
    if (!result)
        diags_.add<Diag::E0006_setting>(
            Span{}, name, value,
            own.empty() ? "this is no constant expression" : own.messages().front().headline());
    return result;
}

bool Lowering::declare_sizes() {
    const std::size_t errors = diags_.size();
    std::vector<Pending> pending;
    std::vector<std::string> missing_shapes, missing_parameters;
    std::set<std::string> used;
    const auto setting = [&](const std::string& name) -> const std::string* {
        const std::string* value = nullptr;
        for (const auto& [key, text] : unit_.settings.set)
            if (key == name) value = &text;
        used.insert(name);
        return value;
    };
    const auto want = [&](const ast::Name& name, const dsl::ast::Optional<ast::Expr>& default_value,
                          const std::string& type, bool is_shape, bool is_runtime) {
        Pending one{name, {}, {}, type, is_shape, is_runtime};
        if (const std::string* text = setting(name.text)) {
            one.setting = *text;
            Diagnostics own;
            const SourceFile source("--set " + name.text, *text);
            const auto expr = dsl::parse_expression(source, own);
            if (!expr) {
                diags_.add<Diag::E0006_setting>(
                    Span{}, name.text, *text,
                    own.empty() ? "this is no expression" : own.messages().front().headline());
                return;
            }
            one.expr = *expr;
        } else if (default_value) {
            one.expr = *default_value;
        } else {
            (is_shape ? missing_shapes : missing_parameters).push_back(name.text);
            return;
        }
        pending.push_back(std::move(one));
    };
    for (const ast::Name& name : shape_names(unit_.file, unit_.kernel))
        want(name, {}, "", true, false);
    for (const ast::BracketParam& bracket : unit_.kernel.brackets)
        want(bracket.name, bracket.value, bracket.type, false, false);
    std::vector<std::string> operands, optional_operands;
    for (const ast::Param& param : unit_.kernel.params) {
        if (param.scalar)
            want(param.name, {}, param.scalar->text == "i32" ? "int" : param.scalar->text, false,
                 true);
        else
            operands.push_back(param.name.text);
        if (param.memory && param.memory->optional) optional_operands.push_back(param.name.text);
    }
    const std::string& kernel = unit_.kernel.name.text;
    for (const auto& [name, text] : unit_.settings.set) {
        if (used.count(name)) continue;
        if (std::count(operands.begin(), operands.end(), name)) {
            diags_.add<Diag::E0006_operand>(Span{}, name);
            continue;
        }
        auto& message = diags_.add<Diag::E0006_unknown>(Span{}, kernel, name);
        const std::vector<std::string> known(used.begin(), used.end());
        std::vector<std::string> candidates;
        for (const std::string& one : known)
            if (one != name) candidates.push_back(one);
        if (const std::string near = nearest(name, candidates); !near.empty())
            message.fix(near);
        else
            message.because("it has " + joined(candidates));
    }
    for (const std::string& name : unit_.settings.with)
        if (!std::count(optional_operands.begin(), optional_operands.end(), name)) {
            auto& message = diags_.add<Diag::E0006_with>(Span{}, kernel, name);
            if (!optional_operands.empty()) message.because("it has " + joined(optional_operands));
        }
    const auto report_missing = [&](const std::vector<std::string>& names, const char* one,
                                    const char* many) {
        if (names.empty()) return;
        std::string example;
        for (const std::string& name : names)
            example += fmt::format("{}{}=…", example.empty() ? "" : ",", name);
        diags_
            .add<Diag::E0006>(unit_.kernel.name.span, names.size() == 1 ? one : many, joined(names))
            .fix("--set " + example);
    };
    report_missing(missing_shapes, "size", "sizes");
    report_missing(missing_parameters, "parameter", "parameters");
    while (!pending.empty()) {
        std::size_t next = 0;
        while (next < pending.size() && !ready(pending[next], pending, next)) ++next;
        if (next == pending.size()) {
            diags_.add<Diag::E0006_cycle>(pending.front().name.span, pending.front().name.text);
            break;
        }
        const Pending one = pending[next];
        pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(next));
        const auto value =
            one.setting.empty()
                ? constant(one.expr, fmt::format("the default of `{}`", one.name.text))
                : evaluate_setting(one.name.text, one.setting);
        if (!value || !check_value(one, *value, diags_)) {
            Entry wrong;
            wrong.value = Invalid{};  // what depends on it stays silent
            env_->names[one.name.text] = wrong;
            continue;
        }
        Constant kept = *value;
        if (const auto type = dtype_from_name(one.type); type && is_float(*type))
            kept = Constant{value->real()};
        unit_.bound.push_back({one.name.text, kept, one.name.span, one.is_shape, one.is_runtime});
        if (one.is_runtime) continue;
        Entry entry;
        entry.value = kept;
        entry.declared = one.name.span;
        declare(one.name, std::move(entry));
    }
    return diags_.size() == errors;
}

}  // namespace slab::compiler
