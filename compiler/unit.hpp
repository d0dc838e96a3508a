#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "compiler/constant.hpp"
#include "compiler/schedule/walker.hpp"
#include "dsl/ast.hpp"
#include "support/diagnostics.hpp"

namespace slab::compiler {

/// Sizes, bracket parameters and run-time scalars of a kernel, each with its value, in order of
/// declaration.
struct Bound {
    std::string name;
    Constant value;
    Span declared;
    bool is_shape = false;
    bool is_runtime = false;
};

/// Knows what arrays hold, once the sizes are known: the case's data, or those of the command line.
class DataSource {
public:
    virtual ~DataSource() = default;
    /// Elements of an operand of this type and shape, row-major, as words (scalar.hpp). Nothing if
    /// there are none for it; an error is reported.
    virtual std::optional<std::vector<std::int64_t>> elements(const schedule::Operand& operand,
                                                              const std::vector<Bound>& sizes,
                                                              Diagnostics& diags) const = 0;
};

/// What the user chose for one run: values by name (`M` = `8192`, `bk` = `64*2`) and the optional
/// operands present.
struct Settings {
    std::vector<std::pair<std::string, std::string>> set = {};
    std::vector<std::string> with = {};
    std::int64_t max_steps = 1'000'000'000;
    /// Of a program; ten times as many rounds of its loops and a hundred times as many expressions.
    std::int64_t max_launches = 100'000;
    /// Of a kernel, with all that functions and `unroll` copy.
    std::int64_t max_expressions = 200'000;
    const DataSource* data = nullptr;  ///< what arrays hold that control flow reads
    /// Events of the synchronisation skeleton that are looked at.
    std::int64_t skeleton_events = 200'000;
    bool sync_copies = false;  ///< every copy is complete as soon as it starts
};

/// A named block that is used more than once and therefore occupies VMEM while it lives.
struct LiveValue {
    std::string name;
    schedule::BlockType type;
    Span span;
    int first = 0;  ///< statement numbers, both included
    int last = 0;
    int uses = 0;
    bool crosses_regions = false;
    schedule::BufferId buffer = schedule::none;
};

/// An axis or loop variable: the values it can take, when they are known.
struct Range {
    std::int64_t lo = 0;
    std::int64_t hi = 0;  ///< inclusive
    bool known = false;
    bool exact = false;  ///< every value in between is taken
};

/// A kernel on its way through the passes: the program and what messages need to know about its
/// text.
struct Unit {
    const dsl::ast::File& file;
    const dsl::ast::Kernel& kernel;
    const arch::ChipSpec& chip;
    const Settings& settings;
    const SourceFile& source;

    std::vector<Bound> bound = {};
    std::set<std::string> absent = {};  ///< optional operands that are not passed
    schedule::Program program = {};
    schedule::Data data = {};
    std::vector<LiveValue> live = {};
    std::vector<Range> ranges = {};                                   ///< per slot of the program
    std::map<schedule::ExprId, std::int64_t> aligned = {};            ///< promised multiples
    std::vector<std::pair<const char*, dsl::ast::Name>> unused = {};  ///< scratch and rings
    bool run_decides = false;  ///< windows or coverage cannot be told from expressions alone
    bool quiet = false;        ///< a trial for another block size: look for no fixes
    std::int64_t work = 0;     ///< expressions and statements lowered

    const Bound* find(const std::string& name) const {
        for (const Bound& b : bound)
            if (b.name == name) return &b;
        return nullptr;
    }
};

}  // namespace slab::compiler
