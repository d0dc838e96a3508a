#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/source.hpp"

namespace slab {

enum class Diag {
#define SLAB_DIAG(name, kind, sentence) name,
#include "support/diagnostics.def"
#undef SLAB_DIAG
};

/// What a message does to the exit code: error 1, usage 2, warning none.
enum class DiagKind { error, usage, warning };

struct DiagInfo {
    std::string_view name;
    DiagKind kind;
    std::string_view sentence;

    /// `E0601`, or empty for messages about the command line.
    std::string_view code() const;
};

constexpr DiagInfo diag_info(Diag diag) {
    constexpr DiagInfo table[] = {
#define SLAB_DIAG(name, kind, sentence) {#name, DiagKind::kind, sentence},
#include "support/diagnostics.def"
#undef SLAB_DIAG
    };
    return table[static_cast<std::size_t>(diag)];
}

/// One message: a headline, the place that is wrong, the places that make it wrong, the rule, and
/// text to paste. Its words may quote what a user wrote: they are kept as `legible()` has them.
class Diagnostic {
public:
    struct Label {
        Span span;
        std::string text;
    };
    /// A change of the text that mends the mistake: what stands in `span` is replaced.
    struct Edit {
        Span span;
        std::string text;
    };

    Diagnostic(Diag id, Span span, std::string_view headline);

    /// Words under the marked place.
    Diagnostic& label(std::string_view text);
    /// A second place, with words.
    Diagnostic& note(Span span, std::string_view text);
    /// The hardware or language rule behind it (` why: …`).
    Diagnostic& because(std::string_view text);
    /// A fix that a program can make: it is shown as the line it leads to, before those in words.
    /// Each edit mends the mistake alone.
    Diagnostic& replace(Span span, std::string text);
    /// A fix in words (` fix: …`); several are printed as alternatives.
    Diagnostic& fix(std::string_view text);
    /// Lines printed between the source and the rule, such as a budget table; indented like them.
    Diagnostic& table(const std::vector<std::string>& lines);

    Diag id() const { return id_; }
    DiagInfo info() const { return diag_info(id_); }
    Span span() const { return span_; }
    const std::string& headline() const { return headline_; }
    const std::string& label() const { return label_; }
    const std::vector<Label>& notes() const { return notes_; }
    const std::vector<std::string>& table() const { return table_; }
    const std::string& why() const { return why_; }
    const std::vector<Edit>& edits() const { return edits_; }
    const std::vector<std::string>& fixes() const { return fixes_; }

private:
    Diag id_;
    Span span_;
    std::string headline_;
    std::string label_;
    std::vector<Label> notes_;
    std::vector<std::string> table_;
    std::string why_;
    std::vector<Edit> edits_;
    std::vector<std::string> fixes_;
};

/// Collects the messages of one run. A message is an error unless its line in diagnostics.def says
/// otherwise.
class Diagnostics {
public:
    /// The sentence's `{}` are checked against the arguments at compile time. The same message at
    /// the same place is kept once. The reference stays valid until the next add().
    template <Diag id, typename... Args>
    Diagnostic& add(Span span, Args&&... args) {
        constexpr std::string_view sentence = diag_info(id).sentence;
        constexpr fmt::format_string<Args...> checked(sentence);
        return push(Diagnostic(id, span, fmt::format(checked, std::forward<Args>(args)...)));
    }

    /// A message that is put together elsewhere.
    Diagnostic& add(Diagnostic diagnostic) { return push(std::move(diagnostic)); }

    bool has_errors() const;
    bool empty() const { return messages_.empty(); }
    std::size_t size() const { return messages_.size(); }
    /// 0 without errors, 2 if any message is about usage, else 1.
    int exit_code() const;
    const std::vector<Diagnostic>& messages() const { return messages_; }
    void append(const Diagnostics& other);

private:
    Diagnostic& push(Diagnostic diagnostic);

    std::vector<Diagnostic> messages_;
    Diagnostic repeated_{Diag{}, {}, {}};
};

/// All messages as text, in order of place, source lines and carets included; `file` may be null
/// where no text is spoken of, and a message with the span {0, 0} speaks of no place in it. With
/// `colour`, ANSI codes are used.
std::string render(const Diagnostics& diags, const SourceFile* file, bool colour = false);

/// The line an edit leads to, as a fix shows it; of a long line only the new text.
std::string edited_line(const Diagnostic::Edit& edit, const SourceFile& file);

/// A text as a terminal and a reader can bear it: bytes that are not printable UTF-8 become U+FFFD,
/// and of a word or number longer than a line only the ends are left.
std::string legible(std::string_view text);

/// The candidate of which `name` may be a misspelling; null if there is none.
const std::string* nearest_of(std::string_view name, const std::vector<std::string>& candidates);
const std::string* nearest_of(std::string_view, std::vector<std::string>&&) = delete;
/// The same in backquotes; empty if there is none.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace slab
