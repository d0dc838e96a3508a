#include "reference/generators.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "support/check.hpp"
#include "support/rounding.hpp"

namespace slab::reference {

Random::Random(std::uint64_t seed, std::string_view name) : state_(14695981039346656037u) {
    for (const char c : name)  // FNV-1a
        state_ = (state_ ^ static_cast<unsigned char>(c)) * 1099511628211u;
    state_ += seed * 0x9E3779B97F4A7C15u;
    next();
}

std::uint64_t Random::next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double Random::unit() {
    return static_cast<double>(next() >> 11) * 0x1p-53;
}

double Random::below(double count) {
    return std::min(std::floor(unit() * count), count - 1);
}

double Random::normal() {
    double sum = 0;
    for (int word = 0; word < 3; ++word) {
        std::uint64_t bits = next();
        for (int part = 0; part < 4; ++part, bits >>= 16)
            sum += static_cast<double>(bits & 0xFFFF) + 0.5;
    }
    return sum * 0x1p-16 - 6;
}

namespace {

/// The elements one after the other, and what generators ask about them.
class Generator {
public:
    Generator(const Filling& filling, Random random)
        : filling_(filling), random_(random), result_(array_of(kind(), filling.shape)) {}

    Array normal() {
        const double mean = number("mean", 0), deviation = number("std", 1);
        return each([&] { return whole(mean + deviation * random_.normal()); });
    }

    Array uniform() {
        const double lo = number("lo", 0), hi = number("hi", 1);
        if (!(hi > lo)) refuse("hi", "above `lo`, which is " + fmt::format("{}", lo));
        if (is_float(filling_.type)) return each([&] { return lo + random_.unit() * (hi - lo); });
        const double first = std::ceil(lo), count = std::ceil(hi) - first;
        if (count < 1) refuse("hi", fmt::format("above a whole number of at least {}", lo));
        return each([&] { return first + random_.below(count); });
    }

    Array ramp() {
        double value = number("start", 0);
        const double start = value, step = number("step", 1);
        double count = 0;
        return each([&] { return start + step * count++; });
    }

    Array permutation() {
        double count = 0;
        each([&] { return count++; });
        for (std::size_t i = result_.values.size(); i-- > 1;)
            std::swap(result_.values[i], result_.values[static_cast<std::size_t>(
                                             random_.below(static_cast<double>(i + 1)))]);
        return result_;
    }

    /// k with a probability in proportion to 1 / (k + 1)^s
    Array zipf() {
        const double exponent = number("s", 1), hi = number("hi", 1);
        constexpr double most = 1 << 24;
        if (!(hi >= 1 && hi <= most) || hi != std::floor(hi))
            refuse("hi", fmt::format("a whole number from 1 to {}", most));
        std::vector<double> sums;
        double total = 0;
        for (double k = 1; k <= hi; ++k) sums.push_back(total += std::pow(k, -exponent));
        if (!std::isfinite(total)) refuse("s", "small enough for the sum of 1 / k^s to be finite");
        return each([&] {
            const auto found = std::upper_bound(sums.begin(), sums.end(), random_.unit() * total);
            return std::min(static_cast<double>(found - sums.begin()), hi - 1);
        });
    }

    /// 1 at an index along the last dimension; one index for all rows, or one for each.
    Array one_hot() {
        Shape rows = filling_.shape;
        const Int size = rows.empty() ? 1 : rows.back();
        if (!rows.empty()) rows.pop_back();
        const Array& index = filling_.given.at("index");
        const auto over = stretched(index.shape, rows);
        if (!over) refuse("index", "an index for each of " + to_string(rows));
        std::size_t row = 0;
        for_each(*over, [&](Int at) {
            const double position = index.values[static_cast<std::size_t>(at)];
            if (position < 0 || position >= static_cast<double>(size) ||
                position != std::floor(position))
                throw WrongParameter{"index", fmt::format("{}", position),
                                     fmt::format("a whole number from 0 to {}", size - 1)};
            result_.values[row++ * static_cast<std::size_t>(size) +
                           static_cast<std::size_t>(position)] = 1;
        });
        return result_;
    }

    /// Few different values, so that most have equals.
    Array ties() {
        return each([&] { return random_.below(std::min(4.0, highest(filling_.type) + 1)); });
    }

    /// Floats down to a sixteenth of the smallest normal number; integers around 0.
    Array tiny() {
        const double smallest = smallest_normal(filling_.type);
        if (!is_float(filling_.type))
            return each([&] { return std::max(random_.below(3) - 1, lowest(filling_.type)); });
        return each([&] { return signed_by((0.0625 + 2 * random_.unit()) * smallest); });
    }

    /// The upper half of what the type holds.
    Array huge() {
        const double most = highest(filling_.type);
        const bool has_sign = lowest(filling_.type) < 0;
        return each([&] {
            const double value = (0.5 + 0.5 * random_.unit()) * most;
            return whole(has_sign ? signed_by(value) : value);
        });
    }

    Array constant_rows() {
        const Int size = filling_.shape.empty() ? 1 : filling_.shape.back();
        Int at = 0;
        double value = 0;
        return each([&] {
            if (at++ % size == 0)
                value = is_float(filling_.type)
                            ? random_.normal()
                            : random_.below(std::min(10.0, highest(filling_.type) + 1));
            return value;
        });
    }

private:
    Kind kind() const {
        return is_float(filling_.type)     ? Kind::real
               : is_integer(filling_.type) ? Kind::integer
                                           : Kind::truth;
    }
    template <typename Next>
    Array each(Next next) {
        for (double& value : result_.values) value = next();
        return result_;
    }
    double whole(double value) const {
        if (is_float(filling_.type)) return value;
        return std::clamp(std::nearbyint(value), lowest(filling_.type), highest(filling_.type));
    }
    double signed_by(double value) { return random_.next() & 1 ? -value : value; }

    double number(const char* name, double otherwise) const {
        const auto found = filling_.given.find(name);
        if (found == filling_.given.end()) return otherwise;
        if (!found->second.is_scalar() || !std::isfinite(found->second.values[0]))
            throw WrongParameter{name,
                                 found->second.is_scalar()
                                     ? fmt::format("{}", found->second.values[0])
                                     : "an array of " + to_string(found->second.shape),
                                 "a number"};
        return found->second.values[0];
    }
    [[noreturn]] void refuse(const char* name, const std::string& needed) const {
        const auto found = filling_.given.find(name);
        const bool is_number = found != filling_.given.end() && found->second.is_scalar();
        throw WrongParameter{
            name, is_number ? fmt::format("{}", found->second.values[0]) : "an array", needed};
    }

    const Filling& filling_;
    Random random_;
    Array result_;
};

}  // namespace

Array generate(const std::string& name, const Filling& filling, Random random) {
    Generator generator(filling, random);
    if (name == "normal") return generator.normal();
    if (name == "uniform") return generator.uniform();
    if (name == "ramp") return generator.ramp();
    if (name == "permutation") return generator.permutation();
    if (name == "zipf") return generator.zipf();
    if (name == "one_hot") return generator.one_hot();
    if (name == "ties") return generator.ties();
    if (name == "tiny") return generator.tiny();
    if (name == "huge") return generator.huge();
    SLAB_CHECK(name == "constant_rows", "a generator `{}` passed the reader", name);
    return generator.constant_rows();
}

}  // namespace slab::reference
