#pragma once

#include <cstdint>
#include <vector>

#include "compiler/schedule/scalar.hpp"
#include "compiler/schedule/walker.hpp"

namespace slab::schedule {

/// The words of the buffers in SMEM. Elements are numbered row-major, copy after copy.
class Smem {
public:
    explicit Smem(const Program& program);

    /// False if the element was never written.
    bool read(BufferId buffer, std::int64_t element, Word& word) const {
        const Bank& bank = banks_[static_cast<std::size_t>(buffer)];
        const auto at = static_cast<std::size_t>(element);
        word = bank.words[at];
        return bank.written[at];
    }
    void write(BufferId buffer, std::int64_t element, Word word) {
        Bank& bank = banks_[static_cast<std::size_t>(buffer)];
        const auto at = static_cast<std::size_t>(element);
        bank.words[at] = word;
        bank.written[at] = true;
    }
    /// Elements of one copy of a buffer.
    std::int64_t elements(BufferId buffer) const {
        return banks_[static_cast<std::size_t>(buffer)].elements;
    }

private:
    struct Bank {
        std::int64_t elements = 0;
        std::vector<Word> words;
        std::vector<bool> written;
    };
    std::vector<Bank> banks_;  ///< by BufferId, empty for those in VMEM
};

/// How many elements an array has.
std::int64_t element_count(const std::vector<std::int64_t>& shape);

}  // namespace slab::schedule
