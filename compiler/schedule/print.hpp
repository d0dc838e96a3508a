#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/schedule/program.hpp"
#include "compiler/schedule/walker.hpp"
#include "support/diagnostics.hpp"

namespace slab::schedule {

/// The text of a program (`--emit=program`), readable and complete but for spans and the numbers of
/// expressions.
std::string print(const Program& program);
/// Reads what print() wrote; anything else is reported with its line. The result is canonical:
/// `*parse_program(print(program)) == canonical(program)`.
std::optional<Program> parse_program(const SourceFile& text, Diagnostics& diags);
/// The same program with its numbers in the order of the text: equal expressions once and in the
/// order of their first use, unused ones left out, streams as their grids and copies, waits and the
/// like as their statements come, values of a region as they are defined. Two programs that differ
/// in nothing else become equal.
Program canonical(const Program& program);

/// A scalar expression as it stands in the text.
std::string print(ExprId expr, const Program& program);

/// One line of `--emit=schedule`, with the names of the program.
std::string print(const Event& event, const Program& program);
/// Reads a line back.
std::optional<Event> parse_event(std::string_view line, const Program& program);

/// The same for many events: it looks the names up once. The program must outlive it.
class EventText {
public:
    explicit EventText(const Program& program);
    EventText(const EventText&) = delete;
    EventText& operator=(const EventText&) = delete;
    ~EventText();

    std::string print(const Event& event) const;
    std::optional<Event> parse(std::string_view line) const;

private:
    struct Tables;
    std::unique_ptr<Tables> tables_;
};

}  // namespace slab::schedule
