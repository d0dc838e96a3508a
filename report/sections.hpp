#pragma once

#include <string>
#include <vector>

#include "sim/result/result.hpp"

/// The tables of the screen: a header, then the largest rows first. Rows of zero are left out, rows
/// beyond the space become one, and a table without rows is empty.
namespace slab::report {

using Lines = std::vector<std::string>;

Lines unit_section(const result::Result& result);
Lines wait_section(const result::Result& result);
Lines traffic_section(const result::Result& result);

/// In at most so many lines, header and totals included.
Lines vmem_section(const result::VmemUse& vmem, std::size_t lines);

/// What the kernel printed: all lines that the result holds, and how many there are besides.
Lines print_section(const result::Result& result);

}  // namespace slab::report
