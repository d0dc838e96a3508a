#pragma once

#include <functional>
#include <vector>

namespace CLI {
class App;
}

namespace slab::cli {

/// What a command does once its flags are read; returns the exit code.
using Action = std::function<int()>;

struct Command {
    const char* name;
    const char* summary;               ///< its line in `slab --help`
    Action (*declare)(CLI::App& app);  ///< adds its flags
};

/// Every command, in the order of `slab --help`. Each has its own source.
const std::vector<Command>& commands();

Action declare_run(CLI::App& app);
Action declare_check(CLI::App& app);
Action declare_verify(CLI::App& app);
Action declare_validate(CLI::App& app);
Action declare_calibrate(CLI::App& app);
Action declare_fmt(CLI::App& app);
Action declare_chips(CLI::App& app);
Action declare_explain(CLI::App& app);
Action declare_bench(CLI::App& app);

}  // namespace slab::cli
