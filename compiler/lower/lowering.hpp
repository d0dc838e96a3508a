#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lower/value.hpp"
#include "compiler/scalars.hpp"
#include "compiler/unit.hpp"
#include "support/diagnostics.hpp"
#include "support/nesting.hpp"

namespace slab::compiler {

/// A call of a built-in function, its arguments evaluated.
struct Call {
    std::string name;
    Span span;
    std::vector<Value> args;
    std::vector<Span> spans;
    std::map<std::string, std::pair<Value, Span>> named;
};

/// A block in the making: where its value is and what the instruction selection knows about it.
struct BlockInfo {
    schedule::BlockType type;
    schedule::RegionId region = schedule::none;  ///< where it is computed
    int statement = 0;                           ///< when
    schedule::ValueId value = schedule::none;
    schedule::BufferId buffer = schedule::none;  ///< where it waits when another region needs it
    schedule::RegionId cached_region = schedule::none;
    schedule::ValueId cached = schedule::none;
    bool lane_uniform =
        false;  ///< every lane of a row holds the same value, so one register per 8 rows will do
    int live = -1;
};

/// Turns the body of one kernel, all sizes bound, into a Program: evaluates what is known at
/// compile time, inlines functions, resolves `if` on constants, makes windows scalar expressions
/// and gathers vector code into regions. Reports every error it meets and goes on; what could not
/// be lowered is Invalid and silent.
class Lowering {
public:
    Lowering(Unit& unit, Diagnostics& diags);
    void run();
    /// What stands above the body: constants, functions, sizes, operands and clauses. False where
    /// something is wrong.
    bool declare_head();

    // ------------------------------------------------------------------------------ expressions
    // (expressions.cpp)
    Value eval(const dsl::ast::Expr& expr);
    /// A value known at compile time; otherwise E0008 with `what`.
    std::optional<Constant> constant(const dsl::ast::Expr& expr, const std::string& what);
    std::optional<std::int64_t> integer(const dsl::ast::Expr& expr, const std::string& what);
    /// An i32 scalar, constants included.
    std::optional<schedule::ExprId> index(const dsl::ast::Expr& expr, const std::string& what);
    std::optional<schedule::ExprId> as_index(const Value& value, Span span,
                                             const std::string& what);
    /// A scalar, or a constant that can be one, of the type.
    std::optional<schedule::ExprId> as_scalar(const Value& value, schedule::ScalarType type,
                                              Span span);
    /// A compile-time integer on its way to run time, where integers have 32 bits.
    std::optional<schedule::ExprId> narrowed(std::int64_t value, Span span);
    /// An operation on scalars; long chains of them are an error.
    Value scalar(schedule::ScalarOp op, schedule::ScalarType type,
                 std::vector<schedule::ExprId> args, Span span);
    /// `a op b` on scalars and blocks alike.
    Value binary(const std::string& op, const Value& a, const Value& b, Span span);

    // --------------------------------------------------------------------------------- references
    // (references.cpp)
    /// Memory named by an expression: an operand, a buffer, or a part of one.
    std::optional<Reference> reference(const dsl::ast::Expr& expr);
    /// The memory seen permuted, with another shape, or as another type.
    Value view(const Reference& base, schedule::View seen);
    schedule::Space space_of(const Reference& reference) const;
    Value slice(const Value& base, const dsl::ast::Slices& slices, Span span);

