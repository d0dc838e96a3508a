#include "reference/run.hpp"

#include "dsl/visit.hpp"
#include "reference/evaluator.hpp"

namespace slab::reference {

namespace ast = dsl::ast;

namespace {

std::optional<Value> value_of(const compiler::Constant& constant) {
    if (const Int* integer = constant.integer())
        return scalar(Kind::integer, static_cast<double>(*integer));
    if (const bool* truth = constant.truth()) return scalar(Kind::truth, *truth);
    if (const DType* type = constant.dtype()) return Value(*type);
    if (constant.is_number()) return scalar(Kind::real, constant.real());
    return std::nullopt;
}

const std::vector<ast::Clause>* clauses_of(const ast::File& file, const std::string& name) {
    for (const ast::Item& item : file.items) {
        if (const auto* kernel = ast::get_if<ast::Kernel>(item);
            kernel && kernel->name.text == name)
            return &kernel->clauses;
        if (const auto* program = ast::get_if<ast::Program>(item);
            program && program->name.text == name)
            return &program->clauses;
    }
    return nullptr;
}

/// Runs one reference: operands in, body, outputs out.
class Run {
public:
    Run(const ast::Reference& reference, Evaluator& evaluator)
        : reference_(reference), evaluator_(evaluator) {}

    void declare(const ast::ReferenceParam& param, const Arrays& inputs) {
        if (!param.dims && evaluator_.find(param.name.text)) return;  // a run-time scalar, bound
        const Shape shape = param.dims ? evaluator_.shape(*param.dims) : Shape{};
        evaluator_.check_size(shape, param.name.text, param.span);
        Binding binding{Binding::Kind::input, {}, param.name.span};
        if (param.direction == "out") {
            binding.kind = Binding::Kind::output;
            binding.value = array_of(Kind::real, shape);
            binding.unwritten = static_cast<Int>(binding.value.array()->values.size());
            binding.written.assign(static_cast<std::size_t>(binding.unwritten), false);
        } else {
            if (param.direction == "inout") binding.kind = Binding::Kind::output;
            binding.value = given(param, shape, inputs);
        }
        evaluator_.define(param.name.text, std::move(binding));
    }

    void run_body() {
        const auto returned = evaluator_.run(reference_.body);
        if (!returned) return;
        std::vector<std::string> names;
        for (const ast::ReferenceParam& param : reference_.params)
            if (!param.direction.empty()) names.push_back(param.name.text);
        if (names.size() != 1)
            evaluator_.fail<Diag::E0004_place>(
                reference_.body.span, "`return`",
                fmt::format("it gives the one output, and there are {}", names.size()));
        evaluator_.set(names.front(), *returned, reference_.body.span);
    }

    Arrays outputs() {
        Arrays result;
        for (const ast::ReferenceParam& param : reference_.params) {
            if (param.direction.empty()) continue;
            const Binding& binding = *evaluator_.find(param.name.text);
            if (binding.unwritten > 0)
                evaluator_.fail<Diag::E0302>(
                    param.name.span,
                    binding.unwritten == static_cast<Int>(binding.written.size())
                        ? "all"
                        : fmt::format("{:.3g} %", 100.0 * static_cast<double>(binding.unwritten) /
                                                      static_cast<double>(binding.written.size())),
                    param.name.text);
            if (binding.value.array()) result.emplace(param.name.text, *binding.value.array());
        }
        return result;
    }

private:
    Value given(const ast::ReferenceParam& param, const Shape& shape, const Arrays& inputs) {
        const auto found = inputs.find(param.name.text);
        if (found == inputs.end()) {
            if (param.optional) return Value();
            evaluator_.fail<Diag::E0006>(param.name.span, "operand", "`" + param.name.text + "`");
        }
        if (found->second.shape != shape)
            evaluator_.fail<Diag::E0101_store>(param.span, to_string(found->second.shape),
                                               param.name.text, to_string(shape));
        return found->second;
    }

    const ast::Reference& reference_;
    Evaluator& evaluator_;
};

}  // namespace

void define_sizes(Evaluator& evaluator, const std::vector<compiler::Bound>& sizes,
                  const std::vector<ast::Clause>& clauses) {
    for (const compiler::Bound& size : sizes)
        if (auto value = value_of(size.value))
            evaluator.define(size.name,
                             {Binding::Kind::constant, std::move(*value), size.declared});
    for (const ast::Clause& clause : clauses)
        if (const auto* constant = ast::get_if<ast::Const>(clause))
            evaluator.define(constant->name.text,
                             {Binding::Kind::constant, evaluator.evaluate(constant->value),
                              constant->name.span});
}

const ast::Reference* find_reference(const ast::File& file, const std::string& name) {
    for (const ast::Item& item : file.items)
        if (const auto* reference = ast::get_if<ast::Reference>(item);
            reference && reference->name.text == name)
            return reference;
    return nullptr;
}

std::optional<Arrays> run(const ast::File& file, const ast::Reference& reference,
                          const std::vector<compiler::Bound>& sizes, const Arrays& inputs,
                          Diagnostics& diags, const Limits& limits) {
    try {
        Evaluator evaluator(file, diags, limits.most_work);
        const auto* clauses = clauses_of(file, reference.name.text);
        define_sizes(evaluator, sizes, clauses ? *clauses : std::vector<ast::Clause>{});
        Run one(reference, evaluator);
        for (const ast::ReferenceParam& param : reference.params) one.declare(param, inputs);
        if (limits.rounding) evaluator.round_to(*limits.rounding);
        one.run_body();
        return one.outputs();
    } catch (const Stopped&) {
        return std::nullopt;
    }
}

}  // namespace slab::reference
