#pragma once

#include <cstdint>
#include <string>

/// Numbers as people read them. What is not finite prints as `-`.
namespace slab::report {

/// A number and its unit apart, so that a column of them can be aligned.
struct Quantity {
    std::string number;
    std::string unit;
};

std::string text(const Quantity& quantity);  ///< `1.234 ms`

Quantity duration(double us);                ///< ns us ms s, four digits
std::string bytes(std::int64_t size);        ///< `24.0 MiB`
std::string percent(double fraction);        ///< `83.0 %`; `<0.1 %` where there is a little
std::string rough_percent(double fraction);  ///< `83 %`, for sentences
std::string grouped(double count);           ///< `2,159,500`; beyond 1e15 `1.00e+18`
std::string rounded(double value);           ///< one digit after the point: `3.2`
std::string measured(double value);          ///< four digits: `52.10`, `918.0`, `1,640`
std::string given(double value);             ///< as one would write it: `918`, `1.75`

/// `a / b`, or 0 where there is nothing to divide by.
double ratio(double a, double b);

}  // namespace slab::report
