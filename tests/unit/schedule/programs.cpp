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
