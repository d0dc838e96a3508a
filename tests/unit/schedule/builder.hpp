#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/schedule/walker.hpp"

// Programs made statement by statement, for what the text of toy() has no words for.
namespace slab::schedule::testing {

/// The span that marks statement number `n` of a program.
inline Place place(std::uint32_t n) {
    return {Span{n, n + 1}};
}

class Builder {
public:
    Program program;

    Builder();

    SlotId slot(const std::string& name, std::int64_t value = 0);
    OperandId operand(const std::string& name, Direction direction, DType type,
                      std::vector<std::int64_t> shape, std::int64_t tile_rows = 1);
    BufferId buffer(const std::string& name, Space space, DType type,
                    std::vector<std::int64_t> shape, std::int64_t copies = 1);
    SemaphoreId semaphore(const std::string& name, SemaphoreKind kind,
                          std::vector<std::int64_t> shape = {});
    /// An axis of the mesh, and the variable of the same name.
    SlotId axis(const std::string& name, std::int64_t extent);
    /// A ring over a buffer, with the variables `<name>_fill` and `<name>_take`.
    RingId ring(const std::string& name, BufferId buffer);

    ExprId num(std::int64_t value);
    ExprId real(double value);
    ExprId get(SlotId slot);
    ExprId op(ScalarOp op, ExprId a, ExprId b, ScalarType type = ScalarType::i32);
    ExprId element(BufferId buffer, std::vector<ExprId> index, ExprId copy = none);

    RefDim part(ExprId start, std::int64_t size, ExprId live = none, std::int64_t step = 1);
    RefDim at(ExprId index);
    /// A part of an operand or of a buffer; without dimensions all of it.
    MemoryRef of_operand(OperandId operand, std::vector<RefDim> dims = {});
    MemoryRef of_buffer(BufferId buffer, std::vector<RefDim> dims = {}, ExprId copy = none);

    Stmt set(SlotId slot, ExprId value);
    Stmt set(BufferId buffer, std::vector<ExprId> index, ExprId value, std::uint32_t n = 0);
    Stmt loop(SlotId slot, ExprId lo, ExprId hi, Block body);
    Stmt copy(Copy copy);
    Stmt copy(MemoryRef source, MemoryRef target, std::uint32_t n = 0);
    Stmt wait(Wait wait);
    Stmt signal(Signal signal);
    Stmt barrier(Barrier barrier);
    Stmt use(UseRing::Kind kind, RingId ring, Block body = {}, std::uint32_t n = 0);
    Stmt check(ExprId condition, const std::string& message, std::uint32_t n = 0);
    Stmt print(const std::string& message, std::vector<ExprId> values);

    StreamId stream(Stream stream);
    Stmt grid(std::vector<std::pair<SlotId, std::int64_t>> axes, std::vector<StreamId> streams,
              Block body, ExprId where = none);

    void body(Block block) { program.body = std::move(block); }
};

/// A word per event, as below, then the stop if there is one: `stop@n: headline (why)` with the
/// number of the statement.
///
/// `copy c0 64/2 [done]` a transfer of 64 bytes in 2 runs · `> 1 got` to member 1, arriving at its
/// semaphore `got` · `await 64 [done]` · `signal 1 > 2 got` · `fetch s 8/1` `x? 8 [fetch of x]` a
/// window's copy and wait, `write` and `x!` those of a write-back · `kv{0` `}0` a use of a ring and
/// its slot · `t[]` an assignment to SMEM · `i=3` to a variable · `print` · `for` · `step` ·
/// `dead`.
std::vector<std::string> events(const Program& program, const Data& data = {},
                                std::int32_t member = 0);
std::vector<std::string> events(const Program& program, Walker walker);

}  // namespace slab::schedule::testing