    // --------------------------------------------------------------------------------------------
    // blocks (blocks.cpp)
    bool is_block(const Value& value) const;
    /// Element type and shape of a block or of memory that can be read as one, transposition
    /// included.
    std::optional<schedule::BlockType> block_type(const Value& value) const;
    /// Reads memory, leaves blocks as they are; anything else is an error that names what `needed`
    /// a block.
    std::optional<BlockValue> block(const Value& value, Span span, const std::string& needed);
    BlockInfo& info(BlockValue value) { return blocks_[value.id]; }
    /// The block's value inside the region being built, loaded back or transposed if need be.
    schedule::ValueId use(BlockValue value, Span span);
    /// Constants and scalars as a one-element block of the type, which broadcasts.
    std::optional<BlockValue> splat(const Value& value, DType type, Span span);
    /// Adds an operation to the region being built; its result is a new block.
    BlockValue emit(schedule::Op op, schedule::BlockType type, bool lane_uniform, Span span);
    /// An element-by-element operation: broadcasts the arguments and charges `per_register`
    /// instructions for each register of the widest type involved, plus lane broadcasts.
    Value map(const std::string& name, std::vector<BlockValue> args, DType result,
              schedule::Work per_register, Span span, std::string_view spelling);
    /// The block over a shape that its own broadcasts to, or nothing when it does not.
    std::optional<BlockValue> spread(BlockValue value, const std::vector<std::int64_t>& shape,
                                     Span span);
    Value cast(const Value& value, DType type, Span span);
    void store(const Reference& target, const std::string& op, const Value& value, Span target_span,
               Span value_span);
    bool joins(const Reference& target, const std::string& op, const schedule::BlockType& added,
               Span target_span, Span value_span);
    /// Vector registers of a block: (sublanes, lanes) of 32-bit elements, or packed where the chip
    /// computes packed.
    double registers(const schedule::BlockType& type, bool lane_uniform = false) const;
    double row_groups(const std::vector<std::int64_t>& shape) const;
    std::optional<std::vector<std::int64_t>> broadcast(const std::string& op,
                                                       const std::vector<std::int64_t>& a,
                                                       const std::vector<std::int64_t>& b,
                                                       Span span);
    void close_region();
    void add_flops(double flops);

    Unit& unit() { return unit_; }
    Diagnostics& diags() { return diags_; }
    Scalars& scalars() { return scalars_; }
    const arch::ChipSpec& chip() const { return unit_.chip; }
    std::string text(Span span) const { return std::string(source_->text(span)); }
    std::string describe(const Value& value) const;

private:
    friend class ProgramRun;  // carries out programs, whose names and expressions are these
    using Stmts = dsl::ast::Stmts;
    struct StatementVisitor;
    /// What keeps a value from step to step: a buffer, or a scalar variable.
    using StateId = std::int64_t;
    static StateId state_of(schedule::BufferId buffer) { return buffer; }
    static StateId state_of_slot(schedule::SlotId slot) { return -1 - StateId{slot}; }
    /// What has been stored there when the body reaches a place.
    struct Written {
        bool always = false;  ///< on every way to here
        int first_axis = -1;  ///< only at the first step of runs of this axis of the innermost grid
        bool at_entry = false;  ///< before the innermost grid
        /// By a copy on some way: whether it came before is for the run to tell.
        bool copied = false;
    };
    /// How the text uses a ring.
    struct RingUse {
        const dsl::ast::Slot* fill = nullptr;
        const dsl::ast::Slot* take = nullptr;
        const dsl::ast::Slot* put = nullptr;
    };
    using WrittenStates = std::map<StateId, Written>;
    struct OpenGrid {
        schedule::Pipeline* pipeline;
        const dsl::ast::Pipe* pipe;
        std::vector<std::string> names;     ///< of the axes
        std::vector<std::int64_t> extents;  ///< 0 when not known
        std::map<StateId, Span>
            inherited;  ///< read as they were before the grid, or the step before
        std::set<StateId> stored;
    };

    // lowering.cpp
    void declare_constants();
    bool declare_sizes();
    std::optional<Constant> evaluate_setting(const std::string& name, const std::string& value);
    Scalar runtime_scalar(const std::string& name, const Constant& value);
    void declare_operands();
    void declare_mesh();
    std::optional<Value> resident(const dsl::ast::MemType& memory, schedule::OperandId operand);
    void copy_residents(bool in);
    std::optional<DType> element_type(const dsl::ast::Name& name);
    /// Sizes that a type spells, each at least 1; `of` has the type.
    std::optional<std::vector<std::int64_t>> sizes(const std::vector<dsl::ast::Expr>& dims,
                                                   const dsl::ast::Name& of);
    void check_requirements();
    void limit_vmem();
    void declare(const dsl::ast::Name& name, Entry entry);
    std::vector<std::string> visible_names(bool functions_only) const;

