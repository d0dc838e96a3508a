// usage: random_texts COUNT [SEED [FOLDER]]: gives texts made by chance to slab, each in a process
// of its own with limits of time and memory, and keeps those that break something in FOLDER
// (default: the current one). `random_texts show SEED` prints the text of a seed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <systemc>

#include "child.hpp"
#include "one_text.hpp"
#include "texts.hpp"

namespace {

using namespace slab::fuzz;

std::vector<std::string> seeds() {
    std::vector<std::filesystem::path> paths;
    for (const char* folder :
         {"kernels", "tests/golden", "tests/unit/dsl/examples", "tests/fuzz/corpus"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 std::filesystem::path(SLAB_SOURCE_DIR) / folder))
            if (entry.path().extension() == ".slab") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> texts;
    for (const std::filesystem::path& path : paths) texts.push_back(read_bytes(path));
    return texts;
}

std::string text_of(std::uint64_t seed, const std::vector<std::string>& seeds) {
    Chance chance(seed);
    if (chance.one_in(2)) {
        const std::string text = random_text(chance);
        return chance.one_in(3) ? mutated(text, chance.of(seeds), chance) : text;
    }
    const std::string& start = chance.of(seeds);
    return mutated(start, chance.of(seeds), chance);
}

std::uint64_t number(const char* text) {
    return std::strtoull(text, nullptr, 10);
}

}  // namespace

int sc_main(int argc, char* argv[]) {
    if (argc < 2) {
        fmt::print(stderr, "usage: random_texts COUNT [SEED [FOLDER]] | random_texts show SEED\n");
        return 2;
    }
    const std::vector<std::string> texts = seeds();
    const std::uint64_t first = argc > 2 ? number(argv[2]) : 1;
    if (argv[1] == std::string_view("show")) {
        fmt::print("{}", text_of(first, texts));
        return 0;
    }
    const std::uint64_t count = number(argv[1]);
    const std::filesystem::path folder = argc > 3 ? argv[3] : ".";
    take("kernel k() {}");  // reads the chips once, before the children are made
    int broken = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::string text = text_of(seed, texts);
        const auto why = broken_by(text);
        if (!why) continue;
        ++broken;
        std::ofstream(folder / fmt::format("{}.slab", seed), std::ios::binary) << text;
        fmt::print("{}: {}\n", seed, why->substr(0, why->find('\n')));
        std::fflush(stdout);
    }
    fmt::print("{} texts, {} broke something\n", count, broken);
    return broken == 0 ? 0 : 1;
}
