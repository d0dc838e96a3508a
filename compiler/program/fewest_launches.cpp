#include "compiler/program/program_run.hpp"
#include "dsl/names.hpp"
#include "dsl/visit.hpp"

// How many launches a block makes at the least, so that too many are refused before the first.
namespace slab::compiler {

namespace ast = dsl::ast;
using Int = std::int64_t;

namespace {

constexpr Int most_counted = Int{1} << 32;

}  // namespace

/// A bound that the statements around it have settled already. `inner` are names of the block that
/// is being counted.
std::optional<Int> ProgramRun::settled(const ast::Expr& bound, const InnerNames& inner) {
    for (const ast::Name& name : dsl::names_in(bound)) {
        const Entry* entry = inner.count(name.text) ? nullptr : lowering_.env_->find(name.text);
        if (!entry || entry->kind == Entry::Kind::variable) return std::nullopt;
    }
    return lowering_.integer(bound, "a bound of a loop");
}

Int ProgramRun::fewest_launches(const ast::For& loop, InnerNames inner, Span& place) {
    const auto lo = settled(loop.lo, inner), hi = settled(loop.hi, inner);
    const auto step = loop.step ? settled(*loop.step, inner) : std::optional<Int>(1);
    if (!lo || !hi || !step || *step < 1 || *hi <= *lo || *hi - *lo > most_counted) return 0;
    inner.insert(loop.name.text);
    const Int each = fewest_launches(loop.body, std::move(inner), place);
    return std::min(most_counted, (*hi - *lo + *step - 1) / *step * each);
}

Int ProgramRun::fewest_launches(const ast::Block& block, InnerNames inner, Span& place) {
    Int count = 0;
    for (const ast::Stmt& stmt : block.stmts) {
        if (const auto* declaration = ast::get_if<ast::Declaration>(stmt)) {
            ast::visit(*declaration, [&](const auto& node) {
                if constexpr (requires { node.name.text; }) inner.insert(node.name.text);
            });
        } else if (const auto* control = ast::get_if<ast::Control>(stmt)) {
            if (const auto* loop = ast::get_if<ast::For>(*control))
                count += fewest_launches(*loop, inner, place);
            else if (const auto* scope = ast::get_if<ast::Scope>(*control))
                count += fewest_launches(scope->body, inner, place);
        } else if (const auto* effect = ast::get_if<ast::Effect>(stmt)) {
            const auto* launch = ast::get_if<ast::Launch>(*effect);
            if (!launch || !session_.find(launch->name.text)) continue;
            place = launch->span;
            ++count;
        }
        count = std::min(count, most_counted);
    }
    return count;
}

}  // namespace slab::compiler
