#include "dsl/print.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "dsl/comments.hpp"
#include "dsl/spell.hpp"
#include "dsl/visit.hpp"

namespace slab::dsl {

namespace {

constexpr std::size_t longest_line = 100;

/// A part of a list that may be broken into lines.
struct Piece {
    Span span;
    std::string text;
};

template <typename Nodes>
std::vector<Piece> pieces(const Nodes& nodes) {
    std::vector<Piece> result;
    for (const auto& node : nodes) result.push_back({node.span, spell(node)});
    return result;
}

std::string joined(const std::vector<Piece>& pieces) {
    std::string all;
    for (const Piece& piece : pieces) all += (all.empty() ? "" : ", ") + piece.text;
    return all;
}

bool on_one_line(const ast::Item& item) {
    const auto* fn = ast::get_if<ast::Fn>(item);
    return ast::get_if<ast::Const>(item) || (fn && fn->result);
}

/// Lays out a file line by line. Comments are taken along in the order of the source: those before
/// a node go on lines of their own above it, one right behind a node stays behind it.
class Printer {
public:
    explicit Printer(const SourceFile* source) : comments_(source) {}

    std::string file(const ast::File& file) {
        bool after_short = false;
        for (const ast::Item& item : file.items) {
            const bool is_short = on_one_line(item);
            if (!out_.empty() && !(after_short && is_short)) wants_blank_ = true;
            after_short = is_short;
            ast::visit(item, [this](const auto& node) { print(node); });
        }
        comments_before(UINT32_MAX);
        return std::move(out_);
    }

private:
    // --- lines
    // ------------------------------------------------------------------------------------

    void add(std::string_view text) {
        if (line_.empty()) line_.assign(static_cast<std::size_t>(indent_), ' ');
        line_ += text;
    }

    /// Ends the line, with the comment that follows `end` in the source.
    void end_line(std::uint32_t end) {
        if (const auto comment = comments_.take_behind(end)) line_ += "  " + std::string(*comment);
        end_line();
    }
    void end_line() {
        out_ += line_ + '\n';
        line_.clear();
        opened_ = false;
    }

    void blank_line_before(std::uint32_t begin) {
        if (wants_blank_ || (!out_.empty() && !opened_ && comments_.blank_line_before(begin)))
            out_ += '\n';
        wants_blank_ = false;
    }

    void comments_before(std::uint32_t end) {
        while (const auto comment = comments_.take_before(end)) {
            blank_line_before(comment->begin);
            add(comments_.text(*comment));
            end_line();
        }
    }

    /// What stands above a node that begins here. The comments inside of it, up to `end`, have no
    /// other place.
    void lead(std::uint32_t begin, std::uint32_t end) {
        comments_before(end);
        blank_line_before(begin);
    }
    void lead(std::uint32_t begin) { lead(begin, begin); }

    bool fits(std::string_view more) const {
        const std::size_t begin = line_.empty() ? static_cast<std::size_t>(indent_) : line_.size();
        return begin + more.size() <= longest_line;
    }

    /// A list on one line if it fits and has no comments, else filled into lines of its own.
    void filled(std::string_view head, const std::vector<Piece>& list, std::string_view close) {
        const std::string all = std::string(head) + joined(list) + std::string(close);
        const bool commented =
            list.size() > 1 && comments_.any_in(list.front().span.begin, list.back().span.begin);
        if (list.empty() || (fits(all) && !commented)) return add(all);

        add(head);
        const bool hangs = head.back() == ' ';
        if (!hangs) end_line();
        indent_ += 4;
        for (const Piece& piece : list) {
            const bool last = &piece == &list.back();
            fill(piece, piece.text + (last ? std::string(close) : ","),
                 hangs && &piece == &list.front());
            if (!last && comments_.follows(piece.span.end)) end_line(piece.span.end);
        }
        indent_ -= 4;
    }

