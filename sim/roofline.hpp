#pragma once

#include "sim/core_totals.hpp"
#include "sim/result/result.hpp"

namespace slab::sim {

/// What each resource alone would take for the work that was done. Two kinds of terms:
///  - throughput: mxu (executed array time with its padding, or the flops at the nominal peak if
///    that is longer), vpu, eup, xlu, load, store (executed slot time), hbm (payload bytes at the
///    nominal bandwidth). None of these can be exceeded: the longest is the roofline's time, and a
///    simulation that was faster is a bug in slab.
///  - serial time: dma (descriptors issued by the core), latency (waits for copies that HBM's
///    throughput does not explain, and the control of steps and branches), chain (dependences
///    between units inside regions), launch.
/// The longest of all is what bounds the kernel.
result::Roofline roofline(const CoreTotals& totals, const Job& job);

}  // namespace slab::sim
