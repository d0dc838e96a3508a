// usage: fuzz_corpus FILE …: gives each text to slab in a process of its own with limits of time
// and memory, and names those that break something.
#include <fmt/format.h>
#include <systemc>

#include "child.hpp"
#include "one_text.hpp"

int sc_main(int argc, char* argv[]) {
    using namespace slab::fuzz;
    if (argc < 2) {
        fmt::print(stderr, "usage: fuzz_corpus FILE ...\n");
        return 2;
    }
    take("kernel k() {}");  // reads the chips once, before the children are made
    int broken = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string text = read_bytes(argv[i]);
        const auto why =
            text.empty() ? std::optional<std::string>("cannot be read") : broken_by(text);
        if (!why) continue;
        ++broken;
        fmt::print("{}: {}\n", argv[i], *why);
    }
    fmt::print("{} texts, {} broke something\n", argc - 1, broken);
    return broken == 0 ? 0 : 1;
}
