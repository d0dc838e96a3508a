#include <set>

#include <catch2/catch.hpp>

#include "compiler/schedule/walker.hpp"
#include "running.hpp"

using namespace slab;
using namespace slab::interp;

namespace {

const char* const text =
    "kernel k(x: hbm f32[56, 16], out z: hbm f32[56, 16])\n"
    "grid (i in 7 par, j in 2 seq)\n  in a = x[i@8, j@8]\n  out b = z[i@8, j@8]\n{ b = a * 2 }";

/// Where the fetches of the input begin, in their order.
std::vector<std::pair<std::int64_t, std::int64_t>> fetches(const schedule::Program& program) {
    std::vector<std::pair<std::int64_t, std::int64_t>> starts;
    schedule::Walker walker(program);
    schedule::Event event;
    while (walker.next(event))
        if (event.kind == schedule::EventKind::copy && !event.write)
            starts.emplace_back(event.start[0], event.start[1]);
    return starts;
}

}  // namespace

TEST_CASE("a seed puts the steps of a `par` axis in another order, and every step is taken once") {
    const auto compiled = compiler::test::compile_text(text, "", "toy");
    REQUIRE(compiled.compiled);
    const auto plain = fetches(compiled.program());
    CHECK(fetches(shuffled(compiled.program(), 0)) == plain);
    std::set<std::vector<std::pair<std::int64_t, std::int64_t>>> orders;
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        auto order = fetches(shuffled(compiled.program(), seed));
        orders.insert(order);
        for (std::size_t i = 0; i < order.size(); i += 2) {
            CHECK(order[i].second == 0);  // the `seq` axis goes on as written
            CHECK(order[i + 1] == std::pair(order[i].first, std::int64_t{8}));
        }
        std::sort(order.begin(), order.end());
        CHECK(order == plain);
    }
    CHECK(orders.size() > 10);
}

TEST_CASE("a kernel that is right does not mind the order") {
    const auto plain = test::run_text(text);
    REQUIRE(plain.error() == "fine");
    for (std::uint64_t seed = 1; seed < 10; ++seed)
        CHECK(test::run_text(text, "", {}, "", {seed, false, {}}).arrays == plain.arrays);
}
