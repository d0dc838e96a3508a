#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edit.hpp"

namespace slab::mutation {

/// `check` compiles and walks the skeleton, `verify` computes values.
enum class Stage { check, verify };

/// A mistake as people make it, planted in a kernel of the library, and how slab must find it.
struct Fault {
    std::string name;
    std::string kernel;     ///< its folder
    std::string case_name;  ///< of its cases.json
    Stage caught_by;
    std::string verdict;  ///< code of the first error, or `wrong value`
    std::vector<Edit> edits;
};

/// The table: faults.def.
const std::vector<Fault>& faults();

/// The first error of a kernel.
struct Found {
    Stage by;
    std::string verdict;
    std::string headline;
    std::string text;  ///< the messages as slab prints them
};

/// A kernel with a fault in it, in canonical form. `problem` says why there is none.
struct Mutant {
    std::string path;  ///< of the kernel without the fault
    std::string text;
    std::string problem;
};
Mutant plant(const Fault& fault);

/// What `check`, and then `verify`, say about a mutant in a case of the kernel; nothing if it
/// passes both.
std::optional<Found> find(const Mutant& mutant, const std::string& case_name);

/// The row of docs/verification.md about a fault.
std::string row(const Fault& fault, const Found& found);
/// What stands above the rows.
std::string table_head();

}  // namespace slab::mutation
