#include <algorithm>
#include <utility>

#include "compiler/lower/lowering.hpp"
#include "compiler/lower/sizes.hpp"
#include "compiler/ops/op.hpp"

// Statements of a kernel's body.
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

void Lowering::lower_block(const ast::Block& block) {
    const EnvPtr outer = env_;
    env_ = std::make_shared<Env>(outer);
    for (const ast::Stmt& stmt : block.stmts) lower_statement(stmt);
    env_ = outer;
}

bool Lowering::unsupported(const ast::Stmt& stmt) {
    std::string construct;
    if (const auto* declaration = boost::get<ast::Declaration>(&stmt.get())) {
        if (boost::get<ast::Ring>(&declaration->get())) construct = "`ring`";
    } else if (const auto* control = boost::get<ast::Control>(&stmt.get())) {
        if (boost::get<ast::While>(&control->get())) construct = "`while`";
        if (const auto* slot = boost::get<ast::Slot>(&control->get()))
            construct = fmt::format("`{}`", slot->kind);
    } else if (const auto* movement = boost::get<ast::Movement>(&stmt.get())) {
        static constexpr const char* names[] = {"`copy`", "`send`", "`wait`", "`signal`",
                                                "`barrier`"};
        construct = names[movement->get().which()];
    } else if (const auto* effect = boost::get<ast::Effect>(&stmt.get())) {
        if (boost::get<ast::Print>(&effect->get())) construct = "`print`";
    }
    if (construct.empty()) return false;
    diags_.add<Diag::E0007>(stmt.span(), construct);
    if (const auto* declaration = boost::get<ast::Declaration>(&stmt.get())) {
        Entry entry;
        entry.value = Invalid{};
        const auto& ring = boost::get<ast::Ring>(declaration->get());
        entry.declared = ring.name.span;
        declare(ring.name, entry);
    }
    return true;
}

struct Lowering::StatementVisitor {
    using result_type = void;
    Lowering& self;

    void operator()(const ast::Declaration& n) const { boost::apply_visitor(*this, n); }
    void operator()(const ast::Control& n) const { boost::apply_visitor(*this, n); }
    void operator()(const ast::Effect& n) const { boost::apply_visitor(*this, n); }
    // what `unsupported` has named already
    void operator()(const ast::Movement&) const {}
    void operator()(const ast::Ring&) const {}
    void operator()(const ast::While&) const {}
    void operator()(const ast::Slot&) const {}
    void operator()(const ast::Print&) const {}
    void operator()(const ast::Return& n) const {
        if (self.inlining_.empty())
            self.diags_.add<Diag::E0004_place>(n.span, "`return`", "it ends a function");
        else
            self.diags_
                .add<Diag::E0004_place>(n.span, "`return`",
                                        "it is the last statement of a function's block")
                .fix("a `var` that is assigned here, and returned at the end");
    }
    template <typename Node>
    void operator()(const Node& n) const {
        self.lower(n);
    }
};

void Lowering::lower_statement(const ast::Stmt& stmt) {
    ++statement_;
    if (!goes_on(stmt.span()) || unsupported(stmt)) return;
    boost::apply_visitor(StatementVisitor{*this}, stmt);
}

void Lowering::lower(const ast::Scratch& scratch) {
    for (const ast::ScratchDecl& decl : scratch.decls) {
        Entry entry;
        entry.declared = decl.name.span;
        entry.value = Invalid{};
        if (scratch.is_buffer || decl.type.space != "vmem") {
            diags_.add<Diag::E0007>(
                decl.span,
                scratch.is_buffer ? "`buffer`" : fmt::format("scratch in `{}`", decl.type.space));
            declare(decl.name, entry);
            continue;
        }
        const auto type = element_type(decl.type.element);
        const auto shape = sizes(decl.type.dims, decl.name);
        if (!type || !shape || !fits_vmem({*type, *shape}, decl.name)) {
            declare(decl.name, entry);
            continue;
        }
        const auto buffer =
            new_buffer(decl.name.text, schedule::Space::vmem, schedule::BufferRole::scratch, *type,
                       *shape, 1, decl.name.span);
        const Reference memory = whole(Reference::Kind::buffer, buffer);
        entry.value = memory;
        declare(decl.name, std::move(entry));
        if (decl.init) store(memory, "=", eval(*decl.init), decl.name.span, decl.init->span());
    }
}

