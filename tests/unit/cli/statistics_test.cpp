#include "cli/statistics.hpp"

#include <catch2/catch.hpp>

using namespace slab::cli;

TEST_CASE("a quantile lies between values, and a heavier one pulls it") {
    CHECK(quantile({}, 0.5) == 0);
    CHECK(quantile({{3}}, 0.9) == 3);
    CHECK(quantile({{3}, {1}, {2}}, 0.5) == 2);
    CHECK(quantile({{4}, {1}, {2}, {3}}, 0.5) == 2.5);
    CHECK(quantile({{1, 1}, {2, 1}, {10, 8}}, 0.5) > 7);
    CHECK(quantile({{1}, {2}, {3}, {4}, {5}}, 1) == 5);
}

TEST_CASE("errors are summed up with their signs and without") {
    const ErrorSummary errors = summary({{-0.2}, {0.1}, {0.1}, {-0.3}});
    CHECK(errors.count == 4);
    CHECK(errors.median == Approx(0.15));
    CHECK(errors.bias == Approx(-0.05));
    CHECK(errors.worst == -0.3);
}

TEST_CASE("a ranking counts pairs that are told apart, and what the wrong choice costs") {
    // measured, simulated: the first two are a tie on hardware, the third is better than it seems
    const RankSummary ranks = ranking({{1.00, 2}, {1.02, 1}, {0.5, 3}, {4, 9}}, 0.05);
    CHECK(ranks.pairs == 5);
    CHECK(ranks.ordered == 3);
    CHECK(ranks.regret == Approx(1.02 / 0.5 - 1));
    CHECK(ranking({{1, 5}, {2, 6}, {3, 7}}, 0.05).tau == 1);
    CHECK(ranking({{1, 7}, {2, 6}, {3, 5}}, 0.05).tau == -1);
    CHECK(ranking({{1, 1}}, 0.05).pairs == 0);
}

TEST_CASE("a ladder counts the steps that matter, and which of them go the same way") {
    const LadderSummary steps = ladder({{10, 20}, {9, 18}, {8.9, 30}, {5, 31}, {6, 32}}, 0.03);
    CHECK(steps.steps == 3);
    CHECK(steps.agreed == 2);
}
