#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/schedule/program.hpp"
#include "compiler/schedule/text/canonical.hpp"
#include "compiler/schedule/text/expressions.hpp"
#include "compiler/schedule/text/tokens.hpp"

namespace slab::schedule {

/// Reads the text of a program. read_program.cpp has the tables, read_expression.cpp scalars,
/// read_references.cpp memory and semaphores, read_region.cpp the regions, read_body.cpp the
/// statements and read_transfers.cpp those of copies and synchronisation.
class Reader {
public:
    explicit Reader(std::string_view text) : tokens_(text) {}
    Program program();

private:
    static constexpr int most_brackets = 800;  // lowering ends at 250 blocks and 500 operations

    /// Ids by the spelling of the names.
    class Table {
    public:
        Table(std::string_view what) : what_(what) {}
        void declare(const Token& spelling, std::int32_t id);
        std::int32_t find(const Token& spelling) const;
        bool has(const Token& spelling) const { return ids_.contains(spelling.text); }
        /// What was declared before under this name is no longer meant.
        void redeclare(const Token& spelling, std::int32_t id);
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
    void mesh_axis();
    void semaphore();
    void ring();
    void residents();

    ExprId expression() { return expression(Binding::disjunction); }
    ExprId expression(Binding level);
    ExprId unary();
    ExprId primary();
    ExprId call(const Token& name);
    ExprId element(const Token& name);
    bool at_copy_of_element() const;
    ExprId integer_constant();
    ExprId real_constant();
    ExprId truth(bool value);
    ExprId operation(ScalarOp op, ScalarType type, std::vector<ExprId> args);

    void region();
    Op operation_line(Region& region, std::map<std::int32_t, ValueId>& values);
    void operands(Op& op, const std::map<std::int32_t, ValueId>& values);
    void attributes(Op& op);

    MemoryRef memory_ref();
    View view();
    ExprId copy_number();
    std::vector<RefDim> ref_dims();
    RefDim ref_dim();
    SemaphoreRef semaphore_ref();
    Device device();

    Block block();
    Stmt statement();
    Pipeline grid();
    Axis axis();
    bool at_stream() const;
    StreamId stream(const Pipeline& grid);
    void window_options(Stream& stream, const Pipeline& grid);
    void transfers_of(Stream& stream);
    Loop loop();
    Branch branch();
    Stmt set();
    Scope scope();
    While while_loop();
    UseRing use_ring(UseRing::Kind kind);

    std::optional<Stmt> transfer();
    Stmt copy();
    Stmt wait();
    Stmt signal();
    Stmt barrier();
    Stmt check();
    Stmt print();

    Tokens tokens_;
    Program program_;
    ExprTable exprs_;
    Table operands_{"operand"};
    Table buffers_{"buffer"};
    Table slots_{"slot"};
    Table mesh_{"mesh axis"};
    Table semaphores_{"semaphore"};
    Table rings_{"ring"};
    Table streams_{"stream"};
    std::vector<std::pair<OperandId, Token>> residents_;  ///< operands and the names of buffers
    int depth_ = 0;                                       ///< of brackets
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
