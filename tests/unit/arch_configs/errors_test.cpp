#include <catch2/catch.hpp>

#include "user_chip.hpp"

namespace slab::arch {

namespace {

/// The toy with one place changed.
Messages with(const std::string& pointer, const Json& value) {
    Json chip = toy();
    chip[Json::json_pointer(pointer)] = value;
    return complaints(chip.dump());
}

Messages without(const std::string& group, const std::string& key) {
    Json chip = toy();
    chip[Json::json_pointer(group)].erase(key);
    return complaints(chip.dump());
}

Messages replaced(const std::string& before, const std::string& after) {
    std::string text = toy_text();
    text.replace(text.find(before), before.size(), after);
    return complaints(text);
}

}  // namespace

TEST_CASE("the toy is a chip file a user may copy") {
    CHECK(complaints(toy_text()) == Messages{});
    CHECK(complaints("\xEF\xBB\xBF" + toy_text()) == Messages{});
}

TEST_CASE("keys are known, complete and written once") {
    CHECK(with("/hbm/bandwith_gb_per_s", 1) ==
          Messages{"my.json: no key `hbm.bandwith_gb_per_s` in a chip file, did you mean "
                   "`bandwidth_gb_per_s`"});
    CHECK(with("/vmen", Json::object()) ==
          Messages{"my.json: no key `vmen` in a chip file, did you mean `vmem`"});
    CHECK(
        with("/mxu/rows_per_cycle/bff16", 1) ==
        Messages{"my.json: no key `mxu.rows_per_cycle.bff16` in a chip file, did you mean `bf16`"});
    CHECK(with("/hbm/bytes/sorce", "x") ==
          Messages{"my.json: no key `hbm.bytes.sorce` in a chip file, did you mean `source`"});
    CHECK(without("/hbm", "bytes") ==
          Messages{"my.json: `hbm.bytes` is missing, an object of value, "
                   "unit (`B`), status and source"});
    CHECK(without("", "dma") == Messages{"my.json: `dma` is missing, an object"});
    CHECK(without("", "title") == Messages{"my.json: `title` is missing, a text"});
    CHECK(without("", "cores_per_chip") ==
          Messages{"my.json: `cores_per_chip` is missing, a whole number"});
    CHECK(without("/xlu/count", "value") ==
          Messages{"my.json: `xlu.count.value` is missing, in `units`"});
    CHECK(without("/xlu/count", "source") ==
          Messages{"my.json: `xlu.count.source` is missing, a text"});
    CHECK(replaced("\"smem\": {", "\"smem\": {\"bytes\": 1,") ==
          Messages{"my.json: `smem.bytes` stands twice"});
}

TEST_CASE("values have their type") {
    CHECK(with("/hbm/bytes/value", "16 GB") ==
          Messages{"my.json: `hbm.bytes.value` is a text, it must be a whole number"});
    CHECK(with("/dma/latency_us/value", nullptr) ==
          Messages{"my.json: `dma.latency_us.value` is null, it must be a number"});
    CHECK(
        with("/mxu/accumulate_in_place/value", 1) ==
        Messages{"my.json: `mxu.accumulate_in_place.value` is a number, it must be true or false"});
    CHECK(with("/mxu/count/value", 1.5) ==
          Messages{"my.json: `mxu.count.value` is 1.5, it must be a whole number"});
    CHECK(with("/hbm/bytes", 1000) == Messages{"my.json: `hbm.bytes` is a number, it must be an "
                                               "object of value, unit, status and source"});
    CHECK(with("/hbm", Json::array()) ==
          Messages{"my.json: `hbm` is an empty list, it must be an object"});
    CHECK(with("/xlu/count/unit", 3) ==
          Messages{"my.json: `xlu.count.unit` is a number, it must be a text"});
    CHECK(with("/aliases", "x") ==
          Messages{"my.json: `aliases` is a text, it must be a list of texts"});
    CHECK(with("/aliases", {"x", 1}) == Messages{"my.json: `aliases` holds 1, it must hold texts"});
    CHECK(complaints("[1]") == Messages{"my.json: a chip file is an object, this is a list"});
}

TEST_CASE("operand types are lists of element types") {
    const std::string place = "/mxu/native_pairs/value";
    CHECK(with(place, Json::array()) ==
          Messages{"my.json: `mxu.native_pairs.value` is an empty list, it must be a list of "
                   "{\"lhs\": [types], \"rhs\": [types]}"});
    CHECK(with(place, {"bf16"}) ==
          Messages{"my.json: `mxu.native_pairs.value` holds \"bf16\", it must hold {\"lhs\": "
                   "[types], \"rhs\": [types]}"});
    CHECK(with(place + "/0/lhs", {"bf61"}) ==
          Messages{"my.json: `mxu.native_pairs.value` names the type \"bf61\", the types are f32 "
                   "bf16 f8e4m3 f8e5m2 i32 u32 i16 u16 i8 u8 i4 u4"});
    CHECK(with(place + "/0/rhs", {"i32"}) ==
          Messages{"my.json: `mxu.native_pairs` multiplies i32, so `mxu.rows_per_cycle.i32` is "
                   "needed"});
}

TEST_CASE("units are those of the table, per chip only where that makes sense") {
    CHECK(with("/hbm/bandwidth_gb_per_s/unit", "GiB/s") ==
          Messages{"my.json: `hbm.bandwidth_gb_per_s.unit` is `GiB/s`, it must be `GB/s` or `GB/s "
                   "per chip`"});
    CHECK(with("/vmem/bytes/unit", "B per chip") ==
          Messages{"my.json: `vmem.bytes.unit` is `B per chip`, it must be `B`"});
    CHECK(with("/hbm/bandwidth_gb_per_s/unit", "GB/s") == Messages{});
}

TEST_CASE("every number says where it is from") {
    CHECK(with("/xlu/count/status", "guessed") ==
          Messages{"my.json: `xlu.count.status` is `guessed`, it must be one of documented, "
                   "measured, inferred, unknown, fitted, assumed"});
    CHECK(with("/xlu/count/source", "") ==
          Messages{"my.json: `xlu.count.source` is an empty text"});
    CHECK(with("/xlu/count/status", "unknown") ==
          Messages{"my.json: `xlu.count` is unknown and needs a `range`, [lowest, highest] of what "
                   "may be true"});
    CHECK(
        with("/xlu/count/status", "fitted") ==
        Messages{"my.json: `xlu.count.range` is missing, [lowest, highest] of what a fit may give",
                 "my.json: `xlu.count.default` is missing, the value before the fit"});
}

TEST_CASE("a range has two ends around the value") {
    CHECK(with("/xlu/count/range", {4, 1}) ==
          Messages{"my.json: `xlu.count.range` is [4,1], it must be [lowest, highest]"});
    CHECK(with("/xlu/count/range", "1-4") ==
          Messages{"my.json: `xlu.count.range` is \"1-4\", it must be [lowest, highest]"});
    CHECK(with("/xlu/count/range", {2, 4}) ==
          Messages{"my.json: `xlu.count` is 1, outside its own range of 2 to 4"});
    CHECK(with("/xlu/count/range", {0, 4}) ==
          Messages{"my.json: `xlu.count.range` is 0 to 4, it must lie between 1 and 64 units"});
    CHECK(with("/vpu/native_16bit/range", {0, 1}) ==
          Messages{"my.json: `vpu.native_16bit` is not a number and has no `range`"});
    CHECK(with("/xlu/count/range", {1, 4}) == Messages{});
}

TEST_CASE("nothing is accepted that no machine can be") {
    CHECK(
        with("/clock/nominal_ghz/value", 0) ==
        Messages{"my.json: `clock.nominal_ghz.value` is 0, it must be between 0.001 and 100 GHz"});
    CHECK(with("/mxu/dim/value", 0) ==
          Messages{"my.json: `mxu.dim.value` is 0, it must be between 1 and 4096 elements"});
    CHECK(with("/vpu/store_slots/value", -1) ==
          Messages{"my.json: `vpu.store_slots.value` is -1, it must be between 0.01 and 64 slots"});
    CHECK(with("/hbm/bytes/value", 1e300) ==
          Messages{"my.json: `hbm.bytes.value` is 1e+300, it must be between 4096 and "
                   "1e+15 B"});
    CHECK(
        with("/hbm/stream_efficiency/value", 1.01) ==
        Messages{"my.json: `hbm.stream_efficiency.value` is 1.01, it must be between 0.01 and 1"});
    CHECK(with("/cores_per_chip", 0) ==
          Messages{"my.json: `cores_per_chip` is 0, it must be between 1 and 64"});
}

TEST_CASE("numbers agree with each other") {
    CHECK(with("/clock/sustained_ghz/value", 1.5) ==
          Messages{"my.json: `clock.sustained_ghz` is 1.5, more than `clock.nominal_ghz`, which is "
                   "1"});
    CHECK(
        with("/vmem/scoped_limit_bytes/value", 2097152) ==
        Messages{"my.json: `vmem.scoped_limit_bytes` is 2097152, more than `vmem.bytes`, which is "
                 "1048576"});
    CHECK(with("/mxu/accumulate_in_place/value", true) ==
          Messages{"my.json: `mxu.accumulate_in_place` is true and `mxu.accumulator_rows` is 0, at "
                   "least 1 is needed"});
}

TEST_CASE("bursts fit pieces, pieces rows, and refresh leaves time for them") {
    CHECK(with("/dram/burst_bytes/value", 65) ==
          Messages{"my.json: `dram.burst_bytes` is 65, more than `dram.interleave_bytes`, which is "
                   "64"});
    CHECK(with("/dram/interleave_bytes/value", 65) ==
          Messages{"my.json: `dram.interleave_bytes` is 65, more than `dram.row_bytes`, which is "
                   "64"});
    CHECK(with("/dram/bank_groups/value", 5) ==
          Messages{"my.json: `dram.bank_groups` is 5, more than `dram.banks`, which is 4"});
    CHECK(with("/dram/trfc_ns/value", 1000) ==
          Messages{"my.json: `dram.trfc_ns` is 1000, it must be less than `dram.trefi_ns`, which "
                   "is 1000"});
    CHECK(with("/cores_per_chip", 2) ==
          Messages{"my.json: `dram.channels` is 0, it must be at least one per core"});
}

TEST_CASE("all that is wrong with a file is said at once") {
    Json chip = toy();
    chip["schema"] = "slab.chip/2";
    chip["hbm"]["bytes"]["value"] = -1;
    chip["xlu"].erase("count");
    chip["extra"] = 1;
    CHECK(
        complaints(chip.dump()) ==
        Messages{"my.json: `schema` is `slab.chip/2`, this slab reads `slab.chip/1`",
                 "my.json: `hbm.bytes.value` is -1, it must be between 4096 and 1e+15 B",
                 "my.json: no key `extra` in a chip file",
                 "my.json: `xlu.count` is missing, an object of value, unit (`units`), status and "
                 "source"});
}

TEST_CASE("what is not JSON is named with line and column") {
    CHECK(replaced("\"name\": \"toy\",", "\"name\": \"toy\"") ==
          Messages{"my.json:4:9: not JSON: syntax error while parsing object - unexpected string "
                   "literal; expected '}'"});
    CHECK(complaints("{\"näme\": NaN}") ==
          Messages{"my.json:1:10: not JSON: syntax error while parsing value - invalid literal"});
    CHECK(complaints("{") ==
          Messages{"my.json:1:2: not JSON: syntax error while parsing object key - unexpected end "
                   "of input; expected string literal"});
    CHECK(complaints("{\n\"a\": 1e999}") ==
          Messages{"my.json:2:6: the number `1e999` is too large"});
    CHECK(complaints(std::string("{\0}", 3)) == Messages{"`my.json` is not a text: byte 1 is NUL"});
    CHECK(complaints("") == Messages{"`my.json` is empty, a chip file is a JSON object"});
    CHECK(complaints("{\"a\": \"\xff\"}") ==
          Messages{"my.json:1:8: not JSON: syntax error while parsing value - invalid string: "
                   "ill-formed UTF-8 byte"});
}

TEST_CASE("a file of brackets is refused before it is looked at") {
    CHECK(complaints(std::string(500000, '[') + std::string(500000, ']')) ==
          Messages{"my.json: brackets stand more than 32 deep, a chip file needs 6"});
    std::string objects;
    for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
    CHECK(complaints(objects + "1" + std::string(100000, '}')) ==
          Messages{"my.json: brackets stand more than 32 deep, a chip file needs 6"});
}

TEST_CASE("a file that cannot be read is one sentence") {
    const TemporaryFolder folder;
    Diagnostics diags;
    const std::string missing = folder / "none.json";
    CHECK_FALSE(read_chip(missing, {}, diags));
    const std::string directory = folder / "folder.json";
    std::filesystem::create_directory(directory);
    CHECK_FALSE(read_chip(directory, {}, diags));
    const std::string large = folder / "large.json";
    std::ofstream(large) << std::string(2 << 20, ' ');
    CHECK_FALSE(read_chip(large, {}, diags));
    const std::string link = folder / "null.json";
    std::filesystem::create_symlink("/dev/zero", link);
    CHECK_FALSE(read_chip(link, {}, diags));
    CHECK(headlines(diags, missing) ==
          Messages{"no file `none.json`", "`folder.json` is a directory, a chip file is needed",
                   "`large.json` has 2097152 bytes, a chip file has at most 1048576",
                   "cannot read `null.json`: it is not a regular file"});
    CHECK(diags.exit_code() == 2);
}

}  // namespace slab::arch
