#pragma once

#include <string_view>

/// What every text must survive, kernel or not.
namespace slab::fuzz {

/// Reads, formats and checks a text and renders what there is to say of it; compiles its kernels
/// for three chips, prints and reads back their programs, walks them and simulates those that are
/// short. Where slab breaks a promise of its own it ends the process with exit code 3.
///
/// A first line `// set M=64,bm=8` gives sizes; other names get small ones that follow from the
/// text alone. Arrays hold small numbers.
void take(std::string_view text);

}  // namespace slab::fuzz
