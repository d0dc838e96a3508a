#include <algorithm>
#include <utility>

#include "compiler/lower/lowering.hpp"
#include "compiler/lower/sizes.hpp"

// Control flow: branches, loops, `first` and `last`, and the variables that live through them.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using schedule::ScalarOp;
using schedule::ScalarType;
using Int = std::int64_t;

namespace {

constexpr Int max_unrolled = 4096;

/// The name an assignment's target begins with.
std::string base_name(const ast::Expr& target) {
    if (const auto* name = boost::get<ast::Name>(&target.get())) return name->text;
    if (const auto* postfix = boost::get<ast::x3::forward_ast<ast::Postfix>>(&target.get()))
        return base_name(postfix->get().base);
    return {};
}

void collect(const ast::Stmts& stmts, std::vector<std::string>& assigned,
             std::vector<std::string>& called);

/// Names a statement assigns, and names it mentions, functions it calls among them, at any depth.
struct Collector {
    using result_type = void;
    std::vector<std::string>& assigned;
    std::vector<std::string>& called;

    void mention(const ast::Expr& expr) const {
        for (const ast::Name& name : names_in(expr)) called.push_back(name.text);
    }

    void operator()(const ast::Pipe& n) const { collect(n.body.stmts, assigned, called); }
    void operator()(const ast::For& n) const { collect(n.body.stmts, assigned, called); }
    void operator()(const ast::While& n) const { collect(n.body.stmts, assigned, called); }
    void operator()(const ast::Edge& n) const { collect(n.body.stmts, assigned, called); }
    void operator()(const ast::Slot& n) const { collect(n.body.stmts, assigned, called); }
    void operator()(const ast::Scope& n) const { collect(n.body.stmts, assigned, called); }
    void operator()(const ast::If& n) const {
        mention(n.condition);
        collect(n.then.stmts, assigned, called);
        for (const ast::ElseIf& arm : n.else_ifs) {
            mention(arm.condition);
            collect(arm.body.stmts, assigned, called);
        }
        if (n.otherwise) collect(n.otherwise->stmts, assigned, called);
    }
    void operator()(const ast::Assign& n) const {
        assigned.push_back(base_name(n.target));
        mention(n.value);
    }
    void operator()(const ast::Launch& n) const {
        called.push_back(n.name.text);
        for (const ast::Argument& argument : n.arguments.items) mention(argument.value);
    }
    void operator()(const ast::Let& n) const { mention(n.value); }
    void operator()(const ast::Var& n) const { mention(n.value); }
    void operator()(const ast::Return& n) const { mention(n.value); }
    template <typename Other>
    void operator()(const Other&) const {}
};

void collect(const ast::Stmts& stmts, std::vector<std::string>& assigned,
             std::vector<std::string>& called) {
    for (const ast::Stmt& stmt : stmts) {
        const Collector collector{assigned, called};
        if (const auto* declaration = boost::get<ast::Declaration>(&stmt.get()))
            boost::apply_visitor(collector, *declaration);
        if (const auto* control = boost::get<ast::Control>(&stmt.get()))
            boost::apply_visitor(collector, *control);
        if (const auto* effect = boost::get<ast::Effect>(&stmt.get()))
            boost::apply_visitor(collector, *effect);
    }
}

}  // namespace

/// A block variable that a branch or loop may change lives in VMEM from here on.
void Lowering::back(Entry& entry, const std::string& name) {
    if (entry.kind != Entry::Kind::variable || entry.slot != none || entry.backing != none) return;
    const auto* value = std::get_if<BlockValue>(&entry.value);
    if (!value) return;
    entry.backing = live_buffer(name, entry.type, entry.declared);
    written_[state_of(entry.backing)].always = true;
    if (unit_.live[entry.live].buffer != none) {  // of a value it had before
        LiveValue own = unit_.live[entry.live];
        own.first = statement_;
        entry.live = static_cast<int>(unit_.live.size());
        unit_.live.push_back(std::move(own));
    }
    LiveValue& live = unit_.live[entry.live];
    live.crosses_regions = true;
    live.buffer = entry.backing;
    live.last = std::max(live.last, statement_);
    schedule::Op save;
    save.name = "store";
    save.cls = schedule::OpClass::store;
    save.args = {use(*value, entry.declared)};
    save.ref = memory_ref(whole(Reference::Kind::buffer, entry.backing));
    save.place.span = entry.declared;
    region().ops.push_back(std::move(save));
}

