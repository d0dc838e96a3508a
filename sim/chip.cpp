#include "sim/chip.hpp"

namespace slab::sim {

Chip::Chip(const sc_core::sc_module_name& name, const Job& job, std::int32_t core_count,
           std::int32_t first_member)
    : sc_module(name), cores("core"), hbm("hbm") {
    const auto count = static_cast<std::size_t>(core_count);
    cores.init(count, [&](const char* core_name, std::size_t i) {
        return new TensorCore(core_name, job, first_member + static_cast<std::int32_t>(i));
    });
    hbm.init(count, [&](const char* hbm_name, std::size_t) {
        return make_hbm(hbm_name, job.chip, job.options.hbm).release();
    });
    for (std::size_t i = 0; i < count; ++i) cores[i].dma.memory(hbm[i]);
}

std::int64_t Chip::activations() const {
    std::int64_t sum = 0;
    for (const TensorCore& core : cores) sum += core.activations();
    for (const Hbm& memory : hbm) sum += memory.activations();
    return sum;
}

Pod::Pod(const sc_core::sc_module_name& name, const Job& job, std::int32_t chip_count,
         std::int32_t cores_per_chip)
    : sc_module(name), chips("chip"), ici("ici", job.program, job.chip.ici) {
    chips.init(static_cast<std::size_t>(chip_count), [&](const char* chip_name, std::size_t i) {
        return new Chip(chip_name, job, cores_per_chip,
                        static_cast<std::int32_t>(i) * cores_per_chip);
    });
    std::int32_t member = 0;
    for (Chip& chip : chips)
        for (TensorCore& core : chip.cores) {
            ici.attach(core.dma, core.semaphores);
            core.sequencer.connect(ici, member++);
        }
}

std::int64_t Pod::activations() const {
    std::int64_t sum = ici.activations();
    for (const Chip& chip : chips) sum += chip.activations();
    return sum;
}

}  // namespace slab::sim
