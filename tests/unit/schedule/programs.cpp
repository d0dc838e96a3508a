#include "programs.hpp"

#include <algorithm>
#include <sstream>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/verify.hpp"

namespace slab::schedule::testing {

Program read(const std::string& text) {
    const SourceFile source("test", text);
    Diagnostics diags;
    const auto program = parse_program(source, diags);
    INFO(render(diags, &source));
    REQUIRE(program.has_value());
    REQUIRE(verify(*program) == std::vector<std::string>{});
    return *program;
}

Program toy(const std::string& body) {
    return read(R"(
program toy chip toy lanes 2 sublanes 1
vmem 0 of 4096
operand a: in hbm f32[4, 4] tile 1
operand c: inout hbm f32[4, 4] tile 1
operand p: inout hbm f32[3, 3] tile 1
operand v: in hbm f32[8] tile 1
operand u: inout hbm f32[8] tile 1
buffer x: window vmem f32[2, 2] tile 1 copies 4 bytes 16 at 0
buffer y: window vmem f32[2, 2] tile 1 copies 4 bytes 16 at 64
buffer o: window vmem f32[2, 2] tile 1 copies 4 bytes 16 at 128
buffer w: window vmem f32[2] tile 1 copies 4 bytes 8 at 192
buffer z: window vmem f32[2] tile 1 copies 4 bytes 8 at 224
slot i: i32 = 0
slot j: i32 = 0
slot k: i32 = 0
slot t: i32 = 0
slot n: i32 = 2
slot m: i32 = 0
region r0 work flops 0 {
}
body {
)" + body + "}\n");
}

const char* const together = R"(program together chip toy lanes 128 sublanes 8
vmem 65536 of 262144
operand table: in hbm i32[4, 16] tile 8 resident table
operand hbm#1: in hbm bf16[64, 8, 128] tile 8
operand y: inout hbm bf16[4, 16, 128] tile 8
buffer table: scratch smem i32[4, 16] tile 1 copies 1 bytes 256 at 0
buffer "live pages": scratch smem i32[8] tile 1 copies 2 bytes 32 at 256
buffer kv: ring vmem bf16[16, 128] tile 8 copies 2 bytes 4096 at 0
buffer rows: window vmem bf16[8, 128] tile 8 copies 3 bytes 2048 at 8192
buffer out: ring vmem bf16[16, 128] tile 8 copies 2 bytes 4096 at 14336
buffer of#5: scratch vmem bf16[2, 8, 128] tile 8 copies 2 bytes 4096 at 22528
slot i: i32 = 0
slot p: i32 = 0
slot n: i32 = 3
slot kv_fill: i32 = 0
slot kv_take: i32 = 0
slot out_fill: i32 = 0
slot rows_next: i32 = 0
slot rows_now: i32 = 0
slot "me.r": i32 = 0
slot "me.s": i32 = 0
slot table: pred = false
mesh axis r = 2 slot "me.r"
mesh axis s = 4 slot "me.s"
semaphore got: dma[2, 4]
semaphore sent: dma
semaphore ready: count[2]
ring kv: buffer kv fill kv_fill take kv_take
ring out: buffer out fill out_fill
region r0 views flops 0 {
    %0 = load kv{kv_take}[0 +: 16, 0 +: 128]: bf16[16, 128]
    %1 = load of#5{1 - p}[0 +: 2, 0 +: 8, 0 +: 128] permuted (1, 0, 2) as bf16[16, 128][p, 0 +: 64 step 2]: bf16[64]
    %2 = load kv[0 +: 16, 0 +: 128] as f32[8, 128][0 +: 8, 0 +: 128]: f32[8, 128]
    %3 = load kv[p +: n upto 8, 0 +: 128] as u32[4, 128][0 +: 4, 0 +: 128] as u32[512][5 +: 1]: u32[1]
    store %0, out{out_fill}[0 +: 16, 0 +: 128]
    %4 = splat.source (table[i, p] + "live pages"{1}[p]): f32[1, 1]
}
body {
    barrier (r: 1 - "me.r", s: "me.s"), (r: "me.r", s: ("me.s" + 1) % 4)
    barrier all s
    while table[0, 0] < n and table atmost n*2 {
        set n = n - 1
        set "live pages"{1}[p + 1] = table[i, 3]
        if table {
            set table = "live pages"[0] == "live pages"{n}[0]
        }
    }
    for p in 0 .. 4 {
        fill kv {
            copy hbm hbm#1[table[i, p], 0 +: 8, 0 +: 128] -> kv{kv_fill}[p*8 +: 8, 0 +: 128] ring kv
            copy hbm hbm#1[0, 0 +: n upto 8, 0 +: 128] -> kv{kv_fill}[0 +: n upto 8, 0 +: 128] done sent prio 1
        }
        take kv {
            region r0
            put out {
                copy out{out_fill}[0 +: 16, 0 +: 128] -> hbm y[p, 0 +: 16, 0 +: 128] ring out
            }
        }
    }
    drain out
    wait sent for kv[0 +: n upto 8, 0 +: 128]
    send hbm y["me.r", 0 +: 16, 0 +: 128] -> hbm y["me.s", 0 +: 16, 0 +: 128] at (r: "me.r", s: 0) done sent arrive got[0, p % 4]
    wait got[0, p % 4] for hbm y["me.r", 0 +: 16, 0 +: 128]
    wait sent for hbm y[p, 0 +: 16, 0 +: 128]
    signal ready[1] at (r: 1 - "me.r", s: 2) by n + 1
    signal ready[0] at (r: 0, s: 0)
    wait ready[1] until n + 1
    copy of#5[0 +: 2, 0 +: 8, 0 +: 128] permuted (1, 0, 2) as bf16[16, 128][0 +: 16, 0 +: 128] -> kv{0}[0 +: 16, 0 +: 128]
    grid gather (i in 0 .. 8) {
        inout rows: buffer rows depth 3 ahead moves (i)
            slot rows_now
            fetch rows_next {
                for p in 0 .. 8 {
                    copy hbm hbm#1[table[0, p], i, 0 +: 128] -> rows{rows_next}[p, 0 +: 128] stream rows
                }
            }
            flush {
                copy rows{rows_now}[0 +: 8, 0 +: 128] -> hbm y[0, 0 +: 8, 0 +: 128] stream rows
            }
        in b = hbm#1[i, 0 +: 8, 0 +: 128] buffer rows depth 2 moves (i)
        assert i < 8 and not table, "a \"row\"\nout of range"
        print "row", i, f32(i)*0.5, table
        print ""
    }
}
)";

