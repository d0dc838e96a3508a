#include "one_text.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arch_configs/read_chip.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/running.hpp"
#include "cli/settings.hpp"
#include "compiler/compile.hpp"
#include "compiler/ops/op.hpp"
#include "compiler/program/compile_program.hpp"
#include "compiler/schedule/print.hpp"
#include "compiler/schedule/scalar.hpp"
#include "dsl/check.hpp"
#include "dsl/parse.hpp"
#include "dsl/print.hpp"
#include "dsl/visit.hpp"
#include "report/program_report.hpp"
#include "report/report.hpp"
#include "support/check.hpp"
#include "whole_arrays.hpp"

namespace slab::fuzz {

namespace ast = dsl::ast;

namespace {

constexpr std::int64_t most_steps = 2000;
constexpr std::int64_t most_events = 2000;
constexpr std::int64_t most_members = 64;
constexpr std::int64_t most_launches = 30;
constexpr std::int64_t most_expressions = 20'000;
constexpr double most_elements = 1 << 20;

/// Always the same number for the same bytes, on every machine (FNV-1a).
std::uint64_t hash(std::string_view text, std::uint64_t seed = 0) {
    std::uint64_t value = 0xcbf29ce484222325 ^ seed;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return value ^ value >> 29;
}

/// Small numbers for every array: all equal, counting up or mixed, depending on the name.
class SmallNumbers final : public compiler::DataSource {
public:
    std::optional<std::vector<std::int64_t>> elements(const schedule::Operand& operand,
                                                      const std::vector<compiler::Bound>&,
                                                      Diagnostics& diags) const override {
        double size = 1;
        for (const std::int64_t extent : operand.shape) size *= static_cast<double>(extent);
        if (size > most_elements) {
            diags.add<Diag::E0006_data>({}, operand.name, "is");
            return std::nullopt;
        }
        const auto count = static_cast<std::size_t>(size);
        const std::uint64_t kind = hash(operand.name);
        const std::int64_t highest = operand.type == DType::pred ? 1 : 7;
        std::vector<std::int64_t> words;
        for (std::size_t i = 0; i < count; ++i) {
            const auto index = static_cast<std::int64_t>(i);
            const std::int64_t mixed = static_cast<std::int64_t>((i * 5 + kind) % 4);
            const std::int64_t number = kind % 3 == 0 ? 1 : kind % 3 == 1 ? index : mixed;
            const std::int64_t small = std::min(number, highest);
            words.push_back(is_float(operand.type) ? schedule::word_of(static_cast<double>(small))
                                                   : small);
        }
        return words;
    }
};

using Values = std::vector<std::pair<std::string, std::string>>;

/// Those of the first line, if it gives any.
Values written_values(std::string_view text) {
    constexpr std::string_view lead = "// set ";
    if (!text.starts_with(lead)) return {};
    const std::string line(text.substr(lead.size(), text.find('\n') - lead.size()));
    Diagnostics ignored;
    return cli::split_settings({line}, ignored);
}

/// Those that the kernel has a name for: the other kernels of the text have their own.
Values known_values(const Values& all, const ast::File& file, const ast::Kernel& kernel) {
    const auto names = compiler::parameters(file, kernel);
    Values known;
    for (const auto& value : all)
        if (std::any_of(names.begin(), names.end(),
                        [&](const auto& name) { return name.name == value.first; }))
            known.push_back(value);
    return known;
}

bool is_integer_type(const std::string& type) {
    return type.empty() || type == "int" || type == "i32";
}

/// A value for each name without one. Large defaults give way to one that is quick to simulate.
Values chosen_values(const ast::File& file, const ast::Kernel& kernel, std::uint64_t choice) {
    constexpr const char* shapes[] = {"128", "256", "8", "16", "1", "2", "64", "4", "100", "512"};
    constexpr const char* blocks[] = {"8", "128", "64", "16", "2", "1", "3", "4"};
    Values values;
    const std::uint64_t common = choice % std::size(shapes);
    for (const compiler::ParameterName& name : compiler::parameters(file, kernel)) {
        const std::uint64_t own = hash(name.name, choice);
        if (name.is_shape)
            values.emplace_back(name.name,
                                shapes[choice % 3 == 0 ? own % std::size(shapes) : common]);
    }
    for (const ast::BracketParam& bracket : kernel.brackets) {
        const std::uint64_t own = hash(bracket.name.text, choice);
        const bool is_default = bracket.value && own % 4 == 0;
        if (is_default) continue;
        if (bracket.type == "dtype") {
            if (!bracket.value) values.emplace_back(bracket.name.text, own % 3 ? "f32" : "bf16");
        } else if (bracket.type == "bool") {
            values.emplace_back(bracket.name.text, own % 2 ? "true" : "false");
        } else if (is_integer_type(bracket.type)) {
            values.emplace_back(bracket.name.text, blocks[own % std::size(blocks)]);
        } else if (!bracket.value) {
            values.emplace_back(bracket.name.text, "0.5");
        }
    }
    for (const ast::Param& param : kernel.params)
        if (param.scalar)
            values.emplace_back(param.name.text, fmt::format("{}", hash(param.name.text) % 5));
    return values;
}

std::vector<std::string> chosen_operands(const ast::Kernel& kernel, std::uint64_t choice) {
    std::vector<std::string> names;
    for (const ast::Param& param : kernel.params)
        if (param.memory && param.memory->optional && hash(param.name.text, choice) % 2)
            names.push_back(param.name.text);
    return names;
}

void say(const Diagnostics& diags, const SourceFile& source) {
    SLAB_CHECK(diags.empty() == render(diags, &source).empty(), "a message has no text");
    cli::diagnostics_json(diags, &source);
}

void check_text_of(const schedule::Program& program) {
    const SourceFile printed("program", schedule::print(program));
    Diagnostics diags;
    const auto again = schedule::parse_program(printed, diags);
    SLAB_CHECK(again, "the text of a program is not read back: {}\n{}", render(diags, &printed),
               printed.text());
    SLAB_CHECK(*again == schedule::canonical(program),
               "the text of a program reads differently\n{}", printed.text());
}

/// Whether every member comes to its end within the limit.
bool walk(const compiler::Compiled& compiled, const SourceFile& source) {
    const schedule::Program& program = compiled.program;
    const schedule::EventText text(program);
    std::int64_t members = 1;
    for (const schedule::MeshAxis& axis : program.mesh) members *= axis.extent;
    if (members > most_members) return false;
    std::int64_t events = 0;
    for (std::int64_t member = 0; member < members; ++member) {
        schedule::Walker walker(program, compiled.data, static_cast<std::int32_t>(member),
                                most_steps);
        schedule::Event event;
        while (walker.next(event)) {
            if (++events > most_events) return false;
            if (events > 100) continue;
            const std::string line = text.print(event);
            SLAB_CHECK(text.parse(line) == event, "an event reads differently: {}", line);
        }
        if (!walker.stop()) continue;
        Diagnostics diags;
        const schedule::Stop& stop = *walker.stop();
        diags.add(Diagnostic(stop.id, stop.span, stop.headline).because(stop.why));
        say(diags, source);
    }
    return true;
}

/// Whether the program is short enough to be simulated; its text and events are looked at.
bool is_short(const compiler::Compiled& compiled, const SourceFile& source) {
    check_text_of(compiled.program);
    return walk(compiled, source);
}

/// The sizes it is compiled for, if it is fine.
using Sizes = std::optional<std::vector<compiler::Bound>>;

Sizes take_kernel(const ast::File& file, const ast::Kernel& kernel, const SourceFile& source,
                  const arch::ChipSpec& chip, const compiler::Settings& settings) {
    Diagnostics diags;
    const auto compiled = compiler::compile(file, kernel, source, settings, chip, diags);
    if (compiled) {
        compiler::check_meshes(file, kernel, source, settings, chip, diags);
        if (is_short(*compiled, source)) {
            const cli::Ran ran = cli::simulate(*compiled, chip, {});
            report::render(ran.result, report::Report::screen);
            report::render(ran.result, report::Report::json);
            diags.append(ran.messages);
        }
    }
    say(diags, source);
    return compiled ? Sizes(compiled->sizes) : std::nullopt;
}

Sizes take_program(const ast::File& file, const ast::Program& program, const SourceFile& source,
                   const arch::ChipSpec& chip, const compiler::Settings& settings) {
    Diagnostics diags;
    const auto compiled = compiler::compile_program(file, program, source, settings, chip, diags);
    say(diags, source);
    if (!compiled) return std::nullopt;
    bool all_short = true;
    for (const compiler::LaunchedKernel& kernel : compiled->kernels)
        all_short = is_short(kernel.compiled, source) && all_short;
    if (!all_short) return compiled->sizes;
    const std::vector<cli::Ran> ran = cli::simulate_kernels(*compiled, chip, {});
    for (const cli::Ran& one : ran) say(one.messages, source);
    const result::ProgramResult sum = cli::sum_of(*compiled, ran, chip, {});
    report::render_program_screen(sum);
    report::render_program_json(sum);
    return compiled->sizes;
}

const std::vector<arch::ChipSpec>& chips() {
    static const std::vector<arch::ChipSpec> all = [] {
        std::vector<arch::ChipSpec> specs;
        Diagnostics diags;
        for (const char* name : {"v6e", "ironwood", "toy"})
            specs.push_back(arch::read_chip(name, {}, diags)->spec);
        return specs;
    }();
    return all;
}

/// A kernel or program for its chips, then its reference.
class Taken {
public:
    Taken(const ast::File& file, const SourceFile& source, Chips chips)
        : file_(file),
          source_(source),
          chips_(chips),
          written_(written_values(source.text())),
          choice_(hash(source.text())) {}

