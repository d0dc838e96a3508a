#include "cli/diagnostics_json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace slab;
using namespace slab::cli;
using Json = nlohmann::ordered_json;

TEST_CASE("a message as JSON holds all that the rendered one shows") {
    const SourceFile file("a.slab", "one\ntwo three\n");
    Diagnostics diags;
    diags.add<Diag::E0002>({8, 13}, "size", "three")
        .label("here")
        .note({0, 3}, "declared")
        .table({"a  1"})
        .because("a rule")
        .replace({8, 13}, "tree")
        .fix("x")
        .fix("y");
    const Json json = Json::parse(diagnostics_json(diags, &file));
    CHECK(json["schema"] == "slab.diagnostics/1");
    CHECK(json["file"] == "a.slab");
    REQUIRE(json["messages"].size() == 1);
    const Json& message = json["messages"][0];
    CHECK(message["code"] == "E0002");
    CHECK(message["kind"] == "error");
    CHECK(message["headline"] == "no size named `three`");
    CHECK(message["span"] == Json::parse(R"({"line": 2, "column": 5, "offset": 8,
                          "end_line": 2, "end_column": 10, "end_offset": 13})"));
    CHECK(message["label"] == "here");
    CHECK(message["notes"][0]["text"] == "declared");
    CHECK(message["notes"][0]["span"]["line"] == 1);
    CHECK(message["table"] == Json::parse(R"(["a  1"])"));
    CHECK(message["why"] == "a rule");
    CHECK(message["fixes"] == Json::parse(R"(["x", "y"])"));
    REQUIRE(message["edits"].size() == 1);
    CHECK(message["edits"][0]["span"] == message["span"]);
    CHECK(message["edits"][0]["text"] == "tree");
    CHECK(message["edits"][0]["line"] == "two tree");
}

TEST_CASE("a message about the command line has neither code nor place") {
    Diagnostics diags;
    diags.add<Diag::no_such_file>({}, "a\xff.slab");
    const Json json = Json::parse(diagnostics_json(diags, nullptr));
    CHECK(json["file"] == "");
    CHECK(json["messages"][0]["code"] == "");
    CHECK(json["messages"][0]["kind"] == "usage");
    CHECK(json["messages"][0]["span"].is_null());
    CHECK(json["messages"][0]["headline"] == "no file `a\xEF\xBF\xBD.slab`");
}

TEST_CASE("messages come in the order of their places") {
    const SourceFile file("a.slab", "one two");
    Diagnostics diags;
    diags.add<Diag::E0001>({4, 7}, "second");
    diags.add<Diag::E0001>({1, 3}, "first");
    const Json json = Json::parse(diagnostics_json(diags, &file));
    CHECK(json["messages"][0]["headline"] == "first");
}
