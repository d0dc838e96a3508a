#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "reference/array.hpp"
#include "support/dtype.hpp"

namespace slab::reference {

/// Random numbers that are the same on every machine: SplitMix64, started from a case's seed and
/// the name of what is filled.
class Random {
public:
    Random(std::uint64_t seed, std::string_view name);

    std::uint64_t next();
    /// In [0, 1), a multiple of 2^-53.
    double unit();
    /// A whole number in [0, count).
    double below(double count);
    /// The sum of twelve uniform numbers less six: nearly normal, and without functions of libm,
    /// whose last bit differs between machines.
    double normal();

private:
    std::uint64_t state_;
};

/// What a generator is to fill.
struct Filling {
    DType type = DType::f32;
    Shape shape;
    std::map<std::string, Array> given = {};  ///< what it takes, such as `lo`
};

/// A parameter of a generator that cannot be.
struct WrongParameter {
    std::string name;
    std::string value;
    std::string needed;
};

/// Fills an array. `name` is one of normal, uniform, ramp, permutation, zipf, one_hot, ties, tiny,
/// huge, constant_rows; throws WrongParameter.
Array generate(const std::string& name, const Filling& filling, Random random);

}  // namespace slab::reference
