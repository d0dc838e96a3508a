#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "compiler/schedule/print.hpp"
#include "kernels.hpp"
#include "programs.hpp"

// The examples of docs/language.md compile, and become what the page says.

using namespace slab;
using namespace slab::compiler::test;

namespace {

struct Fence {
    std::string language, text;
    int line = 0;
};

std::vector<Fence> fences(const std::string& path) {
    std::ifstream in(path);
    std::vector<Fence> found;
    bool inside = false;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.rfind("```", 0) == 0) {
            inside = !inside;
            if (inside) found.push_back({line.substr(3), "", number});
        } else if (inside) {
            found.back().text += line + "\n";
        }
    }
    return found;
}

/// What the first lines of an example give: `// --set M=64,N=2` and `// --data idx=[1,0]`.
struct Given {
    std::string set;
    std::string data;
};
Given given_in(const std::string& text) {
    Given given;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && line.starts_with("// --");) {
        if (line.starts_with("// --set ")) given.set = line.substr(9);
        if (line.starts_with("// --data ")) given.data += line.substr(10) + "\n";
    }
    return given;
}

Result compile_example(const std::string& text, const std::string& chip = "v6e") {
    const Given given = given_in(text);
    return compile_text(text, given.set, chip, "", given.data);
}

}  // namespace

TEST_CASE("every example of the language page compiles, on every chip") {
    const auto examples = fences(SLAB_SOURCE_DIR "/docs/language.md");
    REQUIRE(examples.size() >= 25);
    for (const Fence& fence : examples) {
        if (fence.language != "slab") continue;
        for (const std::string chip : {"v6e", "ironwood", "v5e", "v5p"}) {
            if (fence.text.find("\nprogram ") != std::string::npos) {
                INFO("line " << fence.line << " on " << chip);
                CHECK(compile_program_text(fence.text, given_in(fence.text).set, chip) == "");
                continue;
            }
            const Result result = compile_example(fence.text, chip);
            INFO("line " << fence.line << " on " << chip << "\n" << result.rendered());
            CHECK(result.compiled);
        }
    }
}

TEST_CASE("every program of the language page holds the lines shown, in their order") {
    std::string program;
    for (const Fence& fence : fences(SLAB_SOURCE_DIR "/docs/language.md")) {
        if (fence.language == "slab") {
            const Result result = compile_example(fence.text);
            program = result.compiled ? schedule::print(result.program()) : result.error();
        }
        if (fence.language != "program") continue;
        std::istringstream lines(fence.text);
        std::size_t at = 0;
        for (std::string line; std::getline(lines, line);) {
            const std::size_t found = program.find(line + "\n", at);
            INFO("line " << fence.line << ": `" << line << "` in\n" << program);
            REQUIRE(found != std::string::npos);
            at = found + line.size();
        }
    }
}
