#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slab::sim::timing {

/// The stages before a stage, as a set of bits.
class Ancestors {
public:
    explicit Ancestors(std::size_t stages) : words_((stages + 63) / 64) {}

    void add(int stage) { words_[stage / 64] |= std::uint64_t{1} << (stage % 64); }
    void add(const Ancestors& others) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= others.words_[w];
    }
    bool has(int stage) const { return (words_[stage / 64] >> (stage % 64) & 1) != 0; }
    bool includes(const Ancestors& others) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            if ((others.words_[w] & ~words_[w]) != 0) return false;
        return true;
    }

private:
    std::vector<std::uint64_t> words_;
};

}  // namespace slab::sim::timing
