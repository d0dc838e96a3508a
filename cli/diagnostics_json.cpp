#include "cli/diagnostics_json.hpp"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

namespace slab::cli {

using Json = nlohmann::ordered_json;

namespace {

std::string kind_name(DiagKind kind) {
    switch (kind) {
        case DiagKind::error:
            return "error";
        case DiagKind::usage:
            return "usage";
        case DiagKind::warning:
            return "warning";
    }
    return {};
}

/// Null for a message that speaks of no place.
Json span_json(Span span, const SourceFile* file) {
    if (!file || span == Span{}) return nullptr;
    const SourceFile::Place begin = file->place(span.begin);
    const SourceFile::Place end = file->place(span.end);
    return {{"line", begin.line},   {"column", begin.column},   {"offset", span.begin},
            {"end_line", end.line}, {"end_column", end.column}, {"end_offset", span.end}};
}

Json edits_json(const Diagnostic& message, const SourceFile* file) {
    Json edits = Json::array();
    if (!file) return edits;
    for (const Diagnostic::Edit& edit : message.edits())
        edits.push_back({{"span", span_json(edit.span, file)},
                         {"text", edit.text},
                         {"line", edited_line(edit, *file)}});
    return edits;
}

Json message_json(const Diagnostic& message, const SourceFile* file) {
    Json notes = Json::array();
    for (const Diagnostic::Label& note : message.notes())
        notes.push_back({{"span", span_json(note.span, file)}, {"text", note.text}});
    return {{"code", message.info().code()},      {"kind", kind_name(message.info().kind)},
            {"headline", message.headline()},     {"span", span_json(message.span(), file)},
            {"label", message.label()},           {"notes", std::move(notes)},
            {"table", message.table()},           {"why", message.why()},
            {"edits", edits_json(message, file)}, {"fixes", message.fixes()}};
}

}  // namespace

Json messages_json(const Diagnostics& diags, const SourceFile* file) {
    std::vector<const Diagnostic*> sorted;
    for (const Diagnostic& message : diags.messages()) sorted.push_back(&message);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
        return a->span().begin < b->span().begin;
    });
    Json list = Json::array();
    for (const Diagnostic* message : sorted) list.push_back(message_json(*message, file));
    return list;
}

std::string diagnostics_json(const Diagnostics& diags, const SourceFile* file) {
    return document({{"schema", "slab.diagnostics/1"},
                     {"file", file ? file->name() : ""},
                     {"messages", messages_json(diags, file)}});
}

std::string document(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace slab::cli
