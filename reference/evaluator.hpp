#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dsl/ast.hpp"
#include "reference/run.hpp"
#include "reference/value.hpp"
#include "support/diagnostics.hpp"
#include "support/dtype.hpp"
#include "support/nesting.hpp"

namespace slab::reference {

/// Thrown once the reason is reported; it never leaves this folder.
struct Stopped {};

/// What a name means in a scope.
struct Binding {
    enum class Kind { constant, value, input, variable, output, function };
    Kind kind = Kind::value;
    Value value = {};
    Span declared = {};
    const dsl::ast::Fn* function = nullptr;
    /// Of an output: which elements have been written, and how many have not.
    std::vector<bool> written = {};
    Int unwritten = 0;
};

struct Scope {
    Scope* outer = nullptr;
    std::map<std::string, Binding> names = {};
};

/// Evaluates expressions and runs statements on whole arrays. What is wrong is reported to the
/// diagnostics with its place, and ends in `Stopped`: the first error is the only one.
class Evaluator {
public:
    /// The constants and functions of the file can be used. It ends in an error after `most_work`.
    Evaluator(const dsl::ast::File& file, Diagnostics& diags, double most_work = ordinary_work);
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    /// From here on every result is rounded to a float type, as code that keeps all its values in
    /// that type has it.
    void round_to(DType type) { rounding_ = type; }
    std::optional<DType> rounding() const { return rounding_; }

    /// Makes a name known from here on.
    Binding& define(const std::string& name, Binding binding);
    Binding* find(const std::string& name);

    Value evaluate(const dsl::ast::Expr& expr);
    /// A block in a scope of its own; the value of its `return`, or nothing.
    std::optional<Value> run(const dsl::ast::Block& block);

    /// Gives a variable or output a value, as an assignment does.
    void set(const std::string& name, const Value& value, Span span);

    /// A value that must be an array: lists become arrays.
    Value array(Value value, Span span, const std::string& what);
    /// A list of arrays or of such lists as one array, as `joined`.
    std::optional<Array> join(const Value::List& list, Span span);
    Int integer(const Value& value, Span span, const std::string& what);
    Shape shape(const std::vector<dsl::ast::Expr>& dims);
    Value unary(const std::string& op, const Value& operand, Span span);
    Value binary(const std::string& op, const Value& a, const Value& b, Span span);

    /// Refuses what would overflow the stack.
    void check_depth(Span span);
    /// Counts work, so that no text keeps the evaluation busy for ever.
    void spend(double work, Span span);
    /// Refuses arrays that are too large, before they are made.
    void check_size(const Shape& shape, const std::string& what, Span span);

    template <Diag id, typename... Args>
    [[noreturn]] void fail(Span span, Args&&... args) {
        diags_.add<id>(span, std::forward<Args>(args)...);
        throw Stopped{};
    }

private:
    /// A scope that is left again, by an error too.
    class Inner {
    public:
        Inner(Evaluator& evaluator, Scope* outer)
            : evaluator_(evaluator), before_(evaluator.scope_), scope_{outer} {
            evaluator.scope_ = &scope_;
        }
        ~Inner() { evaluator_.scope_ = before_; }
        Inner(const Inner&) = delete;
        Inner& operator=(const Inner&) = delete;

    private:
        Evaluator& evaluator_;
        Scope* before_;
        Scope scope_;
    };

    Value number(const dsl::ast::Number& number);
    Value name(const dsl::ast::Name& name);
    Value postfix(const dsl::ast::Postfix& postfix);
    Value call(const dsl::ast::Name& callee, const dsl::ast::Arguments& arguments, Span span);
    std::optional<Value> call_function(const dsl::ast::Fn& fn, Scope* home,
                                       const dsl::ast::Arguments& arguments, Span span);
    Value call_built_in(const std::string& name, const dsl::ast::Arguments& arguments, Span span);
    Value cast(DType type, const dsl::ast::Arguments& arguments, Span span);
    Value member(const Value& value, const dsl::ast::Member& member);
    Part part(const std::string& name, const Shape& shape, const dsl::ast::Slices& slices);
    void slice(const std::string& name, const Shape& shape, std::size_t dimension,
               const dsl::ast::Slice& slice, Part& part);
    Value rounded_result(Value value) const;
    bool condition(const dsl::ast::Expr& expr);
    void write_back(const dsl::ast::Expr& place, const Value& before, const Value& after);
    void check_written(const Binding& binding, const std::string& name, const Part& part,
                       Span span);

    std::optional<Value> run_statements(const dsl::ast::Stmts& stmts);
    void declaration(const dsl::ast::Declaration& node, Span span);
    void control(const dsl::ast::Control& node, Span span);
    std::optional<Value> effect(const dsl::ast::Effect& node);
    void branch(const dsl::ast::If& branch);
    void loop(const dsl::ast::For& loop);
    void variable(const dsl::ast::Var& variable);
    void assign_to(const dsl::ast::Expr& place, Value value, Span span);
    void assign(Binding& binding, const std::string& name, const Part* part, Value value,
                Span span);
    void assignment(const dsl::ast::Assign& assignment);
    [[noreturn]] void unknown(const char* what, const dsl::ast::Name& name);

    const dsl::ast::File& file_;
    Diagnostics& diags_;
    Scope items_;
    Scope* scope_ = &items_;
    Nesting calls_{100};
    Nesting nesting_{500};  ///< of blocks and expressions, those of functions called included
    double most_work_;
    double work_ = 0;
    std::optional<DType> rounding_;
};

}  // namespace slab::reference
