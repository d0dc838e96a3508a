#include <algorithm>

#include "compiler/lower/sizes.hpp"
#include "compiler/ops/op.hpp"
#include "compiler/program/program_run.hpp"
#include "dsl/visit.hpp"
#include "support/size_text.hpp"

// One launch: what it reads and writes is checked and noted, and its kernel compiled.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using Int = std::int64_t;

namespace {

constexpr std::size_t most_open_programs = 64;

/// The data of a kernel's operand are those of the array it is given, if that is one of the
/// program's operands.
class ArgumentData : public DataSource {
public:
    ArgumentData(const ProgramSession& session, const ast::Kernel& kernel,
                 const std::vector<Passed>& passed, std::map<std::string, ArrayPart>& read)
        : session_(session), kernel_(kernel), passed_(passed), read_(read) {}

    std::optional<std::vector<Int>> elements(const schedule::Operand& operand,
                                             const std::vector<Bound>&,
                                             Diagnostics& diags) const override {
        for (std::size_t i = 0; i < kernel_.params.size(); ++i)
            if (kernel_.params[i].name.text == operand.name &&
                passed_[i].kind == Passed::Kind::array)
                return elements(operand, passed_[i], diags);
        return std::nullopt;
    }

private:
    std::optional<std::vector<Int>> elements(const schedule::Operand& operand,
                                             const Passed& argument, Diagnostics& diags) const {
        const Array& array = session_.arrays[argument.part.array];
        read_[operand.name] = argument.part;
        if (array.is_buffer || array.is_written) {
            diags
                .add<Diag::E0006_data>(argument.span, argument.text,
                                       to_string({array.type, argument.part.shape}))
                .label("launches compute it")
                .because(fmt::format("the control flow of `{}` reads it, and launches are timed "
                                     "without computing what they write",
                                     kernel_.name.text))
                .note(array.declared, "declared here")
                .fix("an operand of the program, with data");
            return std::nullopt;
        }
        const DataSource* source = session_.settings.data;
        const std::size_t errors = diags.size();
        auto all = source ? source->elements(array.operand, session_.sizes, diags) : std::nullopt;
        if (all && static_cast<Int>(all->size()) >= argument.part.end())
            return std::vector<Int>(all->begin() + argument.part.begin,
                                    all->begin() + argument.part.end());
        if (diags.size() == errors)
            diags
                .add<Diag::E0006_data>(array.declared, array.name,
                                       to_string({array.type, array.shape}))
                .because(fmt::format("the control flow of `{}` reads it", kernel_.name.text))
                .fix(fmt::format("--data {0}='[…]', --data {0}=@file.npy, or \"data\" of a case",
                                 array.name));
        return std::nullopt;
    }

    const ProgramSession& session_;
    const ast::Kernel& kernel_;
    const std::vector<Passed>& passed_;
    std::map<std::string, ArrayPart>& read_;
};

bool same(const ArrayPart& a, const ArrayPart& b) {
    return a.array == b.array && a.begin == b.begin && a.shape == b.shape;
}

bool overlap(const ArrayPart& a, const ArrayPart& b) {
    return a.array == b.array && a.begin < b.end() && b.begin < a.end();
}

}  // namespace

std::string key_of(const ast::Kernel& kernel, const Settings& settings) {
    std::string key = kernel.name.text;
    for (const auto& [name, value] : settings.set) key += fmt::format("\n{}={}", name, value);
    for (const std::string& name : settings.with) key += "\nwith " + name;
    return key;
}

void ProgramRun::run(const ast::Launch& launch) {
    const std::string& name = launch.name.text;
    const ProgramSession::Item* item = session_.find(name);
    const bool is_launch = !launch.bindings.empty() ||
                           (!lowering_.env_->find(name) && !find_op(name) && name != "has");
    if (!is_launch) return lowering_.lower(launch);
    const std::size_t errors = diags_.size();
    if (item) {
        launch_item(launch, *item);
    } else {
        auto& message = diags_.add<Diag::E0002>(launch.name.span, "kernel", name);
        const std::vector<std::string> known = session_.names();
        if (const std::string* near = nearest_of(name, known))
            message.replace(launch.name.span, *near);
    }
    if (!item || (diags_.size() > errors && diags_.has_errors())) session_.damaged = true;
}

/// Whether the limit has room for more launches; a message if not.
bool ProgramRun::may_launch(Int more, Span span) {
    if (session_.launches + more <= session_.settings.max_launches) return true;
    diags_
        .add<Diag::E0902_launches>(span, session_.running.front(),
                                   fmt::format("{} launches", session_.settings.max_launches))
        .because("each launch is listed, and none overlaps another");
    session_.stopped = true;
    return false;
}