void Lowering::lower(const ast::Const& constant_decl) {
    const auto value =
        constant(constant_decl.value, fmt::format("`const {}`", constant_decl.name.text));
    Entry entry;
    entry.value = value ? Value(*value) : Value(Invalid{});
    entry.declared = constant_decl.name.span;
    declare(constant_decl.name, std::move(entry));
}

void Lowering::lower(const ast::Fn& fn) {
    Entry entry;
    entry.kind = Entry::Kind::function;
    entry.function = &fn;
    entry.declared = fn.name.span;
    declare(fn.name, std::move(entry));
}

schedule::ExprId Lowering::frozen(schedule::ExprId expr, const std::string& name) {
    if (!depends_on_variables(expr)) return expr;
    const Int multiple = multiple_of(unit_, expr);
    const schedule::SlotId slot = new_slot(name, scalars_.at(expr).type, range_of(unit_, expr));
    // before the region being built: nothing in it reads the new slot
    push({schedule::SetSlot{slot, expr}});
    const schedule::ExprId now = scalars_.slot(slot);
    if (multiple > 1) unit_.aligned[now] = multiple;
    return now;
}

bool Lowering::depends_on_variables(schedule::ExprId expr) const {
    if (variables_.empty() || expr == none) return false;
    std::vector<bool> slots(program_.slots.size(), false);
    collect_slots(program_, expr, slots);
    return std::any_of(variables_.begin(), variables_.end(),
                       [&](schedule::SlotId slot) { return slots[slot]; });
}

Value Lowering::frozen(Value value, const std::string& name) {
    if (auto* scalar = std::get_if<Scalar>(&value)) scalar->expr = frozen(scalar->expr, name);
    if (auto* memory = std::get_if<Reference>(&value))
        for (Reference::Dim& dim : memory->dims) {
            dim.start = frozen(dim.start, name);
            dim.live = frozen(dim.live, name);
        }
    return value;
}

void Lowering::lower(const ast::Let& let) {
    Entry entry;
    entry.is_let = true;
    entry.declared = let.name.span;
    entry.value = eval(let.value);
    if (std::holds_alternative<Scalar>(entry.value))
        entry.value = frozen(std::move(entry.value), let.name.text);
    if (is_block(entry.value)) {
        const auto value = block(entry.value, let.value.span(), "let");
        entry.value = value ? Value(*value) : Value(Invalid{});
        if (value) {
            BlockInfo& made = info(*value);
            const auto& ops = program_.regions[made.region].ops;
            const bool is_source = !ops.empty() && ops.back().result == made.value &&
                                   ops.back().cls == schedule::OpClass::source;
            if (made.live < 0 && !is_source) {
                made.live = static_cast<int>(unit_.live.size());
                unit_.live.push_back({let.name.text, *block_type(*value), let.name.span, statement_,
                                      statement_, 0, false, none});
            }
            entry.live = made.live;
        }
    }
    declare(let.name, std::move(entry));
}

/// The scalar or block a variable of a type without shape starts with.
Value Lowering::of_type(Value value, DType type, const ast::Var& var) {
    if (is_invalid(value)) return value;
    if (const auto block = block_type(value)) {
        if (block->type == type) return value;
        diags_.add<Diag::E0102>(var.value.span(), name(block->type), name(type), var.name.text)
            .because("nothing is converted silently")
            .fix(fmt::format("{}({})", name(type), text(var.value.span())));
        return Invalid{};
    }
    if (type != DType::f32 && type != DType::i32 && type != DType::pred) {
        diags_.add<Diag::E0102_literal>(var.value.span(), "a scalar", name(type))
            .because("scalars are i32, f32 or conditions");
        return Invalid{};
    }
    const auto* constant = std::get_if<Constant>(&value);
    if (constant && type == DType::f32 && constant->is_number()) return Constant{constant->real()};
    static constexpr DType of_scalars[] = {DType::i32, DType::f32, DType::pred};
    const auto* scalar = std::get_if<Scalar>(&value);
    const bool same = scalar                ? of_scalars[static_cast<int>(scalar->type)] == type
                      : type == DType::i32  ? constant->integer() != nullptr
                      : type == DType::pred ? constant->truth() != nullptr
                                            : false;
    if (same) return value;
    diags_.add<Diag::E0102_literal>(var.value.span(), describe(value), name(type))
        .fix(fmt::format("{}({})", name(type), text(var.value.span())));
    return Invalid{};
}

