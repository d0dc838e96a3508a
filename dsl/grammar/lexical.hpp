#pragma once

#include <string>
#include <string_view>

#include "dsl/ast.hpp"
#include "dsl/grammar/config.hpp"

/// The smallest pieces of the grammar: parsers of one token, or of none.
namespace slab::dsl::grammar {

template <typename Parser>
concept Described = requires(const Parser& parser) {
    parser.description();
};

/// A word or a mark of the language, exactly.
struct Sign : x3::parser<Sign> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;

    std::string_view spelling;

    explicit constexpr Sign(std::string_view text) : spelling(text) {}

    template <typename Ctx, typename RCtx, typename Attribute>
    bool parse(Iterator& first, Iterator, const Ctx&, RCtx&, Attribute&) const {
        if (!first->is(spelling)) return false;
        ++first;
        return true;
    }
    std::string description() const { return '`' + std::string(spelling) + '`'; }
};

/// One of several signs, kept as text; where it may be absent the text is then empty.
template <std::size_t n>
struct OneOf : x3::parser<OneOf<n>> {
    using attribute_type = std::string;
    static constexpr bool has_attribute = true;
    static constexpr bool handles_container = true;

    std::string_view spellings[n];
    bool required = true;

    template <typename Ctx, typename RCtx, typename Attribute>
    bool parse(Iterator& first, Iterator, const Ctx&, RCtx&, Attribute& attribute) const {
        for (std::string_view spelling : spellings) {
            if (!first->is(spelling)) continue;
            x3::traits::move_to(std::string(spelling), attribute);
            ++first;
            return true;
        }
        return !required;
    }
    std::string description() const {
        std::string all;
        for (std::size_t i = 0; i < n; ++i)
            all += (i == 0 ? "`" : i + 1 < n ? ", `" : " or `") + std::string(spellings[i]) + '`';
        return all;
    }
};

/// Looks at a token and consumes nothing: at the next one, the one behind it, or the one before.
template <std::size_t n>
struct Look : x3::parser<Look<n>> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;

    int offset;
    bool present;
    std::string_view sentence;
    std::string_view spellings[n];

    template <typename Ctx, typename RCtx, typename Attribute>
    bool parse(Iterator& first, Iterator, const Ctx&, RCtx&, Attribute&) const {
        const bool past_end = offset > 0 && first->kind == TokenKind::end;
        for (std::string_view spelling : spellings)
            if (!past_end && first[offset].is(spelling)) return present;
        return !present;
    }
    std::string description() const { return std::string(sentence); }
};

/// A name, number or string as a node of the AST with its span, or just as text; some reserved
/// words may stand where a name does.
template <typename Node>
struct Leaf : x3::parser<Leaf<Node>> {
    using attribute_type = Node;
    static constexpr bool has_attribute = true;
    static constexpr bool handles_container = std::is_same_v<Node, std::string>;

    TokenKind kind;
    int words;
    std::string_view sentence;

    template <typename Ctx, typename RCtx, typename Attribute>
    bool parse(Iterator& first, Iterator, const Ctx&, RCtx&, Attribute& attribute) const {
        if (first->kind != kind && (first->uses & words) == 0) return false;
        x3::traits::move_to(node(*first), attribute);
        ++first;
        return true;
    }
    std::string description() const { return std::string(sentence); }

private:
    static Node node(const Token& token) {
        std::string_view text = token.text;
        if (token.kind == TokenKind::text) text = text.substr(1, text.size() - 2);
        if constexpr (std::is_same_v<Node, std::string>)
            return std::string(text);
        else
            return Node{{token.span}, std::string(text)};
    }
};

/// The brace that closes a block, or the place where recovery closed it.
struct BlockEnd : x3::parser<BlockEnd> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;

    template <typename Ctx, typename RCtx, typename Attribute>
    bool parse(Iterator& first, Iterator, const Ctx& ctx, RCtx&, Attribute&) const {
        ParseContext& context = x3::get<parse_context_tag>(ctx);
        const Iterator brace = context.skip_orphans(first);
        if (!context.closes_blocks(brace) && !brace->is("}")) return false;
        first = context.closes_blocks(brace) ? brace : brace + 1;
        return true;
    }
    std::string description() const { return "`}`"; }
};

/// Nothing, or closing braces of blocks whose heads could not be read.
struct Orphans : x3::parser<Orphans> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;

    template <typename Ctx, typename RCtx, typename Attribute>
    bool parse(Iterator& first, Iterator, const Ctx& ctx, RCtx&, Attribute&) const {
        first = x3::get<parse_context_tag>(ctx).skip_orphans(first);
        return true;
    }
};

/// Looks whether another part may stand before the body of a construct.
struct BeforeBody : x3::parser<BeforeBody> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;

    template <typename Ctx, typename RCtx, typename Attribute>
    bool parse(Iterator& first, Iterator, const Ctx& ctx, RCtx&, Attribute&) const {
        return x3::get<parse_context_tag>(ctx).before_body(first);
    }
};

inline constexpr Sign sign(std::string_view spelling) {
    return Sign(spelling);
}
template <typename... Texts>
constexpr OneOf<sizeof...(Texts)> one_of(Texts... spellings) {
    return {{}, {spellings...}, true};
}
template <typename... Texts>
constexpr OneOf<sizeof...(Texts)> maybe(Texts... spellings) {
    return {{}, {spellings...}, false};
}
template <typename... Texts>
constexpr Look<sizeof...(Texts)> next_is(std::string_view sentence, Texts... spellings) {
    return {{}, 0, true, sentence, {spellings...}};
}
template <typename... Texts>
constexpr Look<sizeof...(Texts)> next_is_not(std::string_view sentence, Texts... spellings) {
    return {{}, 0, false, sentence, {spellings...}};
}
constexpr Look<1> second_is(std::string_view spelling) {
    return {{}, 1, true, {}, {spelling}};
}
/// Chooses between forms by what has been read, where an attribute has a field for each form.
constexpr Look<1> after(std::string_view spelling) {
    return {{}, -1, true, {}, {spelling}};
}

inline constexpr Leaf<ast::Name> name{{}, TokenKind::name, 0, "a name"};
inline constexpr Leaf<ast::Name> element{{}, TokenKind::name, element_type, "an element type"};
inline constexpr Leaf<ast::Name> value_name{{}, TokenKind::name, element_type | value, "a name"};
inline constexpr Leaf<ast::Number> number{{}, TokenKind::number, 0, "a number"};
inline constexpr Leaf<ast::Text> text{{}, TokenKind::text, 0, "a string"};
inline constexpr Leaf<std::string> identifier{{}, TokenKind::name, 0, "a name"};
inline constexpr Leaf<std::string> type_word{{}, TokenKind::name, element_type, "a type"};

inline constexpr Sign comma = sign(",");
inline constexpr Sign colon = sign(":");
inline constexpr Sign equals = sign("=");
inline constexpr BlockEnd block_end{};
inline constexpr Orphans orphans{};
inline constexpr BeforeBody before_body{};

/// One or more, with commas between: after a comma another one is expected.
template <typename Item>
auto list_of(const Item& item) {
    return item >> *(comma > item);
}

}  // namespace slab::dsl::grammar

namespace boost::spirit::x3 {

template <slab::dsl::grammar::Described Parser>
struct get_info<Parser, void> {
    using result_type = std::string;
    std::string operator()(const Parser& parser) const { return parser.description(); }
};

}  // namespace boost::spirit::x3