    void fill(const Piece& piece, const std::string& text, bool on_head) {
        if (!on_head && comments_.any_before(piece.span.begin)) {
            if (!line_.empty()) end_line();
            lead(piece.span.begin);
        }
        if (on_head) return add(text);
        if (!line_.empty() && fits(' ' + text))
            add(" ");
        else if (!line_.empty())
            end_line();
        add(text);
    }

    // --- blocks
    // -----------------------------------------------------------------------------------

    /// Statements in braces, behind what stands on the line; the line stays open after the brace.
    void block(const ast::Block& block) {
        if (const auto text = one_statement(block); text && fits(" { " + *text + " }"))
            return add((line_.empty() ? "{ " : " { ") + *text + " }");
        add(line_.empty() ? "{" : " {");
        rest_of_block(block);
    }

    void rest_of_block(const ast::Block& block) {
        end_line(block.span.begin + 1);
        opened_ = true;
        indent_ += 2;
        for (const ast::Stmt& stmt : block.stmts) statement(stmt);
        comments_before(block.span.end);
        indent_ -= 2;
        opened_ = false;
        add("}");
    }

    /// A block that may stand on the line of its head.
    std::optional<std::string> one_statement(const ast::Block& block) const {
        if (block.stmts.size() != 1 || comments_.any_in(block.span.begin, block.span.end))
            return std::nullopt;
        return spell(block.stmts.front());
    }

    /// The braces of a kernel or of a grid stand on lines of their own.
    void own_block(const ast::Block& block) {
        comments_before(block.span.begin);
        add("{");
        rest_of_block(block);
        end_line(block.span.end);
    }

    void headed(const std::string& head, Span span, const ast::Block& body) {
        lead(span.begin, body.span.begin);
        add(head);
        block(body);
        end_line(body.span.end);
    }

    // --- statements
    // -------------------------------------------------------------------------------

    void statement(const ast::Stmt& stmt) {
        if (const auto* control = ast::get_if<ast::Control>(stmt))
            return ast::visit(*control, [this](const auto& node) { print(node); });
        if (const auto* declaration = ast::get_if<ast::Declaration>(stmt)) {
            if (const auto* scratch = ast::get_if<ast::Scratch>(*declaration))
                return print(*scratch);
            if (const auto* fn = ast::get_if<ast::Fn>(*declaration)) return print(*fn);
        }
        simple(stmt.span(), *spell(stmt));
    }

    void simple(Span span, const std::string& text) {
        lead(span.begin, span.end);
        add(text);
        end_line(span.end);
    }

    void print(const ast::Scratch& scratch) {
        lead(scratch.span.begin);
        filled(scratch.is_buffer ? "buffer " : "scratch ", pieces(scratch.decls), "");
        end_line(scratch.span.end);
    }

    void print(const ast::Fn& fn) {
        if (fn.body) return headed(spell_head(fn), fn.span, *fn.body);
        simple(fn.span, spell_head(fn) + " = " + spell(*fn.result));
    }

    void print(const ast::If& node) {
        const std::string head = "if " + spell(node.condition);
        if (node.else_ifs.empty() && !node.otherwise) return headed(head, node.span, node.then);
        lead(node.span.begin, node.then.span.begin);
        add(head + " {");
        rest_of_block(node.then);
        for (const ast::ElseIf& other : node.else_ifs) {
            add(" else if " + spell(other.condition) + " {");
            rest_of_block(other.body);
        }
        if (node.otherwise) {
            add(" else {");
            rest_of_block(*node.otherwise);
        }
        end_line(node.span.end);
    }

    void print(const ast::For& node) { headed(spell_head(node), node.span, node.body); }
    void print(const ast::While& node) {
        headed(fmt::format("while {} atmost {}", spell(node.condition), spell(node.at_most)),
               node.span, node.body);
    }
    void print(const ast::Edge& node) {
        headed(node.kind + ' ' + node.axis.text, node.span, node.body);
    }
    void print(const ast::Slot& node) {
        headed(fmt::format("{} {} as {}", node.kind, node.ring.text, node.name.text), node.span,
               node.body);
    }
    void print(const ast::Scope& node) {
        headed(fmt::format("scope \"{}\"", node.title.value), node.span, node.body);
    }