void Lowering::back_variables(const std::vector<const Stmts*>& bodies) {
    std::vector<std::string> assigned, called;
    for (const Stmts* stmts : bodies) collect(*stmts, assigned, called);
    std::set<std::string> seen;
    while (!called.empty()) {
        const std::string function = called.back();
        called.pop_back();
        const Entry* entry = seen.insert(function).second ? env_->find(function) : nullptr;
        if (entry && entry->function && entry->function->body)
            collect(entry->function->body->stmts, assigned, called);
    }
    for (const std::string& name : assigned)
        if (Entry* entry = env_->find(name)) back(*entry, name);
}

/// What holds after two ways to a place that begin with the same state.
Lowering::Written Lowering::after_both(const Written& a, const Written& b) {
    Written both = a;
    both.always = a.always && b.always;
    both.copied = a.copied || b.copied;
    both.first_axis = -1;
    const bool on_first_a = a.always || a.first_axis >= 0;
    const bool on_first_b = b.always || b.first_axis >= 0;
    if (both.always || !on_first_a || !on_first_b) return both;
    // of the runs that begin with a store the longest count
    both.first_axis = a.always                      ? b.first_axis
                      : b.always                    ? a.first_axis
                      : a.first_axis < b.first_axis ? a.first_axis
                                                    : b.first_axis;
    return both;
}

/// `first_axis`: the axis whose `first` block the branch is, or -1.
void Lowering::lower_branch(schedule::ExprId condition, Span span,
                            const std::function<void()>& then,
                            const std::function<void()>& otherwise, int first_axis) {
    schedule::Branch branch;
    branch.condition = condition;
    branch.place.span = span;
    const WrittenStates before = written_;
    branch.then = nested(then);
    const WrittenStates after_then = std::exchange(written_, before);
    branch.otherwise = nested(otherwise);
    for (const auto& [state, in_then] : after_then) {
        Written& after = written_[state];
        const Written in_else = after;
        after = after_both(in_then, in_else);
        if (first_axis >= 0 && in_then.always && !in_else.always)
            after.first_axis =
                in_else.first_axis >= 0 ? std::min(first_axis, in_else.first_axis) : first_axis;
    }
    for (auto& [state, in_else] : written_)
        if (!after_then.count(state)) in_else = after_both(in_else, {});
    if (!branch.then.empty() || !branch.otherwise.empty()) push({std::move(branch)});
}

void Lowering::lower_arms(const ast::If& branch, std::size_t arm) {
    if (arm > branch.else_ifs.size()) {
        if (branch.otherwise) lower_block(*branch.otherwise);
        return;
    }
    const Nesting::Level level(nesting_);
    const ast::Expr& condition = arm == 0 ? branch.condition : branch.else_ifs[arm - 1].condition;
    const ast::Block& body = arm == 0 ? branch.then : branch.else_ifs[arm - 1].body;
    const Value value = eval(condition);
    if (is_invalid(value)) return;
    if (const auto* constant = std::get_if<Constant>(&value); constant && constant->truth()) {
        if (*constant->truth())
            lower_block(body);
        else
            lower_arms(branch, arm + 1);
        return;
    }
    const auto* scalar = std::get_if<Scalar>(&value);
    if (!scalar || scalar->type != ScalarType::pred) {
        diags_.add<Diag::E0102_condition>(condition.span(), describe(value))
            .because("a branch is taken by the scalar unit")
            .fix("select(condition, a, b) chooses element by element");
        return;
    }
    if (const auto known = scalars_.known(scalar->expr)) {
        if (*known)
            lower_block(body);
        else
            lower_arms(branch, arm + 1);
        return;
    }
    std::vector<const Stmts*> bodies;
    for (std::size_t i = arm; i <= branch.else_ifs.size(); ++i)
        bodies.push_back(i == 0 ? &branch.then.stmts : &branch.else_ifs[i - 1].body.stmts);
    if (branch.otherwise) bodies.push_back(&branch.otherwise->stmts);
    back_variables(bodies);
    lower_branch(
        scalar->expr, condition.span(), [&] { lower_block(body); },
        [&] { lower_arms(branch, arm + 1); }, -1);
}

