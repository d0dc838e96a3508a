#include "sim/timing/hbm_channels.hpp"

#include <algorithm>

#include <catch2/catch.hpp>

using namespace slab;
using namespace slab::sim::timing;

namespace {

/// Round numbers: 8 channels of 32 GB/s, so that a burst of 32 B takes 1 ns; no refresh.
arch::DramSpec round_dram() {
    arch::DramSpec dram;
    dram.channels = 8;
    dram.burst_bytes = 32;
    dram.row_bytes = 1024;
    dram.interleave_bytes = 256;
    dram.banks = 32;
    dram.bank_groups = 4;
    dram.queue_bursts = 64;
    dram.tccd_l_ns = 2;
    dram.trcd_ns = 14;
    dram.trp_ns = 14;
    dram.trc_ns = 45;
    dram.trrd_ns = 2;
    dram.tfaw_ns = 16;
    dram.trtp_ns = 5;
    dram.twr_ns = 15;
    dram.trl_ns = 18;
    dram.twl_ns = 7;
    dram.twtr_ns = 6;
    dram.trtw_ns = 2;
    dram.trfc_ns = 0;
    dram.trefi_ns = 4000;
    return dram;
}

constexpr double channel_gb_per_s = 32;
constexpr double mib = 1 << 20;

HbmChannels channels(const arch::DramSpec& dram) {
    return {dram, dram.channels * channel_gb_per_s};
}

/// Bytes per ns over all channels.
double rate(const arch::DramSpec& dram, double run_bytes, bool write = false) {
    const double bytes = 64 * mib;
    return bytes / channels(dram).use({bytes, bytes / run_bytes, write}).busy_ns;
}

}  // namespace

TEST_CASE("a long run hits open rows and reaches the peak but for refresh") {
    arch::DramSpec dram = round_dram();
    CHECK(rate(dram, mib) == Approx(8 * channel_gb_per_s));
    CHECK(rate(dram, mib, true) == Approx(8 * channel_gb_per_s));
    dram.trfc_ns = 400;  // of 4000
    CHECK(rate(dram, mib) == Approx(0.9 * 8 * channel_gb_per_s));
}

TEST_CASE("short runs at random in a single bank take a row cycle each") {
    arch::DramSpec dram = round_dram();
    dram.channels = dram.banks = dram.bank_groups = 1;
    CHECK(channels(dram).use({64 * 1000.0, 1000, false}).busy_ns == Approx(1000 * 45));
    dram.trc_ns = 44;
    CHECK(channels(dram).use({64 * 1000.0, 1000, false}).busy_ns == Approx(1000 * 44));
    // two bursts, write latency, recovery and both ends of the row take longer than that
    CHECK(channels(dram).use({64 * 1000.0, 1000, true}).busy_ns ==
          Approx(1000 * (14 + 2 + 7 + 1 + 15 + 14)));
}

TEST_CASE("short runs in many banks are bound by four activations in a window") {
    arch::DramSpec dram = round_dram();
    CHECK(rate(dram, 64) == Approx(8 * 64 / 4.0));
    CHECK(rate(dram, 128) == Approx(8 * 128 / 4.0));
    CHECK(rate(dram, 256) == Approx(8 * 256 / 8.0));  // eight bursts hide the activation
    dram.tfaw_ns = 4;
    CHECK(rate(dram, 64) == Approx(8 * 64 / 2.1).epsilon(0.1));  // the bus, nearly
    dram.trrd_ns = 8;
    CHECK(rate(dram, 64) == Approx(8 * 64 / 8.0));
}

TEST_CASE("fewer banks than a row cycle needs hold visits up") {
    arch::DramSpec dram = round_dram();
    dram.tfaw_ns = 0;
    dram.banks = 4;
    CHECK(rate(dram, 64) == Approx(8 * 64 / (45.0 / 4)).epsilon(0.01));
    dram.queue_bursts = 2;  // one visit waits and one is served, in 1.75 of 4 banks on average
    CHECK(rate(dram, 64) == Approx(8 * 64 / (45.0 / 1.75)));
}

TEST_CASE("one bank group halves a stream whose bursts follow at half the rate in it") {
    arch::DramSpec dram = round_dram();
    dram.bank_groups = 1;
    CHECK(rate(dram, mib) == Approx(8 * channel_gb_per_s / 2));
}

TEST_CASE("a run uses as many channels as it has pieces") {
    const HbmChannels all = channels(round_dram());
    CHECK(all.use({256, 1, false}).share == Approx(1.0 / 8));
    CHECK(all.use({257, 1, false}).share == Approx(2.0 / 8));
    CHECK(all.use({8 * 256, 1, false}).share == Approx(1));
    CHECK(all.use({9 * 256, 1, false}).share == Approx(9.0 / 16));  // one channel has two
    CHECK(all.use({256, 1, false}).busy_ns == Approx(8));
    CHECK(all.use({8 * 256, 1, false}).busy_ns == Approx(8));
}

TEST_CASE("a burst is moved whole, however few of its bytes are wanted") {
    const HbmChannels all = channels(round_dram());
    CHECK(all.use({33 * 8.0, 8, false}).busy_ns == all.use({64 * 8.0, 8, false}).busy_ns);
    CHECK(all.use({0, 0, false}).busy_ns == 0);
    CHECK(all.use({0, 5, false}).share == 0);
}

TEST_CASE("turns between reads and writes cost time, less with longer turns") {
    arch::DramSpec dram = round_dram();
    // 64 bursts each way, then 2 ns one way and 6 + 18 the other
    CHECK(channels(dram).share_of_turns(1, 1) == Approx(128.0 / (128 + 26)));
    CHECK(channels(dram).share_of_turns(2, 2) == Approx(256.0 / (256 + 26)));
    dram.queue_bursts = 16;
    CHECK(channels(dram).share_of_turns(1, 1) == Approx(32.0 / (32 + 26)));
}

TEST_CASE(
    "more channels, more banks or longer runs are never slower, and no access beats the peak") {
    for (const bool write : {false, true})
        for (double run = 32; run <= mib; run *= 2) {
            arch::DramSpec dram = round_dram();
            double before = 0;
            for (int count : {1, 2, 3, 4, 7, 8, 16, 64, 100, 128}) {
                dram.channels = count;
                const double now = rate(dram, run, write);
                INFO(run << " B, " << count << " channels");
                CHECK(now >= before * (1 - 1e-9));
                CHECK(now <= count * channel_gb_per_s * (1 + 1e-9));
                before = now;
            }
            before = 0;
            dram = round_dram();
            for (int banks : {4, 8, 16, 32, 64}) {
                dram.banks = banks;
                CHECK(rate(dram, run, write) >= before * (1 - 1e-9));
                before = rate(dram, run, write);
            }
            CHECK(rate(dram, 2 * run, write) >= rate(dram, run, write) * (1 - 1e-9));
        }
}

TEST_CASE("the time of all channels is enough for every byte at the peak") {
    const arch::DramSpec dram = round_dram();
    for (double runs : {1.0, 3.0, 17.0, 1000.0})
        for (double run : {1.0, 31.0, 64.0, 300.0, 5000.0, 123456.0}) {
            const ChannelUse use = channels(dram).use({runs * run, runs, false});
            CHECK(use.share > 0);
            CHECK(use.share <= 1 + 1e-12);
            CHECK(use.busy_ns * use.share * dram.channels * channel_gb_per_s >=
                  runs * run * (1 - 1e-12));
        }
}
