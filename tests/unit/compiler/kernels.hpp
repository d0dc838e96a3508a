#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/compile.hpp"

/// Kernels in the text of a test, compiled like those of a file.
namespace slab::compiler::test {

struct Result {
    std::optional<Compiled> compiled;
    Diagnostics diags;
    SourceFile source;

    const schedule::Program& program() const { return compiled->program; }
    std::vector<std::string> headlines() const;
    /// Code and headline of the only message; all of them when there are several.
    std::string error() const;
    std::string rendered() const;
};

/// `set` as on the command line, "M=64,T=bf16", commas inside brackets not allowed; `with`
/// likewise. Compiles the first kernel of the text. `data` holds lines "idx=[1,0,2]".
Result compile_text(const std::string& text, const std::string& set = "",
                    const std::string& chip = "v6e", const std::string& with = "",
                    const std::string& data = "");

/// The statements inside a grid of one step with windows `a: f32[64, 256]`, `h: bf16[64, 256]`,
/// `q: i32[64, 256]`, `r: i8[64, 256]`, `v: f32[256]`, an output `z: f32[64, 256]`, run-time
/// scalars `n: i32` and `s: f32`, and `scratch` declarations if any are given.
Result compile_body(const std::string& statements, const std::string& scratch = "",
                    const std::string& chip = "v6e");

/// What an expression becomes: the operation whose result is stored, and its type.
struct Made {
    schedule::Op op;
    std::string type;  ///< "f32[64,1]", or the error
};
/// Compiles `o = expression` for a scratch `o` of the type given.
Made make(const std::string& expression, const std::string& type, const std::string& chip = "v6e");

/// Names of the operations of all regions, loads and stores with their buffer: "load:a exp
/// store:z", regions separated by " | ".
std::string operations(const schedule::Program& program);

/// The control flow: "grid{r0 if{r1}else{} loop{r2} set:v}", regions by number.
std::string control(const schedule::Program& program);

const schedule::Buffer* buffer(const schedule::Program& program, const std::string& name);

}  // namespace slab::compiler::test
