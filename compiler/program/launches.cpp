#include <algorithm>

#include "compiler/lower/sizes.hpp"
#include "compiler/ops/op.hpp"
#include "compiler/program/program_run.hpp"
#include "dsl/visit.hpp"

// One launch: its arguments are matched with the operands, sizes bound, and what it reads and
// writes noted.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using Int = std::int64_t;

namespace {

constexpr Int most_launches = 100'000;
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

bool is_none(const ast::Argument* argument) {
    const auto* name = argument ? ast::get_if<ast::Name>(argument->value) : nullptr;
    return !argument || (name && name->text == "none");
}

bool is_optional(const ast::Param& param) {
    return param.memory && param.memory->optional;
}

/// `2 to 3 arguments`
std::string arguments_text(const ast::Kernel& kernel) {
    const std::size_t most = kernel.params.size();
    std::size_t least = most;
    while (least > 0 && is_optional(kernel.params[least - 1])) --least;
    if (least != most) return fmt::format("{} to {} arguments", least, most);
    return fmt::format("{} argument{}", most, most == 1 ? "" : "s");
}

std::vector<std::string> operand_names(const ast::Kernel& kernel) {
    std::vector<std::string> names;
    for (const ast::Param& param : kernel.params) names.push_back(param.name.text);
    return names;
}

const std::string* value_of(const std::vector<std::pair<std::string, std::string>>& set,
                            const std::string& name) {
    for (const auto& [key, value] : set)
        if (key == name) return &value;
    return nullptr;
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

void ProgramRun::launch_item(const ast::Launch& launch, const ProgramSession::Item& item) {
    const ast::Kernel& kernel = item.declaration();
    const std::string& name = kernel.name.text;
    if (++session_.launches > most_launches) {
        diags_
            .add<Diag::E0902_launches>(launch.span, session_.running.front(),
                                       fmt::format("{} launches", most_launches))
            .because("each launch is listed, and none overlaps another");
        session_.stopped = true;
        return;
    }
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

std::optional<std::vector<const ast::Argument*>> ProgramRun::match(const ast::Launch& launch,
                                                                   const ast::Kernel& kernel) {
    const std::string& name = kernel.name.text;
    const std::vector<std::string> names = operand_names(kernel);
    std::vector<const ast::Argument*> matched(names.size(), nullptr);
    const std::size_t errors = diags_.size();
    const auto wrong_count = [&] {
        diags_
            .add<Diag::E0004_count>(launch.span, name, arguments_text(kernel),
                                    launch.arguments.items.size())
            .note(kernel.name.span, "declared here");
    };
    bool named = false;
    for (std::size_t i = 0; i < launch.arguments.items.size(); ++i) {
        const ast::Argument& argument = launch.arguments.items[i];
        std::size_t place = i;
        if (!argument.name.empty()) {
            named = true;
            place = static_cast<std::size_t>(std::find(names.begin(), names.end(), argument.name) -
                                             names.begin());
            if (place == names.size()) {
                auto& message = diags_.add<Diag::E0004_named>(argument.span, name, argument.name);
                if (const std::string near = nearest(argument.name, names); !near.empty())
                    message.fix(near);
                continue;
            }
        } else if (named) {
            diags_.add<Diag::E0004_place>(argument.span, "an argument without a name",
                                          "those by position come first");
            continue;
        } else if (place >= names.size()) {
            wrong_count();
            return std::nullopt;
        }
        if (matched[place])
            diags_
                .add<Diag::E0004_value>(argument.span, fmt::format("`{}`", names[place]),
                                        "given once", "the second time")
                .note(matched[place]->span, "given here");
        else
            matched[place] = &argument;
    }
    if (diags_.size() != errors) return std::nullopt;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (matched[i] || is_optional(kernel.params[i])) continue;
        if (!named) {
            wrong_count();
            return std::nullopt;
        }
        diags_
            .add<Diag::E0004_count>(launch.span, name, fmt::format("an argument `{}`", names[i]),
                                    "none is")
            .note(kernel.params[i].span, "declared here");
    }
    if (diags_.size() != errors) return std::nullopt;
    return matched;
}

Passed ProgramRun::evaluate(const ast::Argument* argument, const ast::Param& param) {
    Passed passed;
    if (argument) {
        passed.span = argument->value.span();
        passed.text = lowering_.text(passed.span);
    }
    const auto* name = argument ? ast::get_if<ast::Name>(argument->value) : nullptr;
    const Entry* entry = name ? lowering_.env_->find(name->text) : nullptr;
    if (is_none(argument) || (entry && entry->kind == Entry::Kind::absent)) {
        passed.text = "none";
        if (is_optional(param)) return passed;
        passed.kind = Passed::Kind::wrong;
        diags_
            .add<Diag::E0004_value>(passed.span, fmt::format("`{}`", param.name.text), "passed",
                                    is_none(argument) ? "`none`" : "absent")
            .note(param.span, "it is not optional");
        return passed;
    }
    passed.kind = Passed::Kind::wrong;
    if (!param.memory) {
        const auto value =
            lowering_.constant(argument->value, fmt::format("the scalar `{}`", param.name.text));
        if (!value) return passed;
        passed.scalar = *value;
        passed.kind = Passed::Kind::scalar;
        return passed;
    }
    const auto reference = lowering_.reference(argument->value);
    const auto found = reference ? part(*reference, passed.span) : std::nullopt;
    if (!found) return passed;
    passed.part = *found;
    passed.kind = Passed::Kind::array;
    return passed;
}

/// Contiguous parts only: whole dimensions behind the first that is not a single element.
std::optional<ArrayPart> ProgramRun::part(const Reference& reference, Span span) {
    const auto not_contiguous = [&](std::string_view what) {
        diags_
            .add<Diag::E0004_value>(span, "what a launch is given", "a contiguous part of an array",
                                    what)
            .because("a kernel takes an array as it lies in HBM; its windows choose parts")
            .fix(fmt::format("all of `{}`, or leading indices only", reference.name));
        return std::nullopt;
    };
    if (!reference.views.empty() || reference.transposed) return not_contiguous("a view");
    const ArrayPart& whole = *parts_[reference.id];
    ArrayPart result = whole;
    result.shape.clear();
    Int stride = whole.end() - whole.begin;
    bool partial = false;  // nothing but whole dimensions may follow
    for (std::size_t d = 0; d < reference.dims.size(); ++d) {
        const Reference::Dim& dim = reference.dims[d];
        const Int size = whole.shape[d];
        const auto start = lowering_.scalars().known(dim.start);
        if (!start || dim.live != none) {
            diags_.add<Diag::E0008>(span, "the place of a part of an array");
            return std::nullopt;
        }
        const Int last = *start + (dim.size - 1) * dim.step;
        if (*start < 0 || last >= size) {
            diags_.add<Diag::E0401>(span, fmt::format("dimension {}", d), reference.name,
                                    fmt::format("has {} elements, this is number {}", size,
                                                *start < 0 ? *start : last));
            return std::nullopt;
        }
        const bool is_whole = dim.size == size;
        if ((partial && !is_whole) || (dim.step != 1 && dim.size > 1))
            return not_contiguous("one with gaps");
        partial = partial || dim.size > 1;
        stride /= size;
        result.begin += *start * stride;
        if (!dim.dropped) result.shape.push_back(dim.size);
    }
    if (!result.shape.empty()) return result;
    not_contiguous("a single element");
    return std::nullopt;
}

bool ProgramRun::bind_brackets(const ast::Launch& launch, const ast::Kernel& kernel,
                               SizeTexts& set) {
    std::vector<std::string> names;
    for (const ParameterName& parameter : parameters(session_.file, kernel))
        names.push_back(parameter.name);
    bool fine = true;
    for (const ast::Binding& binding : launch.bindings) {
        const std::string& name = binding.name.text;
        const auto value = lowering_.constant(binding.value, fmt::format("`{}`", name));
        const bool is_scalar = std::any_of(
            kernel.params.begin(), kernel.params.end(),
            [&](const ast::Param& param) { return param.scalar && param.name.text == name; });
        if (is_scalar) {
            diags_
                .add<Diag::E0004_place>(binding.span, fmt::format("the scalar `{}`", name),
                                        "run-time scalars are arguments")
                .fix(fmt::format("({}: {})", name, lowering_.text(binding.value.span())));
        } else if (std::count(names.begin(), names.end(), name) == 0) {
            auto& message =
                diags_.add<Diag::E0004_named>(binding.name.span, kernel.name.text, name);
            if (const std::string* near = nearest_of(name, names))
                message.replace(binding.name.span, *near);
        } else if (value_of(set, name)) {
            diags_.add<Diag::E0003>(binding.name.span, name);
        } else if (value) {
            set.emplace_back(name, to_string(*value));
            continue;
        }
        fine = false;
    }
    return fine;
}

bool ProgramRun::bind_shapes(const ast::Launch& launch, const ast::Kernel& kernel,
                             const std::vector<Passed>& passed, SizeTexts& set) {
    struct Binder {
        std::string value, what;
        Span span;
    };
    std::map<std::string, Binder> bound;
    for (const ast::Binding& binding : launch.bindings)
        if (const std::string* value = value_of(set, binding.name.text))
            bound[binding.name.text] = {*value, fmt::format("[{}]", binding.name.text),
                                        binding.span};
    std::set<std::string> shapes;
    for (const ast::Name& name : shape_names(session_.file, kernel)) shapes.insert(name.text);
    bool fine = true;
    for (std::size_t i = 0; i < passed.size(); ++i) {
        if (passed[i].kind != Passed::Kind::array) continue;
        const ast::Param& param = kernel.params[i];
        const std::vector<Int>& shape = passed[i].part.shape;
        if (shape.size() != param.memory->dims.size()) {
            const DType type = session_.arrays[passed[i].part.array].type;
            diags_
                .add<Diag::E0101_argument>(passed[i].span, passed[i].text, to_string({type, shape}),
                                           kernel.name.text, lowering_.text(param.memory->span))
                .note(param.span, "declared here");
            fine = false;
            continue;
        }
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const auto* name = ast::get_if<ast::Name>(param.memory->dims[d]);
            if (!name || !shapes.count(name->text)) continue;
            const std::string value = std::to_string(shape[d]);
            const auto [first, is_new] =
                bound.try_emplace(name->text, Binder{value, param.name.text, passed[i].span});
            if (is_new) {
                set.emplace_back(name->text, value);
            } else if (first->second.value != value) {
                diags_
                    .add<Diag::E0101>(passed[i].span, name->text, first->second.value,
                                      first->second.what, value, param.name.text)
                    .label(fmt::format("dimension {} is {}", d, value))
                    .note(first->second.span,
                          fmt::format("`{}` is {}", name->text, first->second.value));
                fine = false;
            }
        }
    }
    return fine;
}

bool ProgramRun::check_complete(const ast::Launch& launch, const ast::Kernel& kernel,
                                const SizeTexts& set) {
    std::vector<std::string> missing;
    std::string example;
    for (const ParameterName& parameter : parameters(session_.file, kernel)) {
        if (parameter.has_default || value_of(set, parameter.name)) continue;
        missing.push_back(fmt::format("`{}`", parameter.name));
        example += fmt::format("{}{} = …", example.empty() ? "" : ", ", parameter.name);
    }
    if (missing.empty()) return true;
    diags_
        .add<Diag::E0006>(launch.span, missing.size() == 1 ? "parameter" : "parameters",
                          fmt::format("{} of `{}`", fmt::join(missing, ", "), kernel.name.text))
        .fix(fmt::format("{}[{}](…)", kernel.name.text, example));
    return false;
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
            "{} {} {}  {:.1f} MiB", array.is_buffer ? "buffer" : "operand", array.name,
            to_string({array.type, array.shape}), static_cast<double>(array.bytes()) / (1 << 20)));
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
