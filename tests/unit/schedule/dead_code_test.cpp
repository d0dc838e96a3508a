#include "compiler/schedule/dead_code.hpp"

#include <catch2/catch.hpp>

#include "compiler/schedule/print.hpp"
#include "programs.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;

namespace {

/// The operations of a region that are left, one a line.
std::vector<std::string> forwarded(const std::string& ops) {
    Program program = read(R"(program forwards chip toy lanes 128 sublanes 8
vmem 16384 of 65536
operand x: in hbm f32[8, 128] tile 8
buffer a: scratch vmem f32[8, 128] tile 8 copies 1 bytes 4096 at 0
buffer b: scratch vmem f32[8, 128] tile 8 copies 2 bytes 4096 at 4096
slot i: i32 = 0
slot n: i32 = 8
region r0 r0 flops 0 {
    %0 = splat.source (0.0): f32[1]
    %1 = broadcast.map %0: f32[8, 128]
)" + ops + R"(
}
body {
    region r0
}
)");
    forward_stores(program.regions[0], program);
    std::vector<std::string> left;
    bool inside = false;
    for (const std::string& line : lines(print(program))) {
        if (line == "}") inside = false;
        if (inside) left.push_back(line);
        if (line.find("%1 = ") == 0) inside = true;
    }
    return left;
}

using Lines = std::vector<std::string>;
const std::string all = "[0 +: 8, 0 +: 128]";

}  // namespace

TEST_CASE("a load takes the value of the store before it, and what is overwritten is not stored") {
    CHECK(forwarded("store %1, a" + all + "\n%2 = load a" + all + ": f32[8, 128]\n" +
                    "%3 = exp.map %2: f32[8, 128]\nstore %3, a" + all) ==
          Lines{"%3 = exp.map %1: f32[8, 128]", "store %3, a" + all});
    // also through memory twice
    CHECK(forwarded("store %1, a" + all + "\n%2 = load a" + all + ": f32[8, 128]\nstore %2, b" +
                    all + "\n%3 = load b" + all + ": f32[8, 128]\n%4 = exp.map %3: f32[8, 128]\n" +
                    "store %4, b" + all) ==
          Lines{"store %1, a" + all, "%4 = exp.map %1: f32[8, 128]", "store %4, b" + all});
}

TEST_CASE("other elements, or elements that may be others, stay in memory") {
    const std::string store = "store %1, a" + all;
    const std::string row = "%2 = load a[0 +: 1, 0 +: 128]: f32[1, 128]";
    const std::string use = "store %2, b[0 +: 1, 0 +: 128]";
    CHECK(forwarded(store + "\n" + row + "\n" + use + "\n" + store) ==
          Lines{store, row, use, store});
    // read before it is overwritten, by a load that has nothing to take its value from
    const std::string part = "%2 = load a[0 +: 1 step 2, 0 +: 128]: f32[1, 128]";
    CHECK(forwarded(store + "\n" + part + "\n" + use + "\n" + store) ==
          Lines{store, part, use, store});
    const std::string some = "store %1, b[0 +: n upto 8, 0 +: 128]";
    CHECK(forwarded(some + "\n" + some) == Lines{some, some});
    const std::string one = "store %1, b{i}" + all, other = "store %1, b{n}" + all;
    CHECK(forwarded(one + "\n" + other + "\n" + one) == Lines{other, one});
    CHECK(forwarded(one + "\n" + one) == Lines{one});
}
