#include <limits>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "examples.hpp"
#include "report/report.hpp"

using namespace slab;
using namespace slab::report;
using Json = nlohmann::ordered_json;

namespace {

Json json_of(const result::Result& result, const Style& style = {}) {
    return Json::parse(render(result, Report::json, style));
}

}  // namespace

TEST_CASE("the JSON holds what the result holds") {
    const Json json = json_of(examples::flash_attention(), {.sizes = "S = 4096"});
    CHECK(json["schema"] == "slab.result/1");
    CHECK(json["kernel"] == "flash_attention");
    CHECK(json["sizes"] == "S = 4096");
    CHECK(json["chip"] == "v6e");
    CHECK(json["clock_ghz"] == 1.75);
    CHECK(json["time_us"] == 5000.0);
    CHECK(json["flops"] == 1'374'389'534'720);
    CHECK(json["roofline"]["bound"] == "vpu");
    CHECK(json["roofline"]["terms"]["mxu"]["time_us"] == 2750.0);
    CHECK(json["units"]["vpu"]["busy_fraction"] == 0.83);
    CHECK(json["units"]["ici"]["busy_cycles"] == 0.0);
    CHECK(json["waits"]["fetch of k"]["fraction"] == 0.02);
    CHECK(json["traffic"]["k"]["times_read"] == 3.1953125);
    CHECK(json["vmem"]["rows"][3]["padding_fraction"] == 0.9921875);
    CHECK(json["events"] == 91'203);
}

TEST_CASE("prints, copies that are small or empty, SMEM and messages are in the JSON") {
    result::Result result = examples::two_cores();
    result.prints = {"tile 3"};
    result.print_count = 200;
    result.vmem.smem_bytes = 4096;
    for (result::CoreResult& core : result.cores) {
        core.traffic[0].small_copies = 3;
        core.traffic[0].empty_copies = 2;
    }
    const Json json = json_of(result, {.messages = R"([{"a": 1}])"});
    CHECK(json["prints"] == Json({"tile 3"}));
    CHECK(json["print_count"] == 200);
    CHECK(json["smem"]["bytes"] == 4096);
    CHECK(json["traffic"]["a"]["small_copies"] == 6);
    CHECK(json["traffic"]["a"]["empty_copies"] == 4);
    CHECK(json["messages"][0]["a"] == 1);
    CHECK(json_of(result)["messages"] == Json::array());
}

TEST_CASE("cores are listed only if there are several") {
    CHECK_FALSE(json_of(examples::flash_attention()).contains("cores"));
    const Json json = json_of(examples::two_cores());
    REQUIRE(json["cores"].size() == 2);
    CHECK(json["cores"][0]["units"]["hbm"]["busy_fraction"] == 0.7);
    CHECK(json["units"]["hbm"]["busy_fraction"] == 0.8);
    CHECK(json["traffic"]["a"]["read_bytes"] == 2048);
}

TEST_CASE("a number has nine digits, a count has all of them") {
    result::Result result = examples::two_cores();
    result.time_us = 1.0 / 3;
    result.cycles = 1234567890123.0;
    result.hbm_bytes = std::numeric_limits<std::int64_t>::max();
    const std::string text = render(result, Report::json);
    CHECK_THAT(text, Catch::Contains("\"time_us\": 0.333333333,"));
    CHECK_THAT(text, Catch::Contains("\"cycles\": 1234567890000.0,"));
    CHECK_THAT(text, Catch::Contains("\"hbm_bytes\": 9223372036854775807,"));
}

TEST_CASE("the last bits of a sum do not show") {
    result::Result sum = examples::two_cores();
    result::Result same = sum;
    sum.time_us = 0.1 + 0.2;
    same.time_us = 0.3;
    REQUIRE(sum.time_us != same.time_us);
    CHECK(render(sum, Report::json) == render(same, Report::json));
}

TEST_CASE("what has no value is null") {
    result::Result result = examples::two_cores();
    result.hbm_bytes = 0;
    result.tflops = std::numeric_limits<double>::quiet_NaN();
    result.roofline.fraction = std::numeric_limits<double>::infinity();
    result.roofline.time_us = -0.0;
    for (result::CoreResult& core : result.cores) core.traffic[0].array_bytes = 0;
    const Json json = json_of(result);
    CHECK(json["roofline"]["intensity_flop_per_byte"].is_null());
    CHECK(json["tflops"].is_null());
    CHECK(json["roofline"]["fraction"].is_null());
    CHECK(json["roofline"]["time_us"].dump() == "0.0");
    CHECK(json["traffic"]["a"]["times_read"].is_null());
}

TEST_CASE("a result without work is complete JSON") {
    const Json json = json_of({});
    CHECK(json["steps"] == 0);
    CHECK(json["units"].is_object());
    CHECK(json["waits"].is_object());
    CHECK(json["traffic"].is_object());
    CHECK(json["roofline"]["terms"].is_object());
    CHECK(json["vmem"]["rows"].is_array());
}

TEST_CASE("a name that is not UTF-8 does not stop the report") {
    result::Result result = examples::two_cores();
    result.kernel = "caf\xe9";
    CHECK(json_of(result)["kernel"] == "caf\xef\xbf\xbd");
}

TEST_CASE("the same result gives the same JSON, with or without colour") {
    const result::Result result = examples::crowded();
    CHECK(render(result, Report::json) == render(result, Report::json, {.colour = true}));
}
