#include <algorithm>
#include <cctype>
#include <fstream>

#include <catch2/catch.hpp>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "arch_configs/read_chip.hpp"
#include "compiler/compile.hpp"
#include "compiler/ops/op.hpp"
#include "dsl/check.hpp"
#include "dsl/parse.hpp"

// Blocks that were refused on a TPU v6e are refused by slab, and what it offers instead is legal.

using namespace slab;
using Shape = std::vector<std::int64_t>;

namespace {

/// A kernel that moves one operand block by block: the whole of a dimension as `:`, a part of it
/// as the step's number of blocks.
std::string kernel_text(const Shape& block, const Shape& array, bool is_output) {
    std::vector<std::string> axes, window;
    for (std::size_t i = 0; i < array.size(); ++i) {
        if (block[i] == array[i]) {
            window.push_back(":");
            continue;
        }
        axes.push_back(fmt::format("n{} in cdiv({}, {})", i, array[i], block[i]));
        window.push_back(fmt::format("n{}@{}", i, block[i]));
    }
    if (axes.empty()) axes.push_back("n in 1");
    return fmt::format(
        "kernel moved({0}x: hbm f32[{1}])\ngrid ({2})\n  {3} w = x[{4}]\n{{\n  {5}\n}}\n",
        is_output ? "out " : "", fmt::join(array, ", "), fmt::join(axes, ", "),
        is_output ? "out" : "in", fmt::join(window, ", "),
        is_output ? "w = 0" : "scratch s: vmem f32[1, 1] = 0");
}

Diagnostics compile_text(const std::string& text) {
    Diagnostics diags;
    const SourceFile source("moved.slab", text);
    const dsl::ast::File file = dsl::parse(source, diags);
    dsl::check(file, compiler::op_names(), diags);
    const auto chip = arch::read_chip("v6e", {}, diags);
    REQUIRE_FALSE(diags.has_errors());
    const auto& kernel = boost::get<dsl::ast::Kernel>(file.items.front().get());
    compiler::compile(file, kernel, source, {}, chip->spec, diags);
    return diags;
}

std::vector<const Diagnostic*> with_code(const Diagnostics& diags, const std::string& code) {
    std::vector<const Diagnostic*> found;
    for (const Diagnostic& message : diags.messages())
        if (message.info().code() == code) found.push_back(&message);
    return found;
}

/// The size that a message offers, "a size of 128".
std::int64_t offered_size(const Diagnostic& message) {
    const std::string words = "a size of ";
    for (const std::string& fix : message.fixes())
        if (fix.starts_with(words)) return std::stoll(fix.substr(words.size()));
    return 0;
}

/// Does what the messages about the block say: for the dimension that each names the size it
/// offers, or all of it where that is the only offer.
Shape mended(const std::vector<const Diagnostic*>& messages, Shape block, const Shape& array) {
    for (const Diagnostic* message : messages) {
        const bool second_last = message->headline().find("second-last") != std::string::npos;
        const std::size_t at = block.size() - (second_last ? 2 : 1);
        const std::int64_t size = offered_size(*message);
        block[at] = size == 0 ? array[at] : size;
    }
    return block;
}

}  // namespace

TEST_CASE("blocks that a v6e refused are refused, with a block that it takes") {
    std::ifstream in(SLAB_SOURCE_DIR "/tests/validation/block_rules.json");
    const auto facts = nlohmann::json::parse(in);
    REQUIRE(facts.at("cases").size() == 20);
    for (const auto& fact : facts.at("cases")) {
        Shape block = fact.at("block").get<Shape>();
        const Shape array = fact.at("array").get<Shape>();
        const bool is_output = fact.at("operand") == "outputs";
        const std::string text = kernel_text(block, array, is_output);
        INFO(fact.at("workload") << "\n" << text);

        Diagnostics diags = compile_text(text);
        const SourceFile source("moved.slab", text);
        INFO(render(diags, &source));
        REQUIRE(diags.has_errors());
        auto refused = with_code(diags, "E0501");
        const auto too_large = with_code(diags, "E0601");
        REQUIRE(refused.size() + too_large.size() > 0);
        for (const Diagnostic* message : refused) {
            CHECK_FALSE(message->fixes().empty());
            CHECK_FALSE(message->why().empty());
        }

        // one message a window: the second-last dimension may come to light after the last
        for (int round = 0; round < 2 && !refused.empty(); ++round) {
            block = mended(refused, block, array);
            diags = compile_text(kernel_text(block, array, is_output));
            refused = with_code(diags, "E0501");
        }
        INFO(fmt::format("offered: [{}]", fmt::join(block, ", ")));
        CHECK(refused.empty());
    }
}
