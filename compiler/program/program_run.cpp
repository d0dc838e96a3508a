#include "compiler/program/program_run.hpp"

#include <algorithm>

#include "dsl/visit.hpp"
#include "support/size_text.hpp"

namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using Int = std::int64_t;

namespace {

/// The reason why a clause of a kernel has no place above a program, or null.
const char* misplaced(const ast::Clause& clause, std::string& what, Span& span) {
    return ast::visit(
        clause,
        [&](const ast::MeshClause& mesh) -> const char* {
            what = "`mesh`", span = mesh.span;
            return "the kernels that a program launches run on meshes";
        },
        [&](const ast::LimitClause& limit) -> const char* {
            what = "`limit vmem`", span = limit.span;
            return "it belongs to a kernel, which has VMEM of its own";
        },
        [](const auto&) -> const char* { return nullptr; });
}

}  // namespace

dsl::ast::Kernel head_of(const ast::Program& program) {
    ast::Kernel head;
    head.span = program.span;
    head.name = program.name;
    head.brackets = program.brackets;
    head.params = program.params;
    head.clauses = program.clauses;
    head.body = ast::Block{};
    return head;
}

ProgramSession::ProgramSession(const ast::File& of, const SourceFile& text, const Settings& given,
                               const arch::ChipSpec& on, Diagnostics& messages)
    : file(of), source(text), settings(given), chip(on), diags(messages) {
    for (const ast::Item& item : file.items) {
        if (const auto* kernel = ast::get_if<ast::Kernel>(item))
            items.try_emplace(kernel->name.text, Item{kernel, nullptr, nullptr});
        if (const auto* program = ast::get_if<ast::Program>(item))
            items.try_emplace(
                program->name.text,
                Item{nullptr, program, std::make_unique<ast::Kernel>(head_of(*program))});
    }
}

const ProgramSession::Item* ProgramSession::find(const std::string& name) const {
    const auto found = items.find(name);
    return found == items.end() ? nullptr : &found->second;
}

std::vector<std::string> ProgramSession::names() const {
    std::vector<std::string> all;
    for (const auto& [name, item] : items) all.push_back(name);
    return all;
}

void ProgramSession::append(const Diagnostics& found, Span launch) {
    for (const Diagnostic& message : found.messages()) {
        Diagnostic placed = message;
        diags.add(std::move(placed.note(launch, "launched here")));
    }
}

ProgramRun::ProgramRun(ProgramSession& session, const ProgramSession::Item& item,
                       const Settings& settings)
    : session_(session),
      item_(item),
      diags_(session.diags),
      unit_{session.file, item.declaration(), session.chip, settings, session.source},
      lowering_(unit_, session.diags) {}

void ProgramRun::run() {
    session_.running.push_back(item_.program->name.text);
    if (!declare_head()) return;
    session_.sizes = unit_.bound;
    declare_own_arrays();
    run_body();
    for (const std::size_t i : session_.live)
        if (const Array& array = session_.arrays[i];
            !array.is_read && !array.is_written && is_whole() &&
            array.operand.direction != schedule::Direction::out)
            diags_.add<Diag::W05>(array.declared, array.name);
    session_.running.pop_back();
}

void ProgramRun::run(const std::map<std::string, ArrayPart>& arguments) {
    session_.running.push_back(item_.program->name.text);
    if (declare_head()) {
        for (const schedule::Operand& operand : unit_.program.operands) {
            const ArrayPart& part = arguments.at(operand.name);
            parts_.emplace_back(part);
            parts_.back()->is_writable = operand.direction != schedule::Direction::in;
            // it is given what an array holds at random
            if (operand.direction == schedule::Direction::out)
                session_.arrays[part.array].holds.remove(part.begin, part.end());
        }
        run_body();
    }
    session_.running.pop_back();
}

bool ProgramRun::declare_head() {
    const std::size_t errors = diags_.size();
    for (const ast::Clause& clause : item_.program->clauses) {
        std::string what;
        Span span;
        if (const char* reason = misplaced(clause, what, span))
            diags_.add<Diag::E0004_place>(span, what, reason);
    }
    for (const ast::Param& param : item_.program->params)
        if (param.memory && param.memory->space != "hbm" && param.memory->space != "sem")
            diags_
                .add<Diag::E0004_place>(param.memory->span,
                                        fmt::format("an operand in {}", param.memory->space),
                                        "the arrays of a program lie in HBM")
                .because("a launch copies an array to where its kernel takes it")
                .fix("hbm");
    if (diags_.size() != errors || !lowering_.declare_head()) {
        session_.damaged = true;
        return false;
    }
    // a program runs once, with the scalars it is given
    for (const Bound& bound : unit_.bound)
        if (bound.is_runtime) lowering_.env_->names[bound.name].value = bound.value;
    return true;
}