namespace {

std::string copy_word(const Event& event, const Program& program) {
    const Stream& stream = program.streams[static_cast<std::size_t>(event.id)];
    std::vector<std::int64_t> start, extent;
    bool usual = true;
    for (std::size_t d = 0; d < stream.dims.size(); ++d) {
        start.push_back(event.start[d]);
        extent.push_back(event.extent[d]);
        usual = usual && event.extent[d] == 2;
    }
    const std::string other = usual ? "" : fmt::format("({})", fmt::join(extent, ","));
    return fmt::format("{}{}{}{}/{}", stream.name, event.write ? ">" : "<", fmt::join(start, ","),
                       other, event.slot);
}

std::string word(const Event& event, const Program& program, const Walker& walker) {
    switch (event.kind) {
        case EventKind::step:
            return event.live ? "step" : "dead";
        case EventKind::iteration:
            return "for";
        case EventKind::branch:
            return event.live ? "if" : "else";
        case EventKind::set:
            return fmt::format("{}={}", program.slots[static_cast<std::size_t>(event.id)].name,
                               walker.integer(event.id));
        case EventKind::copy:
            return copy_word(event, program);
        case EventKind::wait:
            return fmt::format("{}{}/{}", program.streams[static_cast<std::size_t>(event.id)].name,
                               event.write ? "!" : "?", event.slot);
        case EventKind::region:
            return fmt::format("r{}", event.id);
        case EventKind::scope_begin:
            return "{";
        case EventKind::scope_end:
            return "}";
        default:
            break;
    }
    return "";
}

}  // namespace

std::vector<std::string> walk(const Program& program) {
    std::vector<std::string> result;
    Walker walker(program);
    Event event;
    while (walker.next(event)) {
        const bool begins =
            event.kind == EventKind::step || event.kind == EventKind::iteration || result.empty();
        const std::string text = word(event, program, walker);
        if (begins)
            result.push_back(text);
        else
            result.back() += ' ' + text;
    }
    if (walker.stop()) result.push_back(walker.stop()->headline);
    return result;
}

std::vector<std::string> walk(const std::string& body) {
    return walk(toy(body));
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
        if (!line.empty()) result.push_back(line);
    }
    return result;
}

}  // namespace slab::schedule::testing
