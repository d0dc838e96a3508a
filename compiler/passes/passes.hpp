#pragma once

#include "compiler/unit.hpp"
#include "support/diagnostics.hpp"

// The passes a kernel goes through, in this order; compile.cpp runs them.
namespace slab::compiler {

/// Binds the sizes and turns the body into a program (compiler/lower/).
void lower(Unit& unit, Diagnostics& diags);

/// Windows against arrays: block rule (E0501), bounds (E0401), overhang that reaches a result
/// (E0402), outputs that are left and visited again (E0301) or not covered (E0302). Affine windows
/// are decided; for others it notes that a run decides.
void check_windows(Unit& unit, Diagnostics& diags);

/// Follows what lies past the end of an array through the operations: elements of an overhanging
/// window may flow along their dimension, but not through a reduction or a contraction, nor into an
/// output that is not cut at the same place (E0402).
void check_overhang(Unit& unit, Diagnostics& diags);

/// Removes operations whose results nobody uses, and buffers that nobody touches.
/// Before: `let x = a  let y = b  z = y`; after: the load of `a` is gone.
void drop_dead_values(Unit& unit, Diagnostics& diags);

/// Takes the instructions away that a compiler needs none for: of integers, the addition of 0, and
/// that of a constant to an index, which is part of the constant that an iota begins with.
/// Before: `iota([8, 128], 1) + 128` takes two instructions a register; after: one.
void fold_offsets(Unit& unit, Diagnostics& diags);

/// Places buffers in VMEM and charges live values from definition to last use (E0601, with the
/// budget and the largest legal block).
void assign_vmem(Unit& unit, Diagnostics& diags);

/// What is legal and wasteful: padding (W01), operands that nobody uses (W05).
void warn(Unit& unit, Diagnostics& diags);

}  // namespace slab::compiler
