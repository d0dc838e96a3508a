#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dsl/ast.hpp"

/// The parts of a file that stand on one line, as canonical text.
namespace slab::dsl {

std::string spell(const ast::Expr& expr);
/// The same where the grammar wants a region, which is no sum or comparison without brackets.
std::string spell_region(const ast::Expr& region);
std::string spell(const ast::Device& device);
std::string spell(const ast::ScratchDecl& decl);
std::string spell(const ast::Axis& axis);
std::string spell(const ast::StreamOption& option);
std::string spell(const ast::BracketParam& param);
std::string spell(const ast::Param& param);
std::string spell(const ast::ReferenceParam& param);
std::string spell(const ast::Const& constant);
std::string spell(const ast::MemType& type);

/// `fn f(x, ref r)`, without what it does.
std::string spell_head(const ast::Fn& fn);
/// `for i in 0..n unroll 4`
std::string spell_head(const ast::For& loop);

/// A statement without a block; nothing for those that have one.
std::optional<std::string> spell(const ast::Stmt& stmt);

}  // namespace slab::dsl
