#include "cli/cases.hpp"

#include <catch2/catch.hpp>

#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

std::vector<Case> good(const std::string& text) {
    Diagnostics diags;
    const auto cases = read_cases(SourceFile("cases.json", text), "matmul", diags);
    CHECK(render(diags, nullptr) == "");
    REQUIRE(cases.has_value());
    return *cases;
}

/// What is said about a file of cases with one entry, without the name of the file.
std::string complaint(const std::string& entry) {
    Diagnostics diags;
    const std::string text = R"({"schema": "slab.cases/1", "cases": [)" + entry + "]}";
    CHECK_FALSE(read_cases(SourceFile("cases.json", text), "matmul", diags).has_value());
    CHECK(diags.exit_code() == 2);
    std::string said = render(diags, nullptr);
    const std::string before = "error: cases.json: ";
    for (std::size_t at; (at = said.find(before)) != std::string::npos;)
        said.erase(at, before.size());
    return said;
}

std::string whole_complaint(const std::string& text) {
    Diagnostics diags;
    CHECK_FALSE(read_cases(SourceFile("cases.json", text), "matmul", diags).has_value());
    return render(diags, nullptr);
}

}  // namespace

TEST_CASE("a case needs a name and a kind, the rest has defaults") {
    const auto cases =
        good(R"({"schema": "slab.cases/1", "cases": [{"name": "tiny", "kind": "check"}]})");
    REQUIRE(cases.size() == 1);
    CHECK(cases[0].name == "tiny");
    CHECK(cases[0].kind == CaseKind::check);
    CHECK(cases[0].kernel == "matmul");
    CHECK(cases[0].is_for("v6e"));
    CHECK(cases[0].is_for("toy"));
    CHECK(cases[0].set.empty());
    CHECK(cases[0].with.empty());
    CHECK(cases[0].data.empty());
    CHECK(cases[0].seeds == 5);
    CHECK_FALSE(cases[0].tolerance.has_value());
    CHECK(cases[0].expected("v6e") == "");
}

TEST_CASE("everything a case may say is read") {
    const auto cases = good(R"json({"schema": "slab.cases/1", "cases": [
      {"name": "full", "kind": "full", "kernel": "other", "chips": ["v6e", "ironwood"],
       "set": {"M": 8192, "bm": "min(M, 1024)", "scale": 0.5, "causal": true, "T": "bf16"},
       "with": ["bias"],
       "data": {"qlen": [3, 1, 2], "lens": {"gen": "uniform", "lo": 1, "hi": "S + 1"},
                "cu_q": {"expr": "concat([0], cumsum(qlen, 0), 0)"}, "w": {"file": "w.npy"},
                "fill": 0},
       "seeds": 2, "tolerance": {"rel": 4e-3}, "expect": "pass", "note": "one sentence"}]})json");
    REQUIRE(cases.size() == 1);
    const Case& one = cases[0];
    CHECK(one.kind == CaseKind::full);
    CHECK(one.kernel == "other");
    CHECK(one.is_for("ironwood"));
    CHECK_FALSE(one.is_for("v5e"));
    CHECK(one.set == NamedValues{{"M", "8192"},
                                 {"bm", "min(M, 1024)"},
                                 {"scale", "0.5"},
                                 {"causal", "true"},
                                 {"T", "bf16"}});
    CHECK(one.with == std::vector<std::string>{"bias"});
    REQUIRE(one.data.size() == 5);
    CHECK(one.data[0] == std::pair<std::string, std::string>{"qlen", "[3,1,2]"});
    CHECK(one.seeds == 2);
    CHECK(one.tolerance == 4e-3);
    CHECK(one.note == "one sentence");
}

TEST_CASE("a chip of the user's own takes the cases of every chip") {
    const auto cases = good(R"({"schema": "slab.cases/1", "cases": [
      {"name": "a", "kind": "check", "chips": ["v6e"]}]})");
    CHECK(cases[0].is_for("my_chip"));
    CHECK_FALSE(cases[0].is_for("toy"));
}

TEST_CASE("what a case must end in may depend on the chip") {
    const auto cases = good(R"({"schema": "slab.cases/1", "cases": [
      {"name": "a", "kind": "check", "expect": "E0203"},
      {"name": "b", "kind": "check", "expect": {"v6e": "E0203", "ironwood": "pass"}}]})");
    CHECK(cases[0].expected("v6e") == "E0203");
    CHECK(cases[0].expected("toy") == "E0203");
    CHECK(cases[0].expected("my_chip") == "E0203");
    CHECK(cases[1].expected("v6e") == "E0203");
    CHECK(cases[1].expected("ironwood") == "");
    CHECK(cases[1].expected("toy") == "");
}

TEST_CASE("every key nobody knows is named with its path, and the one that was meant") {
    CHECK(complaint(R"({"name": "a", "kind": "check", "sets": {}, "tolerance": {"rle": 1}})") ==
          "no key `cases[0].sets`, did you mean `set`\n"
          "\n"
          "no key `cases[0].tolerance.rle`, did you mean `rel`\n"
          "\n"
          "`cases[0].tolerance.rel` is missing\n");
}

TEST_CASE("required keys are asked for") {
    CHECK(complaint("{}") ==
          "`cases[0].name` is missing\n"
          "\n"
          "`cases[0].kind` is missing\n");
    CHECK(whole_complaint("{}") ==
          "error: cases.json: `schema` is missing\n"
          "\n"
          "error: cases.json: `cases` is missing\n");
}

