#include <algorithm>
#include <cctype>

#include "compiler/lower/lowering.hpp"
#include "compiler/ops/op.hpp"

// Statements of a kernel's body: declarations, assignments and calls.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using schedule::ScalarType;
using Int = std::int64_t;

void Lowering::lower_block(const ast::Block& block) {
    const EnvPtr outer = env_;
    env_ = std::make_shared<Env>(outer);
    const std::size_t rings = rings_.size();
    for (const ast::Stmt& stmt : block.stmts) lower_statement(stmt);
    drain_rings(rings);
    env_ = outer;
}

struct Lowering::StatementVisitor {
    using result_type = void;
    Lowering& self;

    void operator()(const ast::Declaration& n) const { boost::apply_visitor(*this, n); }
    void operator()(const ast::Control& n) const { boost::apply_visitor(*this, n); }
    void operator()(const ast::Effect& n) const { boost::apply_visitor(*this, n); }
    void operator()(const ast::Movement& n) const { boost::apply_visitor(*this, n); }
    template <typename Node>
    void operator()(const Node& n) const {
        self.lower(n);
    }
};

void Lowering::lower_statement(const ast::Stmt& stmt) {
    ++statement_;
    const Nesting::Level level(nesting_);
    if (!goes_on(stmt.span())) return;
    boost::apply_visitor(StatementVisitor{*this}, stmt);
}

void Lowering::lower(const ast::Return& misplaced) {
    if (inlining_.empty())
        diags_.add<Diag::E0004_place>(misplaced.span, "`return`", "it ends a function");
    else
        diags_
            .add<Diag::E0004_place>(misplaced.span, "`return`",
                                    "it is the last statement of a function's block")
            .fix("a `var` that is assigned here, and returned at the end");
}

void Lowering::lower(const ast::Scratch& scratch) {
    if (scratch.is_buffer)
        diags_.add<Diag::E0004_place>(scratch.span, "`buffer`",
                                      "buffers are declared in a `program`");
    for (const ast::ScratchDecl& decl : scratch.decls) {
        if (scratch.is_buffer) {
            Entry refused;
            refused.declared = decl.name.span;
            declare(decl.name, std::move(refused));
            continue;
        }
        declare(decl.name, declare_scratch(decl));
        note_unused("scratch", decl.name);
        if (!decl.init) continue;
        const Entry* entry = env_->find(decl.name.text);
        if (!entry) continue;  // a name that may not be declared
        const auto* memory = std::get_if<Reference>(&entry->value);
        const Value value = eval(*decl.init);
        if (memory && space_of(*memory) == schedule::Space::smem)
            fill_elements(*memory, value, decl.name.span, decl.init->span());
        else if (memory)
            store(*memory, "=", value, decl.name.span, decl.init->span());
        else if (!is_invalid(entry->value))
            diags_.add<Diag::E0004_place>(decl.init->span(), "a value",
                                          "semaphores are 0 at the start");
    }
}

/// What is declared and not named again in the whole text of the kernel. Where an `if` that sizes
/// decide has dropped the uses, nothing is wrong.
void Lowering::note_unused(const char* what, const ast::Name& name) {
    const Span kernel = unit_.kernel.span;
    if (name.span.begin < kernel.begin || name.span.end > kernel.end) return;
    const std::string body = text(kernel);
    const auto is_letter = [&](std::size_t at) {
        return at < body.size() &&
               (std::isalnum(static_cast<unsigned char>(body[at])) != 0 || body[at] == '_');
    };
    int times = 0;
    for (std::size_t at = 0; (at = body.find(name.text, at)) != std::string::npos; ++at)
        times += !is_letter(at - 1) && !is_letter(at + name.text.size());
    if (times == 1) unit_.unused.emplace_back(what, name);
}

Entry Lowering::declare_scratch(const ast::ScratchDecl& decl) {
    Entry entry;
    entry.declared = decl.name.span;
    entry.value = Invalid{};
    entry.grids = grids_.size();
    if (decl.type.space == "sem") {
        declare_semaphore(decl, entry);
        return entry;
    }
    if (decl.type.space == "hbm") {
        diags_
            .add<Diag::E0004_place>(decl.span, "`scratch` in HBM",
                                    "a kernel's arrays in HBM are its operands")
            .fix(fmt::format("{}: vmem …, or an operand", decl.name.text));
        return entry;
    }
    const bool in_smem = decl.type.space == "smem";
    const auto type = element_type(decl.type.element);
    const auto shape = sizes(decl.type.dims, decl.name);
    if (!type || !shape || !fits_vmem({*type, *shape}, decl.name)) return entry;
    if (in_smem && !holds_scalars(*type, decl.type.element.span)) return entry;
    const auto buffer =
        new_buffer(decl.name.text, in_smem ? schedule::Space::smem : schedule::Space::vmem,
                   schedule::BufferRole::scratch, *type, *shape, 1, decl.name.span);
    entry.value = whole(Reference::Kind::buffer, buffer);
    return entry;
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
    if (expr == none) return false;
    if (reads_changing_memory(expr)) return true;
    if (variables_.empty()) return false;
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
            .replace(var.value.span(), fmt::format("{}({})", name(type), text(var.value.span())));
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
        .replace(var.value.span(), fmt::format("{}({})", name(type), text(var.value.span())));
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
                    .replace(var.value.span(),
                             fmt::format("{}({})", name(declared->type), text(var.value.span())));
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
    const Value target = eval_place(assign.target);
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
        close_region();
        const auto id = static_cast<schedule::CheckId>(program_.checks.size());
        program_.checks.push_back({scalar->expr,
                                   assertion.message ? assertion.message->value : "",
                                   {assertion.condition.span()}});
        push({schedule::MakeSure{id}});
    } else if (!is_invalid(value)) {
        diags_.add<Diag::E0102_condition>(assertion.condition.span(), describe(value));
    }
}

void Lowering::lower(const ast::Print& print) {
    schedule::Print lowered;
    lowered.message = print.message.value;
    lowered.place.span = print.span;
    for (const ast::Expr& expr : print.values) {
        const Value value = eval(expr);
        const auto* constant = std::get_if<Constant>(&value);
        if (const auto* scalar = std::get_if<Scalar>(&value))
            lowered.values.push_back(scalar->expr);
        else if (constant && constant->truth())
            lowered.values.push_back(scalars_.truth(*constant->truth()));
        else if (constant && constant->integer())
            lowered.values.push_back(
                narrowed(*constant->integer(), expr.span()).value_or(scalars_.constant(0)));
        else if (constant && constant->is_number())
            lowered.values.push_back(scalars_.real(constant->real()));
        else if (!is_invalid(value))
            diags_.add<Diag::E0004_value>(expr.span(), "what is printed", "a scalar",
                                          describe(value));
    }
    close_region();
    program_.prints.push_back(std::move(lowered));
    push({schedule::PrintValues{static_cast<schedule::PrintId>(program_.prints.size()) - 1}});
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
    const std::vector<std::string> known = visible_names(true);
    if (const std::string* near = nearest_of(launch.name.text, known))
        message.replace(launch.name.span, *near);
}

}  // namespace slab::compiler
