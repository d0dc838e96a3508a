#pragma once

#include "dsl/ast_adapted.hpp"
#include "dsl/grammar/declaration.hpp"
#include "dsl/grammar/expression.hpp"
#include "dsl/grammar/statement.hpp"

// clang-format off
namespace slab::dsl::grammar {

// --- grids ----------------------------------------------------------------------------------------
const list_rule<ast::Axis> axes = "an axis";
const element_rule<ast::Axis> axis = "an axis";
const x3::rule<struct AxisStartTag, ast::Expr> axis_start = "an expression";
const x3::rule<struct PipeItemTag, ast::PipeItem> pipe_item = "`{`";
const choice_rule<ast::PipeItem> any_pipe_item = "`{`";
const node_rule<ast::Stream> stream = "a stream";
const node_rule<ast::Transfer> transfer = "`fetch` or `flush`";
const node_rule<ast::StreamOption> stream_option = "a stream option";
const x3::rule<struct ValuedTag, ast::StreamOption> valued_option = "`depth`";
const x3::rule<struct PlainOptionTag, ast::StreamOption> plain_option = "`ahead`";
struct PipeItemTag : Recovers<Part::pipe_item> {};
struct ValuedTag : WithSpan {};
struct PlainOptionTag : WithSpan {};

const auto pipe_def = sign("grid") > sign("(") > axes > sign(")") > -(sign("where") > expression)
                    > *(before_body >> pipe_item) > block;
const auto axes_def = list_of(axis);
// The start has a rule of its own, so that a lone extent leaves nothing behind in it.
const auto axis_def = name > sign("in") > -axis_start > expression > maybe("par", "seq");
const auto axis_start_def = expression >> sign("..");
const auto pipe_item_def = x3::expect[any_pipe_item];
const auto any_pipe_item_def = stream | &sign("scratch") >> scratch;
const auto stream_def = one_of("in", "out", "inout") > name > next_is("`=` or `:`", "=", ":")
    > -(equals > region > next_is_not("the end of the window", "fetch", "flush"))
    > -(colon > mem_type > next_is("`fetch` or `flush`", "fetch", "flush"))
    > *transfer > *stream_option;
const auto transfer_def = one_of("fetch", "flush") > block;
const auto stream_option_def = valued_option | plain_option;
const auto valued_option_def = one_of("depth", "pad") > expression;
const auto plain_option_def = one_of("ahead", "revisit") >> x3::attr(ast::Optional<ast::Expr>());

// --- declarations ---------------------------------------------------------------------------------
const choice_rule<ast::Declaration> declaration = "a declaration";
const node_rule<ast::Let> let = "`let`";
const node_rule<ast::Var> var = "`var`";
const node_rule<ast::Ref> ref = "`ref`";
const node_rule<ast::Ring> ring = "`ring`";

const auto declaration_def = let | var | ref | ring | scratch | constant | function;
const auto let_def = sign("let") > name > equals > expression;
const auto var_def = sign("var") > name > -(colon > value_type) > equals > expression;
const auto ref_def = sign("ref") > name > equals > expression;
const auto ring_def = sign("ring") > name > colon > mem_type > sign("depth") > expression;

// --- control --------------------------------------------------------------------------------------
const choice_rule<ast::Control> control = "a control statement";
const node_rule<ast::If> if_ = "`if`";
const node_rule<ast::ElseIf> else_if = "`else`";
const node_rule<ast::For> for_ = "`for`";
const node_rule<ast::Unroll> unroll = "`unroll`";
const node_rule<ast::While> while_ = "`while`";
const node_rule<ast::Edge> edge = "`first` or `last`";
const node_rule<ast::Slot> slot = "`fill`, `take` or `put`";
const node_rule<ast::Scope> scope = "`scope`";

const auto control_def = if_ | for_ | edge | slot | pipe | scope | while_;
const auto if__def = sign("if") > expression > block > *else_if > -(sign("else") > block);
const auto else_if_def = (sign("else") >> sign("if")) > expression > block;
const auto for__def = sign("for") > name > sign("in") > expression > sign("..") > expression
                   > -(sign("step") > expression) > -unroll > block;
const auto unroll_def = sign("unroll") > -expression;
const auto while__def = sign("while") > expression > sign("atmost") > expression > block;
const auto edge_def = one_of("first", "last") > name > block;
const auto slot_def = one_of("fill", "take", "put") > name > sign("as") > name > block;
const auto scope_def = sign("scope") > text > block;

// --- movement of data -------------------------------------------------------------------------------
const choice_rule<ast::Movement> movement = "a transfer";
const node_rule<ast::Copy> copy = "`copy`";
const node_rule<ast::Send> send = "`send`";
const node_rule<ast::Wait> wait = "`wait`";
const node_rule<ast::Signal> signal = "`signal`";
const node_rule<ast::Barrier> barrier = "`barrier`";
const list_rule<ast::Device> devices = "`all` or `(`";

const auto movement_def = copy | wait | send | signal | barrier;
const auto copy_def = sign("copy") > region > sign("->") > region > -(sign("done") > region)
                    > -(sign("prio") > expression);
const auto send_def = sign("send") > region > sign("->") > region > sign("at") > device
                    > sign("done") > region > sign("arrive") > region;
const auto wait_def = sign("wait") > region > sign("for") > expression;
const auto signal_def = sign("signal") > region > sign("at") > device > -(sign("by") > expression);
const auto barrier_def = sign("barrier") > -(sign("all") > name) > -(after("barrier") > devices);
const auto devices_def = list_of(device);

// --- effects ----------------------------------------------------------------------------------------
const choice_rule<ast::Effect> effect = "an effect";
const node_rule<ast::Assert> assert_ = "`assert`";
const node_rule<ast::Print> print = "`print`";
const node_rule<ast::Return> return_ = "`return`";
const node_rule<ast::Launch> launch = "a call";
const x3::rule<struct BindingsTag, std::vector<ast::Binding>> bindings = "`[`";
const list_rule<ast::Binding> binding_list = "a name";
const node_rule<ast::Binding> binding = "a name";
const node_rule<ast::Assign> assign = "an assignment";
const x3::rule<struct AssignOpTag, std::string> assign_op = "`=`, `+=`, `-=`, `*=` or `(`";

const auto effect_def = assert_ | print | return_ | launch | assign;
const auto assert__def = sign("assert") > expression > -(comma > text);
const auto print_def = sign("print") > text > *(comma > expression);
const auto return__def = sign("return") > expression;
// `k[bm = 512](x)` is a launch, `k[bm] = 512` an assignment: two tokens decide.
const auto launch_def = (name >> &(sign("(") | sign("[") >> identifier >> equals)) > -bindings > arguments;
const auto bindings_def = sign("[") > binding_list > sign("]");
const auto binding_list_def = list_of(binding);
const auto binding_def = name > equals > expression;
const auto assign_def = path > assign_op > expression;
const auto assign_op_def = one_of("=", "+=", "-=", "*=");

// --- blocks -----------------------------------------------------------------------------------------
const x3::rule<struct StatementTag, ast::Stmt> statement = "a statement";
const choice_rule<ast::Stmt> any_statement = "a statement";
const list_rule<ast::Stmt> statements = "a statement";
struct StatementTag : Recovers<Part::statement> {};

const auto inside = orphans >> !block_end >> next_is_not("`}`", "", "kernel", "program", "reference");
const auto block_def = sign("{") > statements > block_end;
const auto statements_def = *(inside >> statement);
const auto statement_def = x3::expect[any_statement];
const auto any_statement_def = effect | declaration | control | movement;

BOOST_SPIRIT_DEFINE(pipe, axes, axis, axis_start, pipe_item, any_pipe_item, stream, transfer, stream_option)
BOOST_SPIRIT_DEFINE(valued_option, plain_option, declaration, let, var, ref, ring)
BOOST_SPIRIT_DEFINE(control, if_, else_if, for_, unroll, while_, edge, slot, scope)
BOOST_SPIRIT_DEFINE(movement, copy, send, wait, signal, barrier, devices)
BOOST_SPIRIT_DEFINE(effect, assert_, print, return_, launch, bindings, binding_list, binding, assign, assign_op)
BOOST_SPIRIT_DEFINE(block, statements, statement, any_statement)

}  // namespace slab::dsl::grammar
// clang-format on
