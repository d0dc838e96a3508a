#include "compiler/schedule/text/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace slab::schedule {

bool starts_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continues_word(char c) {
    return starts_word(c) || (c >= '0' && c <= '9');
}

bool is_reserved(std::string_view name) {
    static constexpr std::array<std::string_view, 12> words = {
        "and", "or", "not", "true", "false", "inf", "nan", "step", "upto", "par", "hbm", "of"};
    return std::find(words.begin(), words.end(), name) != words.end();
}

std::string spelled(std::string_view name) {
    const bool plain = !name.empty() && starts_word(name[0]) &&
                       std::all_of(name.begin(), name.end(), continues_word);
    return plain ? std::string(name) : quoted(name);
}

std::string quoted(std::string_view plain) {
    std::string text = "\"";
    for (char c : plain) {
        if (c == '"' || c == '\\') text += '\\';
        if (c == '\n')
            text += "\\n";
        else
            text += c;
    }
    return text + '"';
}

std::string spelled(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
    std::string text(digits.begin(), end);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string spelled(DType type, const std::vector<std::int64_t>& shape) {
    return fmt::format("{}[{}]", name(type), fmt::join(shape, ", "));
}

Names::Names(const std::vector<std::string>& names) {
    std::map<std::string_view, int> times;
    for (const std::string& name : names) ++times[name];
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool unclear = times[names[i]] > 1 || names[i].empty() || is_reserved(names[i]);
        spellings_.push_back(spelled(names[i]) + (unclear ? fmt::format("#{}", i) : ""));
    }
}

std::string Names::operator[](std::int32_t index) const {
    if (index < 0 || index >= static_cast<std::int32_t>(spellings_.size()))
        return fmt::format("?{}", index);
    return spellings_[static_cast<std::size_t>(index)];
}

std::optional<std::int32_t> Names::find(std::string_view spelling) const {
    const auto found = std::find(spellings_.begin(), spellings_.end(), spelling);
    if (found == spellings_.end()) return std::nullopt;
    return static_cast<std::int32_t>(found - spellings_.begin());
}

namespace {

template <typename Item>
Names names_of(const std::vector<Item>& items) {
    std::vector<std::string> names;
    for (const Item& item : items) names.push_back(item.name);
    return Names(names);
}

}  // namespace

ProgramNames::ProgramNames(const Program& program)
    : operands(names_of(program.operands)),
      buffers(names_of(program.buffers)),
      slots(names_of(program.slots)),
      streams(names_of(program.streams)),
      mesh(names_of(program.mesh)),
      semaphores(names_of(program.semaphores)),
      rings(names_of(program.rings)) {}

}  // namespace slab::schedule
