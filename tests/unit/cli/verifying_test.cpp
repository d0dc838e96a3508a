#include "cli/verifying.hpp"

#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"
#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

const std::string kernel =
    "kernel k(x: hbm f32[M, 8], n: hbm i32[M, 8], out y: hbm f32[M, 8])\n"
    "grid (i in M/8 par)\n  in xb = x[i@8, :]\n  in nb = n[i@8, :]\n  out yb = y[i@8, :]\n"
    "{ yb = xb + f32(nb) }\n";
const std::string reference_of_it =
    "reference k(x: [M, 8], n: [M, 8], out y: [M, 8]) { y = x + n }\n";

struct Verification {
    std::vector<Verified> all;
    Diagnostics diags;
    std::string usage() const { return diags.empty() ? "" : diags.messages().front().headline(); }
};

Verification verify(const Folder& folder, const VerifyOptions& options,
                    const std::vector<std::string>& data = {},
                    const std::string& text = kernel + reference_of_it) {
    Verification result;
    KernelFlags flags;
    flags.file = folder.write("k.slab", text);
    flags.chip = "toy";
    flags.set = {"M=8"};
    flags.data = data;
    const KernelFile file = read_checked_file(flags.file, result.diags);
    const auto chip = arch::read_chip(flags.chip, {}, result.diags);
    result.all = verify_file(file, flags, options, chip->spec, result.diags);
    return result;
}

}  // namespace

TEST_CASE(
    "operands come from flags and files, outputs go to files, and back in they are the same") {
    const Folder folder("verify_files");
    VerifyOptions options;
    options.seeds = 1;
    options.outputs = folder.path("first");
    const auto first = verify(folder, options, {"n=3", R"(x={"gen":"ramp"})"});
    REQUIRE(first.all.size() == 1);
    CHECK(first.all[0].fine);
    CHECK(first.all[0].has_reference);
    REQUIRE(first.all[0].outputs.size() == 1);
    CHECK(first.all[0].outputs[0].comparison.error == 0);

    std::filesystem::rename(folder.path("first/y.npy"), folder.path("first/x.npy"));
    options.inputs = folder.path("first");
    options.outputs = folder.path("second");
    CHECK(verify(folder, options, {"n=-3"}).all[0].fine);
    CHECK(folder.read("second/y.npy").size() == folder.read("first/x.npy").size());
}

TEST_CASE("nothing is overwritten unless that is asked for") {
    const Folder folder("verify_force");
    VerifyOptions options;
    options.seeds = 1;
    options.outputs = folder.path("out");
    CHECK(verify(folder, options, {"n=1"}).all[0].fine);
    const std::string before = folder.read("out/y.npy");
    const auto again = verify(folder, options, {"n=2"});
    CHECK(again.all.empty());  // nothing was run in vain
    CHECK(again.usage().find("--force") != std::string::npos);
    CHECK(again.diags.exit_code() == 2);
    CHECK(folder.read("out/y.npy") == before);
    options.force = true;
    CHECK(verify(folder, options, {"n=2"}).all[0].fine);
    CHECK(folder.read("out/y.npy") != before);
}

TEST_CASE("what is wrong with files is one sentence, and the exit code is 2") {
    const Folder folder("verify_wrong_files");
    VerifyOptions options;
    options.seeds = 1;
    options.inputs = folder.path("missing");
    CHECK(verify(folder, options).usage().find("there is no such folder") != std::string::npos);
    std::filesystem::create_directory(folder.path("empty"));
    options.inputs = folder.path("empty");
    CHECK(verify(folder, options).usage().find("`x.npy`, `n.npy`") != std::string::npos);
    folder.write("x.npy", "no numpy");
    options.inputs = folder.path(".");
    const auto broken = verify(folder, options, {"n=1"});
    REQUIRE(broken.all.size() == 1);
    CHECK(broken.all[0].messages.exit_code() == 2);
    CHECK(broken.all[0].messages.messages().size() == 1);
}

TEST_CASE("an integer operand without data is asked for") {
    const Folder folder("verify_data");
    const auto missing = verify(folder, {});
    REQUIRE(missing.all.size() == 1);
    CHECK(missing.all[0].messages.exit_code() == 2);
}

TEST_CASE("a folder of outputs holds one case") {
    const Folder folder("verify_outputs_of_two");
    VerifyOptions options;
    options.outputs = folder.path("out");
    folder.write("cases.json", R"({"schema": "slab.cases/1", "cases": [
        {"name": "a", "kernel": "k", "kind": "check", "set": {"M": 8}, "data": {"n": 1}},
        {"name": "b", "kernel": "k", "kind": "check", "set": {"M": 16}, "data": {"n": 1}}]})");
    Diagnostics diags;
    KernelFlags flags;
    flags.file = folder.write("k.slab", kernel);
    flags.chip = "toy";
    const KernelFile file = read_checked_file(flags.file, diags);
    const auto chip = arch::read_chip(flags.chip, {}, diags);
    CHECK(verify_file(file, flags, options, chip->spec, diags).empty());
    REQUIRE(diags.messages().size() == 1);
    CHECK(diags.messages().front().headline().find("there are 2") != std::string::npos);
    flags.case_name = "b";
    Diagnostics none;
    CHECK(verify_file(file, flags, options, chip->spec, none).size() == 1);
    CHECK(none.empty());
    CHECK(std::filesystem::exists(folder.path("out/y.npy")));
}

TEST_CASE("a reference that gives something else than the kernel is an error") {
    const Folder folder("verify_reference");
    const auto other =
        verify(folder, {}, {"n=1"},
               kernel + "reference k(x: [M, 8], n: [M, 8], out z: [M, 8]) { z = x + n }\n");
    REQUIRE(other.all.size() == 1);
    CHECK(other.all[0].messages.exit_code() == 1);
    CHECK(other.all[0].messages.messages().front().headline().find("gives no `y`") !=
          std::string::npos);
    const auto misshapen =
        verify(folder, {}, {"n=1"},
               kernel + "reference k(x: [M, 8], n: [M, 8], out y: [8, M, 1]) { y = 1 }\n");
    REQUIRE(misshapen.all.size() == 1);
    CHECK(misshapen.all[0].messages.exit_code() == 1);
}

TEST_CASE("a grid that would take too long with values is refused") {
    const Folder folder("verify_steps");
    VerifyOptions options;
    options.max_steps = 0;
    const auto refused = verify(folder, options, {"n=1"});
    REQUIRE(refused.all.size() == 1);
    CHECK(refused.all[0].messages.messages().front().headline().find("more than the limit of 0") !=
          std::string::npos);
}