TEST_CASE("values of the wrong kind are named with what is needed") {
    const std::string head = R"("name": "a", "kind": "check", )";
    const auto said = [&](const std::string& rest) { return complaint("{" + head + rest + "}"); };
    CHECK(said(R"("set": {"M": [1]})") ==
          "`cases[0].set.M` is [1], it must be a number, a boolean or a text\n");
    CHECK(said(R"("set": [1])") == "`cases[0].set` is [1], it must be an object\n");
    CHECK(said(R"("with": "bias")") == "`cases[0].with` is \"bias\", it must be a list of texts\n");
    CHECK(said(R"("with": ["bias", 3])") == "`cases[0].with[1]` is 3, it must be a text\n");
    CHECK(said(R"("seeds": 0)") ==
          "`cases[0].seeds` is 0, it must be a whole number from 1 to 1000000\n");
    CHECK(said(R"("tolerance": {"rel": "small"})") ==
          "`cases[0].tolerance.rel` is \"small\", it must be a number of at least 0\n");
    CHECK(said(R"("expect": "fails")") ==
          "`cases[0].expect` is \"fails\", it must be \"pass\" or a code such as \"E0203\"\n");
    CHECK(said(R"("expect": {"v6x": "pass"})") ==
          "`cases[0].expect.v6x` names the chip `v6x`, which does not come with slab, did you mean "
          "`v6e`\n");
    CHECK(said(R"("chips": ["gpu"])") ==
          "`cases[0].chips[0]` names the chip `gpu`, which does not come with slab\n");
    CHECK(said(R"("note": 1)") == "`cases[0].note` is 1, it must be a text\n");
    CHECK(complaint(R"({"name": "", "kind": "big"})") ==
          "`cases[0].name` is \"\", it must be a text\n"
          "\n"
          "`cases[0].kind` is \"big\", it must be \"check\" or \"full\"\n");
    CHECK(complaint("3") == "`cases[0]` is 3, it must be an object\n");
}

TEST_CASE("data is checked although nothing uses it yet") {
    const std::string head = R"("name": "a", "kind": "check", "data": )";
    const auto said = [&](const std::string& data) { return complaint("{" + head + data + "}"); };
    CHECK(said(R"({"x": {"gen": "uniform", "lo": 1}})") == "`cases[0].data.x.hi` is missing\n");
    CHECK(said(R"({"x": {"gen": "normal", "sdt": 1}})") ==
          "no key `cases[0].data.x.sdt`, did you mean `std`\n");
    CHECK(said(R"({"x": {"gen": "gauss"}})") ==
          "`cases[0].data.x.gen` is \"gauss\", it must be one of `normal`, `uniform`, `ramp`, "
          "`permutation`, `zipf`, `one_hot`, `ties`, `tiny`, `huge`, `constant_rows`\n");
    CHECK(said(R"({"x": {"gen": "ramp", "start": []}})") ==
          "`cases[0].data.x.start` is [], it must be a number or an expression\n");
    CHECK(said(R"({"x": [1, ["a"]]})") ==
          "`cases[0].data.x` is \"a\", it must be a list of numbers, booleans and lists of them\n");
    CHECK(said(R"({"x": "a"})") ==
          "`cases[0].data.x` is \"a\", it must be a number, a list, or an object with `file`, "
          "`expr` or `gen`\n");
    CHECK(said(R"({"x": {"file": "a.npy", "expr": "b"}})") ==
          "no key `cases[0].data.x.expr`; known keys: `file`\n");
    CHECK(said("3") == "`cases[0].data` is 3, it must be an object\n");
}

TEST_CASE("two cases cannot have one name") {
    CHECK(complaint(R"({"name": "a", "kind": "check"}, {"name": "a", "kind": "full"})") ==
          "`cases[1]` and `cases[0]` are both named `a`\n");
}

TEST_CASE("what is no file of cases at all is said in one sentence") {
    CHECK(whole_complaint("[]") == "error: cases.json: the file is [], it must be an object\n");
    CHECK(whole_complaint(R"({"schema": "slab.cases/2", "cases": []})") ==
          "error: cases.json: `schema` is \"slab.cases/2\", it must be \"slab.cases/1\"\n");
    CHECK(whole_complaint(R"({"schema": "slab.cases/1", "cases": {}})") ==
          "error: cases.json: `cases` is {}, it must be a list\n");
    CHECK(whole_complaint("{") ==
          "error: cases.json:1:2: not JSON: syntax error while parsing object key - unexpected end "
          "of input; expected string literal\n");
    CHECK(whole_complaint(R"({"schema": "slab.cases/1", "schema": "slab.cases/1", "cases": []})") ==
          "error: cases.json: `schema` stands twice\n");
    CHECK(whole_complaint(std::string(100, '[') + std::string(100, ']'))
              .find("deeper than any case needs") != std::string::npos);
}

TEST_CASE("cases stand beside the .slab file, and the folder names their kernel") {
    const Folder folder("softmax");
    const std::string file = folder.write("anything.slab", "");
    Diagnostics diags;
    CHECK(read_cases_beside(file, diags)->empty());
    folder.write("cases.json",
                 R"({"schema": "slab.cases/1", "cases": [{"name": "a", "kind": "full"}]})");
    const auto cases = read_cases_beside(file, diags);
    REQUIRE(cases.has_value());
    REQUIRE(cases->size() == 1);
    CHECK(cases->front().kernel == "softmax");
    CHECK(diags.empty());
    CHECK(cases_path("matmul.slab") == "cases.json");
    CHECK(cases_path("kernels/matmul/matmul.slab") == "kernels/matmul/cases.json");
}
