#include "whole_arrays.hpp"

#include <algorithm>
#include <optional>

#include "reference/data.hpp"
#include "reference/evaluator.hpp"
#include "reference/run.hpp"
#include "support/check.hpp"

namespace slab::fuzz {

namespace ast = dsl::ast;

namespace {

constexpr double most_work = 3e5;
constexpr std::int64_t most_elements = 1 << 13;

constexpr const char* reals[] = {R"({"gen": "normal"})",
                                 R"({"gen": "uniform", "lo": -2, "hi": 2})",
                                 R"({"gen": "constant_rows"})",
                                 R"({"gen": "ramp", "step": 0.5})",
                                 R"({"gen": "tiny"})",
                                 R"({"gen": "huge"})",
                                 R"({"gen": "ties"})",
                                 R"({"gen": "one_hot", "index": 0})",
                                 R"(1)",
                                 R"({"gen": "permutation"})"};
constexpr const char* integers[] = {R"({"gen": "uniform", "lo": 0, "hi": 4})",
                                    R"({"gen": "zipf", "hi": 3})",
                                    R"({"gen": "ties"})",
                                    R"({"gen": "ramp"})",
                                    R"({"gen": "permutation"})",
                                    R"({"gen": "huge"})",
                                    R"({"gen": "tiny"})",
                                    R"(1)",
                                    R"(0)",
                                    R"({"gen": "one_hot", "index": 0})"};

bool is_array(const ast::Param& param) {
    return param.memory && param.memory->space != "sem";
}

/// One generator per operand, chosen by the text and the operand's number.
std::vector<reference::Entry> entries_of(const ast::Kernel& head, std::uint64_t choice) {
    std::vector<reference::Entry> entries;
    for (const ast::Param& param : head.params) {
        choice = choice * 6364136223846793005u + 1442695040888963407u;
        if (!is_array(param)) continue;
        const auto type = dtype_from_name(param.memory->element.text);
        const std::size_t i = (choice >> 33) % std::size(reals);
        entries.push_back({param.name.text, type && !is_float(*type) ? integers[i] : reals[i],
                           "data." + param.name.text, ""});
    }
    return entries;
}

struct Operand {
    DType type;
    reference::Shape shape;
};

std::optional<Operand> operand_of(reference::Evaluator& evaluator, const ast::Param& param) {
    try {
        const std::string& name = param.memory->element.text;
        const reference::Binding* binding = evaluator.find(name);
        const auto* named = binding ? binding->value.dtype() : nullptr;
        const auto type = named ? std::optional(*named) : dtype_from_name(name);
        if (!type) return std::nullopt;
        return Operand{*type, evaluator.shape(param.memory->dims)};
    } catch (const reference::Stopped&) {
        return std::nullopt;
    }
}

/// What the reference is given; nothing where an array is large or wrong.
std::optional<reference::Arrays> inputs_of(const ast::File& file, const ast::Kernel& head,
                                           const std::vector<compiler::Bound>& sizes,
                                           const std::vector<std::string>& present,
                                           std::uint64_t choice, Diagnostics& diags) {
    const reference::ArrayData data(file, head.params, head.clauses, entries_of(head, choice),
                                    choice);
    reference::Evaluator evaluator(file, diags, most_work);
    try {
        define_sizes(evaluator, sizes, head.clauses);
    } catch (const reference::Stopped&) {
        return std::nullopt;
    }
    reference::Arrays inputs;
    for (const ast::Param& param : head.params) {
        const std::string& name = param.name.text;
        if (!is_array(param) || param.direction == "out") continue;
        if (param.memory->optional &&
            std::find(present.begin(), present.end(), name) == present.end())
            continue;
        const auto operand = operand_of(evaluator, param);
        const auto count = operand ? reference::element_count(operand->shape) : std::nullopt;
        if (!count || *count > most_elements) return std::nullopt;
        auto array = data.array(name, operand->type, operand->shape, sizes, diags);
        if (!array) return std::nullopt;
        inputs.emplace(name, std::move(*array));
    }
    return inputs;
}

}  // namespace

void take_reference(const ast::File& file, const ast::Kernel& head,
                    const std::vector<compiler::Bound>& sizes,
                    const std::vector<std::string>& present, std::uint64_t choice,
                    Diagnostics& diags) {
    const ast::Reference* reference = reference::find_reference(file, head.name.text);
    if (!reference) return;
    const auto inputs = inputs_of(file, head, sizes, present, choice, diags);
    if (!inputs) return;
    const std::size_t before = diags.size();
    const auto outputs =
        reference::run(file, *reference, sizes, *inputs, diags, {.most_work = most_work});
    SLAB_CHECK(outputs || diags.size() > before, "a reference gives nothing and says nothing");
    if (!outputs) return;
    for (const auto& [name, array] : *outputs)
        SLAB_CHECK(
            reference::element_count(array.shape) == static_cast<std::int64_t>(array.values.size()),
            "`{}` of shape {} has {} elements", name, reference::to_string(array.shape),
            array.values.size());
}

}  // namespace slab::fuzz
