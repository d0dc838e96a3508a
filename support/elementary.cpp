#include "support/elementary.hpp"

#include <cmath>

#include "support/rounding.hpp"

namespace slab {

double exp_of(double x) {
    return std::exp(x);
}
double exp2_of(double x) {
    return std::exp2(x);
}
double log_of(double x) {
    return std::log(x);
}
double erf_of(double x) {
    return std::erf(x);
}
double tanh_of(double x) {
    return std::tanh(x);
}
double sigmoid_of(double x) {
    return 1 / (1 + std::exp(-x));
}
double sqrt_of(double x) {
    return std::sqrt(x);
}
double rsqrt_of(double x) {
    return 1 / std::sqrt(x);
}
double recip_of(double x) {
    return 1 / x;
}
double recip_approx_of(double x) {
    return rounded(DType::bf16, 1 / x);
}
double floor_of(double x) {
    return std::floor(x);
}
double ceil_of(double x) {
    return std::ceil(x);
}
double round_of(double x) {
    return std::nearbyint(x);
}

}  // namespace slab
