#include "sim/timing/list_schedule.hpp"

#include <catch2/catch.hpp>

#include "sim/timing/pieces.hpp"
#include "sim/timing/timeline.hpp"

using namespace slab::sim::timing;

namespace {

Job pass(Unit unit, double cycles, std::int64_t pieces, int position = 0) {
    Job job;
    job.demand[unit] = cycles;
    job.pieces = pass_pieces(pieces);
    job.position = position;
    return job;
}

/// Looks so many operations ahead.
slab::arch::VpuSpec vpu(int lookahead = 64) {
    slab::arch::VpuSpec spec;
    spec.lookahead_ops = lookahead;
    return spec;
}

}  // namespace

TEST_CASE("jobs on different units overlap, on one unit they queue") {
    CHECK(list_schedule({pass(Unit::vpu, 100, 4), pass(Unit::eup, 80, 4)}, vpu()) == Approx(100));
    CHECK(list_schedule({pass(Unit::vpu, 100, 4), pass(Unit::vpu, 80, 4)}, vpu()) == Approx(180));
}

TEST_CASE("rows follow rows: a dependent pass lags by one piece and a latency") {
    std::vector<Job> jobs{pass(Unit::vpu, 160, 16), pass(Unit::eup, 160, 16, 1)};
    jobs[1].needs = {{0, Relation::rows, 5, false}};
    CHECK(list_schedule(jobs, vpu()) == Approx(160 + 10 + 5));
    jobs[1].needs[0].relation = Relation::whole;
    CHECK(list_schedule(jobs, vpu()) == Approx(160 + 5 + 160));
}

TEST_CASE("weights are loaded after they are there and before the rows") {
    std::vector<Job> jobs{pass(Unit::vpu, 100, 1), pass(Unit::mxu, 50, 1, 1)};
    jobs[1].weight_load = 64;
    jobs[1].needs = {{0, Relation::whole, 2, true}};
    CHECK(list_schedule(jobs, vpu()) == Approx(100 + 2 + 64 + 50));
    jobs[1].needs[0].weights = false;
    CHECK(list_schedule(jobs, vpu()) == Approx(100 + 2 + 50));
}

TEST_CASE("younger code takes the cycles that older code leaves free, not those it needs") {
    // the old chain waits 40 cycles between two passes, in which the young one finds 40 of its 60
    std::vector<Job> jobs{pass(Unit::vpu, 50, 1, 0), pass(Unit::vpu, 50, 1, 1),
                          pass(Unit::vpu, 60, 3, 2)};
    jobs[1].needs = {{0, Relation::whole, 40, false}};
    CHECK(list_schedule(jobs, vpu()) == Approx(50 + 40 + 50 + 20));
    std::swap(jobs[0].demand, jobs[2].demand);
    CHECK(list_schedule({jobs[0], jobs[1]}, vpu()) == Approx(60 + 40 + 50));
}

TEST_CASE("a timeline gives the first free cycles, and what lies between spans is kept") {
    Timeline line;
    CHECK(line.take(10, 5) == 15);
    CHECK(line.take(20, 5) == 25);
    CHECK(line.free_from(12) == 15);
    CHECK(line.free_from(15) == 15);
    CHECK(line.free_from(3) == 3);
    CHECK(line.take(12, 3) == 18);  // behind the first span
    CHECK(line.take(0, 11) == 19);  // 10 before all spans, and one behind
    CHECK(line.take(19, 4) == 28);  // one up to the last span, 3 behind
    CHECK(line.take(5, 0) == 28);
    CHECK(line.take(40, 1) == 41);
    CHECK(line.free_from(0) == 28);
}

TEST_CASE("work beyond the window of look-ahead waits until the oldest begins its last piece") {
    const std::vector<Job> jobs{pass(Unit::eup, 100, 4, 0), pass(Unit::vpu, 100, 4, 50)};
    CHECK(list_schedule(jobs, vpu()) == Approx(100));
    CHECK(list_schedule(jobs, vpu(10)) == Approx(75 + 100));
}

TEST_CASE("a dot finishes its rows in the last round and takes them in the first") {
    DotOrder order;
    order.row_groups = 128;
    order.rounds = 8;
    const std::vector<Piece> pieces = dot_pieces(order);
    double share = 0;
    for (const Piece& piece : pieces) share += piece.share;
    CHECK(share == Approx(1));
    CHECK(pieces.front().needs == Approx(1.0 / 16));
    CHECK(pieces[15].needs == Approx(1));
    CHECK(pieces[pieces.size() - 17].rows_done == 0);
    CHECK(pieces.back().rows_done == 1);
    CHECK(last_round(pieces, order) == pieces.size() - 16);
    CHECK(pieces.size() <= 48);
}

TEST_CASE("accumulators finish a block of rows before the next") {
    DotOrder order;
    order.row_groups = 256;
    order.rounds = 4;
    order.row_blocks = 2;
    const std::vector<Piece> pieces = dot_pieces(order);
    CHECK(pieces[pieces.size() / 2 - 1].rows_done == Approx(0.5));
    CHECK(pieces[pieces.size() / 2].needs == Approx(0.5 + 1.0 / 16));
}
