#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/schedule/walker.hpp"
#include "interp/block.hpp"
#include "support/diagnostics.hpp"

namespace slab::interp {

/// The arrays of one member by operand: inputs before a run, all of them after it. An output that
/// is not given starts undefined.
using Arrays = std::vector<Elements>;

/// An element of an operand of a member.
struct ElementAt {
    std::int32_t member = 0;
    schedule::OperandId operand = schedule::none;
    Int element = 0;
};

struct Options {
    /// Not 0: `par` axes and the turns of the members are shuffled.
    std::uint64_t seed = 0;
    bool sync_copies = false;  ///< every copy is complete as soon as it starts
    std::optional<ElementAt> watch = {};
    std::int64_t max_steps = 1'000'000'000;  ///< of grids and loops, per member (E0902)
};

/// What wrote an element last: the statement, and the step it ran in (`i = 3, j = 0`).
struct Writer {
    Span span;
    std::string step;
};

struct Outcome {
    std::vector<Arrays> members;
    std::optional<Writer> writer;  ///< of the element that was watched
    /// What the members copied into SMEM after they had computed it (schedule::Data).
    std::vector<std::vector<std::vector<Int>>> computed;
};

/// Computes what a program does to the arrays of its members, and watches: uninitialised elements
/// that reach an output, an index or a copy (E0701), outputs with elements that nobody wrote
/// (E0302), references that leave their memory (E0401), promises and assertions, and all that the
/// synchronisation skeleton finds (compiler/skeleton). Nothing is returned if something is wrong.
/// Same input, same bytes out; with another seed too, unless the kernel is wrong.
std::optional<Outcome> run(const schedule::Program& program, const schedule::Data& data,
                           std::vector<Arrays> inputs, const Options& options, Diagnostics& diags);

/// The program with the steps of its `par` axes in another order, which must not matter: every axis
/// of a known extent n goes through (a x + b) mod n.
schedule::Program shuffled(const schedule::Program& program, std::uint64_t seed);

}  // namespace slab::interp
