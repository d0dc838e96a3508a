#pragma once

#include <memory>

namespace sc_core {
class sc_simcontext;
}

namespace slab::sim {

/// A private SystemC kernel for one simulation, so that a process can run any number of them one
/// after another. Modules are built after the scope and destroyed before it. Time counts
/// femtoseconds from 0.
///
/// SystemC has one current kernel per process and no standard way to start afresh; this file alone
/// touches the variables behind that.
class SimulationScope {
public:
    SimulationScope();
    ~SimulationScope();
    SimulationScope(const SimulationScope&) = delete;
    SimulationScope& operator=(const SimulationScope&) = delete;

private:
    sc_core::sc_simcontext* outer_current_;
    sc_core::sc_simcontext* outer_default_;
    std::unique_ptr<sc_core::sc_simcontext> context_;
};

}  // namespace slab::sim
