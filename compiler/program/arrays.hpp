#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/schedule/program.hpp"
#include "support/source.hpp"

namespace slab::compiler {

/// Which elements of an array hold something: disjoint ranges in row-major order.
class Coverage {
public:
    void add(std::int64_t begin, std::int64_t end);
    void remove(std::int64_t begin, std::int64_t end);
    bool covers(std::int64_t begin, std::int64_t end) const;
    bool touches(std::int64_t begin, std::int64_t end) const;

private:
    std::map<std::int64_t, std::int64_t> ranges_;  ///< begin to end
};

/// An array in HBM while a program runs: an operand of the program, or one of its buffers.
struct Array {
    std::string name;
    DType type = DType::f32;
    std::vector<std::int64_t> shape;
    Span declared;
    bool is_buffer = false;
    bool is_read = false;
    bool is_written = false;
    Coverage holds = {};
    schedule::Operand operand = {};  ///< of the program; what data are asked for

    std::int64_t elements() const;
    std::int64_t bytes() const;
};

/// A contiguous part of an array: what a launch is given.
struct ArrayPart {
    std::size_t array = 0;
    std::int64_t begin = 0;  ///< in elements
    std::vector<std::int64_t> shape;
    bool is_writable = false;

    std::int64_t end() const;
};

}  // namespace slab::compiler
