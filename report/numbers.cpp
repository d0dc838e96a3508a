#include "report/numbers.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "support/size_text.hpp"

namespace slab::report {
namespace {

constexpr double largest_grouped = 1e15;

std::string with_commas(std::string digits) {
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string in_percent(double fraction, int decimals, double smallest) {
    if (!std::isfinite(fraction)) return "-";
    if (fraction > 0 && fraction < smallest / 2) return fmt::format("<{:g} %", 100 * smallest);
    if (std::abs(fraction) >= 9.9995) return grouped(100 * fraction) + " %";
    return fmt::format("{:.{}f} %", 100 * fraction, decimals);
}

}  // namespace

std::string text(const Quantity& quantity) {
    return quantity.number + ' ' + quantity.unit;
}

Quantity duration(double us) {
    // 999.95 and more would print as 1000 with four digits
    if (us > 0 && us < 0.99995) return {measured(us * 1e3), "ns"};
    if (us < 999.95) return {measured(us), "us"};
    if (us < 999.95e3) return {measured(us / 1e3), "ms"};
    return {measured(us / 1e6), "s"};
}

std::string bytes(std::int64_t size) {
    return size_text(static_cast<double>(size));
}

std::string percent(double fraction) {
    return in_percent(fraction, 1, 0.001);
}

std::string rough_percent(double fraction) {
    return in_percent(fraction, 0, 0.01);
}

std::string grouped(double count) {
    if (!std::isfinite(count)) return "-";
    if (std::abs(count) >= largest_grouped) return fmt::format("{:.2e}", count);
    return with_commas(fmt::format("{:.0f}", count));
}

std::string rounded(double value) {
    if (!std::isfinite(value) || std::abs(value) >= 999.95) return grouped(value);
    return fmt::format("{:.1f}", value);
}

std::string measured(double value) {
    if (value == 0) return "0";
    if (!std::isfinite(value) || std::abs(value) >= 999.95) return grouped(value);
    return fmt::format("{:#.4g}", value);
}

std::string given(double value) {
    if (!std::isfinite(value) || std::abs(value) >= 999.95) return grouped(value);
    return fmt::format("{:.4g}", value);
}

double ratio(double a, double b) {
    return b == 0 ? 0 : a / b;
}

}  // namespace slab::report