void ProgramRun::declare_own_arrays() {
    for (const schedule::Operand& operand : unit_.program.operands) {
        Array array{operand.name, operand.type, operand.shape, operand.place.span};
        array.operand = operand;
        if (operand.direction != schedule::Direction::out) array.holds.add(0, array.elements());
        session_.bytes += array.bytes();
        session_.live.push_back(session_.arrays.size());
        parts_.push_back(ArrayPart{session_.arrays.size(), 0, operand.shape,
                                   operand.direction != schedule::Direction::in});
        session_.arrays.push_back(std::move(array));
    }
    session_.result.operand_bytes = session_.bytes;
}

void ProgramRun::run_body() {
    const std::size_t operands = unit_.program.operands.size();
    run(item_.program->body);
    for (std::size_t i = 0; i < operands && is_whole(); ++i) {
        const schedule::Operand& operand = unit_.program.operands[i];
        if (operand.direction != schedule::Direction::out) continue;
        const ArrayPart& part = *parts_[i];
        const Array& array = session_.arrays[part.array];
        if (array.holds.covers(part.begin, part.end())) continue;
        const bool some = array.holds.touches(part.begin, part.end());
        diags_.add<Diag::E0302>(operand.place.span, some ? "a part" : "all", operand.name)
            .because("`out` promises that every element is written")
            .fix(fmt::format("a launch that writes {}`{}`", some ? "the rest of " : "",
                             operand.name));
    }
}

template <typename Body>
void ProgramRun::scoped(Body&& body) {
    const EnvPtr outer = lowering_.env_;
    const std::size_t first_live = session_.live.size();
    lowering_.env_ = std::make_shared<Env>(outer);
    body();
    lowering_.env_ = outer;
    release(first_live);
}

/// What is used is known only if everything was carried out.
bool ProgramRun::is_whole() const {
    return !session_.damaged && !session_.stopped;
}

/// The buffers of a block end with it.
void ProgramRun::release(std::size_t first_live) {
    for (std::size_t i = first_live; i < session_.live.size(); ++i) {
        const Array& array = session_.arrays[session_.live[i]];
        session_.bytes -= array.bytes();
        if (array.is_read || !is_whole()) continue;
        diags_.add<Diag::W05_buffer>(array.declared, array.name,
                                     array.is_written ? "written and never read" : "never used");
    }
    session_.live.resize(first_live);
}

void ProgramRun::run(const ast::Block& block) {
    scoped([&] {
        for (const ast::Stmt& stmt : block.stmts) run(stmt);
    });
}

void ProgramRun::run(const ast::Stmt& stmt) {
    if (session_.stopped || !goes_on(stmt)) return;
    const auto elsewhere = [&](const auto&) {
        diags_.add<Diag::E0004_place>(stmt.span(), "this statement",
                                      "a program launches kernels, which do the work");
    };
    ast::visit(
        stmt,
        [&](const ast::Declaration& group) {
            ast::visit(
                group, [&](const ast::Scratch& n) { run(n); },
                [&](const ast::Const& n) { lowering_.lower(n); },
                [&](const ast::Let& n) { run(n); }, [&](const ast::Var& n) { run(n); }, elsewhere);
        },
        [&](const ast::Control& group) {
            ast::visit(
                group, [&](const ast::If& n) { run(n); }, [&](const ast::For& n) { run(n); },
                [&](const ast::Scope& n) { run(n.body); }, elsewhere);
        },
        [&](const ast::Movement& group) { elsewhere(group); },
        [&](const ast::Effect& group) {
            ast::visit(
                group, [&](const ast::Assert& n) { run(n); }, [&](const ast::Print& n) { run(n); },
                [&](const ast::Assign& n) { run(n); }, [&](const ast::Launch& n) { run(n); },
                elsewhere);
        });
}

/// The limit of a kernel's code holds for each statement; that of the program for all.
bool ProgramRun::goes_on(const ast::Stmt& stmt) {
    const Int most = 100 * session_.settings.max_launches;
    session_.work += 1 + unit_.work;
    unit_.work = 0;
    if (session_.work <= most) return true;
    diags_
        .add<Diag::E0902_launches>(stmt.span(), session_.running.front(),
                                   fmt::format("{} statements and expressions", most))
        .because("a program is carried out before it is simulated");
    session_.stopped = true;
    return false;
}

void ProgramRun::run(const ast::Scratch& buffers) {
    for (const ast::ScratchDecl& decl : buffers.decls) declare_buffer(decl);
}

