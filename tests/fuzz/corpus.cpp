// usage: fuzz_corpus SECONDS FILE … — gives each text to slab in a process of its own with so many
// seconds of CPU time, and names those that break something. The limit of 1 GiB holds where no
// sanitizer reserves more.
#include <cstdlib>

#include <fmt/format.h>
#include <systemc>

#include "child.hpp"
#include "one_text.hpp"

int sc_main(int argc, char* argv[]) {
    using namespace slab::fuzz;
    if (argc < 3) {
        fmt::print(stderr, "usage: fuzz_corpus SECONDS FILE ...\n");
        return 2;
    }
    Limits limits;
    limits.cpu_seconds = std::atoi(argv[1]);
#ifdef __SANITIZE_ADDRESS__
    limits.memory_bytes = 0;
#endif
    take("kernel k() {}");  // reads the chips once, before the children are made
    int broken = 0;
    for (int i = 2; i < argc; ++i) {
        const std::string text = read_bytes(argv[i]);
        const auto why =
            text.empty() ? std::optional<std::string>("cannot be read") : broken_by(text, limits);
        if (!why) continue;
        ++broken;
        fmt::print("{}: {}\n", argv[i], *why);
    }
    return broken == 0 ? 0 : 1;
}