void Lowering::lower(const ast::If& branch) {
    constexpr std::size_t most_arms = 200;
    if (branch.else_ifs.size() < most_arms) return lower_arms(branch, 0);
    diags_.add<Diag::E0901_deep>(branch.else_ifs[most_arms - 1].span, "the arms of an `if`",
                                 most_arms);
}

void Lowering::unroll(const ast::For& loop, Int lo, Int hi, Int step) {
    const Int count = hi > lo ? (hi - lo + step - 1) / step : 0;
    if (count > max_unrolled) {
        diags_.add<Diag::E0901_unroll>(loop.unroll->span, count, max_unrolled)
            .replace(loop.unroll->span, "unroll 8");
        return;
    }
    const EnvPtr outer = env_;
    for (Int i = lo; i < hi && goes_on(loop.span); i += step) {
        env_ = std::make_shared<Env>(outer);
        Entry entry;
        entry.value = Constant{i};
        entry.declared = loop.name.span;
        declare(loop.name, std::move(entry));
        lower_block(loop.body);
    }
    env_ = outer;
}

void Lowering::lower_loop(const ast::For& loop, schedule::ExprId lo, schedule::ExprId hi, Int step,
                          Int copies) {
    back_variables({&loop.body.stmts});
    close_region();
    const int begin = statement_;
    schedule::Loop lowered;
    const Range lows = range_of(unit_, lo), highs = range_of(unit_, hi);
    Range range;
    const Int stride = step * copies;
    if (lows.known && highs.known) range = {lows.lo, std::max(lows.lo, highs.hi - 1), true};
    // from one start the last round begins a whole number of strides later
    if (range.known && lows.lo == lows.hi) range.hi -= (range.hi - range.lo) % stride;
    lowered.slot = new_slot(loop.name.text, ScalarType::i32, range);
    lowered.lo = lo;
    lowered.hi = frozen(hi, loop.name.text + "_end");
    lowered.step = scalars_.constant(stride);
    const double outer_iterations = iterations_;
    if (range.known)
        iterations_ *=
            static_cast<double>(std::max<Int>(0, highs.hi - lows.lo)) / static_cast<double>(stride);
    if (iterations_ > static_cast<double>(unit_.settings.max_steps))
        diags_
            .add<Diag::E0902_loop>(loop.span, fmt::format("{:.6g}", iterations_),
                                   unit_.settings.max_steps)
            .fix("a shorter loop, or --max-steps");
    lowered.place.span = {loop.span.begin, loop.hi.span().end};
    lowered.body = nested([&] {
        for (Int c = 0; c < copies; ++c) {
            const EnvPtr outer = env_;
            env_ = std::make_shared<Env>(outer);
            Entry entry;
            entry.value =
                Scalar{scalars_.make(ScalarOp::add, ScalarType::i32,
                                     {scalars_.slot(lowered.slot), scalars_.constant(c * step)}),
                       ScalarType::i32};
            entry.declared = loop.name.span;
            declare(loop.name, std::move(entry));
            lower_block(loop.body);
            env_ = outer;
        }
    });
    iterations_ = outer_iterations;
    push({std::move(lowered)});
    keep_alive_from(begin);
}

void Lowering::keep_alive_from(int statement) {
    for (LiveValue& live : unit_.live)
        if (live.first <= statement && live.last > statement) live.last = statement_;
}

