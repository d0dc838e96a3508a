#pragma once

#include <boost/fusion/include/adapt_struct.hpp>

#include "dsl/ast.hpp"

/// How the grammar's attributes map onto the fields of the AST; seen by grammar/*_def.hpp alone.
// clang-format off
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Name, text)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::List, items)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Member, name)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Slices, items)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Argument, name, value)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Arguments, items)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Postfix, base, suffixes)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Unary, op, operand)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Link, op, operand)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Chain, first, rest)

BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::MemType, space, element, dims, optional)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::ValueType, element, dims)

BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Block, stmts)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Const, name, value)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::FnParam, is_ref, name, type)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Fn, name, params, result, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::ScratchDecl, name, type, init)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Scratch, is_buffer, decls)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Let, name, value)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Var, name, type, value)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Ref, name, region)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Ring, name, type, depth)

BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Axis, name, lo, hi, order)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Transfer, kind, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::StreamOption, kind, value)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Stream, direction, name, window, type, transfers, options)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Pipe, axes, where, items, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::ElseIf, condition, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::If, condition, then, else_ifs, otherwise)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Unroll, factor)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::For, name, lo, hi, step, unroll, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::While, condition, at_most, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Edge, kind, axis, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Slot, kind, ring, name, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Scope, title, body)

BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Coordinate, axis, value)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Device, coordinates)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Copy, source, target, done, priority)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Send, source, target, device, done, arrive)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Wait, semaphore, amount)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Signal, semaphore, device, by)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Barrier, all, devices)

BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Assert, condition, message)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Print, message, values)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Assign, target, op, value)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Binding, name, value)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Launch, name, bindings, arguments)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Return, value)

BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::BracketParam, name, type, value)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Param, direction, name, memory, scalar)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::MeshClause, extents)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::RequireClause, conditions)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::LimitClause, bytes)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Kernel, name, brackets, params, clauses, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Program, name, brackets, params, clauses, body)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::ReferenceParam, direction, name, dims, optional, scalar)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::ast::Reference, name, params, body)
// clang-format on
