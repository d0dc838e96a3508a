#include "cli/checks.hpp"

#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"
#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

/// Doubles an array; `bm` must divide M, else E0404.
std::string kernel(const std::string& name, const std::string& rows = "M") {
    return "kernel " + name + "[bm = 8](a: hbm f32[" + rows + ", 8], out c: hbm f32[" + rows +
           ", 8])\ngrid (i in " + rows +
           "/bm par)\n  in x = a[i@bm, :]\n  out z = c[i@bm, :]\n{\n  z = x + x\n}\n";
}

struct Checked {
    std::vector<KernelOutcomes> kernels;
    std::string said;
};

Checked check(const std::string& path, KernelFlags flags = {}) {
    Diagnostics diags;
    flags.file = path;
    const KernelFile file = read_kernel_file(path, diags);
    const auto chip = arch::read_chip("toy", {}, diags);
    REQUIRE(render(diags, &file.source) == "");
    Checked checked{check_file(file, flags, chip->spec, diags), ""};
    checked.said = render(diags, nullptr);
    return checked;
}

std::string cases(const std::string& entries) {
    return R"({"schema": "slab.cases/1", "cases": [)" + entries + "]}";
}

}  // namespace

TEST_CASE("each `check` case for the chip is compiled, the full ones are not") {
    const Folder folder("k");
    folder.write("cases.json", cases(R"({"name": "a", "kind": "check", "set": {"M": 8}},
                          {"name": "b", "kind": "check", "set": {"M": 16}},
                          {"name": "c", "kind": "check", "chips": ["v6e"], "set": {"M": 8}},
                          {"name": "d", "kind": "full", "set": {"M": 3}})"));
    const Checked checked = check(folder.write("k.slab", kernel("k")));
    CHECK(checked.said == "");
    REQUIRE(checked.kernels.size() == 1);
    REQUIRE(checked.kernels[0].outcomes.size() == 2);
    CHECK(checked.kernels[0].outcomes[0].case_name == "a");
    CHECK(checked.kernels[0].outcomes[0].fine);
    CHECK(checked.kernels[0].outcomes[1].fine);
    CHECK(exit_code(checked.kernels) == 0);
}

TEST_CASE("an error that is expected is fine, another outcome is not") {
    const Folder folder("k");
    folder.write("cases.json",
                 cases(R"({"name": "a", "kind": "check", "set": {"M": 12}, "expect": "E0404"},
                          {"name": "b", "kind": "check", "set": {"M": 8}, "expect": "E0404"},
                          {"name": "c", "kind": "check", "set": {"M": 12}, "expect": "E0203"},
                          {"name": "d", "kind": "check", "set": {"M": 12}})"));
    const Checked checked = check(folder.write("k.slab", kernel("k")));
    REQUIRE(checked.kernels.size() == 1);
    const auto& outcomes = checked.kernels[0].outcomes;
    REQUIRE(outcomes.size() == 4);
    CHECK(outcomes[0].fine);
    CHECK_FALSE(outcomes[1].fine);
    CHECK(render(outcomes[1].messages, nullptr) ==
          "error: case `b` of `k` must end in E0404 on toy, it compiles\n");
    CHECK_FALSE(outcomes[2].fine);
    CHECK(render(outcomes[2].messages, nullptr)
              .starts_with("error: case `c` of `k` must end in E0203 on toy, it ends in E0404\n"));
    CHECK_FALSE(outcomes[3].fine);
    CHECK(exit_code(checked.kernels) == 1);
}

TEST_CASE("all kernels of a file are checked, and one without sizes says so") {
    const Folder folder("k");
    folder.write("cases.json", cases(R"({"name": "a", "kind": "check", "set": {"M": 8}})"));
    const std::string path =
        folder.write("k.slab", kernel("k") + kernel("l") + kernel("fixed", "16") +
                                   "program p(x: hbm f32[8]) {\n}\n");
    const Checked checked = check(path);
    REQUIRE(checked.kernels.size() == 4);
    CHECK(checked.kernels[0].not_checked == "");
    CHECK(checked.kernels[1].not_checked ==
          "`M` has no value, so only what needs no sizes was checked: slab check " + path +
              " --kernel l --chip toy --set M=…, or a `check` case for toy in " +
              folder.path("cases.json"));
    CHECK(checked.kernels[2].not_checked == "");
    CHECK(checked.kernels[2].outcomes[0].fine);
    CHECK(checked.kernels[3].not_checked == "");
    CHECK(checked.kernels[3].outcomes[0].fine);
    CHECK(exit_code(checked.kernels) == 0);
}

TEST_CASE("sizes that are given are checked instead of the cases") {
    const Folder folder("k");
    folder.write("cases.json", cases(R"({"name": "a", "kind": "check", "set": {"M": 8}})"));
    KernelFlags flags;
    flags.set = {"M=12"};
    const Checked checked = check(folder.write("k.slab", kernel("k")), flags);
    REQUIRE(checked.kernels.size() == 1);
    REQUIRE(checked.kernels[0].outcomes.size() == 1);
    CHECK(checked.kernels[0].outcomes[0].case_name == "");
    CHECK_FALSE(checked.kernels[0].outcomes[0].fine);
}

TEST_CASE("a value that is no shape changes every case") {
    const Folder folder("k");
    folder.write("cases.json", cases(R"({"name": "a", "kind": "check", "set": {"M": 8}})"));
    KernelFlags flags;
    flags.set = {"bm=3"};
    const Checked checked = check(folder.write("k.slab", kernel("k")), flags);
    REQUIRE(checked.kernels.size() == 1);
    CHECK(checked.kernels[0].outcomes[0].case_name == "a");
    CHECK_FALSE(checked.kernels[0].outcomes[0].fine);
}

TEST_CASE("a named case is checked whatever its kind") {
    const Folder folder("k");
    folder.write("cases.json", cases(R"({"name": "d", "kind": "full", "set": {"M": 16}})"));
    KernelFlags flags;
    flags.case_name = "d";
    const Checked checked = check(folder.write("k.slab", kernel("k")), flags);
    REQUIRE(checked.kernels.size() == 1);
    CHECK(checked.kernels[0].outcomes[0].case_name == "d");
    CHECK(checked.kernels[0].outcomes[0].fine);
}
