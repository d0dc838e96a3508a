#pragma once

#include <string>
#include <vector>

#include <boost/optional.hpp>
#include <boost/spirit/home/x3/support/ast/variant.hpp>

#include "support/source.hpp"

/// What is written, as it is written: the grammar of docs/language.md as plain structs. What it
/// means is decided in dsl/check and compiler/. Equality ignores spans.
namespace slab::dsl::ast {

namespace x3 = boost::spirit::x3;
template <typename T>
using Optional = boost::optional<T>;

/// Every node knows the bytes it was read from; two nodes that differ only there are equal.
struct Located {
    Span span;
    friend bool operator==(const Located&, const Located&) { return true; }
};

// ----------------------------------------------------------------------------------------------
// expressions

struct List;
struct Postfix;
struct Unary;
struct Chain;

/// A number as spelled: `0x10`, `1e-5`.
struct Number : Located {
    std::string spelling;
    bool operator==(const Number&) const = default;
};
/// A string literal without its quotes.
struct Text : Located {
    std::string value;
    bool operator==(const Text&) const = default;
};
/// A name, or one of the words that may stand for a value: a dtype, `inf`, `true`, `false`, `me`,
/// `none`.
struct Name : Located {
    std::string text;
    bool operator==(const Name&) const = default;
};

struct Expr : x3::variant<Number, Text, Name, x3::forward_ast<List>, x3::forward_ast<Postfix>,
                          x3::forward_ast<Unary>, x3::forward_ast<Chain>> {
    using base_type::base_type;
    using base_type::operator=;
    /// The bytes of whichever alternative it holds.
    Span span() const;
    bool operator==(const Expr&) const;
};

/// `[a, b]`
struct List : Located {
    std::vector<Expr> items;
    bool operator==(const List&) const = default;
};

/// `.name`
struct Member : Located {
    std::string name;
    bool operator==(const Member&) const = default;
};

/// `:` — all of a dimension.
struct WholeSlice : Located {
    bool operator==(const WholeSlice&) const = default;
};
/// `i` — one element, the dimension is dropped.
struct IndexSlice : Located {
    Expr index;
    bool operator==(const IndexSlice&) const = default;
};
/// `i@n` — the i-th n elements.
struct BlockSlice : Located {
    Expr index;
    Expr size;
    bool operator==(const BlockSlice&) const = default;
};
/// `start +: n upto max step k`
struct RangeSlice : Located {
    Expr start;
    Expr size;
    Optional<Expr> upto;
    Optional<Expr> step;
    bool operator==(const RangeSlice&) const = default;
};
struct Slice : x3::variant<WholeSlice, IndexSlice, BlockSlice, RangeSlice> {
    using base_type::base_type;
    using base_type::operator=;
    Span span() const;
    bool operator==(const Slice&) const;
};
/// `[i@bm, :]`
struct Slices : Located {
    std::vector<Slice> items;
    bool operator==(const Slices&) const = default;
};

/// `x` or `name: x`
struct Argument : Located {
    std::string name;  ///< empty when given by position
    Expr value;
    bool operator==(const Argument&) const = default;
};
/// `(a, b, prec: "f32")`
struct Arguments : Located {
    std::vector<Argument> items;
    bool operator==(const Arguments&) const = default;
};

struct Suffix : x3::variant<Member, Slices, Arguments> {
    using base_type::base_type;
    using base_type::operator=;
    Span span() const;
    bool operator==(const Suffix&) const;
};
/// An atom with its suffixes in order: `a.T`, `buf[slot].x`, `dot(x, y)`. Never without a suffix.
struct Postfix : Located {
    Expr base;
    std::vector<Suffix> suffixes;
    bool operator==(const Postfix&) const = default;
};

/// `-x`, `not x`
struct Unary : Located {
    std::string op;
    Expr operand;
    bool operator==(const Unary&) const = default;
};

struct Link : Located {
    std::string op;
    Expr operand;
    bool operator==(const Link&) const = default;
};
/// Operands joined by operators of one precedence level, evaluated from the left: `a + b - c`.
/// Never without links.
struct Chain : Located {
    Expr first;
    std::vector<Link> rest;
    bool operator==(const Chain&) const = default;
};

// ----------------------------------------------------------------------------------------------------
// types

/// `hbm bf16[M, K]`, `sem dma[2]`; `optional` for a trailing `?`. For semaphores `space` is "sem"
/// and `element` "dma" or "count".
struct MemType : Located {
    std::string space;
    Name element;
    std::vector<Expr> dims;  ///< empty when none are written
    bool optional = false;
    bool operator==(const MemType&) const = default;
};
/// `f32`, `f32[bm, bn]`: the type of a function parameter or of a `var`.
struct ValueType : Located {
    Name element;
    Optional<std::vector<Expr>> dims;
    bool operator==(const ValueType&) const = default;
};

// -----------------------------------------------------------------------------------------------
// statements

struct Stmt;
using Stmts = std::vector<Stmt>;

struct Block : Located {
    Stmts stmts;
    bool operator==(const Block& other) const;
};

/// `const C = P*page`
struct Const : Located {
    Name name;
    Expr value;
    bool operator==(const Const&) const = default;
};

struct FnParam : Located {
    bool is_ref = false;
    Name name;
    Optional<ValueType> type;
    bool operator==(const FnParam&) const = default;
};
/// `fn f(x) = e` (result holds e) or `fn f(ref r, n) { … }` (body; without `return` it is a
/// procedure).
struct Fn : Located {
    Name name;
    std::vector<FnParam> params;
    Optional<Expr> result;
    Optional<Block> body;
    bool operator==(const Fn&) const = default;
};

struct ScratchDecl : Located {
    Name name;
    MemType type;
    Optional<Expr> init;
    bool operator==(const ScratchDecl&) const = default;
};
/// `scratch acc: vmem f32[bm, bn] = 0, m: …`; `buffer` in programs.
struct Scratch : Located {
    bool is_buffer = false;
    std::vector<ScratchDecl> decls;
    bool operator==(const Scratch&) const = default;
};

struct Let : Located {
    Name name;
    Expr value;
    bool operator==(const Let&) const = default;
};
struct Var : Located {
    Name name;
    Optional<ValueType> type;
    Expr value;
    bool operator==(const Var&) const = default;
};
/// `ref r = buf[slot]`
struct Ref : Located {
    Name name;
    Expr region;
    bool operator==(const Ref&) const = default;
};
struct Ring : Located {
    Name name;
    MemType type;
    Expr depth;
    bool operator==(const Ring&) const = default;
};

/// `k in lo .. hi par`; without `lo` the range starts at 0. `order` is "par", "seq" or empty.
struct Axis : Located {
    Name name;
    Optional<Expr> lo;
    Expr hi;
    std::string order;
    bool operator==(const Axis&) const = default;
};
/// `fetch { … }` or `flush { … }`
struct Transfer : Located {
    std::string kind;
    Block body;
    bool operator==(const Transfer&) const = default;
};
/// `depth e`, `ahead`, `pad e`, `revisit`
struct StreamOption : Located {
    std::string kind;
    Optional<Expr> value;
    bool operator==(const StreamOption&) const = default;
};
/// `in x = a[i@bm, k@bk] depth 3` (window) or `in t: smem i32[P] fetch { … }` (type and transfers).
struct Stream : Located {
    std::string direction;  ///< "in", "out", "inout"
    Name name;
    Optional<Expr> window;
    Optional<MemType> type;
    std::vector<Transfer> transfers;
    std::vector<StreamOption> options;
    bool operator==(const Stream&) const = default;
};
struct PipeItem : x3::variant<Stream, Scratch> {
    using base_type::base_type;
    using base_type::operator=;
    bool operator==(const PipeItem&) const;
};
/// `grid (axes) where e  streams and scratch  { body }`: heads a kernel or stands as a statement.
struct Pipe : Located {
    std::vector<Axis> axes;
    Optional<Expr> where;
    std::vector<PipeItem> items;
    Block body;
    bool operator==(const Pipe&) const = default;
};

struct ElseIf : Located {
    Expr condition;
    Block body;
    bool operator==(const ElseIf&) const = default;
};
struct If : Located {
    Expr condition;
    Block then;
    std::vector<ElseIf> else_ifs;
    Optional<Block> otherwise;
    bool operator==(const If&) const = default;
};
/// `unroll` or `unroll n`
struct Unroll : Located {
    Optional<Expr> factor;
    bool operator==(const Unroll&) const = default;
};
struct For : Located {
    Name name;
    Expr lo;
    Expr hi;
    Optional<Expr> step;
    Optional<Unroll> unroll;
    Block body;
    bool operator==(const For&) const = default;
};
struct While : Located {
    Expr condition;
    Expr at_most;
    Block body;
    bool operator==(const While&) const = default;
};
/// `first k { … }`, `last k { … }`
struct Edge : Located {
    std::string kind;
    Name axis;
    Block body;
    bool operator==(const Edge&) const = default;
};
/// `fill r as d { … }`, `take …`, `put …`
struct Slot : Located {
    std::string kind;
    Name ring;
    Name name;
    Block body;
    bool operator==(const Slot&) const = default;
};
struct Scope : Located {
    Text title;
    Block body;
    bool operator==(const Scope&) const = default;
};

struct Coordinate : Located {
    Name axis;
    Expr value;
    bool operator==(const Coordinate&) const = default;
};
/// `(r: right)`: a device by its mesh coordinates, or the extents of `mesh (r: N)`.
struct Device : Located {
    std::vector<Coordinate> coordinates;
    bool operator==(const Device&) const = default;
};
struct Copy : Located {
    Expr source;
    Expr target;
    Optional<Expr> done;
    Optional<Expr> priority;
    bool operator==(const Copy&) const = default;
};
struct Send : Located {
    Expr source;
    Expr target;
    Device device;
    Expr done;
    Expr arrive;
    bool operator==(const Send&) const = default;
};
struct Wait : Located {
    Expr semaphore;
    Expr amount;
    bool operator==(const Wait&) const = default;
};
struct Signal : Located {
    Expr semaphore;
    Device device;
    Optional<Expr> by;
    bool operator==(const Signal&) const = default;
};
/// `barrier all r` (then `all` holds the axis) or `barrier (r: left), (r: right)`.
struct Barrier : Located {
    Optional<Name> all;
    std::vector<Device> devices;
    bool operator==(const Barrier&) const = default;
};

struct Assert : Located {
    Expr condition;
    Optional<Text> message;
    bool operator==(const Assert&) const = default;
};
struct Print : Located {
    Text message;
    std::vector<Expr> values;
    bool operator==(const Print&) const = default;
};
/// `acc += dot(x, y)`; op is "=", "+=", "-=" or "*=".
struct Assign : Located {
    Expr target;
    std::string op;
    Expr value;
    bool operator==(const Assign&) const = default;
};
struct Binding : Located {
    Name name;
    Expr value;
    bool operator==(const Binding&) const = default;
};
/// `f(a, b)` or, in programs, `kernel[bm = 512](a, b)`.
struct Launch : Located {
    Name name;
    std::vector<Binding> bindings;
    Arguments arguments;
    bool operator==(const Launch&) const = default;
};
struct Return : Located {
    Expr value;
    bool operator==(const Return&) const = default;
};

// boost::variant holds 20 alternatives, so statements come in four groups.
struct Declaration : x3::variant<Scratch, Const, Fn, Let, Var, Ref, Ring> {
    using base_type::base_type;
    using base_type::operator=;
    bool operator==(const Declaration&) const;
};
struct Control : x3::variant<Pipe, If, For, While, Edge, Slot, Scope> {
    using base_type::base_type;
    using base_type::operator=;
    bool operator==(const Control&) const;
};
struct Movement : x3::variant<Copy, Send, Wait, Signal, Barrier> {
    using base_type::base_type;
    using base_type::operator=;
    bool operator==(const Movement&) const;
};
struct Effect : x3::variant<Assert, Print, Assign, Launch, Return> {
    using base_type::base_type;
    using base_type::operator=;
    bool operator==(const Effect&) const;
};
struct Stmt : x3::variant<Declaration, Control, Movement, Effect> {
    using base_type::base_type;
    using base_type::operator=;
    Span span() const;
    bool operator==(const Stmt&) const;
};

// ----------------------------------------------------------------------------------------------------
// items

/// `bm = 1024`, `scale: f32 = 0.0884`, `T: dtype = bf16`; `type` is empty when not written.
struct BracketParam : Located {
    Name name;
    std::string type;
    Optional<Expr> value;
    bool operator==(const BracketParam&) const = default;
};
/// An operand `out c: hbm bf16[M, N]`, or a run-time scalar `n: i32` (then `memory` is empty and
/// `scalar` set).
struct Param : Located {
    std::string direction;  ///< "", "out", "inout"
    Name name;
    Optional<MemType> memory;
    Optional<Name> scalar;
    bool operator==(const Param&) const = default;
};

/// `mesh (r: N)`, `require e, …`, `const …`, `limit vmem e`
struct MeshClause : Located {
    Device extents;
    bool operator==(const MeshClause&) const = default;
};
struct RequireClause : Located {
    std::vector<Expr> conditions;
    bool operator==(const RequireClause&) const = default;
};
struct LimitClause : Located {
    Expr bytes;
    bool operator==(const LimitClause&) const = default;
};
struct Clause : x3::variant<MeshClause, RequireClause, Const, LimitClause> {
    using base_type::base_type;
    using base_type::operator=;
    bool operator==(const Clause&) const;
};

/// The body of a kernel: a grid that heads it, or a block.
struct KernelBody : x3::variant<Pipe, Block> {
    using base_type::base_type;
    using base_type::operator=;
    bool operator==(const KernelBody&) const;
};
struct Kernel : Located {
    Name name;
    std::vector<BracketParam> brackets;
    std::vector<Param> params;
    std::vector<Clause> clauses;
    KernelBody body;
    bool operator==(const Kernel&) const = default;
};
struct Program : Located {
    Name name;
    std::vector<BracketParam> brackets;
    std::vector<Param> params;
    std::vector<Clause> clauses;
    Block body;
    bool operator==(const Program&) const = default;
};
/// `q: [H, S, D]`, `n: i32`; `dims` is empty for a scalar.
struct ReferenceParam : Located {
    std::string direction;
    Name name;
    Optional<std::vector<Expr>> dims;
    bool optional = false;
    Optional<Name> scalar;
    bool operator==(const ReferenceParam&) const = default;
};
struct Reference : Located {
    Name name;
    std::vector<ReferenceParam> params;
    Block body;
    bool operator==(const Reference&) const = default;
};

struct Item : x3::variant<Const, Fn, Kernel, Reference, Program> {
    using base_type::base_type;
    using base_type::operator=;
    Span span() const;
    bool operator==(const Item&) const;
};
struct File : Located {
    std::vector<Item> items;
    std::vector<Name> unread;  ///< names of items with syntax errors, as far as they have one
    bool operator==(const File&) const = default;
};

}  // namespace slab::dsl::ast