bool Lowering::fits_vmem(const schedule::BlockType& type, const ast::Name& of) {
    double elements = 1;
    for (const Int size : type.shape) elements *= static_cast<double>(size);
    if (elements <= 0x1p34) return true;
    diags_.add<Diag::E0601_block>(of.span, fmt::format("`{}` {}", of.text, to_string(type)),
                                  fmt::format("{:.3g}", elements));
    return false;
}

void Lowering::lower(const ast::Var& var) {
    Entry entry;
    entry.kind = Entry::Kind::variable;
    entry.declared = var.name.span;
    Value value = eval(var.value);
    std::optional<schedule::BlockType> declared;
    if (var.type) {
        const auto type = element_type(var.type->element);
        const auto shape =
            var.type->dims ? sizes(*var.type->dims, var.name) : std::optional(std::vector<Int>());
        if (!type || !shape)
            value = Invalid{};
        else if (var.type->dims && !fits_vmem({*type, *shape}, var.name))
            value = Invalid{};
        else if (var.type->dims)
            declared = {*type, *shape};
        else
            value = of_type(std::move(value), *type, var);
    }
    if (is_invalid(value)) {
        entry.kind = Entry::Kind::value;
        entry.value = Invalid{};
        declare(var.name, std::move(entry));
        return;
    }
    if (declared || is_block(value)) {
        auto made = is_block(value) ? block(value, var.value.span(), "var")
                                    : splat(value, declared->type, var.value.span());
        if (made && declared && *block_type(*made) != *declared) {
            if (block_type(*made)->type != declared->type) {
                diags_
                    .add<Diag::E0102>(var.value.span(), name(block_type(*made)->type),
                                      name(declared->type), var.name.text)
                    .fix(fmt::format("{}({})", name(declared->type), text(var.value.span())));
                made.reset();
            } else {
                const schedule::BlockType from = *block_type(*made);
                made = spread(*made, declared->shape, var.span);
                if (!made) report_shape(from, var.name.text, *declared, var.value.span());
            }
        }
        if (!made) {
            entry.kind = Entry::Kind::value;
            entry.value = Invalid{};
        } else {
            entry.value = *made;
            entry.type = *block_type(*made);
            entry.live = static_cast<int>(unit_.live.size());
            info(*made).live = entry.live;
            unit_.live.push_back(
                {var.name.text, entry.type, var.name.span, statement_, statement_, 0, false, none});
        }
    } else {
        const auto* constant = std::get_if<Constant>(&value);
        const auto* scalar = std::get_if<Scalar>(&value);
        const bool real = constant && constant->is_number() && !constant->integer();
        if (constant && !constant->is_number() && !constant->truth())
            diags_.add<Diag::E0004_value>(var.value.span(),
                                          fmt::format("the variable `{}`", var.name.text),
                                          "a block, a number or a condition", describe(value));
        const ScalarType type = scalar              ? scalar->type
                                : real              ? ScalarType::f32
                                : constant->truth() ? ScalarType::pred
                                                    : ScalarType::i32;
        entry.slot = new_slot(var.name.text, type, {});
        const auto initial = scalar              ? std::optional(scalar->expr)
                             : real              ? scalars_.real(constant->real())
                             : constant->truth() ? scalars_.truth(*constant->truth())
                             : constant->integer()
                                 ? narrowed(*constant->integer(), var.value.span())
                                 : std::nullopt;
        // before the region being built: nothing in it reads the new slot
        if (initial) push({schedule::SetSlot{entry.slot, *initial}});
        variables_.insert(entry.slot);
        written_[state_of_slot(entry.slot)].always = true;
    }
    declare(var.name, std::move(entry));
}

