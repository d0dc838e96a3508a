#pragma once

namespace slab {

/// The elementary functions of the language on one element, as the C library has them in f64. The
/// interpreter rounds their results to the type of a block, references keep them.
double exp_of(double x);
double exp2_of(double x);
double log_of(double x);
double erf_of(double x);
double tanh_of(double x);
double sigmoid_of(double x);
double sqrt_of(double x);
double rsqrt_of(double x);
double recip_of(double x);
double floor_of(double x);
double ceil_of(double x);
/// 1 / x as the hardware approximates it, to the bits of bf16.
double recip_approx_of(double x);
/// To the nearest integer, ties to even.
double round_of(double x);

}  // namespace slab