void ProgramRun::declare_buffer(const ast::ScratchDecl& decl) {
    Entry entry;
    entry.declared = decl.name.span;
    entry.value = Invalid{};
    if (decl.type.space != "hbm")
        diags_
            .add<Diag::E0004_place>(decl.type.span, fmt::format("a buffer in {}", decl.type.space),
                                    "the arrays of a program lie in HBM")
            .fix("hbm");
    if (decl.init)
        diags_
            .add<Diag::E0004_place>(decl.init->span(), "a value",
                                    "a buffer holds what launches write")
            .fix("a kernel that fills it");
    const auto type = lowering_.element_type(decl.type.element);
    const auto shape = lowering_.sizes(decl.type.dims, decl.name);
    if (type && shape && decl.type.space == "hbm") {
        double bytes = bits(*type) / 8.0;
        for (const Int size : *shape) bytes *= static_cast<double>(size);
        const auto all = static_cast<double>(session_.chip.hbm.bytes);
        if (bytes > all) {
            diags_.add<Diag::E0604_program>(decl.span, size_text(bytes), size_text(all))
                .label(fmt::format("`{}` alone", decl.name.text));
            session_.damaged = true;
        } else {
            schedule::Operand operand;
            operand.name = decl.name.text;
            operand.type = *type;
            operand.shape = *shape;
            operand.place.span = decl.name.span;
            unit_.program.operands.push_back(std::move(operand));
            entry.value =
                lowering_.whole(Reference::Kind::operand,
                                static_cast<std::int32_t>(unit_.program.operands.size()) - 1);
            Array array{decl.name.text, *type, *shape, decl.name.span, true};
            session_.bytes += array.bytes();
            session_.live.push_back(session_.arrays.size());
            parts_.resize(unit_.program.operands.size());
            parts_.back() = ArrayPart{session_.arrays.size(), 0, *shape, true};
            session_.arrays.push_back(std::move(array));
        }
    } else {
        session_.damaged = true;
    }
    lowering_.declare(decl.name, std::move(entry));
}

/// A constant, or an array by another name.
void ProgramRun::run(const ast::Let& let) {
    Entry entry;
    entry.is_let = true;
    entry.declared = let.name.span;
    entry.value = lowering_.eval_place(let.value);
    const bool is_known = std::holds_alternative<Constant>(entry.value) ||
                          std::holds_alternative<Reference>(entry.value);
    if (!is_known && !is_invalid(entry.value)) {
        diags_.add<Diag::E0008>(let.value.span(), "a value of a program")
            .because("a program launches kernels, which compute with arrays");
        entry.value = Invalid{};
    }
    lowering_.declare(let.name, std::move(entry));
}

void ProgramRun::run(const ast::Var& var) {
    Entry entry;
    entry.kind = Entry::Kind::variable;
    entry.declared = var.name.span;
    entry.value = Invalid{};
    if (auto value = lowering_.constant(var.value, fmt::format("`var {}`", var.name.text)))
        entry.value = *value;
    if (var.type && var.type->dims) {
        diags_.add<Diag::E0004_place>(var.span, "an array", "the arrays of a program are buffers")
            .fix(fmt::format("buffer {}: hbm …", var.name.text));
        entry.value = Invalid{};
    } else if (var.type) {
        const auto type = lowering_.element_type(var.type->element);
        entry.value = type ? lowering_.of_type(entry.value, *type, var) : Value(Invalid{});
    }
    lowering_.declare(var.name, std::move(entry));
}

void ProgramRun::run(const ast::Assign& assign) {
    const auto* name = ast::get_if<ast::Name>(assign.target);
    Entry* entry = name ? lowering_.env_->find(name->text) : nullptr;
    if (!entry || entry->kind != Entry::Kind::variable) {
        const Value target = lowering_.eval_place(assign.target);
        if (is_invalid(target)) return;
        auto& message = diags_.add<Diag::E0204_target>(
            assign.target.span(), fmt::format("`{}`", lowering_.text(assign.target.span())));
        message.because("a program assigns to its `var`s, kernels write arrays");
        if (entry && entry->is_let && std::holds_alternative<Constant>(entry->value))
            message.fix(fmt::format("var {} = …", name->text));
        return;
    }
    const auto right =
        lowering_.constant(assign.value, fmt::format("the value of `{}`", name->text));
    if (!right || is_invalid(entry->value)) return;
    const Value value = assign.op == "=" ? Value(*right)
                                         : lowering_.binary(assign.op.substr(0, 1), entry->value,
                                                            *right, assign.span);
    const auto* now = std::get_if<Constant>(&value);
    if (!now) return;
    const Constant& before = std::get<Constant>(entry->value);
    const bool widens = before.is_number() && !before.integer() && now->is_number();
    if (widens)
        entry->value = Constant{now->real()};
    else if (kind(*now) == kind(before))
        entry->value = *now;
    else
        diags_.add<Diag::E0102_variable>(assign.value.span(), describe(*now), name->text,
                                         kind(before));
}

