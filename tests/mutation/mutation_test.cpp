#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"
#include "cli/verifying.hpp"
#include "faults.hpp"

using namespace slab;
using namespace slab::mutation;

namespace {

std::string page() {
    std::ifstream in(std::string(SLAB_SOURCE_DIR) + "/docs/verification.md");
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What finds a fault is what the table says, and the page shows it.
void check_fault(const Fault& fault) {
    const Mutant mutant = plant(fault);
    INFO(mutant.text);
    REQUIRE(mutant.problem == "");
    const auto found = find(mutant, fault.case_name);
    REQUIRE(found);
    INFO(found->text);
    CHECK(found->verdict == fault.verdict);
    CHECK((found->by == fault.caught_by));
    INFO("build/dev/bin/mutations docs/verification.md");
    CHECK(page().find(row(fault, *found)) != std::string::npos);
}

}  // namespace

#define SLAB_FAULT(name, kernel, case_name, by, verdict, ...)                       \
    TEST_CASE(#kernel ": " name, "[fault]") {                                       \
        check_fault({name, #kernel, case_name, Stage::by, verdict, {__VA_ARGS__}}); \
    }
#include "faults.def"
#undef SLAB_FAULT

TEST_CASE("the page shows the faults of the table and no others") {
    const std::string text = page();
    const std::size_t begin = text.find(table_head());
    REQUIRE(begin != std::string::npos);
    const std::string rows = text.substr(begin + table_head().size());
    CHECK(static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n')) == faults().size());
}

TEST_CASE("without a fault, the kernels pass the cases that the faults fail") {
    std::set<std::pair<std::string, std::string>> seen;
    for (const Fault& fault : faults()) {
        if (!seen.insert({fault.kernel, fault.case_name}).second) continue;
        cli::KernelFlags flags;
        flags.file = std::string(SLAB_SOURCE_DIR) + "/kernels/" + fault.kernel + "/" +
                     fault.kernel + ".slab";
        flags.case_name = fault.case_name;
        Diagnostics diags;
        const cli::KernelFile file = cli::read_checked_file(flags.file, diags);
        const auto chip = arch::read_chip(flags.chip, {}, diags);
        cli::VerifyOptions options;
        options.seeds = 1;
        const auto all = cli::verify_file(file, flags, options, chip->spec, diags);
        INFO(fault.kernel + ", " + fault.case_name + "\n" + render(diags, &file.source));
        REQUIRE(all.size() == 1);
        INFO(render(all[0].messages, &file.source));
        CHECK(all[0].fine);
        CHECK(all[0].has_reference);
    }
}

TEST_CASE("an edit that cannot be made is refused") {
    const auto problem = [](Edit edit) {
        return plant({"", "softmax", "small", Stage::check, "", {std::move(edit)}}).problem;
    };
    CHECK(problem(expression("exp(v)", "v")) == "is nowhere: exp(v)");
    CHECK(problem(expression("rowmax(v)", "rowmax( v )")) == "changes nothing: rowmax(v)");
    CHECK(problem(expression("rowmax(v", "v")) == "cannot be read: rowmax(v");
    CHECK(problem(statements("let v = f32(xb)", "let")) == "cannot be read: let");
    CHECK(problem(expression("rowmax(v)", "v")) == "");
    CHECK(problem(expression("rowmax(v)", "v", 2)) == "is nowhere: rowmax(v)");
    CHECK(problem(expression("rowmax(x)", "x")) == "is nowhere: rowmax(x)");  // of the reference
}
