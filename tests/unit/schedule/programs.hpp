#pragma once

#include <string>
#include <vector>

#include "compiler/schedule/walker.hpp"

// Small programs as text, and their events in short.
namespace slab::schedule::testing {

/// Reads a program and requires that it is well-formed and sound.
Program read(const std::string& text);

/// A program with this body over f32 arrays on 2-lane tiles of one row: matrices `a` (in), `c` and
/// the 3 x 3 `p` (inout) with the 2 x 2 buffers `x`, `y` and `o`; vectors `v` (in) and `u` (inout)
/// of 8 with the buffers `w` and `z` of 2; slots `i j k t`, `n` = 2 and `m` = 0; region r0.
Program toy(const std::string& body);

/// A program with one of everything that copies, semaphores, rings, SMEM, meshes and transfers of
/// streams can be.
extern const char* const together;

/// The events of the program, a line per step and iteration:
/// `step` `dead` `for` begin a line · `r0` a region · `x<0,2/1` the fetch of x from a[0, 2] into
/// copy 1 · `x?/1` the wait for it · `o>0,2/1` a write-back · `o!/1` the wait for it ·
/// `x<2,2(1,2)/0` a copy of another extent than 2 in each dimension · `if` `else` a branch ·
/// `n=3` an assignment · `{` `}` a scope. A fault is the last line.
std::vector<std::string> walk(const Program& program);
std::vector<std::string> walk(const std::string& body);

/// `text` cut at its line breaks, without the indentation and the empty lines.
std::vector<std::string> lines(const std::string& text);

}  // namespace slab::schedule::testing
