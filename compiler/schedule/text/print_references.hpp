#pragma once

#include <string>
#include <vector>

#include "compiler/schedule/program.hpp"
#include "compiler/schedule/text/words.hpp"

namespace slab::schedule {

/// What statements and operations refer to, as text.
class ReferenceText {
public:
    ReferenceText(const Program& program, const ProgramNames& names)
        : program_(program), names_(names) {}

    std::string print(ExprId id) const;
    /// `i, j`
    std::string print(const std::vector<ExprId>& exprs) const;
    /// `i*512 +: 512, 0 +: n upto 128 step 2, k`; the last is dropped
    std::string print(const std::vector<RefDim>& dims) const;
    /// `acc{slot}[i +: 8]` of a buffer, `hbm a[i +: 8]` of an operand; views follow, as in
    /// `acc[0 +: 8, 0 +: 128] permuted (1, 0) as f32[1024][0 +: 512]`
    std::string print(const MemoryRef& ref) const;
    /// `got[0, t]`, or `got` of a single one
    std::string print(const SemaphoreRef& ref) const;
    /// `(r: (me + 1) % 4)`
    std::string device(const Device& coordinates) const;
    /// `copy hbm a[i +: 8] -> x{slot}[0 +: 8] done got[slot]`, or `send`
    std::string print(const Copy& copy) const;
    std::string print(const Wait& wait) const;
    std::string print(const Signal& signal) const;
    std::string print(const Barrier& barrier) const;
    std::string print(const Check& check) const;
    std::string print(const Print& print) const;

private:
    std::string print(const View& view) const;
    std::string copy_number(ExprId copy) const;

    const Program& program_;
    const ProgramNames& names_;
};

}  // namespace slab::schedule