std::optional<bool> ProgramRun::condition(const ast::Expr& expr) {
    const auto value = lowering_.constant(expr, "a condition of a program");
    if (!value) return std::nullopt;
    if (value->truth()) return *value->truth();
    diags_.add<Diag::E0102_condition>(expr.span(), describe(*value));
    return std::nullopt;
}

void ProgramRun::run(const ast::If& branch) {
    auto holds = condition(branch.condition);
    const ast::Block* taken = holds && *holds ? &branch.then : nullptr;
    for (std::size_t i = 0; i < branch.else_ifs.size() && holds && !taken; ++i) {
        holds = condition(branch.else_ifs[i].condition);
        if (holds && *holds) taken = &branch.else_ifs[i].body;
    }
    if (!holds) session_.damaged = true;
    if (holds && !taken && branch.otherwise) taken = &*branch.otherwise;
    if (taken) run(*taken);
}

void ProgramRun::run(const ast::For& loop) {
    const auto lo = lowering_.integer(loop.lo, "the start of a loop");
    const auto hi = lowering_.integer(loop.hi, "the end of a loop");
    const auto step = loop.step ? lowering_.integer(*loop.step, "the step of a loop") : Int{1};
    if (!lo || !hi || !step) {
        session_.damaged = true;
        return;
    }
    constexpr Int most = (Int{1} << 31) - 1;
    if (*step < 1 || *step > most) {
        diags_.add<Diag::E0004_kind>(loop.step->span(), "the step", "for",
                                     fmt::format("1 to {}", most), std::to_string(*step));
        return;
    }
    for (const Int end : {*lo, *hi})
        if (end > most || end < -most) {
            diags_.add<Diag::E0009_range>(loop.span, fmt::format("the bound {}", end), "i32");
            return;
        }
    const Int count = *hi > *lo ? (*hi - *lo + *step - 1) / *step : 0;
    const Int most_rounds = 10 * session_.settings.max_launches;
    session_.rounds += count;
    if (session_.rounds > most_rounds) {
        diags_.add<Diag::E0902_loop>(loop.span, session_.rounds, most_rounds);
        session_.stopped = true;
        return;
    }
    Span place;
    if (!may_launch(fewest_launches(loop, {}, place), place)) return;
    const std::size_t errors = diags_.size();
    for (Int i = *lo; i < *hi && !session_.stopped; i += *step) {
        scoped([&] {
            Entry entry;
            entry.value = Constant{i};
            entry.declared = loop.name.span;
            lowering_.declare(loop.name, std::move(entry));
            run(loop.body);
        });
        // the other rounds say the same
        if (diags_.size() > errors && diags_.has_errors()) break;
    }
}

void ProgramRun::run(const ast::Assert& assertion) {
    const auto holds = condition(assertion.condition);
    if (!holds || *holds) return;
    auto& message =
        diags_.add<Diag::E0005_assert>(assertion.span, lowering_.text(assertion.condition.span()));
    if (assertion.message) message.because(assertion.message->value);
}

void ProgramRun::run(const ast::Print& print) {
    constexpr std::size_t most_lines = 1000;
    std::string line = print.message.value;
    for (const ast::Expr& expr : print.values) {
        const auto value = lowering_.constant(expr, "what a program prints");
        if (!value) return;
        line += " " + to_string(*value);
    }
    if (session_.result.prints.size() < most_lines) session_.result.prints.push_back(line);
}

std::optional<CompiledProgram> compile_program(const ast::File& file, const ast::Program& program,
                                               const SourceFile& source, const Settings& settings,
                                               const arch::ChipSpec& chip, Diagnostics& diags) {
    ProgramSession session(file, source, settings, chip, diags);
    const ProgramSession::Item* item = session.find(program.name.text);
    if (!item || item->program != &program) {  // a kernel of that name; dsl::check says so
        diags.add<Diag::E0003>(program.name.span, program.name.text);
        return std::nullopt;
    }
    ProgramRun(session, *item, settings).run();
    CompiledProgram& result = session.result;
    const auto all = static_cast<double>(chip.hbm.bytes);
    if (static_cast<double>(result.peak_bytes) > all)
        diags
            .add<Diag::E0604_program>(session.peak_span,
                                      size_text(static_cast<double>(result.peak_bytes)),
                                      size_text(all))
            .label("at this launch")
            .table(session.peak_table)
            .because(
                "operands stay for the whole program, a buffer until the end "
                "of its block")
            .fix(
                "a block of its own, `scope \"…\" { }`, around buffers that are "
                "needed for a "
                "while");
    if (diags.has_errors()) return std::nullopt;
    result.name = program.name.text;
    result.sizes = session.sizes;
    result.arrays = std::move(session.arrays);
    return std::move(result);
}

}  // namespace slab::compiler
