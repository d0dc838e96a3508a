#include "cli/verifying.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include "cli/array_files.hpp"
#include "cli/checks.hpp"
#include "cli/subject.hpp"
#include "cli/words.hpp"
#include "reference/run.hpp"

namespace slab::cli {

namespace {

using interp::Elements;
using reference::Array;
using reference::Arrays;
using reference::Int;
using reference::Shape;
using schedule::Direction;

constexpr std::array<const char*, 4> generators = {"normal", "constant_rows", "ties", "tiny"};

class Verifier {
public:
    Verifier(const KernelFile& file, const VerifyOptions& options, const arch::ChipSpec& chip)
        : file_(file), options_(options), chip_(chip) {}

    Verified verify(const Item& item, const Case* one, const Asked& asked) const {
        Verified result;
        result.kernel = item.name;
        result.case_name = one ? one->name : "";
        result.expect = one ? one->expected(chip_.name) : "";
        result.has_reference = reference::find_reference(file_.ast, item.name) != nullptr;
        const std::int64_t seeds = options_.seeds > 0 ? options_.seeds : one ? one->seeds : 5;
        for (std::int64_t seed = 0; seed < seeds && !result.messages.has_errors(); ++seed) {
            const DataSeed data{static_cast<std::uint64_t>(seed),
                                generators[static_cast<std::size_t>(seed) % generators.size()]};
            Job job = job_of(file_, item, one, asked, result.messages, data);
            job.settings.max_steps = options_.max_steps;
            job.settings.sync_copies = options_.sync_copies;
            if (!result.messages.has_errors())
                compile_and_run(job, one ? one->tolerance : std::nullopt, seed, result);
            ++result.seeds;
        }
        const std::string codes = codes_of(result.messages);
        result.fine =
            codes == result.expect && (result.messages.exit_code() == 0 || !result.expect.empty());
        if (!result.fine && !result.expect.empty())
            result.messages.add<Diag::case_expected>(
                {}, result.case_name, item.name, result.expect, chip_.name,
                codes.empty() ? "it passes" : "it ends in " + codes);
        return result;
    }

private:
    void compile_and_run(const Job& job, std::optional<double> rel, std::int64_t seed,
                         Verified& result) const {
        Diagnostics& diags = result.messages;
        if (job.item.program) {
            const auto program = compiler::compile_program(
                file_.ast, *job.item.program, file_.source, job.settings, chip_, diags);
            if (program) run(subject_of(*program), job, rel, seed, result);
        } else {
            const auto compiled = compiler::compile(file_.ast, *job.item.kernel, file_.source,
                                                    job.settings, chip_, diags);
            if (compiled) run(subject_of(*compiled), job, rel, seed, result);
        }
        Diagnostics errors;  // warnings are for `check` and `run`
        for (const Diagnostic& message : diags.messages())
            if (message.info().kind != DiagKind::warning) errors.add(message);
        diags = std::move(errors);
    }

    void run(const Subject& subject, const Job& job, std::optional<double> rel, std::int64_t seed,
             Verified& result) const {
        Diagnostics& diags = result.messages;
        Arrays inputs;
        std::vector<Elements> elements;
        for (const Subject::Operand& operand : subject.operands) {
            elements.emplace_back();
            if (operand.direction == Direction::out) continue;
            auto array = input_of(operand, subject, job, diags);
            if (!array) continue;
            elements.back() = elements_of(*array, operand.type);
            inputs.emplace(operand.name, std::move(*array));
        }
        if (diags.has_errors()) return;
        const interp::Options options{
            static_cast<std::uint64_t>(seed), options_.sync_copies, {}, options_.max_steps};
        const auto values = subject.run(elements, options, diags);
        if (!values) return;
        if (!options_.outputs.empty() && seed == 0) save(subject, values->arrays, diags);
        if (result.has_reference)
            compare_outputs(subject, job, rel, inputs, elements, values->arrays, options, result);
    }

    void save(const Subject& subject, const std::vector<Elements>& outputs,
              Diagnostics& diags) const {
        for (std::size_t i = 0; i < outputs.size(); ++i)
            if (subject.operands[i].direction != Direction::in)
                write_array_file(options_.outputs, subject.operands[i].name, outputs[i],
                                 subject.operands[i].shape, diags);
    }

    void compare_outputs(const Subject& subject, const Job& job, std::optional<double> rel,
                         const Arrays& inputs, const std::vector<Elements>& elements,
                         const std::vector<Elements>& outputs, interp::Options options,
                         Verified& result) const {
        const dsl::ast::Reference& reference = *reference::find_reference(file_.ast, job.item.name);
        const auto exact =
            reference::run(file_.ast, reference, subject.sizes, inputs, result.messages);
        if (!exact) return;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const Subject::Operand& operand = subject.operands[i];
            if (operand.direction == Direction::in) continue;
            const auto expected = exact->find(operand.name);
            if (expected == exact->end() || expected->second.shape != operand.shape) {
                report_reference(reference, operand, *exact, result.messages);
                continue;
            }
            Arrays rounded;
            if (!rel && is_float(operand.type)) {
                auto straightforward = reference::run(file_.ast, reference, subject.sizes, inputs,
                                                      result.messages, {.rounding = operand.type});
                if (!straightforward) return;
                rounded = std::move(*straightforward);
            }
            const Array& other = rounded.empty() ? expected->second : rounded.at(operand.name);
            const Comparison comparison =
                compare(outputs[i], expected->second,
                        tolerance_of(operand.type, expected->second, other, rel));
            note(operand.name, comparison, result);
            if (comparison.passes) continue;
            options.watch = interp::ElementAt{0, static_cast<std::int32_t>(i),
                                              comparison.worst.front().element};
            Diagnostics again;
            const auto watched = subject.run(elements, options, again);
            report(operand, comparison, watched ? watched->writer : std::nullopt, options.seed,
                   result.messages);
        }
    }

