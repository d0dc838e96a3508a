#include "report/cores.hpp"

#include <catch2/catch.hpp>

#include "examples.hpp"

using namespace slab;
using namespace slab::report;

TEST_CASE("the core that took longest speaks for the units") {
    const result::Result result = examples::two_cores();
    CHECK(slowest_core(result) == 1);
    CHECK(slowest(result).cycles == 1000);
    CHECK(dead_steps(result) == 1);
}

TEST_CASE("a result without cores is idle") {
    CHECK(slowest_core({}) == 0);
    CHECK(slowest({}).cycles == 0);
    CHECK(total_traffic({}).empty());
}

TEST_CASE("bytes are summed over the cores, and so are their arrays") {
    const auto traffic = total_traffic(examples::two_cores());
    REQUIRE(traffic.size() == 2);
    CHECK(traffic[0].operand == "a");
    CHECK(traffic[0].read_bytes == 2048);
    CHECK(traffic[0].array_bytes == 2048);
    CHECK(traffic[0].copies == 8);
    CHECK(traffic[1].written_bytes == 2048);
}
