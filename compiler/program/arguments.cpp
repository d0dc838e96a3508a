#include <algorithm>

#include "compiler/lower/sizes.hpp"
#include "compiler/program/program_run.hpp"
#include "dsl/visit.hpp"

// What a launch is given: its arguments are matched with the operands, and sizes bound.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using Int = std::int64_t;

namespace {

bool is_none(const ast::Argument* argument) {
    const auto* name = argument ? ast::get_if<ast::Name>(argument->value) : nullptr;
    return !argument || (name && name->text == "none");
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

bool is_optional(const ast::Param& param) {
    return param.memory && param.memory->optional;
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
            diags_
                .add<Diag::E0401>(span, fmt::format("dimension {}", d), reference.name,
                                  fmt::format("has {} elements, this is number {}", size,
                                              *start < 0 ? *start : last))
                .because("they count from 0");
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

}  // namespace slab::compiler
