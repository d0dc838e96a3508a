#include "compiler/lower/sizes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/lower/lowering.hpp"
#include "compiler/ops/op.hpp"
#include "dsl/names.hpp"
#include "dsl/parse.hpp"

// Sizes: every shape name, bracket parameter and run-time scalar of a kernel gets its value here.
namespace slab::compiler {

namespace ast = dsl::ast;
using Int = std::int64_t;

namespace {

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

/// Each value after those its expression uses; nothing when some depend on one another, and then
/// `cycle` names one of them.
std::optional<std::vector<Pending>> in_order(std::vector<Pending> pending, ast::Name& cycle) {
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < pending.size(); ++i) index.emplace(pending[i].name.text, i);
    std::vector<std::vector<std::size_t>> users(pending.size());
    std::vector<std::size_t> awaited(pending.size(), 0);
    for (std::size_t i = 0; i < pending.size(); ++i)
        for (const ast::Name& used : names_in(pending[i].expr))
            if (const auto found = index.find(used.text); found != index.end()) {
                users[found->second].push_back(i);
                ++awaited[i];
            }
    std::set<std::size_t> ready;
    for (std::size_t i = 0; i < pending.size(); ++i)
        if (awaited[i] == 0) ready.insert(i);
    std::vector<Pending> ordered;
    while (!ready.empty()) {
        const std::size_t next = *ready.begin();
        ready.erase(ready.begin());
        ordered.push_back(pending[next]);
        for (const std::size_t user : users[next])
            if (--awaited[user] == 0) ready.insert(user);
    }
    for (std::size_t i = 0; i < pending.size() && ordered.size() < pending.size(); ++i)
        if (awaited[i] > 0) {
            cycle = pending[i].name;
            return std::nullopt;
        }
    return ordered;
}

bool check_value(const Pending& pending, const Constant& value, Diagnostics& diags) {
    const Span span = pending.name.span;
    const std::string& type = pending.type;
    const bool is_given = !pending.setting.empty();
    const auto wrong = [&](const char* needed) {
        diags.add<Diag::E0006_kind>(span, pending.name.text, needed, to_string(value), kind(value));
        return false;
    };
    if (type == "bool" || type == "pred") return value.truth() ? true : wrong("true or false");
    if (type == "dtype") return value.dtype() ? true : wrong("an element type");
    if (const auto element = dtype_from_name(type); element && is_float(*element))
        return value.is_number() ? true : wrong("a number");
    if (!value.integer()) return wrong("an integer");
    if (type.empty() && *value.integer() < 1) {
        report_size(span, pending.name.text, *value.integer(), is_given, diags);
        return false;
    }
    constexpr Int most = (Int{1} << 31) - 1;
    if (*value.integer() > most || *value.integer() < -most) {
        report_size(span, pending.name.text, *value.integer(), is_given, diags);
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

void report_size(Span span, const std::string& what, Int value, bool is_given, Diagnostics& diags) {
    constexpr Int most = (Int{1} << 31) - 1;
    const bool large = value > 0;
    if (value < 1 && value >= -most) {
        if (is_given)
            diags.add<Diag::E0006_small>(span, what, value);
        else
            diags.add<Diag::E0006_text_small>(span, what, value);
        return;
    }
    const char* end = large ? "largest" : "smallest";
    auto& message =
        is_given ? diags.add<Diag::E0006_large>(span, what, value, end, large ? most : -most)
                 : diags.add<Diag::E0006_text_large>(span, what, value, end, large ? most : -most);
    message.because("sizes and indices are 32-bit integers");
}

std::vector<ast::Name> names_in(const ast::Expr& expr) {
    std::vector<ast::Name> names = dsl::names_in(expr);
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

/// The slot of a run-time scalar, which starts with the value given.
Scalar Lowering::runtime_scalar(const std::string& name, const Constant& value) {
    using schedule::ScalarType;
    const Int* integer = value.integer();
    const ScalarType type = integer         ? ScalarType::i32
                            : value.truth() ? ScalarType::pred
                                            : ScalarType::f32;
    const auto slot = new_slot(name, type, integer ? Range{*integer, *integer, true} : Range{});
    if (type == ScalarType::f32)
        program_.slots[slot].real = value.real();
    else
        program_.slots[slot].integer = integer ? *integer : *value.truth();
    return {scalars_.slot(slot), type};
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
    // What depends on a name without a value says nothing of its own.
    const auto silence = [&](const ast::Name& name) {
        Entry wrong;
        wrong.value = Invalid{};
        wrong.declared = name.span;
        env_->names[name.text] = std::move(wrong);
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
                silence(name);
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
            silence(name);
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
        if (param.scalar) {
            const std::string& type = param.scalar->text;
            if (type != "i32" && type != "f32" && type != "pred") {
                diags_.add<Diag::E0004_value>(param.scalar->span, "the type of a run-time scalar",
                                              "i32, f32 or pred", type);
                used.insert(param.name.text);
                continue;
            }
            want(param.name, {}, type == "i32" ? "int" : type, false, true);
        } else
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
            message.because("it has " + (candidates.empty() ? "none" : joined(candidates)));
    }
    for (const std::string& name : unit_.settings.with)
        if (!std::count(optional_operands.begin(), optional_operands.end(), name)) {
            auto& message = diags_.add<Diag::E0006_with>(Span{}, kernel, name);
            if (const std::string near = nearest(name, optional_operands); !near.empty())
                message.fix(near);
            else
                message.because("it has " +
                                (optional_operands.empty() ? "none" : joined(optional_operands)));
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
    ast::Name cycle;
    const auto ordered = in_order(std::move(pending), cycle);
    if (!ordered)
        diags_.add<Diag::E0006_cycle>(cycle.span, cycle.text)
            .fix(fmt::format("--set {}=…", cycle.text));
    for (const Pending& one : ordered.value_or(std::vector<Pending>{})) {
        const auto value =
            one.setting.empty()
                ? constant(one.expr, fmt::format("the default of `{}`", one.name.text))
                : evaluate_setting(one.name.text, one.setting);
        if (!value || !check_value(one, *value, diags_)) {
            silence(one.name);
            continue;
        }
        Constant kept = *value;
        if (const auto type = dtype_from_name(one.type); type && is_float(*type))
            kept = Constant{value->real()};
        unit_.bound.push_back({one.name.text, kept, one.name.span, one.is_shape, one.is_runtime});
        Entry entry;
        entry.value = one.is_runtime ? Value(runtime_scalar(one.name.text, kept)) : Value(kept);
        entry.declared = one.name.span;
        declare(one.name, std::move(entry));
    }
    return diags_.size() == errors;
}

}  // namespace slab::compiler
