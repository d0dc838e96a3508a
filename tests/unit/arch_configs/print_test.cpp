#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "arch_configs/parameters.hpp"
#include "arch_configs/print_chip.hpp"

namespace slab::arch {

namespace {

std::vector<ChipFile> all_chips() {
    Diagnostics diags;
    std::vector<ChipFile> chips;
    for (const std::string& name : shipped_chips()) chips.push_back(*read_chip(name, {}, diags));
    return chips;
}

/// The line that begins with `start`.
std::string line_of(const std::string& text, const std::string& start) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(start)) return line;
    return "no line begins with " + start;
}

std::string file_text(const std::string& name) {
    std::ifstream in(std::string(SLAB_SOURCE_DIR "/") + name);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The key as the README has it: the type of a rate is left open.
std::string readme_key(const std::string& path) {
    if (path.starts_with("mxu.rows_per_cycle.")) return "`rows_per_cycle.<type>`";
    return path.substr(path.find('.') + 1) + "`";
}

}  // namespace

TEST_CASE("docs/chips.md holds the table of today's chip files") {
    const std::string begin = "<!-- generated: slab chips --markdown -->\n";
    const std::string text = file_text("docs/chips.md");
    const std::size_t from = text.find(begin);
    REQUIRE(from != std::string::npos);
    const std::size_t to = text.find("<!-- end -->", from);
    REQUIRE(to != std::string::npos);
    const std::size_t start = from + begin.size();
    CHECK(text.substr(start, to - start) == markdown_table(all_chips()));
}

TEST_CASE("the README explains every key") {
    const std::string text = file_text("arch_configs/README.md");
    for (const Parameter& each : parameters()) {
        INFO(each.path);
        CHECK(text.find(readme_key(each.path)) != std::string::npos);
    }
}

TEST_CASE("a chip is described by its head and one line per number") {
    Diagnostics diags;
    const std::string text = describe(*read_chip("toy", {}, diags));
    CHECK(
        text.starts_with("toy (toy)\n"
                         "1 TensorCore per chip; each has:\n"
                         "  peak TFLOP/s or TOP/s at 1 GHz: f32 0.128, bf16 0.128, f8e4m3 0.128, "
                         "f8e5m2 0.128, i8 0.128, u8 0.128, i4 0.128, u4 0.128\n"
                         "  HBM 1 GiB, 1 GB/s; VMEM 1 MiB, 0.5 MiB by default\n"));
    CHECK(
        line_of(text, "parameter") ==
        "parameter                          value       unit               status   range  source");
    CHECK(line_of(text, "dma.latency_us") ==
          "dma.latency_us                     0.1         us                 assumed         "
          "invented "
          "for tests");
}

TEST_CASE("the table has a column for each chip and says what is per chip") {
    const std::string text = markdown_table(all_chips());
    CHECK(
        text.starts_with("| parameter | unit | v6e | ironwood | v5e | v5p | toy |\n"
                         "|---|---|---|---|---|---|---|\n"));
    CHECK(line_of(text, "| `hbm.bandwidth_gb_per_s`") ==
          "| `hbm.bandwidth_gb_per_s` | GB/s | 1638 per chip *documented* | 7380 per chip "
          "*documented* | 819 per chip *documented* | 2765 per chip *documented* | 1 per chip "
          "*assumed* |");
    CHECK(line_of(text, "| `clock.sustained_ghz`") ==
          "| `clock.sustained_ghz` | GHz | 1.75 *inferred* | 1.9 (1.82 to 2.2) *inferred* | "
          "1.5 *assumed* | 1.75 *assumed* | 1 *assumed* |");
    CHECK(line_of(text, "| `mxu.rows_per_cycle.i8`").find("| 4 *inferred* | - |") !=
          std::string::npos);
}

}  // namespace slab::arch
