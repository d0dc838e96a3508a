#pragma once

#include <string_view>

/// What every text must survive, kernel or not.
namespace slab::fuzz {

/// All of them, or one for each kernel and program, which the text decides: three times as many
/// texts in the same time.
enum class Chips { all, one };

/// Reads, formats and checks a text and renders what there is to say of it; compiles its kernels
/// and programs for the chips, prints and reads back what comes of it, walks it and simulates
/// what is short; runs their references on small arrays. Where slab breaks a promise of its own it
/// ends the process with exit code 3.
///
/// A first line `// set M=64,bm=8` gives sizes; other names get small ones that follow from the
/// text alone. Arrays hold small numbers.
void take(std::string_view text, Chips chips = Chips::all);

}  // namespace slab::fuzz
