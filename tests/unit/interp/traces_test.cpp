#include "interp/traces.hpp"

#include <catch2/catch.hpp>

using namespace slab;
using namespace slab::interp;

namespace {
std::string text(const Traces& traces, Trace trace) {
    std::string text;
    for (const Traces::Step& step : traces.path(trace))
        text += (text.empty() ? "" : " > ") + step.what;
    return text;
}
}  // namespace

TEST_CASE("a trace remembers where something undefined came from and what it went through") {
    Traces traces;
    const Trace origin = traces.origin(1, "a", {});
    CHECK(traces.origin(1, "a", {}) == origin);
    const Trace stored = traces.moved(origin, 2, "b", {});
    CHECK(text(traces, stored) == "a > b");
    CHECK(text(traces, traces.moved(stored, 3, "c", {})) == "a > b > c");
    CHECK(traces.path(0).empty());
}

TEST_CASE("a path that comes by twice does not grow") {
    Traces traces;
    const Trace once = traces.moved(traces.origin(1, "a", {}), 2, "b", {});
    CHECK(traces.moved(once, 2, "b", {}) == once);
    const Trace on = traces.moved(once, 3, "c", {});
    CHECK(traces.moved(on, 2, "b", {}) == once);
}

TEST_CASE("when all numbers are taken, a trace keeps its last place") {
    Traces traces;
    Trace last = 0;
    for (int i = 0; i < 70000; ++i) last = traces.origin(i, "o", {});
    CHECK(last != 0);
    CHECK(traces.moved(last, 1 << 20, "moved", {}) == last);
}
