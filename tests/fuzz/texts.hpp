#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace slab::fuzz {

/// A source of choices, the same on every machine for the same seed.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}

    /// Less than `below`, which is at least 1.
    std::size_t pick(std::size_t below) { return engine_() % below; }
    bool one_in(std::size_t times) { return pick(times) == 0; }
    template <typename List>
    const auto& of(const List& list) {
        return list[pick(std::size(list))];
    }

private:
    std::mt19937_64 engine_;
};

/// A kernel made by chance from the grammar: most are well-formed, many compile, some run.
std::string random_kernel(Chance& chance);

/// A few kernels and programs that launch them on arrays and parts of arrays.
std::string random_program(Chance& chance);

/// A reference of whole arrays, with a kernel that does little.
std::string random_reference(Chance& chance);

/// One of these.
std::string random_text(Chance& chance);

/// What the statements of a reference may use.
struct ReferenceNames {
    std::vector<std::string> arrays;  ///< of shape [M, N], most of them
    std::vector<std::string> integers;
};
/// Its body in braces, which writes `output`.
std::string reference_body(Chance& chance, const ReferenceNames& names, const std::string& output);

/// The text with one to a few changes of tokens, lines or blocks; `other` is a second text to take
/// from.
std::string mutated(std::string_view text, std::string_view other, Chance& chance);

}  // namespace slab::fuzz
