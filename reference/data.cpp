#include "reference/data.hpp"

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "compiler/schedule/scalar.hpp"
#include "dsl/names.hpp"
#include "dsl/parse.hpp"
#include "reference/evaluator.hpp"
#include "reference/generators.hpp"
#include "reference/npy.hpp"
#include "reference/run.hpp"
#include "support/check.hpp"
#include "support/rounding.hpp"

namespace slab::reference {

namespace ast = dsl::ast;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t deepest_entry = 200;

/// A number, a truth value, or a nested list of such; nothing where the parts of a list differ.
std::optional<Array> array_of_json(const Json& json) {
    if (json.is_boolean()) return scalar(Kind::truth, json.get<bool>());
    if (json.is_number())
        return scalar(json.is_number_integer() ? Kind::integer : Kind::real, json.get<double>());
    std::vector<Array> parts;
    for (const Json& item : json) {
        auto part = array_of_json(item);
        if (!part || (!parts.empty() && part->shape != parts[0].shape)) return std::nullopt;
        parts.push_back(std::move(*part));
    }
    Array result{parts.empty() ? Kind::integer : parts[0].kind, {}, {}};
    if (!parts.empty()) result.shape = parts[0].shape;
    result.shape.insert(result.shape.begin(), static_cast<Int>(parts.size()));
    for (const Array& part : parts) {
        if (part.kind != result.kind) result.kind = Kind::real;
        result.values.insert(result.values.end(), part.values.begin(), part.values.end());
    }
    return result;
}

/// The nearest values a type has; nothing where one is outside it, or no whole number.
std::optional<Array> converted(Array array, DType type, double& wrong) {
    for (double& value : array.values) {
        const double nearest = rounded(type, value);
        const bool fits =
            is_float(type) ? std::isfinite(nearest) || !std::isfinite(value) : nearest == value;
        if (!fits) {
            wrong = value;
            return std::nullopt;
        }
        value = nearest;
    }
    array.kind = is_float(type) ? Kind::real : is_integer(type) ? Kind::integer : Kind::truth;
    return array;
}

}  // namespace

/// Computes the entries that one operand needs, each after those it uses.
class ArrayData::Resolver {
public:
    /// `own` takes what is wrong with expressions, whose places are not in the kernel's text.
    Resolver(const ArrayData& data, const std::vector<compiler::Bound>& sizes, Diagnostics& own,
             Diagnostics& diags)
        : data_(data), diags_(diags), own_(own), evaluator_(data.file_, own) {
        define_sizes(evaluator_, sizes, data.clauses_);
    }

    Array operand(const std::string& name, DType type, const Shape& shape) {
        const Entry* entry = find(name);
        if (!entry) return filled(name, type, shape);
        active_.insert(name);
        Array result = entry_as(*entry, &type, &shape);
        active_.erase(name);
        return result;
    }

private:
    const Entry* find(const std::string& name) const {
        const Entry* found = nullptr;
        for (const Entry& entry : data_.entries_)
            if (entry.name == name) found = &entry;
        return found;
    }

    template <Diag id, typename... Args>
    [[noreturn]] void fail(Args&&... args) {
        diags_.add<id>({}, std::forward<Args>(args)...);
        throw Stopped{};
    }

    Array filled(const std::string& name, DType type, const Shape& shape) const {
        double unused = 0;
        return *converted(generate(data_.floats_, {type, shape}, Random(data_.seed_, name)), type,
                          unused);
    }

    /// An entry with the shape and type of its operand; a helper has those of its value.
    Array entry_as(const Entry& entry, const DType* type, const Shape* shape) {
        const Json json = Json::parse(entry.json, nullptr, false);
        SLAB_CHECK(!json.is_discarded(), "an entry that is no JSON passed the reader: {}",
                   entry.json);
        Array value = json.is_object() && json.contains("gen") ? generated(entry, json, type, shape)
                                                               : written(entry, json);
        if (!shape) return value;
        if (value.is_scalar()) value = extract(value, *stretched({}, *shape));
        if (value.shape != *shape)
            fail<Diag::data_shape>(entry.place, to_string(value.shape), entry.name,
                                   to_string(*shape));
        double wrong = 0;
        auto fitting = converted(std::move(value), *type, wrong);
        if (!fitting) fail<Diag::data_value>(entry.place, fmt::format("{}", wrong), name(*type));
        return *fitting;
    }

    Array written(const Entry& entry, const Json& json) {
        if (!json.is_object()) {
            auto array = array_of_json(json);
            if (!array) fail<Diag::data_ragged>(entry.place);
            return *array;
        }
        if (json.contains("expr")) return computed(entry, json["expr"].get<std::string>());
        const auto path = std::filesystem::path(entry.folder) / json["file"].get<std::string>();
        auto array = read_npy_file(path.string(), diags_);
        if (!array) throw Stopped{};
        return *array;
    }

