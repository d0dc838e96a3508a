#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/sizes.hpp"
#include "compiler/program/compile_program.hpp"
#include "interp/run.hpp"
#include "reference/array.hpp"

namespace slab::cli {

/// What is compiled for one case and one seed, as values see it: arrays by name, and how to compute
/// the outputs. Kernels and programs differ in no more.
struct Subject {
    struct Operand {
        std::string name;
        schedule::Direction direction = schedule::Direction::in;
        DType type = DType::f32;
        reference::Shape shape;  ///< of the whole array, the extents of the mesh in front
        Span span;
        const std::vector<std::int64_t>* words = nullptr;  ///< what control flow was compiled for
    };
    std::vector<compiler::Bound> sizes;
    std::vector<Operand> operands;
    /// What came of a run.
    struct Values {
        std::vector<interp::Elements> arrays;  ///< by operand
        std::optional<interp::Writer> writer;  ///< of the element that was watched
        std::vector<std::vector<std::vector<std::int64_t>>> computed;  ///< schedule::Data
    };
    /// From inputs by operand; a watched element is one of a whole array.
    std::function<std::optional<Values>(const std::vector<interp::Elements>& inputs,
                                        interp::Options options, Diagnostics& diags)>
        run;
};

/// A kernel, on all members of its mesh. It must outlive the subject, as must a program.
Subject subject_of(const compiler::Compiled& compiled);
/// A program: launch after launch over its arrays.
Subject subject_of(const compiler::CompiledProgram& program);

/// What an operand holds that is no output.
std::optional<reference::Array> input_of(const Subject::Operand& operand, const Subject& subject,
                                         const Job& job, Diagnostics& diags);
/// The same as values.
interp::Elements elements_of(const reference::Array& array, DType type);

/// The data of a kernel with what it computes itself and copies into SMEM, from a run with values;
/// nothing if that goes wrong.
std::optional<schedule::Data> with_computed(const compiler::Compiled& compiled, const Job& job,
                                            Diagnostics& diags);

}  // namespace slab::cli
