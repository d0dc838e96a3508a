#pragma once

#include <map>
#include <string>
#include <vector>

#include "dsl/ast.hpp"
#include "support/diagnostics.hpp"

namespace slab::dsl {

/// What a name means as far as the text alone tells.
struct Declared {
    Span span;
    const ast::Fn* function = nullptr;
    bool early = false;  ///< may be known at compile time
    bool type = false;   ///< a parameter that stands for an element type
};

struct Scope {
    Scope* outer = nullptr;
    std::map<std::string, Declared> names;
    /// Their bodies see all that the scope declares, so they are checked when it is complete.
    std::vector<const ast::Fn*> functions;
};

/// Messages of a file after which names are no longer looked at.
constexpr std::size_t most_messages = 100;

/// A word that may stand where a name does.
bool is_word(const std::string& text);

/// The names that can be seen at a place of a text, and what to say of those that cannot.
class Names {
public:
    Names(const std::vector<std::string>& functions, Diagnostics& diags)
        : functions_(functions), diags_(diags) {}

    void enter(Scope& scope);
    void leave() { scope_ = scope_->outer; }
    Scope& scope() { return *scope_; }

    void declare(const ast::Name& name, Declared declared);
    /// Null for a name that nothing declares.
    const Declared* find(const std::string& name) const;
    bool is_built_in(const std::string& name) const;
    /// May the value be known at compile time, so that an `if` on it drops an arm?
    bool may_be_early(const ast::Expr& expr) const;

    /// E0002 for a value or an element type that nothing declares.
    void check_value(const ast::Name& name);
    void check_type(const ast::Name& name);
    void report_function(const ast::Name& name);
    void report_unknown(const ast::Name& name, const char* what,
                        const std::vector<std::string>& known);

private:
    std::vector<std::string> visible(bool functions_only) const;

    const std::vector<std::string>& functions_;
    Diagnostics& diags_;
    Scope* scope_ = nullptr;
};

}  // namespace slab::dsl