void ProgramRun::launch_item(const ast::Launch& launch, const ProgramSession::Item& item) {
    const ast::Kernel& kernel = item.declaration();
    const std::string& name = kernel.name.text;
    if (!may_launch(1, launch.span)) return;
    ++session_.launches;
    if (std::count(session_.running.begin(), session_.running.end(), name)) {
        diags_.add<Diag::E0901_recursion>(launch.span, name)
            .because("a program may launch others, but not itself")
            .fix("a `for` loop");
        session_.stopped = true;
        return;
    }
    if (session_.running.size() >= most_open_programs) {
        diags_.add<Diag::E0901_deep>(launch.span, "programs that launch programs",
                                     most_open_programs);
        session_.stopped = true;
        return;
    }
    const auto arguments = match(launch, kernel);
    Settings settings;
    settings.max_steps = session_.settings.max_steps;
    settings.skeleton_events = session_.settings.skeleton_events;
    bool fine = bind_brackets(launch, kernel, settings.set) && arguments.has_value();
    if (!arguments) return;
    std::vector<Passed> passed;
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
        passed.push_back(evaluate((*arguments)[i], kernel.params[i]));
        const Passed& argument = passed.back();
        fine = fine && argument.kind != Passed::Kind::wrong;
        if (argument.kind == Passed::Kind::array && is_optional(kernel.params[i]))
            settings.with.push_back(kernel.params[i].name.text);
        if (argument.kind == Passed::Kind::scalar)
            settings.set.emplace_back(kernel.params[i].name.text, to_string(argument.scalar));
    }
    if (!fine || !bind_shapes(launch, kernel, passed, settings.set) ||
        !check_complete(launch, kernel, settings.set))
        return;
    const auto* operands = signature(launch, item, settings);
    if (!operands || !check_types(kernel, passed, *operands)) return;
    if (!check_writes(kernel, passed)) return;
    note_reads(kernel, passed);
    if (item.program) {
        std::map<std::string, ArrayPart> parts;
        for (std::size_t i = 0; i < passed.size(); ++i)
            if (passed[i].kind == Passed::Kind::array)
                parts.emplace(kernel.params[i].name.text, passed[i].part);
        ProgramRun(session_, item, settings).run(parts);
    } else {
        launch_kernel(launch, kernel, settings, passed);
    }
    note_writes(kernel, passed);
}

/// The operands with their types and shapes; null where the sizes do not fit the kernel.
const std::vector<schedule::Operand>* ProgramRun::signature(const ast::Launch& launch,
                                                            const ProgramSession::Item& item,
                                                            const Settings& settings) {
    const auto [known, is_new] =
        session_.signatures.try_emplace(key_of(item.declaration(), settings));
    if (is_new) {
        Diagnostics found;
        Unit unit{session_.file, item.declaration(), session_.chip, settings, session_.source};
        Lowering lowering(unit, found);
        lowering.asks_for_data_ = false;
        if (lowering.declare_head()) known->second = unit.program.operands;
        session_.append(found, launch.span);
    }
    return known->second ? &*known->second : nullptr;
}

bool ProgramRun::check_types(const ast::Kernel& kernel, const std::vector<Passed>& passed,
                             const std::vector<schedule::Operand>& operands) {
    bool fine = true;
    for (std::size_t i = 0; i < passed.size(); ++i) {
        if (passed[i].kind != Passed::Kind::array) continue;
        const ast::Param& param = kernel.params[i];
        const auto operand =
            std::find_if(operands.begin(), operands.end(),
                         [&](const schedule::Operand& one) { return one.name == param.name.text; });
        const schedule::BlockType given{session_.arrays[passed[i].part.array].type,
                                        passed[i].part.shape};
        if (operand == operands.end() ||
            (operand->type == given.type && operand->shape == given.shape))
            continue;
        diags_
            .add<Diag::E0101_argument>(passed[i].span, passed[i].text, to_string(given),
                                       kernel.name.text, to_string({operand->type, operand->shape}))
            .note(param.span, lowering_.text(param.memory->span));
        fine = false;
    }
    return fine;
}

bool ProgramRun::check_writes(const ast::Kernel& kernel, const std::vector<Passed>& passed) {
    bool fine = true;
    for (std::size_t i = 0; i < passed.size(); ++i) {
        if (passed[i].kind != Passed::Kind::array || kernel.params[i].direction.empty()) continue;
        const Array& array = session_.arrays[passed[i].part.array];
        if (!passed[i].part.is_writable) {
            diags_.add<Diag::E0307_operand>(passed[i].span, passed[i].text)
                .note(kernel.params[i].span, fmt::format("`{}` writes it", kernel.name.text))
                .fix("declare the operand `inout` or `out`, or pass a buffer");
            fine = false;
            continue;
        }
        for (std::size_t other = 0; other < passed.size(); ++other) {
            if (other == i || passed[other].kind != Passed::Kind::array ||
                (other < i && !kernel.params[other].direction.empty()) ||
                !overlap(passed[i].part, passed[other].part))
                continue;
            diags_
                .add<Diag::E0004_value>(
                    passed[i].span, fmt::format("an array that `{}` writes", kernel.name.text),
                    "passed once", fmt::format("also its `{}`", kernel.params[other].name.text))
                .note(passed[other].span, fmt::format("`{}` here too", array.name))
                .because("the order of reads and writes inside a kernel is its own")
                .fix("a kernel with an `inout` operand, or a buffer for the result");
            fine = false;
        }
    }
    return fine;
}

