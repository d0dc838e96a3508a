#include "reference/functions.hpp"

#include <cmath>

#include <fmt/format.h>

namespace slab::reference {

void Call::wrong(std::size_t i, const std::string& what, const std::string& needed) {
    evaluator.fail<Diag::E0004_kind>(spans[i], what, name, needed, describe(args[i]));
}

const Array& Call::array(std::size_t i) {
    args[i] =
        evaluator.array(std::move(args[i]), spans[i], fmt::format("an argument of `{}`", name));
    evaluator.spend(static_cast<double>(loop_rounds(args[i].array()->shape).value_or(0)), spans[i]);
    return *args[i].array();
}

const Array& Call::numbers(std::size_t i) {
    const Array& result = array(i);
    if (result.kind == Kind::truth) wrong(i, "the argument", "numbers");
    return result;
}

Int Call::integer(std::size_t i, const std::string& what) {
    const Array* array = args[i].array();
    if (!array || !array->is_scalar() || array->kind != Kind::integer) wrong(i, what, "an integer");
    return static_cast<Int>(array->values[0]);
}

Shape Call::integers(std::size_t i, const std::string& what) {
    const std::optional<Array> list =
        args[i].list() ? evaluator.join(*args[i].list(), spans[i]) : std::nullopt;
    const Array* array = list ? &*list : args[i].array();
    if (!array || array->rank() != 1 || array->kind != Kind::integer)
        wrong(i, what, "a list of integers, such as [8, 128]");
    return {array->values.begin(), array->values.end()};
}

Int Call::axis(std::size_t i, const Array& array) {
    const Int axis = integer(i, "the axis");
    if (axis < 0 || axis >= array.rank())
        fail<Diag::E0004_value>(spans[i], fmt::format("the axis of `{}`", name),
                                array.is_scalar() ? "one of an array, and this has none"
                                                  : fmt::format("0 to {}", array.rank() - 1),
                                std::to_string(axis));
    return axis;
}

Array Call::exact(Array result) {
    if (result.kind != Kind::integer) return result;
    for (const double value : result.values)
        if (std::fabs(value) > largest_exact)
            fail<Diag::E0009_range>(span, fmt::format("{:.0f}", value),
                                    "an integer of a reference, at most 2^53");
    return result;
}

namespace {

const std::vector<const std::vector<BuiltIn>*>& families() {
    static const std::vector<const std::vector<BuiltIn>*> all = {
        &arithmetic_functions(), &reduction_functions(), &move_functions()};
    return all;
}

}  // namespace

const BuiltIn* find_built_in(const std::string& name) {
    for (const auto* family : families())
        for (const BuiltIn& function : *family)
            if (name == function.name) return &function;
    return nullptr;
}

std::vector<std::string> built_in_names() {
    std::vector<std::string> names = {"has"};
    for (const auto* family : families())
        for (const BuiltIn& function : *family) names.emplace_back(function.name);
    return names;
}

}  // namespace slab::reference