void Lowering::lower(const ast::For& loop) {
    const auto lo = index(loop.lo, "the start of a loop");
    const auto hi = index(loop.hi, "the end of a loop");
    const auto step = loop.step ? integer(*loop.step, "the step of a loop") : std::optional<Int>(1);
    if (!lo || !hi || !step) return;
    constexpr Int most_step = (Int{1} << 31) - 1;
    if (*step < 1 || *step > most_step) {
        diags_.add<Diag::E0004_kind>(loop.step->span(), "the step", "for",
                                     fmt::format("1 to {}", most_step), std::to_string(*step));
        return;
    }
    const auto first = scalars_.known(*lo), past = scalars_.known(*hi);
    if (!loop.unroll) {
        if (!first || !past || *past > *first) lower_loop(loop, *lo, *hi, *step, 1);
        return;
    }
    if (!first || !past) {
        diags_
            .add<Diag::E0008>(Span{loop.lo.span().begin, loop.hi.span().end},
                              "the range of an unrolled loop")
            .replace(loop.unroll->span, "");
        return;
    }
    if (!loop.unroll->factor) return unroll(loop, *first, *past, *step);
    const auto copies = integer(*loop.unroll->factor, "the unroll factor");
    if (!copies) return;
    if (*copies < 1 || *copies > max_unrolled) {
        diags_.add<Diag::E0901_unroll>(loop.unroll->span, *copies, max_unrolled)
            .replace(loop.unroll->span, "unroll 8");
        return;
    }
    const Int count = *past > *first ? (*past - *first + *step - 1) / *step : 0;
    const Int whole_rounds = count / *copies;
    const Int middle = *first + whole_rounds * *copies * *step;
    if (whole_rounds > 0) lower_loop(loop, *lo, scalars_.constant(middle), *step, *copies);
    unroll(loop, middle, *past, *step);
}

void Lowering::lower(const ast::While& loop) {
    back_variables({&loop.body.stmts});
    close_region();
    const int begin = statement_;
    const auto at_most = index(loop.at_most, "the most iterations of a `while`");
    schedule::While lowered;
    lowered.place.span = {loop.span.begin, loop.at_most.span().end};
    const Value condition = eval(loop.condition);
    const auto* scalar = std::get_if<Scalar>(&condition);
    const auto* constant = std::get_if<Constant>(&condition);
    if (constant && constant->truth())
        lowered.condition = scalars_.truth(*constant->truth());
    else if (scalar && scalar->type == ScalarType::pred)
        lowered.condition = scalar->expr;
    else if (!is_invalid(condition))
        diags_.add<Diag::E0102_condition>(loop.condition.span(), describe(condition))
            .because("a loop is decided by the scalar unit");
    if (!at_most || lowered.condition == none) return;
    lowered.at_most = frozen(*at_most, "at_most");
    const WrittenStates before = written_;
    lowered.body = nested([&] { lower_block(loop.body); });
    for (auto& [state, after] : written_) {  // the body may not run at all
        const auto known = before.find(state);
        after = after_both(known == before.end() ? Written{} : known->second, after);
    }
    push({std::move(lowered)});
    keep_alive_from(begin);
}

void Lowering::lower(const ast::Edge& edge) {
    int axis = -1;
    const auto condition = edge_condition(edge, axis);
    if (!condition) return lower_block(edge.body);  // for its errors
    if (const auto known = scalars_.known(*condition)) {
        if (*known) lower_block(edge.body);
        return;
    }
    back_variables({&edge.body.stmts});
    lower_branch(
        *condition, edge.span, [&] { lower_block(edge.body); }, [] {},
        edge.kind == "first" ? axis : -1);
}

void Lowering::lower(const ast::Scope& scope) {
    schedule::Scope lowered;
    lowered.title = scope.title.value;
    lowered.place.span = scope.span;
    lowered.body = nested([&] { lower_block(scope.body); });
    push({std::move(lowered)});
}

}  // namespace slab::compiler
