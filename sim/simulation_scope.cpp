#include "sim/simulation_scope.hpp"

#include <cstdlib>

#include <systemc>

namespace slab::sim {

namespace {

/// libsystemc prints its banner to stderr before sc_main, so this is said while statics are set up.
[[maybe_unused]] const int no_banner = setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);

}  // namespace

SimulationScope::SimulationScope()
    : outer_current_(sc_core::sc_curr_simcontext),
      outer_default_(sc_core::sc_default_global_context),
      context_(std::make_unique<sc_core::sc_simcontext>()) {
    sc_core::sc_curr_simcontext = context_.get();
    sc_core::sc_default_global_context = context_.get();
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
}

SimulationScope::~SimulationScope() {
    context_.reset();  // while it is still the current one: its destructor asks for it
    sc_core::sc_curr_simcontext = outer_current_;
    sc_core::sc_default_global_context = outer_default_;
}

}  // namespace slab::sim
