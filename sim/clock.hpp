#pragma once

#include <algorithm>

#include <systemc>

namespace slab::sim {

/// The conversions between the numbers of a chip file and SystemC time, all in one place. Cycles go
/// through the clock of the run. Microseconds do not: latencies of DMA, launch and control are
/// measured as time and stay what they are when the clock changes.
class CoreClock {
public:
    explicit CoreClock(double ghz) : ghz_(ghz), fs_per_cycle_(1e6 / ghz) {}

    sc_core::sc_time from_cycles(double cycles) const { return rounded(cycles * fs_per_cycle_); }
    double to_cycles(sc_core::sc_time time) const { return time.to_double() / fs_per_cycle_; }

    static sc_core::sc_time from_us(double us) { return rounded(us * 1e9); }
    static double to_us(sc_core::sc_time time) { return time.to_double() / 1e9; }

    double ghz() const { return ghz_; }

    /// The longest simulation. SystemC counts 64 bits of femtoseconds, about five hours; no single
    /// duration and no core's time passes this, so sums of a few of them fit.
    static sc_core::sc_time limit() { return sc_core::sc_time::from_value(limit_fs); }

    /// Simulations count femtoseconds (SimulationScope): at 1 ps a clock of 1.75 GHz would run
    /// 0.075 % fast.
    static sc_core::sc_time rounded(double fs) {
        if (!(fs < static_cast<double>(limit_fs))) return limit();
        return sc_core::sc_time::from_value(
            static_cast<sc_core::sc_time::value_type>(std::max(0.0, fs) + 0.5));
    }

private:
    static constexpr sc_core::sc_time::value_type limit_fs = 3'600'000'000'000'000'000;  // an hour

    double ghz_;
    double fs_per_cycle_;
};

}  // namespace slab::sim