    // expressions.cpp
    /// False once the kernel has grown past what is worth compiling, or has errors enough.
    bool goes_on(Span span);
    Value eval_known(const dsl::ast::Expr& expr);
    /// E0201 for the types that the TPU lacks.
    bool refuse_wide_type(const dsl::ast::Name& name);
    /// As eval, but a part of a memory stays one, a single element of SMEM too.
    Value eval_place(const dsl::ast::Expr& expr);
    Value eval_name(const dsl::ast::Name& name);
    Value eval_postfix(const dsl::ast::Postfix& postfix);
    Value eval_unary(const dsl::ast::Unary& unary);
    Value eval_chain(const dsl::ast::Chain& chain);
    Value eval_number(const dsl::ast::Number& number);
    Value read_entry(Entry& entry, const dsl::ast::Name& name);
    Value member(const Value& base, const dsl::ast::Member& member, Span span);
    Value scalar_binary(const std::string& op, const Value& a, const Value& b, Span span);
    Value block_binary(const std::string& op, const Value& a, const Value& b, Span span);

    // calls.cpp
    Value call(const dsl::ast::Name& name, const dsl::ast::Arguments& arguments, Span span);
    Value call_function(const dsl::ast::Fn& fn, EnvPtr scope, const dsl::ast::Arguments& arguments,
                        Span span, bool needs_value);
    /// Its statements; the value of its `return`, if it ends in one.
    std::optional<Value> lower_function_block(const dsl::ast::Block& block);
    void report_no_call(const dsl::ast::Name& name, const Entry& entry);
    Value call_builtin(const dsl::ast::Name& name, const dsl::ast::Arguments& arguments, Span span);
    Value eval_has(const dsl::ast::Arguments& arguments, Span span);
    bool fits(const dsl::ast::FnParam& param, const Value& value, Span span);

    // statements.cpp
    void lower_block(const dsl::ast::Block& block);
    void lower_statement(const dsl::ast::Stmt& stmt);
    void lower(const dsl::ast::Scratch& scratch);
    void lower(const dsl::ast::Const& constant);
    void lower(const dsl::ast::Fn& fn);
    void lower(const dsl::ast::Let& let);
    void lower(const dsl::ast::Var& var);
    void lower(const dsl::ast::Ref& ref);
    void lower(const dsl::ast::Assert& assertion);
    void lower(const dsl::ast::Assign& assign);
    void lower(const dsl::ast::Launch& launch);
    void lower(const dsl::ast::Print& print);
    void lower(const dsl::ast::Return& misplaced);
    Entry declare_scratch(const dsl::ast::ScratchDecl& decl);
    void note_unused(const char* what, const dsl::ast::Name& name);
    bool holds_scalars(DType type, Span span);
    Value of_type(Value value, DType type, const dsl::ast::Var& var);
    bool only_copies(Span span, const char* what);
    bool fits_vmem(const schedule::BlockType& type, const dsl::ast::Name& of);
    void assign_variable(Entry& entry, const dsl::ast::Assign& assign, const std::string& name);
    /// The value as it is now, when it is an expression of variables that may change.
    Value frozen(Value value, const std::string& name);
    schedule::ExprId frozen(schedule::ExprId expr, const std::string& name);
    bool depends_on_variables(schedule::ExprId expr) const;

    // control.cpp
    void lower(const dsl::ast::If& branch);
    void lower(const dsl::ast::For& loop);
    void lower(const dsl::ast::Edge& edge);
    void lower(const dsl::ast::Scope& scope);
    void lower_arms(const dsl::ast::If& branch, std::size_t arm);
    void lower_branch(schedule::ExprId condition, Span span, const std::function<void()>& then,
                      const std::function<void()>& otherwise, int first_axis);
    static Written after_both(const Written& a, const Written& b);
    void unroll(const dsl::ast::For& loop, std::int64_t lo, std::int64_t hi, std::int64_t step);
    void lower_loop(const dsl::ast::For& loop, schedule::ExprId lo, schedule::ExprId hi,
                    std::int64_t step, std::int64_t copies);
    void back_variables(const std::vector<const Stmts*>& bodies);
    void back(Entry& entry, const std::string& name);
    /// What is used inside a loop lives until its end, for the next round.
    void keep_alive_from(int statement);

    void lower(const dsl::ast::While& loop);

