#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "examples.hpp"
#include "report/program_report.hpp"

// docs/json.md lists every field in order, so that the page cannot drift from the code.
using namespace slab::report;
using Json = nlohmann::ordered_json;

namespace {

/// Objects whose keys are names of the chip or the kernel.
const std::map<std::string, std::string> named_by = {{"roofline.terms", "<term>"},
                                                     {"units", "<unit>"},
                                                     {"waits", "<cause>"},
                                                     {"traffic", "<operand>"},
                                                     {"sensitivity.influences", "<number>"}};

const slab::result::Sensitivity sensitivity{0.1, 12, 9, {{"hbm", "bandwidth of HBM", 11, 10}}};

/// Documented as being like another object.
const std::set<std::string> like_another = {"messages[]", "cores[].units", "cores[].waits",
                                            "cores[].traffic"};

std::string type_of(const Json& json) {
    if (json.is_number_integer()) return "integer";
    return json.type_name();
}

void collect(const Json& json, const std::string& path, std::vector<std::string>& fields) {
    if (json.is_array()) {
        REQUIRE_FALSE(json.empty());
        return collect(json.front(), path + "[]", fields);
    }
    if (!json.is_object() || like_another.contains(path)) {
        fields.push_back(path + ": " + type_of(json));
        return;
    }
    REQUIRE_FALSE(json.empty());
    if (const auto named = named_by.find(path); named != named_by.end())
        return collect(json.front(), path + '.' + named->second, fields);
    for (const auto& [key, value] : json.items())
        collect(value, path.empty() ? key : path + '.' + key, fields);
}

std::vector<std::string> emitted_fields() {
    std::vector<std::string> fields;
    slab::result::Result result = examples::two_cores();
    result.prints = {"tile 3"};
    result.hbm_model = "banked";
    Style style;
    style.messages = R"([{"code": "W02"}])";
    style.sensitivity = sensitivity;
    collect(Json::parse(render(result, Report::json, style)), "", fields);
    return fields;
}

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> all;
    std::istringstream rest(line.substr(1));
    for (std::string cell; std::getline(rest, cell, '|');) {
        const auto first = cell.find_first_not_of(' ');
        const auto last = cell.find_last_not_of(' ');
        all.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    return all;
}

std::vector<std::string> emitted_program_fields() {
    std::vector<std::string> fields;
    const slab::result::Result launched = examples::two_cores();
    slab::result::ProgramResult program;
    program.prints = {"layer 3"};
    program.hbm_model = "banked";
    slab::result::add_launches(program, {{0, "M=8", {"x", "y"}, &launched}});
    Style style;
    style.messages = R"([{"code": "W02"}])";
    style.sensitivity = sensitivity;
    collect(Json::parse(render_program_json(program, style)), "", fields);
    return fields;
}

/// The rows of the table below the heading of the schema as `path: type`.
std::vector<std::string> documented_fields(const std::string& schema) {
    std::ifstream page(SLAB_SOURCE_DIR "/docs/json.md");
    REQUIRE(page.good());
    std::vector<std::string> fields;
    bool ours = false;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("## ")) ours = line == "## " + schema;
        if (!ours || !line.starts_with("| `")) continue;
        const std::vector<std::string> row = cells(line);
        REQUIRE(row.size() == 4);
        CHECK_FALSE(row[3].empty());
        fields.push_back(row[0].substr(1, row[0].size() - 2) + ": " + row[1]);
    }
    return fields;
}

}  // namespace

TEST_CASE("docs/json.md lists every field of the JSON, in order and with its type") {
    CHECK(documented_fields("slab.result/1") == emitted_fields());
    CHECK(documented_fields("slab.program/1") == emitted_program_fields());
}
