#include "cli/commands.hpp"

namespace slab::cli {

const std::vector<Command>& commands() {
    static const std::vector<Command> table = {
        {"run", "simulate a kernel on a chip: how long, how well, and why", declare_run},
        {"check", "say whether kernels are legal, without running them", declare_check},
        {"verify", "run kernels with values: right against their reference, free of races",
         declare_verify},
        {"validate", "compare with what was measured on hardware", declare_validate},
        {"calibrate", "fit what nobody knows of the chips to what was measured", declare_calibrate},
        {"fmt", "print a file in its canonical form", declare_fmt},
        {"chips", "list the chips, or the numbers of one with their sources", declare_chips},
        {"explain", "tell the rule behind a code such as E0501, with a kernel before and after",
         declare_explain},
        {"bench", "measure how fast slab itself is against its budgets", declare_bench},
    };
    return table;
}

}  // namespace slab::cli
