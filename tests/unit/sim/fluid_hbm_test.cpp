#include "sim/memory/fluid_hbm.hpp"

#include <map>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/clock.hpp"
#include "sim/simulation_scope.hpp"

using namespace slab;
using namespace slab::sim;
using sc_core::sc_time;

namespace {

sc_time ns(double value) {
    return CoreClock::from_us(value / 1e3);
}

/// An HBM of one byte per ns and a client that notes when each of its transfers was served.
struct Bench : MemoryClient {
    explicit Bench(double efficiency = 1, double run_overhead = 0)
        : hbm("hbm", {1 << 20, 1, efficiency}, run_overhead) {
        hbm.attach(*this);
    }

    void post(std::int32_t number, double arrival_ns, double bytes, bool write = false) {
        hbm.post({ns(arrival_ns), bytes, number, write});
    }
    void run() {
        hbm.commit();
        sc_core::sc_start();
    }
    void run_until(sc_time time) {
        hbm.commit();
        sc_core::sc_start(time - sc_core::sc_time_stamp());
    }
    double served_ns(std::int32_t number) const { return served_at.at(number).to_double() / 1e6; }
    void served(const Transfer& transfer) override {
        order.push_back(transfer.tag);
        served_at[transfer.tag] = sc_core::sc_time_stamp();
    }

    SimulationScope scope;
    FluidHbm hbm;
    std::map<std::int32_t, sc_time> served_at;
    std::vector<std::int32_t> order;
};

}  // namespace

TEST_CASE("a transfer alone takes its bytes over the bandwidth, to the femtosecond") {
    Bench bench;
    bench.post(0, 100, 1000);
    bench.run_until(ns(1100));  // excludes what happens at that time
    CHECK(bench.order.empty());
    bench.run_until(ns(1100) + sc_time::from_value(1));
    CHECK(bench.order.size() == 1);
}

TEST_CASE("the efficiency of streams divides the bandwidth") {
    Bench bench(0.5);
    bench.post(0, 0, 1000);
    bench.run();
    CHECK(bench.served_ns(0) == 2000);
}

TEST_CASE("a run costs its bytes and an overhead") {
    Bench bench(1, 50);
    bench.hbm.post({ns(0), 1000, 0, false, 4});
    bench.run();
    CHECK(bench.served_ns(0) == 1200);
    CHECK(bench.hbm.service_time() == ns(1200));
    CHECK(bench.hbm.time_alone({ns(0), 1000, 0, true, 2}) == ns(1100));
}

TEST_CASE("two transfers that arrive together share the bandwidth equally") {
    Bench bench;
    bench.post(0, 0, 1000);
    bench.post(1, 0, 500, true);
    bench.run();
    CHECK(bench.served_ns(1) == 1000);  // half the rate until then
    CHECK(bench.served_ns(0) == 1500);
}

TEST_CASE("a transfer that arrives in the middle slows the other from then on") {
    Bench bench;
    bench.post(0, 0, 1000);
    bench.post(1, 600, 1000);
    bench.run();
    CHECK(bench.served_ns(0) == 1400);  // 600 alone, 400 at half rate
    CHECK(bench.served_ns(1) == 2000);  // 400 so far, 600 alone
}

TEST_CASE(
    "transfers that end together are served in the order of their arrival by one activation") {
    Bench bench;
    for (std::int32_t i = 0; i < 10; ++i) bench.post(i, 50, 100);
    bench.run();
    CHECK(bench.order == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(bench.served_ns(9) == 1050);
    CHECK(bench.hbm.activations() == 1);
}

TEST_CASE("a request posted later but arriving earlier comes first") {
    Bench bench;
    bench.post(0, 1000, 100);
    bench.hbm.commit();
    bench.post(1, 200, 100, true);
    bench.run();
    CHECK(bench.served_ns(1) == 300);
    CHECK(bench.served_ns(0) == 1100);
}

TEST_CASE("a transfer of no bytes is served on arrival") {
    Bench bench;
    bench.post(0, 0, 0);
    bench.post(1, 70, 0);
    bench.post(2, 70, 30);
    bench.run();
    CHECK(bench.served_ns(0) == 0);
    CHECK(bench.served_ns(1) == 70);
    CHECK(bench.served_ns(2) == 100);
}

TEST_CASE("a request may be posted when another is served, and arrive at once") {
    struct Chain : Bench {
        void served(const Transfer& transfer) override {
            Bench::served(transfer);
            if (transfer.tag < 1000) {
                const double now_ns = sc_core::sc_time_stamp().to_double() / 1e6;
                post(transfer.tag + 1, now_ns, 7);
            }
        }
    } chain;
    chain.post(0, 10, 7);
    chain.run();
    CHECK(chain.served_ns(1000) == Approx(10 + 1001 * 7).epsilon(1e-12));
    CHECK(chain.hbm.activations() == 1001);
}
