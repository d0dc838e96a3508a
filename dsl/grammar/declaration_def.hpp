#pragma once

#include "dsl/ast_adapted.hpp"
#include "dsl/grammar/declaration.hpp"
#include "dsl/grammar/expression.hpp"
#include "dsl/grammar/statement.hpp"

// clang-format off
namespace slab::dsl::grammar {

// --- types ------------------------------------------------------------------------------------
const x3::rule<struct ArrayTag, ast::MemType> array_type = "an array type";
const x3::rule<struct SemaphoreTag, ast::MemType> semaphore_type = "a semaphore type";
const node_rule<ast::Name> semaphore_kind = "`dma` or `count`";
struct ArrayTag : WithSpan {};
struct SemaphoreTag : WithSpan {};

const auto array_fields = one_of("hbm", "vmem", "smem") > element > dims;
const auto semaphore_fields = one_of("sem") > semaphore_kind > -dims;
const auto array_type_def = array_fields > x3::attr(false);
const auto semaphore_type_def = semaphore_fields > x3::attr(false);
const auto semaphore_kind_def = one_of("dma", "count");
const auto mem_type_def = array_type | semaphore_type;
const auto value_type_def = element >> -dims;

// --- constants, functions, scratch --------------------------------------------------------------
const list_rule<ast::FnParam> fn_params = "a parameter";
const element_rule<ast::FnParam> fn_param = "a parameter";
const x3::rule<struct ScratchKindTag, bool> is_buffer = "`scratch` or `buffer`";
const list_rule<ast::ScratchDecl> scratch_decls = "a name";
const node_rule<ast::ScratchDecl> scratch_decl = "a name";
const list_rule<ast::Coordinate> coordinates = "a mesh axis";
const node_rule<ast::Coordinate> coordinate = "a mesh axis";

const auto constant_def = sign("const") > name > equals > expression;
const auto fn_param_def = x3::matches[sign("ref")] >> name >> -(colon > value_type);
const auto fn_params_def = list_of(fn_param);
const auto fn_body = next_is("`=` or `{`", "=", "{");
const auto no_block = next_is_not("the end of the function", "{");
const auto function_def = sign("fn") > name > sign("(") > -fn_params > sign(")") > fn_body
                        > -(equals > expression > no_block) > -block;

const auto is_buffer_def = sign("scratch") >> x3::attr(false) | sign("buffer") >> x3::attr(true);
const auto scratch_def = is_buffer > scratch_decls;
const auto scratch_decls_def = list_of(scratch_decl);
const auto scratch_decl_def = name > colon > mem_type > -(equals > expression);

const auto device_def = sign("(") > coordinates > sign(")");
const auto coordinates_def = list_of(coordinate);
const auto coordinate_def = name > colon > expression;

// --- kernels and programs -----------------------------------------------------------------------
const node_rule<ast::Kernel> kernel = "`kernel`";
const node_rule<ast::Program> program = "`program`";
const x3::rule<struct BracketsTag, std::vector<ast::BracketParam>> brackets = "`[`";
const list_rule<ast::BracketParam> bracket_params = "a parameter";
const element_rule<ast::BracketParam> bracket_param = "a parameter";
const x3::rule<struct BracketTypeTag, std::string> bracket_type = "a type";
const x3::rule<struct BracketTypeWordTag, std::string> bracket_type_word = "`int`, `bool`, `dtype` or an element type";
const x3::rule<struct ParamsTag, std::vector<ast::Param>> params = "`(`";
struct BracketsTag : Recovers<Part::list> {};
struct ParamsTag : Recovers<Part::list> {};
const list_rule<ast::Param> param_list = "a parameter";
const element_rule<ast::Param> param = "a parameter";
const x3::rule<struct OperandTypeTag, ast::MemType> operand_type = "a type";
const x3::rule<struct OperandArrayTag, ast::MemType> operand_array = "a type";
const x3::rule<struct OperandSemaphoreTag, ast::MemType> operand_semaphore = "a type";
struct OperandArrayTag : WithSpan {};
struct OperandSemaphoreTag : WithSpan {};
const x3::rule<struct ClauseTag, ast::Clause> clause = "a clause";
struct ClauseTag : Recovers<Part::clause> {};
const node_rule<ast::MeshClause> mesh = "`mesh`";
const node_rule<ast::RequireClause> require = "`require`";
const node_rule<ast::LimitClause> limit = "`limit`";
const choice_rule<ast::KernelBody> kernel_body = "`grid` or `{`";

const auto kernel_def = sign("kernel") > name > -brackets > params > *clause > kernel_body;
const auto program_def = sign("program") > name > -brackets > params > *clause > block;
const auto brackets_def = sign("[") > bracket_params > sign("]");
const auto bracket_params_def = list_of(bracket_param);
const auto bracket_param_def = name >> -bracket_type >> -(equals > expression);
const auto bracket_type_def = colon > bracket_type_word;
const auto bracket_type_word_def = one_of("int", "bool", "dtype") | type_word;
const auto params_def = sign("(") > -param_list > sign(")");
const auto param_list_def = list_of(param);
const auto param_def = (maybe("out", "inout") >> name) > colon > -operand_type > -(after(":") > element);
const auto operand_type_def = operand_array | operand_semaphore;
const auto operand_array_def = array_fields > x3::matches[sign("?")];
const auto operand_semaphore_def = semaphore_fields > x3::matches[sign("?")];
const auto clause_def = mesh | require | constant | limit;
const auto mesh_def = sign("mesh") > device;
const auto require_def = sign("require") > expressions;
const auto limit_def = sign("limit") > sign("vmem") > expression;
const auto kernel_body_def = pipe | block;

// --- references ---------------------------------------------------------------------------------
const node_rule<ast::Reference> reference = "`reference`";
const list_rule<ast::ReferenceParam> reference_params = "a parameter";
const element_rule<ast::ReferenceParam> reference_param = "a parameter";
const x3::rule<struct AllDimsTag, std::vector<ast::Expr>> all_dims = "`[`";

const auto reference_def = sign("reference") > name > sign("(") > -reference_params > sign(")") > block;
const auto reference_params_def = list_of(reference_param);
const auto reference_param_def = (maybe("out", "inout") >> name) > colon > -all_dims
    > x3::matches[after("]") >> sign("?")] > -(after(":") > element);
const auto all_dims_def = sign("[") > -expressions > sign("]");

const auto item_def = kernel | program | reference | function | constant;

BOOST_SPIRIT_DEFINE(array_type, semaphore_type, semaphore_kind, mem_type, value_type)
BOOST_SPIRIT_DEFINE(constant, function, fn_params, fn_param, is_buffer, scratch, scratch_decls, scratch_decl)
BOOST_SPIRIT_DEFINE(device, coordinates, coordinate, kernel, program, brackets, bracket_params)
BOOST_SPIRIT_DEFINE(bracket_param, bracket_type, bracket_type_word, params, param_list, param)
BOOST_SPIRIT_DEFINE(operand_type, operand_array, operand_semaphore, clause, mesh, require, limit)
BOOST_SPIRIT_DEFINE(kernel_body, reference, reference_params, reference_param, all_dims, item)

}  // namespace slab::dsl::grammar
// clang-format on