void Lowering::lower(const ast::Ref& ref) {
    const auto memory = reference(ref.region);
    Entry entry;
    entry.value = memory ? frozen(*memory, ref.name.text) : Value(Invalid{});
    entry.declared = ref.name.span;
    declare(ref.name, std::move(entry));
}

// ------------------------------------------------------------------------------------------------
// assignment

void Lowering::assign_variable(Entry& entry, const ast::Assign& assign, const std::string& name) {
    const Value right = eval(assign.value);
    if (is_invalid(right)) return;
    Value current = entry.slot != none
                        ? Value(Scalar{scalars_.slot(entry.slot), program_.slots[entry.slot].type})
                    : entry.backing != none ? Value(whole(Reference::Kind::buffer, entry.backing))
                                            : entry.value;
    if (entry.live >= 0)
        unit_.live[entry.live].last = std::max(unit_.live[entry.live].last, statement_);
    if (entry.slot != none && assign.op != "=")
        note_read(state_of_slot(entry.slot), name, entry.declared, assign.target.span());
    if (entry.backing != none) {
        store(std::get<Reference>(current), assign.op, right, assign.target.span(),
              assign.value.span());
        return;
    }
    const Value value =
        assign.op == "=" ? right : binary(assign.op.substr(0, 1), current, right, assign.span);
    if (is_invalid(value)) return;
    if (entry.slot != none) {
        const ScalarType type = program_.slots[entry.slot].type;
        const auto* scalar = std::get_if<Scalar>(&value);
        const auto* constant = std::get_if<Constant>(&value);
        schedule::ExprId expr = none;
        if (scalar && scalar->type == type) expr = scalar->expr;
        if (constant && type == ScalarType::f32 && constant->is_number())
            expr = scalars_.real(constant->real());
        if (constant && type == ScalarType::i32 && constant->integer()) {
            const auto number = narrowed(*constant->integer(), assign.value.span());
            if (!number) return;
            expr = *number;
        }
        if (constant && type == ScalarType::pred && constant->truth())
            expr = scalars_.truth(*constant->truth());
        if (expr == none) {
            diags_.add<Diag::E0102_variable>(assign.value.span(), describe(value), name,
                                             describe(current));
            return;
        }
        close_region();
        push({schedule::SetSlot{entry.slot, expr}});
        note_store(state_of_slot(entry.slot));
        return;
    }
    const auto made = is_block(value) ? block(value, assign.value.span(), "assignment")
                                      : splat(value, entry.type.type, assign.value.span());
    if (!made) return;
    const schedule::BlockType from = *block_type(*made);
    if (from.type != entry.type.type) {
        diags_.add<Diag::E0102_variable>(assign.value.span(), to_string(from), name,
                                         to_string(entry.type));
        return;
    }
    const auto whole_value = spread(*made, entry.type.shape, assign.span);
    if (!whole_value) {
        report_shape(from, name, entry.type, assign.value.span());
        return;
    }
    entry.value = *whole_value;
    info(std::get<BlockValue>(entry.value)).live = entry.live;
}

void Lowering::lower(const ast::Assign& assign) {
    const auto* name = boost::get<ast::Name>(&assign.target.get());
    Entry* entry = name ? env_->find(name->text) : nullptr;
    if (entry && entry->kind == Entry::Kind::variable) {
        assign_variable(*entry, assign, name->text);
        return;
    }
    const Value target = eval(assign.target);
    const Value value = eval(assign.value);
    if (is_invalid(target)) return;
    const auto* memory = std::get_if<Reference>(&target);
    if (!memory) {
        auto& message = diags_.add<Diag::E0204_target>(
            assign.target.span(), fmt::format("`{}`", text(assign.target.span())));
        if (entry && !entry->declared.empty()) message.note(entry->declared, "declared here");
        if (entry && entry->is_let)
            message.fix(fmt::format("var {} = …", name->text));
        else
            message.because("only a `var` and memory can be assigned to");
        return;
    }
    store(*memory, assign.op, value, assign.target.span(), assign.value.span());
}

