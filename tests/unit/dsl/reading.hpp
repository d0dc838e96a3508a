#pragma once

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dsl/parse.hpp"
#include "dsl/print.hpp"
#include "dsl/visit.hpp"

/// What the tests of the front end share: read a text, or the statements of a kernel around it.
namespace slab::dsl {

struct Reading {
    SourceFile source;
    Diagnostics diags;
    ast::File file;

    explicit Reading(std::string text) : source("t.slab", std::move(text)) {
        file = parse(source, diags);
    }
    std::string errors() const { return render(diags, &source); }
    std::string printed() const { return print(file, &source); }
    std::vector<std::string> headlines() const {
        std::vector<std::string> all;
        for (const Diagnostic& message : diags.messages()) all.push_back(message.headline());
        return all;
    }
};

inline std::string in_kernel(const std::string& statements) {
    return "kernel k()\n{\n" + statements + "\n}\n";
}

/// The canonical text of the statements, without the kernel around them.
inline std::string statements(const std::string& text) {
    const Reading reading(in_kernel(text));
    INFO(reading.errors());
    REQUIRE(reading.diags.empty());
    std::string lines = reading.printed();
    const std::string head = "kernel k()\n{\n";
    REQUIRE(lines.starts_with(head));
    lines = lines.substr(head.size(), lines.size() - head.size() - 2);
    std::string result;
    for (std::size_t i = 0; i < lines.size();) {
        const std::size_t end = lines.find('\n', i) + 1;
        result += lines[i] == '\n' ? "\n" : lines.substr(i + 2, end - i - 2);
        i = end;
    }
    return result;
}

/// The canonical text of an expression.
inline std::string expression(const std::string& text) {
    const SourceFile source("t.slab", text);
    Diagnostics diags;
    const auto expr = parse_expression(source, diags);
    INFO(render(diags, &source));
    REQUIRE(expr);
    return print(*expr);
}

}  // namespace slab::dsl
