#include "running.hpp"

#include "support/check.hpp"

namespace slab::interp::test {

std::string Ran::error() const {
    std::string text;
    for (const Diagnostic& message : diags.messages())
        if (message.info().kind != DiagKind::warning)
            text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", message.info().code(),
                                message.headline());
    return text.empty() ? "fine" : text;
}

std::string Ran::rendered() const {
    return render(diags, &source);
}

Numbers numbers(const Block& block) {
    Numbers values;
    for (Int i = 0; i < block.count(); ++i) values.push_back(block.elements.number(i));
    return values;
}

Block block(DType type, Shape shape, const Numbers& values) {
    Block made(type, std::move(shape));
    for (Int i = 0; i < made.count(); ++i)
        made.elements.set(i, values[static_cast<std::size_t>(i)]);
    return made;
}

Ran run_text(const std::string& text, const std::string& set,
             const std::map<std::string, Numbers>& inputs, const std::string& data,
             const Options& options) {
    auto compiled = compiler::test::compile_text(text, set, "toy", "", data);
    Ran ran{{}, compiled.diags, compiled.source};
    if (!compiled.compiled) return ran;
    ran.diags = {};
    const schedule::Program& program = compiled.program();
    const schedule::Data& known = compiled.compiled->data;
    std::vector<Arrays> arrays(static_cast<std::size_t>(program.members()));
    for (std::size_t member = 0; member < arrays.size(); ++member)
        for (std::size_t id = 0; id < program.operands.size(); ++id) {
            const schedule::Operand& operand = program.operands[id];
            arrays[member].emplace_back();
            if (operand.direction == schedule::Direction::out) continue;
            const Int count = count_of(operand.shape);
            Elements& elements = arrays[member].back() = Elements(operand.type, count);
            const auto given = inputs.find(operand.name);
            const bool decides = id < known.operands.size() && !known.operands[id].empty();
            for (Int i = 0; i < count; ++i) {
                const auto at = static_cast<std::size_t>(i);
                elements.set(i, decides ? static_cast<double>(known.operands[id][at])
                                : given == inputs.end()
                                    ? static_cast<double>(i)
                                    : given->second[member * static_cast<std::size_t>(count) + at]);
            }
        }
    const auto outcome = run(program, known, std::move(arrays), options, ran.diags);
    if (!outcome) return ran;
    for (std::size_t id = 0; id < program.operands.size(); ++id)
        for (const Arrays& member : outcome->members)
            for (Int i = 0; i < member[id].count(); ++i)
                ran.arrays[program.operands[id].name].push_back(member[id].number(i));
    return ran;
}

}  // namespace slab::interp::test