    // --- grids
    // ------------------------------------------------------------------------------------

    void print(const ast::Pipe& pipe) {
        lead(pipe.span.begin);
        filled("grid (", pieces(pipe.axes), ")");
        end_line(pipe.axes.back().span.end);
        indent_ += 2;
        if (pipe.where) {
            lead(pipe.where->span().begin, pipe.where->span().end);
            add("where " + spell(*pipe.where));
            end_line(pipe.where->span().end);
        }
        for (const ast::PipeItem& item : pipe.items)
            ast::visit(item, [this](const auto& node) { print(node); });
        indent_ -= 2;
        own_block(pipe.body);
    }

    void print(const ast::Stream& stream) {
        const Span span = stream.span;
        lead(span.begin, stream.transfers.empty() ? span.end : span.begin);
        add(stream.direction + ' ' + stream.name.text);
        add(stream.window ? " = " + spell_region(*stream.window) : ": " + spell(*stream.type));
        for (const ast::Transfer& transfer : stream.transfers) {
            add(' ' + transfer.kind);
            block(transfer.body);
        }
        for (const ast::StreamOption& option : stream.options) add(' ' + spell(option));
        end_line(span.end);
    }

    // --- items
    // ------------------------------------------------------------------------------------

    void print(const ast::Const& constant) { simple(constant.span, spell(constant)); }

    void print(const ast::Kernel& kernel) {
        header("kernel", kernel);
        ast::visit(
            kernel.body, [this](const ast::Pipe& pipe) { print(pipe); },
            [this](const ast::Block& body) { own_block(body); });
    }

    void print(const ast::Program& program) {
        if (program.clauses.empty()) return closed(head_of("program", program), program);
        header("program", program);
        own_block(program.body);
    }

    void print(const ast::Reference& reference) {
        closed(fmt::format("reference {}(", reference.name.text), reference);
    }

    /// An item whose block opens on the line of its head.
    template <typename Node>
    void closed(const std::string& head, const Node& node) {
        lead(node.span.begin);
        filled(head, pieces(node.params), ") {");
        rest_of_block(node.body);
        end_line(node.span.end);
    }

    template <typename Node>
    static std::string head_of(std::string_view word, const Node& node) {
        const std::string brackets = joined(pieces(node.brackets));
        return fmt::format("{} {}{}(", word, node.name.text,
                           brackets.empty() ? "" : '[' + brackets + ']');
    }

    template <typename Node>
    void header(std::string_view word, const Node& node) {
        lead(node.span.begin);
        filled(head_of(word, node), pieces(node.params), ")");
        end_line(node.params.empty() ? node.name.span.end : node.params.back().span.end);
        for (const ast::Clause& clause : node.clauses)
            ast::visit(clause, [this](const auto& each) { this->print(each); });
    }

    void print(const ast::MeshClause& mesh) { simple(mesh.span, "mesh " + spell(mesh.extents)); }
    void print(const ast::LimitClause& limit) {
        simple(limit.span, "limit vmem " + spell(limit.bytes));
    }
    void print(const ast::RequireClause& require) {
        std::vector<Piece> conditions;
        for (const ast::Expr& condition : require.conditions)
            conditions.push_back({condition.span(), spell(condition)});
        lead(require.span.begin);
        filled("require ", conditions, "");
        end_line(require.span.end);
    }

    Comments comments_;
    std::string out_;
    std::string line_;
    int indent_ = 0;
    bool opened_ = false;       ///< the last line opened a block
    bool wants_blank_ = false;  ///< between items
};

}  // namespace

std::string print(const ast::File& file, const SourceFile* source) {
    return Printer(source).file(file);
}

std::string print(const ast::Expr& expr) {
    return spell(expr);
}

}  // namespace slab::dsl