    // smem.cpp
    bool is_element(const Reference& reference, Span span);
    bool has_index(const std::string& name, const char* what, std::size_t dimension,
                   std::int64_t size, schedule::ExprId index, Span span);
    /// An element of SMEM as a scalar.
    Value element(const Reference& reference, Span span);
    void set_element(const Reference& target, const std::string& op, const Value& value,
                     Span target_span, Span value_span);
    void fill_elements(const Reference& target, const Value& value, Span target_span,
                       Span value_span);
    /// Is the buffer where an operand in SMEM or VMEM lies?
    bool holds_operand(schedule::BufferId buffer) const;
    bool reads_changing_memory(schedule::ExprId expr) const;
    /// Asks for the elements of an array that control flow reads; E0006 if nobody knows them.
    void require_data(schedule::OperandId operand, Span span);

    // transfers.cpp
    void lower(const dsl::ast::Copy& copy);
    void lower(const dsl::ast::Send& send);
    void lower(const dsl::ast::Wait& wait);
    void lower(const dsl::ast::Signal& signal);
    void lower(const dsl::ast::Barrier& barrier);
    bool moves_slot(const dsl::ast::Copy& copy, const schedule::Copy& lowered);
    bool make_copy(const dsl::ast::Expr& source, const dsl::ast::Expr& target, Span span,
                   schedule::Copy& copy);
    bool check_end(const Reference& end, Span span);
    bool check_source(const Reference& source, Span span);
    bool check_target(const Reference& target, Span span);
    bool same_ends(const Reference& source, Span source_span, const Reference& target,
                   Span target_span);
    void declare_semaphore(const dsl::ast::ScratchDecl& decl, Entry& entry);
    Value slice_semaphore(const SemaphoreValue& base, const dsl::ast::Slices& slices, Span span);
    std::optional<schedule::SemaphoreRef> semaphore(const dsl::ast::Expr& expr,
                                                    std::optional<schedule::SemaphoreKind> kind,
                                                    const char* user);
    std::optional<schedule::Device> device(const dsl::ast::Device& device);
    int mesh_axis(const dsl::ast::Name& name);
    Value mesh_coordinate(const dsl::ast::Member& member, Span span);
    bool on_mesh(Span span, const char* what);
    /// What carries state from step to step may not be used across a `par` axis.
    void check_shared(const std::string& name, std::size_t declared_in_grids, Span span);

    // rings.cpp
    void lower(const dsl::ast::Ring& ring);
    void lower(const dsl::ast::Slot& slot);
    void drain_rings(std::size_t from);
    void check_ring_use(const dsl::ast::Slot& slot, schedule::RingId ring);

    // grid.cpp
    void lower(const dsl::ast::Pipe& pipe);
    void lower_axes(const dsl::ast::Pipe& pipe, schedule::Pipeline& pipeline, OpenGrid& grid);
    std::optional<schedule::ExprId> extent(const dsl::ast::Expr& expr);
    bool divides(Span left_span, const Value& left, const Value& right, Span right_span);

    // streams.cpp
    void lower_stream(const dsl::ast::Stream& stream, schedule::Pipeline& pipeline);
    Value lower_window(const dsl::ast::Stream& stream, schedule::Pipeline& pipeline);
    Value lower_own_transfers(const dsl::ast::Stream& stream, schedule::Pipeline& pipeline);
    schedule::Block lower_transfer(const dsl::ast::Transfer& transfer, const std::string& name,
                                   Reference memory, schedule::StreamId stream);
    void add_stream(schedule::Stream lowered, schedule::Pipeline& pipeline);
    bool is_absent(const dsl::ast::Expr& window);
    void stream_options(const dsl::ast::Stream& stream, schedule::Stream& lowered, bool moves);
    void lower_grid_body(const dsl::ast::Pipe& pipe, schedule::Pipeline& pipeline);
    void check_stored(const schedule::Pipeline& pipeline);
    schedule::StreamId arriving_stream(schedule::ExprId expr,
                                       const schedule::Pipeline& pipeline) const;
    void check_untouched(const dsl::ast::Pipe& pipe, const schedule::Pipeline& pipeline);
    std::optional<schedule::ExprId> edge_condition(const dsl::ast::Edge& edge, int& axis);

