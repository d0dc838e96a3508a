#include "sim/units/tensor_core.hpp"

#include <utility>

namespace slab::sim {

TensorCore::TensorCore(const sc_core::sc_module_name& name, const Job& job, std::int32_t member)
    : TensorCore(name, job,
                 schedule::Walker(job.program, job.data, member, job.options.max_steps)) {}

TensorCore::TensorCore(const sc_core::sc_module_name& name, const Job& job, schedule::Walker walker)
    : sc_module(name),
      semaphores(walker.semaphore_count()),
      vmem("vmem", job.chip.vmem),
      units("units", job.chip.mxu, job.regions, job.clock, job.options, vmem),
      dma("dma", job.chip, job.clock, semaphores),
      sequencer("sequencer", job.program, std::move(walker), job.chip, semaphores, dma, vmem,
                units) {}

}  // namespace slab::sim
