#include "evaluating.hpp"

#include <catch2/catch.hpp>

#include "dsl/parse.hpp"
#include "reference/evaluator.hpp"

namespace slab::reference {

Text read(const std::string& text) {
    Text read{SourceFile("k.slab", text), {}};
    Diagnostics diags;
    read.file = dsl::parse(read.source, diags);
    REQUIRE(render(diags, &read.source) == "");
    return read;
}

std::string show(const Array& array) {
    static constexpr const char* kinds[] = {"real", "integer", "truth"};
    std::string text = kinds[static_cast<std::size_t>(array.kind)];
    if (!array.is_scalar()) text += " " + to_string(array.shape);
    for (const double value : array.values) text += fmt::format(" {}", value);
    return text;
}

std::string value_of(const std::string& text, const std::string& items,
                     std::optional<DType> rounding) {
    const Text around = read(items);
    const SourceFile source("e", text);
    Diagnostics diags;
    const auto expr = dsl::parse_expression(source, diags);
    REQUIRE(render(diags, &source) == "");
    try {
        Evaluator evaluator(around.file, diags);
        if (rounding) evaluator.round_to(*rounding);
        return show(*evaluator.array(evaluator.evaluate(*expr), expr->span(), "this").array());
    } catch (const Stopped&) {
        REQUIRE(diags.size() == 1);
        const Diagnostic& message = diags.messages().front();
        return fmt::format("{}: {}", message.info().code(), message.headline());
    }
}

std::string outputs_of(const std::string& text, const Arrays& inputs,
                       const std::vector<compiler::Bound>& sizes) {
    const Text read = reference::read(text);
    const auto* reference = find_reference(read.file, "k");
    REQUIRE(reference);
    Diagnostics diags;
    const auto outputs = run(read.file, *reference, sizes, inputs, diags);
    CHECK(outputs.has_value() == !diags.has_errors());
    if (!outputs) return render(diags, &read.source);
    std::string shown;
    for (const auto& [name, array] : *outputs)
        shown += fmt::format("{}{} = {}", shown.empty() ? "" : "\n", name, show(array));
    return shown;
}

Array reals(Shape shape, std::vector<double> values) {
    return {Kind::real, std::move(shape), std::move(values)};
}

Array integers(Shape shape, std::vector<double> values) {
    return {Kind::integer, std::move(shape), std::move(values)};
}

compiler::Bound size(const std::string& name, std::int64_t value) {
    return {name, compiler::Constant{value}, {}, true, false};
}

}  // namespace slab::reference
