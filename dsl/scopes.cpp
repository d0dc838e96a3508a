#include "dsl/scopes.hpp"

#include <algorithm>
#include <set>

#include "dsl/names.hpp"
#include "support/dtype.hpp"

namespace slab::dsl {

namespace {

const std::set<std::string> constants = {"KiB", "MiB", "GiB", "pi"};
/// What other kernel languages call a thing that is here under another name.
const std::map<std::string, std::string> names_elsewhere = {{"float32", "f32"},
                                                            {"float", "f32"},
                                                            {"fp32", "f32"},
                                                            {"bfloat16", "bf16"},
                                                            {"int32", "i32"},
                                                            {"uint32", "u32"},
                                                            {"int16", "i16"},
                                                            {"uint16", "u16"},
                                                            {"int8", "i8"},
                                                            {"uint8", "u8"},
                                                            {"int4", "i4"},
                                                            {"uint4", "u4"},
                                                            {"float8_e4m3fn", "f8e4m3"},
                                                            {"f8e4m3fn", "f8e4m3"},
                                                            {"float8_e5m2", "f8e5m2"},
                                                            {"maximum", "max"},
                                                            {"minimum", "min"},
                                                            {"matmul", "dot"},
                                                            {"swapaxes", "transpose"},
                                                            {"concatenate", "concat"},
                                                            {"infinity", "inf"},
                                                            {"nil", "none"},
                                                            {"null", "none"}};

}  // namespace

bool is_word(const std::string& text) {
    static const std::set<std::string> words = {"inf", "true", "false", "me", "none", "any"};
    // types that the TPU lacks have a message of their own
    static const std::set<std::string> absent_types = {"f16", "f64", "i64", "u64"};
    return dtype_from_name(text) || words.count(text) || absent_types.count(text);
}

void Names::enter(Scope& scope) {
    scope.outer = scope_;
    scope_ = &scope;
}

bool Names::is_built_in(const std::string& name) const {
    return name == "has" || constants.count(name) ||
           std::count(functions_.begin(), functions_.end(), name) > 0;
}

void Names::declare(const ast::Name& name, Declared declared) {
    declared.span = name.span;
    if (is_built_in(name.text)) {
        diags_.add<Diag::E0003_built_in>(name.span, name.text);
        return;
    }
    const auto [earlier, inserted] = scope_->names.try_emplace(name.text, declared);
    if (!inserted)
        diags_.add<Diag::E0003>(name.span, name.text)
            .note(earlier->second.span, "first declared here");
}

const Declared* Names::find(const std::string& name) const {
    for (const Scope* scope = scope_; scope; scope = scope->outer)
        if (const auto found = scope->names.find(name); found != scope->names.end())
            return &found->second;
    return nullptr;
}

/// The names that could have been meant, and the words of the language that stand for a value.
std::vector<std::string> Names::visible(bool functions_only) const {
    std::set<std::string> names = {"inf", "true", "false", "none"};
    names.insert(constants.begin(), constants.end());
    if (functions_only) names = {dtype_names.begin(), dtype_names.end()};
    for (const Scope* scope = scope_; scope; scope = scope->outer)
        for (const auto& [name, declared] : scope->names)
            if (!functions_only || declared.function) names.insert(name);
    if (functions_only) names.insert(functions_.begin(), functions_.end());
    return {names.begin(), names.end()};
}

void Names::report_unknown(const ast::Name& name, const char* what,
                           const std::vector<std::string>& known) {
    auto& message = diags_.add<Diag::E0002>(name.span, what, name.text);
    const auto elsewhere = names_elsewhere.find(name.text);
    if (elsewhere != names_elsewhere.end() &&
        std::find(known.begin(), known.end(), elsewhere->second) != known.end())
        message.replace(name.span, elsewhere->second);
    else if (const std::string* near = nearest_of(name.text, known))
        message.replace(name.span, *near);
}

void Names::report_function(const ast::Name& name) {
    if (diags_.size() <= most_messages) report_unknown(name, "function", visible(true));
}

void Names::check_value(const ast::Name& name) {
    if (is_word(name.text) || is_built_in(name.text) || find(name.text)) return;
    if (diags_.size() <= most_messages) report_unknown(name, "value", visible(false));
}

void Names::check_type(const ast::Name& name) {
    if (is_word(name.text) || find(name.text) || diags_.size() > most_messages) return;
    std::vector<std::string> known(dtype_names.begin(), dtype_names.end());
    for (const Scope* scope = scope_; scope; scope = scope->outer)
        for (const auto& [other, declared] : scope->names)
            if (declared.type) known.push_back(other);
    report_unknown(name, "type", known);
}

bool Names::may_be_early(const ast::Expr& expr) const {
    const std::vector<ast::Name> names = names_in(expr);
    return std::all_of(names.begin(), names.end(), [&](const ast::Name& name) {
        const Declared* declared = find(name.text);
        return !declared || declared->early || declared->function;
    });
}

}  // namespace slab::dsl
