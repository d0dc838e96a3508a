#include "cli/verifying.hpp"

#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"
#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

const char* const kernel =
    "kernel k(x: hbm f32[M, 8], n: hbm i32[M, 8], out y: hbm f32[M, 8])\n"
    "grid (i in M/8 par)\n  in xb = x[i@8, :]\n  in nb = n[i@8, :]\n  out yb = y[i@8, :]\n"
    "{ yb = xb + f32(nb) }\n"
    "reference k(x: [M, 8], n: [M, 8], out y: [M, 8]) { y = x + n }\n";

struct Verification {
    std::vector<Verified> all;
    Diagnostics diags;
    std::string usage() const { return diags.empty() ? "" : diags.messages().front().headline(); }
};

Verification verify(const Folder& folder, const VerifyOptions& options,
                    const std::vector<std::string>& data = {}) {
    Verification result;
    KernelFlags flags;
    flags.file = folder.write("k.slab", kernel);
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
    CHECK_FALSE(again.all[0].fine);
    CHECK(again.all[0].messages.exit_code() == 2);
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
