#include <algorithm>

#include <catch2/catch.hpp>

#include "report/program_report.hpp"
#include "sim/result/program_result.hpp"

using namespace slab;
using namespace slab::result;

namespace {

Result launched(const std::string& kernel, double time_us) {
    Result result;
    result.kernel = kernel;
    result.clock_ghz = 2;
    result.time_us = time_us;
    result.flops = 1'000'000;
    result.hbm_bytes = 4096;
    result.steps = 3;
    result.roofline.time_us = time_us / 4;
    result.roofline.bound = "hbm";
    result.cores.emplace_back().launch_cycles = 1000;  // half a microsecond
    return result;
}

ProgramResult sum(const std::vector<TimedLaunch>& launches) {
    ProgramResult program;
    program.program = "p";
    add_launches(program, launches);
    return program;
}

}  // namespace

TEST_CASE("launches follow one another, and those of one statement are one row") {
    const Result a = launched("a", 10), b = launched("b", 30);
    const ProgramResult program =
        sum({{1, "M=8", {"x", "y"}, &a}, {2, "", {}, &b}, {1, "M=8", {"x", "y"}, &a}});
    REQUIRE(program.rows.size() == 2);
    CHECK(program.rows[0].kernel == "a");
    CHECK(program.rows[0].count == 2);
    CHECK(program.rows[0].time_us == Approx(20));
    CHECK(program.rows[0].fraction == Approx(0.4));
    CHECK(program.rows[0].launch_us == Approx(1));
    CHECK(program.rows[0].arguments == std::vector<std::string>{"x", "y"});
    CHECK(program.time_us == Approx(50));
    CHECK(program.launch_us == Approx(1.5));
    CHECK(program.roofline_us == Approx(12.5));
    CHECK(program.launches == 3);
    CHECK(program.flops == 3'000'000);
    CHECK(program.hbm_bytes == 3 * 4096);
    CHECK(program.steps == 9);
    CHECK(program.tflops == Approx(0.06));
    CHECK(program.hbm_gb_per_s == Approx(3 * 4096 / 50e3));
}

TEST_CASE("the same statement with other sizes is another row") {
    const Result a = launched("a", 10), larger = launched("a", 30);
    CHECK(sum({{1, "M=8", {}, &a}, {1, "M=16", {}, &larger}}).rows.size() == 2);
}

TEST_CASE("a program ends with the launch that has a fault") {
    Result a = launched("a", 10);
    const Result b = launched("b", 30);
    a.fault = "division by zero";
    const ProgramResult program = sum({{1, "", {}, &b}, {2, "", {}, &a}, {3, "", {}, &b}});
    CHECK(program.fault == "a: division by zero");
    CHECK(program.launches == 2);
    const std::string screen = report::render_program_screen(program);
    CHECK(screen.find("\nstopped early: a: division by zero; below is the part that ran\n") !=
          std::string::npos);
}

TEST_CASE("a program without launches takes no time") {
    const ProgramResult program = sum({});
    CHECK(program.time_us == 0);
    CHECK(report::render_program_screen(program).find("0 launches") != std::string::npos);
}

TEST_CASE("the screen has a row for each statement, and one for those beyond the space") {
    const Result a = launched("a", 10);
    std::vector<TimedLaunch> launches;
    for (std::size_t i = 0; i < 40; ++i) launches.push_back({i, "M=8", {}, &a});
    const std::string screen = report::render_program_screen(sum(launches));
    CHECK(screen.find("\n11 others") != std::string::npos);
    CHECK(std::count(screen.begin(), screen.end(), '\n') < 45);
}
