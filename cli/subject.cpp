#include "cli/subject.hpp"

#include "compiler/schedule/scalar.hpp"

namespace slab::cli {

using interp::Elements;
using reference::Array;
using reference::Int;
using reference::Shape;
using schedule::Direction;

namespace {

void append(Elements& all, const Elements& more) {
    all.reals.insert(all.reals.end(), more.reals.begin(), more.reals.end());
    all.integers.insert(all.integers.end(), more.integers.begin(), more.integers.end());
}

}  // namespace

Subject subject_of(const compiler::Compiled& compiled) {
    const schedule::Program& program = compiled.program;
    Subject subject{compiled.sizes, {}, {}};
    for (std::size_t id = 0; id < program.operands.size(); ++id) {
        const schedule::Operand& operand = program.operands[id];
        Shape shape = operand.shape;
        for (std::size_t axis = program.mesh.size(); axis-- > 0;)
            shape.insert(shape.begin(), program.mesh[axis].extent);
        const bool decides =
            id < compiled.data.operands.size() && !compiled.data.operands[id].empty();
        subject.operands.push_back({operand.name, operand.direction, operand.type, shape,
                                    operand.place.span,
                                    decides ? &compiled.data.operands[id] : nullptr});
    }
    subject.run = [&compiled](const std::vector<Elements>& inputs, interp::Options options,
                              Diagnostics& diags) -> std::optional<Subject::Values> {
        const schedule::Program& of = compiled.program;
        const Int members = of.members();
        std::vector<interp::Arrays> arrays(static_cast<std::size_t>(members));
        for (Int member = 0; member < members; ++member)
            for (std::size_t id = 0; id < inputs.size(); ++id) {
                const Int count = interp::count_of(of.operands[id].shape);
                arrays[static_cast<std::size_t>(member)].push_back(
                    of.operands[id].direction == Direction::out
                        ? Elements()
                        : inputs[id].part(member * count, count));
            }
        if (options.watch) {
            const Int count = interp::count_of(
                of.operands[static_cast<std::size_t>(options.watch->operand)].shape);
            options.watch->member = static_cast<std::int32_t>(options.watch->element / count);
            options.watch->element %= count;
        }
        auto outcome = interp::run(of, compiled.data, std::move(arrays), options, diags);
        if (!outcome) return std::nullopt;
        Subject::Values values{{}, outcome->writer, std::move(outcome->computed)};
        for (std::size_t id = 0; id < inputs.size(); ++id) {
            values.arrays.push_back(std::move(outcome->members[0][id]));
            for (Int member = 1; member < members; ++member)
                append(values.arrays.back(),
                       outcome->members[static_cast<std::size_t>(member)][id]);
        }
        return values;
    };
    return subject;
}

Subject subject_of(const compiler::CompiledProgram& program) {
    Subject subject{program.sizes, {}, {}};
    for (const compiler::Array& array : program.arrays)
        if (!array.is_buffer)
            subject.operands.push_back({array.name, array.operand.direction, array.type,
                                        array.shape, array.declared, nullptr});
    subject.run = [&program](const std::vector<Elements>& inputs, interp::Options options,
                             Diagnostics& diags) -> std::optional<Subject::Values> {
        Subject::Values values;
        std::vector<Elements>& arrays = values.arrays;
        for (std::size_t i = 0; i < program.arrays.size(); ++i) {
            const compiler::Array& array = program.arrays[i];
            const bool given = i < inputs.size() && inputs[i].count() > 0;
            arrays.push_back(given ? inputs[i] : Elements(array.type, array.elements()));
        }
        const auto watch = options.watch;
        for (const compiler::Launch& launch : program.launches) {
            const compiler::Compiled& kernel = program.kernels[launch.kernel].compiled;
            const auto& operands = kernel.program.operands;
            interp::Arrays passed;
            options.watch.reset();
            for (std::size_t id = 0; id < operands.size(); ++id) {
                const compiler::ArrayPart& part = launch.parts[id];
                passed.push_back(
                    operands[id].direction == Direction::out
                        ? Elements()
                        : arrays[part.array].part(part.begin, part.end() - part.begin));
                if (watch && part.array == static_cast<std::size_t>(watch->operand) &&
                    operands[id].direction != Direction::in && watch->element >= part.begin &&
                    watch->element < part.end())
                    options.watch = interp::ElementAt{0, static_cast<std::int32_t>(id),
                                                      watch->element - part.begin};
            }
            Diagnostics found;
            auto outcome =
                interp::run(kernel.program, kernel.data, {std::move(passed)}, options, found);
            for (const Diagnostic& message : found.messages()) {
                Diagnostic placed = message;
                diags.add(std::move(placed.note(launch.span, "launched here")));
            }
            if (!outcome) return std::nullopt;
            if (outcome->writer) values.writer = outcome->writer;
            for (std::size_t id = 0; id < operands.size(); ++id)
                if (operands[id].direction != Direction::in)
                    arrays[launch.parts[id].array].put(launch.parts[id].begin,
                                                       outcome->members[0][id]);
        }
        arrays.resize(inputs.size());
        return values;
    };
    return subject;
}

std::optional<Array> input_of(const Subject::Operand& operand, const Subject& subject,
                              const Job& job, Diagnostics& diags) {
    if (operand.words) {  // the control flow was compiled for these, the same on each member
        Array array = reference::array_of(is_float(operand.type)     ? reference::Kind::real
                                          : is_integer(operand.type) ? reference::Kind::integer
                                                                     : reference::Kind::truth,
                                          operand.shape);
        for (std::size_t i = 0; i < array.values.size(); ++i) {
            const std::int64_t word = (*operand.words)[i % operand.words->size()];
            array.values[i] =
                is_float(operand.type) ? schedule::real_of(word) : static_cast<double>(word);
        }
        return array;
    }
    return job.data->array(operand.name, operand.type, operand.shape, subject.sizes, diags);
}

Elements elements_of(const Array& array, DType type) {
    Elements elements(type, static_cast<Int>(array.values.size()));
    for (Int i = 0; i < elements.count(); ++i)
        elements.set(i, array.values[static_cast<std::size_t>(i)]);
    return elements;
}

std::optional<schedule::Data> with_computed(const compiler::Compiled& compiled, const Job& job,
                                            Diagnostics& diags) {
    const Subject subject = subject_of(compiled);
    std::vector<Elements> inputs;
    for (const Subject::Operand& operand : subject.operands) {
        inputs.emplace_back();
        if (operand.direction == Direction::out) continue;
        if (const auto array = input_of(operand, subject, job, diags))
            inputs.back() = elements_of(*array, operand.type);
    }
    if (diags.has_errors()) return std::nullopt;
    auto values = subject.run(inputs, {}, diags);
    if (!values) return std::nullopt;
    schedule::Data data = compiled.data;
    data.computed = std::move(values->computed);
    return data;
}

}  // namespace slab::cli
