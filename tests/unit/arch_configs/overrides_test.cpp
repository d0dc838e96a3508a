#include <catch2/catch.hpp>

#include "user_chip.hpp"

namespace slab::arch {

namespace {

ChipFile changed(const std::string& chip, const Messages& overrides) {
    Diagnostics diags;
    auto file = read_chip(chip, overrides, diags);
    for (const Diagnostic& each : diags.messages()) FAIL_CHECK(each.headline());
    REQUIRE(file);
    return *file;
}

Messages refused(const Messages& overrides) {
    Diagnostics diags;
    CHECK_FALSE(read_chip("v6e", overrides, diags));
    CHECK(diags.exit_code() == 2);
    return headlines(diags);
}

ChipParameter shown(const ChipFile& chip, const std::string& path) {
    for (const ChipParameter& each : chip.parameters)
        if (each.path == path) return each;
    FAIL("no parameter " << path);
    return {};
}

}  // namespace

TEST_CASE("flag --set-chip sets the value as the file has it") {
    const ChipFile v6e =
        changed("v6e", {"hbm.bandwidth_gb_per_s=2000", "mxu.count=4", "mxu.accumulator_rows=1024",
                        "mxu.accumulate_in_place=true", "mxu.rows_per_cycle.bf16=1",
                        "dma.latency_us=1e-1"});
    CHECK(v6e.spec.hbm.bandwidth_gb_per_s == 2000);
    CHECK(v6e.spec.mxu.count == 4);
    CHECK(v6e.spec.mxu.accumulate_in_place);
    CHECK(v6e.spec.mxu.rows_per_cycle.at(DType::bf16) == 1);
    CHECK(v6e.spec.dma.latency_us == 0.1);
    const ChipParameter parameter = shown(v6e, "hbm.bandwidth_gb_per_s");
    CHECK(parameter.status == "assumed");
    CHECK(parameter.source == "set with --set-chip");
    CHECK(parameter.note == "the file says 1638");
}

TEST_CASE("flag --set-chip of a figure per chip is per chip too") {
    CHECK(changed("ironwood", {"hbm.bandwidth_gb_per_s=8000"}).spec.hbm.bandwidth_gb_per_s == 4000);
}

TEST_CASE("flag --set-chip may leave the range of the file, and the last one wins") {
    CHECK(changed("v6e", {"dma.latency_us=3", "dma.latency_us=5"}).spec.dma.latency_us == 5);
}

TEST_CASE("flag --set-chip gives a rate to a type the file has none for") {
    const ChipSpec spec = changed("v6e", {"mxu.rows_per_cycle.f8e4m3=4"}).spec;
    CHECK(spec.mxu.rows_per_cycle.at(DType::f8e4m3) == 4);
    CHECK(spec.peak_flops(DType::f8e4m3) == 0);
}

TEST_CASE("a wrong --set-chip is one sentence") {
    CHECK(
        refused({"hbm.bandwith_gb_per_s=1"}) ==
        Messages{"`--set-chip hbm.bandwith_gb_per_s=1`: no parameter `hbm.bandwith_gb_per_s`, did "
                 "you mean `hbm.bandwidth_gb_per_s`"});
    CHECK(refused({"latency_us=1"}) ==
          Messages{"`--set-chip latency_us=1`: no parameter `latency_us`, did you mean "
                   "`dma.latency_us`"});
    CHECK(refused({"=1"}) ==
          Messages{"`--set-chip =1`: no parameter ``, `slab chips NAME` lists them"});
    CHECK(refused({"dma.latency_us"}) ==
          Messages{"`--set-chip dma.latency_us` has no `=`, it is written path=value, as in "
                   "hbm.bandwidth_gb_per_s=2000"});
    for (const std::string value : {"fast", "", "1x", "nan", "inf", "1e999", "0x10", " 1"})
        CHECK(
            refused({"dma.latency_us=" + value}) ==
            Messages{"`--set-chip dma.latency_us=" + value + "`: `" + value + "` is not a number"});
    CHECK(refused({"mxu.count=1.5"}) ==
          Messages{"`--set-chip mxu.count=1.5`: `1.5` is not a whole number"});
    CHECK(refused({"vpu.native_16bit=1"}) ==
          Messages{"`--set-chip vpu.native_16bit=1`: `1` is not true or false"});
    CHECK(
        refused({"clock.nominal_ghz=0"}) ==
        Messages{"`--set-chip clock.nominal_ghz=0`: `clock.nominal_ghz` must be between 0.001 and "
                 "100 GHz"});
    CHECK(refused({"mxu.native_pairs=bf16"}) ==
          Messages{"`--set-chip mxu.native_pairs=bf16`: `mxu.native_pairs` is a list and can only "
                   "be changed in a chip file"});
}

TEST_CASE("flag --set-chip is checked against the other numbers") {
    CHECK(refused({"clock.sustained_ghz=2"}) ==
          Messages{"v6e.json: `clock.sustained_ghz` is 2, more than `clock.nominal_ghz`, which is "
                   "1.75"});
}

TEST_CASE("flag --set-chip on a broken file leaves the words to the reader") {
    Json chip = toy();
    chip["hbm"] = 1;
    CHECK(complaints(chip.dump(), {"hbm.bytes=8192"}) ==
          Messages{"my.json: `hbm` is a number, it must be an object"});
    CHECK(complaints("[]", {"hbm.bytes=8192"}) ==
          Messages{"my.json: a chip file is an object, this is an empty list"});
}

}  // namespace slab::arch
