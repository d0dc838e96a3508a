#include <csignal>
#include <cstdlib>

#include <systemc>

#include "cli/command_line.hpp"

namespace {

// libsystemc brings main(), which prints its copyright notice before it calls sc_main().
const bool notice_is_off = setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1) == 0;

}  // namespace

int sc_main(int argc, char* argv[]) {
    // `slab … | head` ends quietly when its reader leaves, whatever a parent process chose.
    std::signal(SIGPIPE, SIG_DFL);
    return notice_is_off ? slab::cli::run_command_line(argc, argv) : 3;
}
