#include "cli/hbm_table.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"

using namespace slab;

namespace {

std::string table_of(const std::string& name) {
    Diagnostics diags;
    return cli::hbm_table(arch::read_chip(name, {}, diags)->spec, true);
}

}  // namespace

TEST_CASE("docs/timing_model.md holds what `slab chips --hbm-rates --markdown` prints") {
    std::ifstream in(SLAB_SOURCE_DIR "/docs/timing_model.md");
    const std::string page{std::istreambuf_iterator<char>(in), {}};
    for (const std::string chip : {"v6e", "ironwood"}) {
        const std::string begin =
            "<!-- generated: slab chips " + chip + " --hbm-rates --markdown -->\n";
        const std::size_t from = page.find(begin);
        REQUIRE(from != std::string::npos);
        const std::size_t start = from + begin.size();
        CHECK(page.substr(start, page.find("<!-- end -->", start) - start) == table_of(chip));
    }
}