    // references.cpp
    std::optional<Reference::Dim> slice_dim(const dsl::ast::Slice& slice,
                                            const Reference::Dim& whole, const Reference& base,
                                            std::size_t dimension);
    void check_slice(const Reference& base, std::size_t dimension, const Reference::Dim& outer,
                     const Reference::Dim& part, Span span);
    bool ends_outside(const Reference& base, const Reference::Dim& outer,
                      const Reference::Dim& part, Span span);
    Value slice_block(BlockValue base, const dsl::ast::Slices& slices, Span span);
    Reference whole(Reference::Kind kind, std::int32_t id);

    // blocks.cpp
    schedule::Region& region();
    BlockValue load(const Reference& reference, Span span);
    void report_shape(const schedule::BlockType& from, const std::string& target,
                      const schedule::BlockType& type, Span span);
    void report_element(const std::string& name, Span span);
    BlockValue new_block(BlockInfo info);
    schedule::MemoryRef memory_ref(const Reference& reference) const;
    schedule::BufferId live_buffer(const std::string& name, const schedule::BlockType& type,
                                   Span span);
    BlockValue move_transposed(BlockValue value, Span span);

    // state.cpp
    void note_load(schedule::BufferId buffer, Span span);
    void note_read(StateId state, const std::string& name, Span declared, Span span);
    void note_store(StateId state);
    void note_copy(schedule::BufferId buffer);
    WrittenStates enter_grid();
    void leave_grid(const WrittenStates& outside);
    bool report_carried(const std::string& name, Span span, std::size_t from_axis);

    schedule::SlotId new_slot(const std::string& name, schedule::ScalarType type, Range range);
    schedule::BufferId new_buffer(const std::string& name, schedule::Space space,
                                  schedule::BufferRole role, DType type,
                                  const std::vector<std::int64_t>& shape, std::int64_t copies,
                                  Span span);
    /// The statements that `body` lowers, as a block of their own; the code before stays before it.
    template <typename Body>
    schedule::Block nested(Body&& body) {
        close_region();
        schedule::Block block;
        open_blocks_.push_back(&block);
        body();
        close_region();
        open_blocks_.pop_back();
        return block;
    }
    void push(schedule::Stmt stmt);

    Unit& unit_;
    Diagnostics& diags_;
    const SourceFile* source_;  ///< the text that spans speak of
    schedule::Program& program_;
    Scalars scalars_;
    EnvPtr env_;
    std::vector<BlockInfo> blocks_;
    std::vector<schedule::Block*> open_blocks_;
    schedule::RegionId open_region_ = schedule::none;
    std::map<std::string, BlockValue> loaded_;  ///< references already loaded in the open region
    std::vector<OpenGrid> grids_;
    WrittenStates written_;
    std::set<StateId> accused_;  ///< whose state has been complained about
    std::map<schedule::BufferId, schedule::StreamId> window_of_;
    std::vector<const dsl::ast::Fn*> inlining_;
    std::set<schedule::SlotId> variables_;          ///< slots that assignments change
    schedule::RingId filling_ = schedule::none;     ///< the ring whose `fill` or `put` is open
    bool flushing_ = false;                         ///< … and it is its `flush`
    schedule::StreamId fetching_ = schedule::none;  ///< the stream whose `fetch` or `flush` is open
    std::vector<const dsl::ast::Slot*> open_slots_;  ///< `fill`, `take` and `put` around this place
    std::vector<schedule::RingId> rings_;            ///< declared in the open blocks
    std::map<schedule::RingId, RingUse> ring_uses_;
    std::vector<std::size_t> semaphore_grids_;    ///< grids open around each one's declaration
    std::set<schedule::OperandId> accused_data_;  ///< whose data have been asked for in vain
    std::vector<std::size_t> ring_grids_;         ///< grids open around each ring's declaration
    std::vector<int> where_open_;  ///< the `where` of grids whose live steps this runs on
    bool exact_division_ = false;  ///< inside an extent
    bool made_invalid_ = false;
    bool asks_for_data_ = true;  ///< of operands in SMEM; else their shapes are enough
    std::size_t errors_before_ = 0;
    Nesting nesting_{500};  ///< of statements and expressions, those of functions included
    bool told_deep_ = false;
    int statement_ = 0;
    int grid_count_ = 0;
    double iterations_ = 1;  ///< times the statement at hand runs, as far as bounds are known
    int where_count_ = 0;
};

std::string to_string(const schedule::BlockType& type);
std::string to_string(const std::vector<std::int64_t>& shape);

}  // namespace slab::compiler
