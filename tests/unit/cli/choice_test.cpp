#include <catch2/catch.hpp>

#include "cli/kernel_file.hpp"
#include "cli/sizes.hpp"
#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

std::string kernel(const std::string& name, const std::string& shape = "M, N") {
    return "kernel " + name + "[bm = 8, T: dtype = f32](a: hbm f32[" + shape +
           "], out c: hbm f32[" + shape + "])\ngrid (i in 1)\n{\n}\n";
}
const std::string program = "program both(x: hbm f32[8]) {\n}\n";

KernelFile read(const std::string& path) {
    Diagnostics diags;
    KernelFile file = read_kernel_file(path, diags);
    CHECK(render(diags, &file.source) == "");
    return file;
}

/// The kernel or program chosen, or what is said instead.
std::string choose(const std::string& path, const std::string& name = "") {
    Diagnostics diags;
    const KernelFile file = read(path);
    const auto chosen = choose_item(file, name, diags);
    if (chosen) return chosen->name;
    CHECK(diags.has_errors());
    return render(diags, nullptr);
}

const char* const two_cases = R"({"schema": "slab.cases/1", "cases": [
  {"name": "tiny", "kind": "check", "kernel": "k", "set": {"M": 8, "N": 8}},
  {"name": "iron", "kind": "full", "kernel": "k", "chips": ["ironwood"], "set": {"M": 1, "N": 1}},
  {"name": "big", "kind": "full", "kernel": "k", "set": {"M": 64, "N": 64, "bm": 16},
   "with": ["bias"]},
  {"name": "other", "kind": "full", "kernel": "other", "set": {"M": 32, "N": 32}}]})";

struct Choice {
    std::string kernel, case_name;
    NamedValues set;
    std::vector<std::string> with;
    std::string said;
    int exit_code = 0;
};

Choice job(const std::string& path, KernelFlags flags, const std::string& chip = "v6e") {
    const KernelFile file = read(path);
    flags.file = path;
    Diagnostics diags;
    const auto chosen = choose_job(file, flags, chip, diags);
    if (!chosen) return {"", "", {}, {}, render(diags, nullptr), diags.exit_code()};
    return {chosen->item.name, chosen->case_name, chosen->settings.set, chosen->settings.with,
            render(diags, nullptr)};
}

KernelFlags with_set(const std::vector<std::string>& set, const std::string& case_name = "") {
    KernelFlags flags;
    flags.set = set;
    flags.case_name = case_name;
    return flags;
}

}  // namespace

TEST_CASE("the only kernel needs no name") {
    const Folder folder("choice");
    CHECK(choose(folder.write("a.slab", kernel("k"))) == "k");
}

TEST_CASE("of several kernels the one named like the file is meant") {
    const Folder folder("choice");
    const std::string text = kernel("k") + kernel("other") + program;
    CHECK(choose(folder.write("other.slab", text)) == "other");
    CHECK(choose(folder.write("other.slab", text), "k") == "k");
    const std::string path = folder.write("a.slab", text);
    CHECK(choose(path) ==
          "error: `" + path + "` has 3 kernels, choose one with --kernel: `k`, `other`, `both`\n");
}

TEST_CASE("a kernel that is not there: the nearest, and those that are") {
    const Folder folder("choice");
    const std::string path = folder.write("a.slab", kernel("matmul"));
    CHECK(choose(path, "matmull") ==
          "error: `" + path +
              "` has no kernel `matmull`, did you mean `matmul`; it has `matmul`\n");
}

TEST_CASE("a file without kernels is wrong, not misused") {
    const Folder folder("choice");
    Diagnostics diags;
    const KernelFile file = read(folder.write("a.slab", "const A = 1\n"));
    CHECK(choose_kernel(file, "", diags) == nullptr);
    CHECK(diags.exit_code() == 1);
    CHECK(render(diags, nullptr) == "error: `" + folder.path("a.slab") + "` has no kernel\n");
}

TEST_CASE("a program is chosen like a kernel") {
    const Folder folder("choice");
    CHECK(choose(folder.write("a.slab", program)) == "both");
    CHECK(choose(folder.write("both.slab", kernel("k") + program)) == "both");
    CHECK(choose(folder.write("b.slab", kernel("k") + program), "both") == "both");
}

