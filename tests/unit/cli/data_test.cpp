#include "cli/data.hpp"

#include <catch2/catch.hpp>

#include "cli/sizes.hpp"
#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

const char* const kernel = "kernel k(lens: smem i32[R], w: hbm f32[R]) { }\n";

/// What `lens` holds for a run with these flags, or what is wrong.
std::string lens(const Folder& folder, KernelFlags flags) {
    flags.file = folder.path("k.slab");
    Diagnostics diags;
    const KernelFile file = read_kernel_file(flags.file, diags);
    const auto job = choose_job(file, flags, "v6e", diags);
    if (diags.has_errors()) return render(diags, &file.source);
    REQUIRE(job);
    REQUIRE(job->settings.data == job->data.get());
    schedule::Operand operand;
    operand.name = "lens";
    operand.type = DType::i32;
    operand.shape = {2};
    const compiler::Bound rows{"R", compiler::Constant{std::int64_t{2}}, {}, true, false};
    const auto words = job->settings.data->elements(operand, {rows}, diags);
    return words ? fmt::format("{} {}", words->at(0), words->at(1)) : render(diags, nullptr);
}

}  // namespace

TEST_CASE("data comes from the case, and --data overrides single names") {
    const Folder folder("data");
    folder.write("k.slab", kernel);
    folder.write("cases.json", R"({"schema": "slab.cases/1", "cases": [
        {"name": "c", "kind": "check", "kernel": "k", "set": {"R": 2},
         "data": {"lens": {"expr": "base + 1"}, "base": [4, 6]}}]})");
    KernelFlags flags;
    flags.case_name = "c";
    CHECK(lens(folder, flags) == "5 7");
    flags.data = {"base=[1, 2]"};
    CHECK(lens(folder, flags) == "2 3");
    flags.data = {"lens=3"};
    CHECK(lens(folder, flags) == "3 3");
    flags.data = {"lens=[1,2,3]"};
    CHECK(lens(folder, flags) == "error: `--data lens` has the shape [3], `lens` has [2]\n");
    flags.data = {"base=[1,2,3]"};
    CHECK(lens(folder, flags) == "error: " + folder.path("cases.json") +
                                     ": `cases[0].data.lens` has the shape [3], `lens` has [2]\n");
}

TEST_CASE("a value of --data is a number, a list, an object or a file") {
    const Folder folder("data_forms");
    folder.write("k.slab", kernel);
    KernelFlags flags;
    flags.set = {"R=2"};
    const auto with = [&](const std::string& text) {
        flags.data = {text};
        return lens(folder, flags);
    };
    CHECK(with("lens=[9, 8]") == "9 8");
    CHECK(with(R"(lens={"gen":"ramp","start":"R"})") == "2 3");
    CHECK(with("lens=@none.npy") == "error: no file `none.npy`\n");
    CHECK(with("length=1") == "error: `--data length`: `k` has no operand of that name\n");
    CHECK(with("lenz=1") ==
          "error: `--data lenz`: `k` has no operand of that name, did you mean `lens`\n");
    CHECK(with("w=1") == "");  // the compiler says what it needed `lens` for
    CHECK(with(R"(lens={"gen":"ramp","begin":1})") ==
          "error: --data: no key `lens.begin`; known keys: `gen`, `start`, `step`\n");
}