    /// A reference that gives something else than the kernel does.
    static void report_reference(const dsl::ast::Reference& reference,
                                 const Subject::Operand& operand, const Arrays& exact,
                                 Diagnostics& diags) {
        const auto given = exact.find(operand.name);
        if (given != exact.end()) {
            diags.add<Diag::E0101_store>(reference.name.span,
                                         reference::to_string(given->second.shape), operand.name,
                                         reference::to_string(operand.shape));
            return;
        }
        std::vector<std::string> names;
        for (const auto& [name, array] : exact) names.push_back(name);
        diags
            .add<Diag::reference_output>(reference.name.span, operand.name,
                                         did_you_mean(operand.name, names))
            .note(operand.span, "an output of the kernel")
            .fix(fmt::format("out {}: [{}]", operand.name, fmt::join(operand.shape, ", ")));
    }

    static void note(const std::string& operand, const Comparison& comparison, Verified& result) {
        const auto known =
            std::find_if(result.outputs.begin(), result.outputs.end(),
                         [&](const auto& output) { return output.operand == operand; });
        if (known == result.outputs.end())
            result.outputs.push_back({operand, comparison});
        else if (comparison.error * known->comparison.tolerance.worst >
                 known->comparison.error * comparison.tolerance.worst)
            known->comparison = comparison;
    }

    static void report(const Subject::Operand& operand, const Comparison& comparison,
                       const std::optional<interp::Writer>& writer, std::uint64_t seed,
                       Diagnostics& diags) {
        auto& message = diags.add<Diag::wrong_value>(
            operand.span, operand.name,
            fmt::format("{} of {} elements by more than {:.2g} of the largest, the worst by {:.2g}",
                        comparison.outside, interp::count_of(operand.shape),
                        comparison.tolerance.limit, comparison.error));
        message.label(fmt::format("with the data of seed {} ({}){}", seed,
                                  generators[seed % generators.size()],
                                  seed == 0 ? "" : ", steps of `par` axes in another order"));
        if (writer)
            message.note(writer->span,
                         fmt::format("the worst was written here{}{}",
                                     writer->step.empty() ? "" : ", at ", writer->step));
        std::vector<std::string> table = {" element           got      expected     error"};
        for (const Difference& one : comparison.worst)
            table.push_back(fmt::format(" {:<12} {:>10.6g} {:>13.6g} {:>9.2g}",
                                        interp::index_text(one.element, operand.shape), one.got,
                                        one.expected, one.error));
        message.table(table);
    }

    const KernelFile& file_;
    const VerifyOptions& options_;
    const arch::ChipSpec& chip_;
};

}  // namespace

std::vector<Verified> verify_file(const KernelFile& file, const KernelFlags& flags,
                                  const VerifyOptions& options, const arch::ChipSpec& chip,
                                  Diagnostics& diags) {
    Asked asked = read_asked(flags, diags);
    const auto cases = read_cases_beside(flags.file, diags);
    if (diags.has_errors()) return {};
    const Case* named =
        asked.case_name.empty() ? nullptr : find_case(*cases, asked.case_name, flags.file, diags);
    if (diags.has_errors()) return {};
    const bool one = !flags.kernel.empty() || named || !asked.set.empty() || !asked.with.empty() ||
                     !asked.data.empty() || !options.inputs.empty();
    std::vector<Item> items = items_of(file.ast);
    if (one || items.empty()) {
        const auto item =
            choose_item(file, flags.kernel.empty() && named ? named->kernel : flags.kernel, diags);
        if (!item) return {};
        items = {*item};
    }
    struct Run {
        const Item* item;
        const Case* one;
    };
    std::vector<Run> runs;
    for (const Item& item : items) {
        add_input_files(options.inputs, item, asked, diags);
        if (diags.has_errors()) return {};
        if (named) {
            runs.push_back({&item, named});
            continue;
        }
        const std::size_t before = runs.size();
        if (!gives_shapes(asked, file, item))
            for (const Case& each : *cases)
                if (each.kind == CaseKind::check && each.kernel == item.name &&
                    each.is_for(chip.name))
                    runs.push_back({&item, &each});
        if (runs.size() == before &&
            (gives_shapes(asked, file, item) || needed_sizes(file, item).empty()))
            runs.push_back({&item, nullptr});
    }
    if (!options.outputs.empty() && runs.size() > 1)
        diags.add<Diag::outputs_one_case>({}, runs.size());
    else if (!options.outputs.empty() && runs.size() == 1)
        prepare_output_files(options.outputs, *runs.front().item, options.force, diags);
    if (diags.has_errors()) return {};
    const Verifier verifier(file, options, chip);
    std::vector<Verified> all;
    for (const Run& run : runs) all.push_back(verifier.verify(*run.item, run.one, asked));
    return all;
}

}  // namespace slab::cli
