#include <algorithm>
#include <cctype>

#include "texts.hpp"

namespace slab::fuzz {

namespace {

enum class Kind { space, name, number, text, mark };

struct Piece {
    Kind kind;
    std::string_view text;
};

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t length_of_mark(std::string_view text) {
    constexpr std::string_view two[] = {
        "->", "+=", "-=", "*=", "==", "!=", "<=", ">=", "<<", ">>", "..", "+:"};
    return std::find(std::begin(two), std::end(two), text.substr(0, 2)) != std::end(two) ? 2 : 1;
}

/// White space and comments are pieces too, so that the pieces together are the text.
Piece first_piece(std::string_view text) {
    const auto while_true = [&](auto holds) {
        std::size_t size = 1;
        while (size < text.size() && holds(text[size])) ++size;
        return text.substr(0, size);
    };
    const char c = text.front();
    if (text.starts_with("//")) return {Kind::space, text.substr(0, text.find('\n'))};
    if (std::isspace(static_cast<unsigned char>(c)))
        return {Kind::space, while_true([](char next) { return std::isspace(next) != 0; })};
    if (std::isdigit(static_cast<unsigned char>(c))) return {Kind::number, while_true(in_word)};
    if (in_word(c)) return {Kind::name, while_true(in_word)};
    if (c == '"') return {Kind::text, text.substr(0, text.find('"', 1)).substr(0, 80)};
    return {Kind::mark, text.substr(0, length_of_mark(text))};
}

std::vector<Piece> pieces_of(std::string_view text) {
    std::vector<Piece> pieces;
    while (!text.empty()) {
        pieces.push_back(first_piece(text));
        text.remove_prefix(pieces.back().text.size());
    }
    return pieces;
}

constexpr std::string_view numbers[] = {"0",
                                        "1",
                                        "2",
                                        "3",
                                        "4",
                                        "7",
                                        "8",
                                        "9",
                                        "15",
                                        "16",
                                        "17",
                                        "31",
                                        "32",
                                        "64",
                                        "127",
                                        "128",
                                        "129",
                                        "256",
                                        "512",
                                        "1.5",
                                        "1024",
                                        "0x7F",
                                        "2147483647",
                                        "4294967296",
                                        "0.0",
                                        "1e9",
                                        "1e308",
                                        "1e-9",
                                        "9223372036854775807"};
constexpr std::string_view words[] = {
    "first",   "last",  "par",    "seq",  "pad 0",   "revisit",   "ahead", "depth 1",
    "depth 3", "where", "unroll", "true", "false",   "inf",       "none",  "me",
    "not",     "and",   "or",     "upto", "step",    "out",       "inout", "in",
    "hbm",     "vmem",  "smem",   "any",  "sem dma", "sem count", "-",     ".T",
    "[0]",     "[:]",   "(",      ")",    "{",       "}",         ",",     "fetch",
    "buffer",  "scope", "return", "ref",  "step 2",  "@8"};
constexpr std::string_view types[] = {"f32", "bf16", "f8e4m3", "f8e5m2", "i32", "u32", "i16",
                                      "u16", "i8",   "u8",     "i4",     "u4",  "pred"};
constexpr std::string_view operators[] = {"+", "-",  "*",  "/", "%", "&",  "|",  "^",   "<<", ">>",
                                          "<", "<=", ">=", ">", "@", "==", "!=", "and", "or", "+:"};
constexpr std::string_view functions[] = {
    "dot",     "max",     "min",    "abs",    "exp",       "log",    "sqrt",   "select",
    "iota",    "rowmax",  "rowsum", "colmax", "colsum",    "fold",   "argmax", "reshape",
    "concat",  "stack",   "repeat", "roll",   "transpose", "cdiv",   "clamp",  "aligned",
    "permute", "bits",    "shape",  "has",    "rowmin",    "colmin", "floor",  "round",
    "pow",     "sigmoid", "f32",    "bf16",   "i32",       "recip",  "cumsum", "take_along",
    "sum",     "sort",    "top_k",  "gather", "erf",       "exp2"};

template <std::size_t size>
bool is_one_of(std::string_view text, const std::string_view (&list)[size]) {
    return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

class Mutation {
public:
    Mutation(std::string_view text, std::string_view other, Chance& chance)
        : chance_(chance), other_(other) {
        for (const Piece& piece : pieces_of(text)) {
            kinds_.push_back(piece.kind);
            texts_.emplace_back(piece.text);
        }
    }

    void change() {
        if (texts_.empty()) return;
        switch (chance_.pick(12)) {
            case 0:
                return replace(Kind::number, numbers);
            case 1:
                return replace_name_by_another();
            case 2:
                return erase(chance_.pick(texts_.size()), 1 + chance_.pick(4));
            case 3:
                return replace_operator();
            case 4:
                return replace_within(types, types);
            case 5:
                return replace_within(functions, functions);
            case 6:
                return insert(chance_.pick(texts_.size()), std::string(chance_.of(words)));
            case 7:
                return swap_pieces();
            case 8:
                return repeat_lines();
            case 9:
                return erase_lines();
            case 10:
                return insert_line_of(other_);
            default:
                return wrap_expression();
        }
    }

    std::string text() const {
        std::string all;
        for (const std::string& piece : texts_) all += piece;
        return all;
    }

private:
    std::size_t any_of_kind(Kind kind) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < kinds_.size(); ++i)
            if (kinds_[i] == kind) found.push_back(i);
        return found.empty() ? texts_.size() : chance_.of(found);
    }

