#include "support/diagnostics.hpp"

#include <algorithm>
#include <array>

namespace slab {

std::string_view DiagInfo::code() const {
    const bool coded =
        name.size() > 1 && (name[0] == 'E' || name[0] == 'W') && name[1] >= '0' && name[1] <= '9';
    return coded ? name.substr(0, name.find('_')) : std::string_view{};
}

Diagnostic::Diagnostic(Diag id, Span span, std::string_view headline)
    : id_(id), span_(span), headline_(legible(headline)) {}

Diagnostic& Diagnostic::label(std::string_view text) {
    label_ = legible(text);
    return *this;
}

Diagnostic& Diagnostic::note(Span span, std::string_view text) {
    notes_.push_back({span, legible(text)});
    return *this;
}

Diagnostic& Diagnostic::because(std::string_view text) {
    why_ = legible(text);
    return *this;
}

Diagnostic& Diagnostic::replace(Span span, std::string text) {
    edits_.push_back({span, std::move(text)});
    return *this;
}

Diagnostic& Diagnostic::fix(std::string_view text) {
    fixes_.push_back(legible(text));
    return *this;
}

Diagnostic& Diagnostic::table(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) table_.push_back(legible(line));
    return *this;
}

bool Diagnostics::has_errors() const {
    return exit_code() != 0;
}

int Diagnostics::exit_code() const {
    int code = 0;
    for (const Diagnostic& message : messages_) {
        if (message.info().kind == DiagKind::usage) return 2;
        if (message.info().kind == DiagKind::error) code = 1;
    }
    return code;
}

void Diagnostics::append(const Diagnostics& other) {
    for (const Diagnostic& message : other.messages_) push(message);
}

Diagnostic& Diagnostics::push(Diagnostic diagnostic) {
    const bool known = std::ranges::any_of(messages_, [&](const Diagnostic& message) {
        // A name that nothing declares is unknown once, whatever it is taken for.
        const bool same = message.id() == Diag::E0002 && !diagnostic.span().empty();
        return message.id() == diagnostic.id() && message.span() == diagnostic.span() &&
               (same || message.headline() == diagnostic.headline());
    });
    if (known) return repeated_ = std::move(diagnostic);
    return messages_.emplace_back(std::move(diagnostic));
}

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The one candidate that goes on where `name` ends; null if there is none or several.
const std::string* one_that_begins(std::string_view name,
                                   const std::vector<std::string>& candidates) {
    const auto begins = [&](const std::string& candidate) { return candidate.starts_with(name); };
    const auto found = std::find_if(candidates.begin(), candidates.end(), begins);
    const bool alone = found != candidates.end() &&
                       std::none_of(found + 1, candidates.end(), [&](const std::string& other) {
                           return begins(other) && other != *found;
                       });
    return alone ? &*found : nullptr;
}

/// Damerau-Levenshtein: letters left out, put in, replaced, or two neighbours swapped. Capitals are
/// no difference.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced =
                cost[i - 1][j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

}  // namespace

const std::string* nearest_of(std::string_view name, const std::vector<std::string>& candidates) {
    if (name.size() > 64) return nullptr;
    if (name.size() > 1)
        if (const std::string* longer = one_that_begins(name, candidates)) return longer;
    // A third of the letters may differ; of one or two letters everything is a misspelling.
    std::size_t best = std::max(name.size(), std::size_t{2}) / 3 + 1;
    const std::string* found = nullptr;
    for (const std::string& candidate : candidates) {
        const std::size_t difference =
            candidate.size() > name.size() + best ? best : distance(name, candidate);
        if (difference >= best) continue;
        best = difference;
        found = &candidate;
    }
    return found;
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string* found = nearest_of(name, candidates);
    return found ? fmt::format("`{}`", *found) : std::string{};
}

}  // namespace slab