    Array generated(const Entry& entry, const Json& json, const DType* type, const Shape* shape) {
        if (!shape) fail<Diag::data_no_shape>(entry.place, entry.name);
        Filling filling{*type, *shape};
        for (const auto& [key, value] : json.items()) {
            if (key == "gen") continue;
            const Json written = value.is_string() ? Json(value) : Json(value.dump());
            filling.given[key] = computed(entry, written.get<std::string>());
        }
        try {
            return generate(json["gen"].get<std::string>(), filling,
                            Random(data_.seed_, entry.name));
        } catch (const WrongParameter& wrong) {
            fail<Diag::data_range>(entry.place, wrong.name, wrong.value, wrong.needed);
        }
    }

    /// An expression over sizes, functions of the file and other entries.
    Array computed(const Entry& entry, const std::string& text) {
        const SourceFile source(entry.place, text);
        Diagnostics syntax;
        const auto expr = dsl::parse_expression(source, syntax);
        if (!expr)
            fail<Diag::data_expression>(entry.place, syntax.empty()
                                                         ? "this is no expression"
                                                         : syntax.messages().front().headline());
        for (const ast::Name& used : dsl::names_in(*expr))
            if (find(used.text) || operand_of(used.text)) define(used.text, entry);
        try {
            return *evaluator_.array(evaluator_.evaluate(*expr), expr->span(), "this").array();
        } catch (const Stopped&) {
            fail<Diag::data_expression>(entry.place, own_.messages().back().headline());
        }
    }

    /// Computes what another entry uses, once.
    void define(const std::string& name, const Entry& user) {
        if (defined_.count(name)) return;
        if (!active_.insert(name).second) fail<Diag::data_cycle>(user.place);
        if (active_.size() > deepest_entry)
            fail<Diag::data_expression>(
                user.place,
                fmt::format("entries use one another more than {} deep", deepest_entry));
        const Entry* entry = find(name);
        Value value;
        if (const ast::Param* param = operand_of(name)) {
            const Shape shape = evaluator_.shape(param->memory->dims);
            evaluator_.check_size(shape, name, param->span);
            const DType type = type_of(*param);
            if (!entry && !is_float(type))
                fail<Diag::data_expression>(user.place,
                                            fmt::format("operand `{}` without a value", name));
            value = entry ? entry_as(*entry, &type, &shape) : filled(name, type, shape);
        } else {
            value = entry_as(*entry, nullptr, nullptr);
        }
        active_.erase(name);
        defined_.insert(name);
        evaluator_.define(name, {Binding::Kind::constant, std::move(value)});
    }

    const ast::Param* operand_of(const std::string& name) const {
        for (const ast::Param& param : data_.params_)
            if (param.name.text == name && param.memory && param.memory->space != "sem")
                return &param;
        return nullptr;
    }

    DType type_of(const ast::Param& param) {
        const std::string& name = param.memory->element.text;
        if (const auto type = dtype_from_name(name)) return *type;
        const Binding* binding = evaluator_.find(name);
        const DType* type = binding ? binding->value.dtype() : nullptr;
        if (!type) evaluator_.fail<Diag::E0002>(param.span, "type", name);
        return *type;
    }

    const ArrayData& data_;
    Diagnostics& diags_;
    Diagnostics& own_;
    Evaluator evaluator_;
    std::set<std::string> defined_;
    std::set<std::string> active_;
};

ArrayData::ArrayData(const ast::File& file, const std::vector<ast::Param>& params,
                     const std::vector<ast::Clause>& clauses, std::vector<Entry> entries,
                     std::uint64_t seed, std::string floats)
    : file_(file),
      params_(params),
      clauses_(clauses),
      entries_(std::move(entries)),
      seed_(seed),
      floats_(std::move(floats)) {}

bool ArrayData::has(const std::string& name) const {
    for (const Entry& entry : entries_)
        if (entry.name == name) return true;
    return false;
}

std::optional<Array> ArrayData::array(const std::string& name, DType type, const Shape& shape,
                                      const std::vector<compiler::Bound>& sizes,
                                      Diagnostics& diags) const {
    const std::string what = fmt::format("operand `{}`", name);
    if (!has(name) && !is_float(type)) {
        diags.add<Diag::E0006>({}, "operand", "`" + name + "`")
            .fix(fmt::format("--data {}='[…]'", name));
        return std::nullopt;
    }
    if (!element_count(shape)) {
        diags.add<Diag::data_expression>(
            {}, what, fmt::format("an array has at most {} elements", most_elements));
        return std::nullopt;
    }
    Diagnostics own;
    const std::size_t before = diags.size();
    try {
        return Resolver(*this, sizes, own, diags).operand(name, type, shape);
    } catch (const Stopped&) {
        if (diags.size() == before && !own.empty())
            diags.add<Diag::data_expression>({}, what, own.messages().back().headline());
        return std::nullopt;
    }
}

std::optional<std::vector<std::int64_t>> ArrayData::elements(
    const schedule::Operand& operand, const std::vector<compiler::Bound>& sizes,
    Diagnostics& diags) const {
    if (!has(operand.name)) return std::nullopt;
    const auto array = this->array(operand.name, operand.type, operand.shape, sizes, diags);
    if (!array) return std::nullopt;
    std::vector<schedule::Word> words;
    words.reserve(array->values.size());
    for (const double value : array->values)
        words.push_back(is_float(operand.type) ? schedule::word_of(value)
                                               : static_cast<schedule::Word>(value));
    return words;
}

}  // namespace slab::reference