    template <std::size_t size>
    void replace(Kind kind, const std::string_view (&by)[size]) {
        const std::size_t at = any_of_kind(kind);
        if (at < texts_.size()) texts_[at] = chance_.of(by);
    }

    template <std::size_t size, std::size_t other_size>
    void replace_within(const std::string_view (&what)[size],
                        const std::string_view (&by)[other_size]) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < texts_.size(); ++i)
            if (is_one_of(texts_[i], what)) found.push_back(i);
        if (!found.empty()) texts_[chance_.of(found)] = chance_.of(by);
    }
    void replace_operator() { replace_within(operators, operators); }

    void replace_name_by_another() {
        const std::size_t to = any_of_kind(Kind::name), from = any_of_kind(Kind::name);
        if (to < texts_.size()) texts_[to] = texts_[from];
    }

    void swap_pieces() {
        const Kind kind = chance_.one_in(2) ? Kind::name : Kind::mark;
        const std::size_t a = any_of_kind(kind), b = any_of_kind(kind);
        if (a < texts_.size()) std::swap(texts_[a], texts_[b]);
    }

    void erase(std::size_t at, std::size_t count) {
        const std::size_t end = std::min(at + count, texts_.size());
        const auto from = static_cast<std::ptrdiff_t>(at), to = static_cast<std::ptrdiff_t>(end);
        texts_.erase(texts_.begin() + from, texts_.begin() + to);
        kinds_.erase(kinds_.begin() + from, kinds_.begin() + to);
    }

    void insert(std::size_t at, std::string text) {
        const auto place = static_cast<std::ptrdiff_t>(at);
        texts_.insert(texts_.begin() + place, ' ' + std::move(text) + ' ');
        kinds_.insert(kinds_.begin() + place, Kind::mark);
    }

    std::size_t any_line_begin() {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < texts_.size(); ++i)
            if (kinds_[i] == Kind::space && texts_[i].find('\n') != std::string::npos)
                found.push_back(i);
        return found.empty() ? 0 : chance_.of(found);
    }

    void insert_line_of(std::string_view text) {
        std::vector<std::string> lines;
        while (!text.empty()) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            if (line.starts_with(' ')) lines.emplace_back(line);
        }
        if (!lines.empty()) insert(any_line_begin(), '\n' + chance_.of(lines));
    }

    void repeat_lines() { insert_line_of(text()); }

    void erase_lines() {
        const std::size_t begin = any_line_begin();
        std::size_t end = begin + 1;
        while (end < texts_.size() && texts_[end].find('\n') == std::string::npos) ++end;
        erase(begin, end - begin);
    }

    void wrap_expression() {
        const std::size_t at = any_of_kind(chance_.one_in(2) ? Kind::name : Kind::number);
        if (at >= texts_.size()) return;
        const std::string inside = texts_[at];
        switch (chance_.pick(5)) {
            case 0:
                texts_[at] = std::string(chance_.of(functions)) + '(' + inside + ')';
                return;
            case 1:
                texts_[at] = '(' + inside + ' ' + std::string(chance_.of(operators)) + ' ' +
                             std::string(chance_.of(numbers)) + ')';
                return;
            case 2:
                texts_[at] = "-" + inside;
                return;
            case 3:
                texts_[at] = inside + '[' + std::string(chance_.of(numbers)) + ']';
                return;
            default:
                texts_[at] = std::string(chance_.of(functions)) + '(' + inside + ", " +
                             std::string(chance_.of(numbers)) + ')';
        }
    }

    Chance& chance_;
    std::string other_;
    std::vector<Kind> kinds_;
    std::vector<std::string> texts_;
};

}  // namespace

std::string mutated(std::string_view text, std::string_view other, Chance& chance) {
    Mutation mutation(text, other, chance);
    const std::size_t changes = chance.one_in(2) ? 1 : 1 + chance.pick(5);
    for (std::size_t i = 0; i < changes; ++i) mutation.change();
    return mutation.text();
}

}  // namespace slab::fuzz