// ---------------------------------------------------------------------------------------------
// control flow

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
    save.ref = buffer_ref(whole(Reference::Kind::buffer, entry.backing));
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
    close_region();
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
        diags_.add<Diag::E0901_unroll>(loop.unroll->span, count, max_unrolled).fix("unroll 8");
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
    if (lows.known && highs.known) range = {lows.lo, std::max(lows.lo, highs.hi - 1), true};
    lowered.slot = new_slot(loop.name.text, ScalarType::i32, range);
    lowered.lo = lo;
    lowered.hi = frozen(hi, loop.name.text + "_end");
    lowered.step = scalars_.constant(step * copies);
    const double outer_iterations = iterations_;
    if (range.known)
        iterations_ *= static_cast<double>(std::max<Int>(0, highs.hi - lows.lo)) /
                       static_cast<double>(step * copies);
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
            .fix("leave out `unroll`");
        return;
    }
    if (!loop.unroll->factor) return unroll(loop, *first, *past, *step);
    const auto copies = integer(*loop.unroll->factor, "the unroll factor");
    if (!copies) return;
    if (*copies < 1 || *copies > max_unrolled) {
        diags_.add<Diag::E0901_unroll>(loop.unroll->span, *copies, max_unrolled).fix("unroll 8");
        return;
    }
    const Int count = *past > *first ? (*past - *first + *step - 1) / *step : 0;
    const Int whole_rounds = count / *copies;
    const Int middle = *first + whole_rounds * *copies * *step;
    if (whole_rounds > 0) lower_loop(loop, *lo, scalars_.constant(middle), *step, *copies);
    unroll(loop, middle, *past, *step);
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
    close_region();
    schedule::Scope lowered;
    lowered.title = scope.title.value;
    lowered.place.span = scope.span;
    lowered.body = nested([&] { lower_block(scope.body); });
    push({std::move(lowered)});
}

void Lowering::lower(const ast::Assert& assertion) {
    const Value value = eval(assertion.condition);
    const auto* constant = std::get_if<Constant>(&value);
    if (constant && constant->truth()) {
        if (*constant->truth()) return;
        auto& message =
            diags_.add<Diag::E0005_assert>(assertion.span, text(assertion.condition.span()));
        if (assertion.message) message.because(assertion.message->value);
    } else if (const auto* scalar = std::get_if<Scalar>(&value);
               scalar && scalar->type == ScalarType::pred) {
        diags_.add<Diag::E0007>(assertion.span, "`assert` on run-time values");
    } else if (!is_invalid(value)) {
        diags_.add<Diag::E0102_condition>(assertion.condition.span(), describe(value));
    }
}

void Lowering::lower(const ast::Launch& launch) {
    const Entry* entry = env_->find(launch.name.text);
    const bool is_kernel =
        std::any_of(unit_.file.items.begin(), unit_.file.items.end(), [&](const ast::Item& item) {
            const auto* kernel = boost::get<ast::Kernel>(&item.get());
            return kernel && kernel->name.text == launch.name.text;
        });
    if (!launch.bindings.empty() || (is_kernel && !entry)) {
        diags_.add<Diag::E0004_place>(launch.span, "a launch",
                                      "kernels are launched by a `program`");
        return;
    }
    if (entry && entry->kind == Entry::Kind::function) {
        call_function(*entry->function, env_->owner(env_, launch.name.text), launch.arguments,
                      launch.span, false);
        return;
    }
    if (entry) {
        report_no_call(launch.name, *entry);
        return;
    }
    if (find_op(launch.name.text) || launch.name.text == "has") {
        diags_.add<Diag::E0004_unused>(launch.span, launch.name.text)
            .fix(fmt::format("let x = {}(…)", launch.name.text));
        return;
    }
    auto& message = diags_.add<Diag::E0002>(launch.name.span, "function", launch.name.text);
    if (const std::string near = nearest(launch.name.text, visible_names(true)); !near.empty())
        message.fix(near);
}

}  // namespace slab::compiler
