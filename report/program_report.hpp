#pragma once

#include <string>

#include "report/report.hpp"
#include "sim/result/program_result.hpp"

namespace slab::report {

/// The launches of a program as a table, with their sum.
std::string render_program_screen(const result::ProgramResult& program, const Style& style = {});

/// Every number as JSON, schema slab.program/1.
std::string render_program_json(const result::ProgramResult& program, const Style& style = {});

}  // namespace slab::report