void ProgramRun::note_reads(const ast::Kernel& kernel, const std::vector<Passed>& passed) {
    for (std::size_t i = 0; i < passed.size(); ++i) {
        if (passed[i].kind != Passed::Kind::array || kernel.params[i].direction == "out") continue;
        const ArrayPart& part = passed[i].part;
        Array& array = session_.arrays[part.array];
        array.is_read = true;
        if (session_.damaged || array.holds.covers(part.begin, part.end())) continue;
        diags_.add<Diag::E0306_buffer>(passed[i].span, passed[i].text)
            .note(array.declared, array.holds.touches(part.begin, part.end())
                                      ? "only a part of it has been written"
                                      : "it holds nothing until a launch writes it");
        session_.damaged = true;
    }
}

void ProgramRun::note_writes(const ast::Kernel& kernel, const std::vector<Passed>& passed) {
    for (std::size_t i = 0; i < passed.size(); ++i) {
        if (passed[i].kind != Passed::Kind::array || kernel.params[i].direction.empty()) continue;
        const ArrayPart& part = passed[i].part;
        session_.arrays[part.array].holds.add(part.begin, part.end());
        session_.arrays[part.array].is_written = true;
    }
}

/// Remembers the launch at which most lies in HBM, and what.
void ProgramRun::note_memory(const ast::Launch& launch) {
    CompiledProgram& result = session_.result;
    if (session_.bytes <= result.peak_bytes) return;
    result.peak_bytes = session_.bytes;
    result.peak_launch = result.launches.size();
    session_.peak_span = launch.span;
    if (result.peak_bytes <= session_.chip.hbm.bytes) return;
    std::vector<std::size_t> largest = session_.live;
    std::stable_sort(largest.begin(), largest.end(), [&](std::size_t a, std::size_t b) {
        return session_.arrays[a].bytes() > session_.arrays[b].bytes();
    });
    constexpr std::size_t most_rows = 8;
    session_.peak_table.clear();
    for (std::size_t i = 0; i < std::min(largest.size(), most_rows); ++i) {
        const Array& array = session_.arrays[largest[i]];
        session_.peak_table.push_back(fmt::format(
            "{} {} {}  {}", array.is_buffer ? "buffer" : "operand", array.name,
            to_string({array.type, array.shape}), size_text(static_cast<double>(array.bytes()))));
    }
}

void ProgramRun::launch_kernel(const ast::Launch& launch, const ast::Kernel& kernel,
                               const Settings& settings, const std::vector<Passed>& passed) {
    note_memory(launch);
    const auto made = compiled(launch, kernel, settings, passed);
    if (!made) {
        session_.damaged = true;
        return;
    }
    std::vector<std::string> arguments;
    for (const Passed& argument : passed) arguments.push_back(argument.text);
    std::vector<ArrayPart> parts;
    for (const schedule::Operand& operand :
         session_.result.kernels[*made].compiled.program.operands)
        for (std::size_t i = 0; i < passed.size(); ++i)
            if (kernel.params[i].name.text == operand.name) parts.push_back(passed[i].part);
    session_.result.launches.push_back(
        {*made, std::move(arguments), std::move(parts), launch.span});
}

std::optional<std::size_t> ProgramRun::compiled(const ast::Launch& launch,
                                                const ast::Kernel& kernel, const Settings& settings,
                                                const std::vector<Passed>& passed) {
    const auto part_of = [&](const std::string& name) -> const ArrayPart* {
        for (std::size_t i = 0; i < passed.size(); ++i)
            if (kernel.params[i].name.text == name) return &passed[i].part;
        return nullptr;
    };
    std::vector<ProgramSession::Known>& known = session_.known[key_of(kernel, settings)];
    for (const ProgramSession::Known& one : known)
        if (std::all_of(one.read.begin(), one.read.end(), [&](const auto& read) {
                const ArrayPart* part = part_of(read.first);
                return part && same(*part, read.second);
            }))
            return one.kernel;
    ProgramSession::Known made;
    const ArgumentData data(session_, kernel, passed, made.read);
    Settings with_data = settings;
    with_data.data = &data;
    Diagnostics found;
    auto result = compile(session_.file, kernel, session_.source, with_data, session_.chip, found);
    session_.append(found, launch.span);
    if (result) {
        made.kernel = session_.result.kernels.size();
        session_.result.kernels.push_back(
            {&kernel, settings.set, settings.with, std::move(*result)});
    }
    known.push_back(made);
    return made.kernel;
}

}  // namespace slab::compiler
