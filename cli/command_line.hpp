#pragma once

namespace slab::cli {

/// Runs the command the arguments name and returns the exit code: 0 fine, 1 the text, the kernel or
/// its result is wrong, 2 usage or unreadable input, 3 a bug in slab. No exception leaves it, and
/// what is wrong with the arguments is one sentence on stderr.
int run_command_line(int argc, const char* const* argv);

}  // namespace slab::cli
