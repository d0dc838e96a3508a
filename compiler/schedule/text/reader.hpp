#pragma once

#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/schedule/program.hpp"
#include "compiler/schedule/text/canonical.hpp"
#include "compiler/schedule/text/expressions.hpp"
#include "compiler/schedule/text/tokens.hpp"

namespace slab::schedule {

/// Reads the text of a program. read_program.cpp has the tables, read_expression.cpp scalars,
/// read_region.cpp the regions and read_body.cpp the statements.
class Reader {
public:
    explicit Reader(std::string_view text) : tokens_(text) {}
    Program program();

private:
    /// Ids by the spelling of the names.
    class Table {
    public:
        Table(std::string_view what) : what_(what) {}
        void declare(const Token& spelling, std::int32_t id);
        std::int32_t find(const Token& spelling) const;
        std::string_view what() const { return what_; }

    private:
        std::string_view what_;
        std::map<std::string, std::int32_t, std::less<>> ids_;
    };
    std::int32_t reference(const Table& table);
    /// Declares the name that comes next and returns it.
    std::string declaration(Table& table, std::size_t id);

    template <typename Enum>
    Enum word(std::string_view what);
    BlockType block_type(std::string_view what);
    std::int64_t field(std::string_view word);
    template <typename Element>
    void list(std::string_view open, std::string_view close, Element element);

    void header();
    void operand();
    void buffer();
    void slot();

    ExprId expression() { return expression(Binding::disjunction); }
    ExprId expression(Binding level);
    ExprId unary();
    ExprId primary();
    ExprId call(const Token& name);
    ExprId integer_constant();
    ExprId real_constant();
    ExprId truth(bool value);
    ExprId operation(ScalarOp op, ScalarType type, std::vector<ExprId> args);

    void region();
    Op operation_line(Region& region, std::map<std::int32_t, ValueId>& values);
    void operands(Op& op, const std::map<std::int32_t, ValueId>& values);
    void attributes(Op& op);
    MemoryRef buffer_ref();

    Block block();
    Stmt statement();
    Pipeline grid();
    Axis axis();
    bool at_stream() const;
    StreamId stream(const Pipeline& grid);
    RefDim window_dim();
    Loop loop();
    Branch branch();
    SetSlot set();
    Scope scope();

    Tokens tokens_;
    Program program_;
    ExprTable exprs_;
    Table operands_{"operand"};
    Table buffers_{"buffer"};
    Table slots_{"slot"};
    int depth_ = 0;  ///< of brackets
};

template <typename Enum>
Enum Reader::word(std::string_view what) {
    const auto value = from_name<Enum>(tokens_.current().text);
    if (!value)
        tokens_.expected(fmt::format("{} ({})", what, fmt::join(EnumNames<Enum>::names, ", ")));
    tokens_.take();
    return *value;
}

template <typename Element>
void Reader::list(std::string_view open, std::string_view close, Element element) {
    tokens_.expect(open);
    if (tokens_.accept(close)) return;
    do element();
    while (tokens_.accept(","));
    tokens_.expect(close);
}

}  // namespace slab::schedule