    template <typename Take>
    void take(const ast::Kernel& head, Take&& take_item) {
        static const SmallNumbers data;
        Sizes sizes;
        compiler::Settings settings;
        const std::size_t one = (choice_ >> 8) % chips().size();
        for (std::size_t i = 0; i < chips().size(); ++i) {
            if (chips_ == Chips::one && i != one) continue;
            const arch::ChipSpec& chip = chips()[i];
            settings.set = written_.empty() ? chosen_values(file_, head, choice_)
                                            : known_values(written_, file_, head);
            settings.with = chosen_operands(head, choice_);
            settings.max_steps = most_steps;
            settings.max_launches = most_launches;
            settings.max_expressions = most_expressions;
            settings.skeleton_events = most_events;
            settings.data = &data;
            if (auto found = take_item(chip, settings)) sizes = std::move(found);
            choice_ = choice_ * 3 + 1;
        }
        if (!sizes) return;
        Diagnostics diags;
        take_reference(file_, head, *sizes, settings.with, choice_, diags);
        say(diags, source_);
    }

private:
    const ast::File& file_;
    const SourceFile& source_;
    Chips chips_;
    Values written_;
    std::uint64_t choice_;
};

void take_items(const ast::File& file, const SourceFile& source, Chips chips) {
    Taken taken(file, source, chips);
    for (const ast::Item& item : file.items) {
        if (const auto* kernel = ast::get_if<ast::Kernel>(item))
            taken.take(*kernel, [&](const auto& chip, const auto& settings) {
                return take_kernel(file, *kernel, source, chip, settings);
            });
        if (const auto* program = ast::get_if<ast::Program>(item))
            taken.take(compiler::head_of(*program), [&](const auto& chip, const auto& settings) {
                return take_program(file, *program, source, chip, settings);
            });
    }
}

/// Formatting changes nothing but the layout, and a second time not even that.
void format(const ast::File& file, const SourceFile& source) {
    const SourceFile text("formatted", dsl::print(file, &source));
    Diagnostics diags;
    const ast::File again = dsl::parse(text, diags);
    SLAB_CHECK(again == file, "the canonical form reads differently:\n{}", text.text());
    SLAB_CHECK(dsl::print(again, &text) == text.text(), "the canonical form is not its own:\n{}",
               text.text());
}

}  // namespace

void take(std::string_view text, Chips chips) {
    const SourceFile source("fuzz.slab", std::string(text));
    Diagnostics diags;
    const ast::File file = dsl::parse(source, diags);
    if (!diags.has_errors()) format(file, source);
    const bool readable = !diags.has_errors();
    dsl::check(file, compiler::op_names(), diags);
    say(diags, source);
    // what check refuses is compiled too, as the commands do, to show all errors in one run
    if (readable) take_items(file, source, chips);
}

}  // namespace slab::fuzz