TEST_CASE("where only a kernel will do a program is refused") {
    const Folder folder("choice");
    Diagnostics diags;
    const KernelFile file = read(folder.write("a.slab", program));
    CHECK(choose_kernel(file, "", diags) == nullptr);
    CHECK(render(diags, nullptr).find("the `program` `both` cannot stand here") !=
          std::string::npos);
}

TEST_CASE("without sizes the first full case for the chip is taken") {
    const Folder folder("k");
    const std::string path = folder.write("k.slab", kernel("k") + kernel("other"));
    folder.write("cases.json", two_cases);
    const Choice v6e = job(path, {});
    CHECK(v6e.case_name == "big");
    CHECK(v6e.set == NamedValues{{"M", "64"}, {"N", "64"}, {"bm", "16"}});
    CHECK(v6e.with == std::vector<std::string>{"bias"});
    CHECK(job(path, {}, "ironwood").case_name == "iron");
}

TEST_CASE("values that are no shape change the case, and come last") {
    const Folder folder("k");
    const std::string path = folder.write("k.slab", kernel("k"));
    folder.write("cases.json", two_cases);
    const Choice chosen = job(path, with_set({"bm=32"}));
    CHECK(chosen.case_name == "big");
    CHECK(chosen.set == NamedValues{{"M", "64"}, {"N", "64"}, {"bm", "16"}, {"bm", "32"}});
}

TEST_CASE("a shape that is given leaves the cases aside, even broken ones") {
    const Folder folder("k");
    const std::string path = folder.write("k.slab", kernel("k"));
    folder.write("cases.json", "broken");
    const Choice chosen = job(path, with_set({"M=8,bm=32"}));
    CHECK(chosen.case_name == "");
    CHECK(chosen.set == NamedValues{{"M", "8"}, {"bm", "32"}});
    CHECK(job(path, {}).exit_code == 2);
}

TEST_CASE("a named case decides the kernel and its sizes, the flags change single ones") {
    const Folder folder("k");
    const std::string path = folder.write("k.slab", kernel("k") + kernel("other"));
    folder.write("cases.json", two_cases);
    const Choice other = job(path, with_set({"M=8"}, "other"));
    CHECK(other.kernel == "other");
    CHECK(other.set == NamedValues{{"M", "32"}, {"N", "32"}, {"M", "8"}});
    KernelFlags flags = with_set({}, "big");
    flags.kernel = "other";
    flags.with = {"bias,scale"};
    const Choice twin = job(path, flags);
    CHECK(twin.kernel == "other");
    CHECK(twin.case_name == "big");
    CHECK(twin.with == std::vector<std::string>{"bias", "scale"});
}

TEST_CASE("a case that is not there is one sentence") {
    const Folder folder("k");
    const std::string path = folder.write("k.slab", kernel("k"));
    const std::string cases = folder.path("cases.json");
    CHECK(
        job(path, with_set({}, "big")).said ==
        "error: no case `big`: there are none in `" + cases +
            "`\n why: that file does not exist\n fix: --set NAME=VALUE,… instead of --case, which "
            "gives the sizes without a case\n");
    folder.write("cases.json", two_cases);
    const Choice unknown = job(path, with_set({}, "bog"));
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.said == "error: " + cases +
                              " has no case `bog`, did you mean `big`; it has `tiny`, `iron`, "
                              "`big`, `other`\n");
}

TEST_CASE("cases without a full one for the chip say so, unless no sizes are needed") {
    const Folder folder("k");
    const std::string path = folder.write("k.slab", kernel("k"));
    folder.write("cases.json",
                 R"({"schema": "slab.cases/1", "cases": [{"name": "a", "kind": "check"}]})");
    CHECK(job(path, {}).said == "error: " + folder.path("cases.json") +
                                    " has no case of kind `full` for `k` on v6e, give sizes with "
                                    "--case or --set\n");
    const Choice fixed = job(folder.write("k.slab", kernel("k", "8, 8")), {});
    CHECK(fixed.said == "");
    CHECK(fixed.kernel == "k");
}

TEST_CASE("without cases.json the compiler says which sizes are missing") {
    const Folder folder("k");
    const Choice chosen = job(folder.write("k.slab", kernel("k")), {});
    CHECK(chosen.said == "");
    CHECK(chosen.set.empty());
}
