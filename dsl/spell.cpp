#include "dsl/spell.hpp"

#include <string_view>

#include <fmt/format.h>

#include "dsl/visit.hpp"

namespace slab::dsl {

namespace {

using namespace ast;

// The levels of the grammar, loosest first; an operand of a looser level needs parentheses.
enum Level {
    any,
    disjunction,
    conjunction,
    negation,
    relation,
    bits,
    shift,
    sum,
    term,
    sign,
    postfix
};

Level level_of(const std::string& op) {
    if (op == "or") return disjunction;
    if (op == "and") return conjunction;
    if (op == "&" || op == "|" || op == "^") return bits;
    if (op == "<<" || op == ">>") return shift;
    if (op == "+" || op == "-") return sum;
    if (op == "*" || op == "/" || op == "%") return term;
    return relation;
}

Level level_of(const Expr& expr) {
    return visit(
        expr, [](const Chain& chain) { return level_of(chain.rest.front().op); },
        [](const Unary& unary) { return unary.op == "not" ? negation : sign; },
        [](const auto&) { return postfix; });
}

Level above(Level level) {
    return static_cast<Level>(level + 1);
}

/// Products are written without blanks inside sums, comparisons and brackets: `a*b + c`, `[2*g]`.
enum class Products { spaced, tight };

std::string spell(const Expr& expr, Level least, Products products);

template <typename Nodes, typename Speller>
std::string joined(const Nodes& nodes, Speller&& speller) {
    std::string all;
    for (const auto& node : nodes) {
        if (!all.empty()) all += ", ";
        all += speller(node);
    }
    return all;
}

template <typename Nodes>
std::string joined(const Nodes& nodes) {
    return joined(nodes, [](const auto& node) { return dsl::spell(node); });
}

std::string tight(const Expr& expr, Level least = any) {
    return spell(expr, least, Products::tight);
}

std::string tight(const std::vector<Expr>& exprs) {
    return joined(exprs, [](const Expr& expr) { return tight(expr); });
}

std::string option(const char* word, const Optional<Expr>& value) {
    return value ? fmt::format(" {} {}", word, spell(*value, any, Products::spaced)) : "";
}

std::string spell(const Slice& slice) {
    return visit(
        slice, [](const WholeSlice&) -> std::string { return ":"; },
        [](const IndexSlice& index) { return tight(index.index); },
        [](const BlockSlice& block) {
            return fmt::format("{}@{}", tight(block.index, sign), tight(block.size));
        },
        [](const RangeSlice& range) {
            std::string text = fmt::format("{} +: {}", tight(range.start), tight(range.size));
            if (range.upto) text += " upto " + tight(*range.upto);
            if (range.step) text += " step " + tight(*range.step);
            return text;
        });
}

std::string spell(const Arguments& arguments) {
    return '(' +
           joined(arguments.items,
                  [](const Argument& argument) {
                      const std::string value = spell(argument.value, any, Products::spaced);
                      return argument.name.empty() ? value
                                                   : fmt::format("{}: {}", argument.name, value);
                  }) +
           ')';
}

std::string spell(const Suffix& suffix) {
    return visit(
        suffix, [](const Member& member) { return '.' + member.name; },
        [](const Slices& slices) {
            return '[' + joined(slices.items, [](const Slice& slice) { return spell(slice); }) +
                   ']';
        },
        [](const Arguments& arguments) { return spell(arguments); });
}

std::string spell(const Postfix& postfix_) {
    // A number would swallow the point of a member; a postfix of a postfix was written in
    // parentheses.
    const bool apart = get_if<Postfix>(postfix_.base) || get_if<Number>(postfix_.base);
    std::string text = tight(postfix_.base, postfix);
    if (apart) text = '(' + text + ')';
    for (const Suffix& suffix : postfix_.suffixes) text += spell(suffix);
    return text;
}

std::string spell(const Chain& chain, Products products) {
    const Level level = level_of(chain.rest.front().op);
    bool spaced = level != term || products == Products::spaced;
    for (const Link& link : chain.rest) spaced = spaced || link.op == "%";
    std::string text = tight(chain.first, above(level));
    for (const Link& link : chain.rest) {
        text += spaced ? fmt::format(" {} ", link.op) : link.op;
        text += tight(link.operand, above(level));
    }
    return text;
}

std::string spell(const Expr& expr, Level least, Products products) {
    std::string text = visit(
        expr, [](const Number& number) { return number.spelling; },
        [](const Text& string) { return fmt::format("\"{}\"", string.value); },
        [](const Name& name) { return name.text; },
        [](const List& list) { return '[' + tight(list.items) + ']'; },
        [](const Postfix& node) { return spell(node); },
        [&](const Unary& unary) {
            if (unary.op == "not") return "not " + spell(unary.operand, relation, products);
            return '-' + spell(unary.operand, postfix, products);
        },
        [&](const Chain& chain) { return spell(chain, products); });
    return level_of(expr) < least ? '(' + text + ')' : text;
}

std::string dims_of(const std::vector<Expr>& dims) {
    return '[' + tight(dims) + ']';
}

std::string spell(const ValueType& type) {
    return type.element.text + (type.dims ? dims_of(*type.dims) : "");
}

std::string spell(const Declaration& declaration) {
    return visit(
        declaration,
        [](const Scratch& scratch) {
            return (scratch.is_buffer ? "buffer " : "scratch ") + joined(scratch.decls);
        },
        [](const Const& constant) { return dsl::spell(constant); },
        [](const Fn& fn) {
            return fn.result ? fmt::format("{} = {}", spell_head(fn), dsl::spell(*fn.result)) : "";
        },
        [](const Let& let) {
            return fmt::format("let {} = {}", let.name.text, dsl::spell(let.value));
        },
        [](const Var& var) {
            const std::string type = var.type ? ": " + spell(*var.type) : "";
            return fmt::format("var {}{} = {}", var.name.text, type, dsl::spell(var.value));
        },
        [](const Ref& ref) {
            return fmt::format("ref {} = {}", ref.name.text, dsl::spell(ref.region));
        },
        [](const Ring& ring) {
            return fmt::format("ring {}: {} depth {}", ring.name.text, dsl::spell(ring.type),
                               dsl::spell(ring.depth));
        });
}

std::string spell(const Barrier& barrier) {
    return barrier.all ? "barrier all " + barrier.all->text : "barrier " + joined(barrier.devices);
}

std::string spell(const Movement& movement) {
    const auto text = [](const Expr& region) { return spell_region(region); };
    return visit(
        movement,
        [&](const Copy& copy) {
            const std::string done = copy.done ? " done " + text(*copy.done) : "";
            return fmt::format("copy {} -> {}{}{}", text(copy.source), text(copy.target), done,
                               option("prio", copy.priority));
        },
        [&](const Send& send) {
            return fmt::format("send {} -> {} at {} done {} arrive {}", text(send.source),
                               text(send.target), dsl::spell(send.device), text(send.done),
                               text(send.arrive));
        },
        [&](const Wait& wait) {
            return fmt::format("wait {} for {}", text(wait.semaphore), dsl::spell(wait.amount));
        },
        [&](const Signal& signal) {
            return fmt::format("signal {} at {}{}", text(signal.semaphore),
                               dsl::spell(signal.device), option("by", signal.by));
        },
        [](const Barrier& barrier) { return spell(barrier); });
}

std::string spell(const Launch& launch) {
    const std::string bindings = joined(launch.bindings, [](const Binding& binding) {
        return fmt::format("{} = {}", binding.name.text, dsl::spell(binding.value));
    });
    return launch.name.text + (bindings.empty() ? "" : '[' + bindings + ']') +
           spell(launch.arguments);
}

std::string spell(const Effect& effect) {
    return visit(
        effect,
        [](const Assert& assert_) {
            const std::string message =
                assert_.message ? fmt::format(", \"{}\"", assert_.message->value) : "";
            return fmt::format("assert {}{}", dsl::spell(assert_.condition), message);
        },
        [](const Print& print) {
            std::string text = fmt::format("print \"{}\"", print.message.value);
            for (const Expr& value : print.values) text += ", " + dsl::spell(value);
            return text;
        },
        [](const Assign& assign) {
            return fmt::format("{} {} {}", dsl::spell(assign.target), assign.op,
                               dsl::spell(assign.value));
        },
        [](const Launch& launch) { return spell(launch); },
        [](const Return& return_) { return "return " + dsl::spell(return_.value); });
}

std::string directed(const std::string& direction, const Name& name) {
    return (direction.empty() ? "" : direction + ' ') + name.text + ": ";
}

}  // namespace

std::string spell(const ast::Expr& expr) {
    return spell(expr, any, Products::spaced);
}

std::string spell_region(const Expr& region) {
    return spell(region, postfix, Products::spaced);
}

std::string spell(const ast::Device& device) {
    return '(' +
           joined(device.coordinates,
                  [](const Coordinate& coordinate) {
                      return fmt::format("{}: {}", coordinate.axis.text, spell(coordinate.value));
                  }) +
           ')';
}

std::string spell(const ast::MemType& type) {
    return fmt::format("{} {}{}{}", type.space, type.element.text,
                       type.dims.empty() ? "" : dims_of(type.dims), type.optional ? "?" : "");
}

std::string spell(const ast::ScratchDecl& decl) {
    const std::string init = decl.init ? " = " + spell(*decl.init) : "";
    return fmt::format("{}: {}{}", decl.name.text, spell(decl.type), init);
}

std::string spell(const ast::Axis& axis) {
    const std::string lo = axis.lo ? tight(*axis.lo) + ".." : "";
    const std::string order = axis.order.empty() ? "" : ' ' + axis.order;
    return fmt::format("{} in {}{}{}", axis.name.text, lo, tight(axis.hi), order);
}

std::string spell(const ast::StreamOption& option) {
    return option.kind + (option.value ? ' ' + spell(*option.value) : "");
}

std::string spell(const ast::BracketParam& param) {
    return param.name.text + (param.type.empty() ? "" : ": " + param.type) +
           (param.value ? " = " + spell(*param.value) : "");
}

std::string spell(const ast::Param& param) {
    return directed(param.direction, param.name) +
           (param.memory ? spell(*param.memory) : param.scalar->text);
}

std::string spell(const ast::ReferenceParam& param) {
    return directed(param.direction, param.name) +
           (param.dims ? dims_of(*param.dims) + (param.optional ? "?" : "") : param.scalar->text);
}

std::string spell(const ast::Const& constant) {
    return fmt::format("const {} = {}", constant.name.text, spell(constant.value));
}

std::string spell_head(const ast::Fn& fn) {
    return fmt::format("fn {}({})", fn.name.text, joined(fn.params, [](const FnParam& param) {
                           return (param.is_ref ? "ref " : "") + param.name.text +
                                  (param.type ? ": " + spell(*param.type) : "");
                       }));
}

std::string spell_head(const ast::For& loop) {
    std::string head =
        fmt::format("for {} in {}..{}", loop.name.text, tight(loop.lo), tight(loop.hi));
    head += option("step", loop.step);
    if (loop.unroll)
        head += loop.unroll->factor ? option("unroll", loop.unroll->factor) : " unroll";
    return head;
}

std::optional<std::string> spell(const ast::Stmt& stmt) {
    std::string text = visit(
        stmt, [](const Control&) { return std::string(); },
        [](const auto& group) { return spell(group); });
    if (text.empty()) return std::nullopt;
    return text;
}

}  // namespace slab::dsl
