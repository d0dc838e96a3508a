#include "compiler/compile.hpp"

#include <algorithm>

#include "compiler/lower/lowering.hpp"
#include "compiler/lower/sizes.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/schedule/expressions.hpp"
#include "compiler/schedule/verify.hpp"
#include "compiler/skeleton/skeleton.hpp"
#include "support/check.hpp"

namespace slab::compiler {
namespace {

struct Pass {
    const char* name;
    void (*run)(Unit&, Diagnostics&);
};

constexpr Pass pipeline[] = {
    {"lower", lower},
    {"check-windows", check_windows},
    {"check-overhang", check_overhang},
    {"drop-dead-values", drop_dead_values},
    {"fold-offsets", fold_offsets},
    {"assign-vmem", assign_vmem},
    {"warn", warn},
};

/// A program that could not be lowered whole is not looked at further; errors of the later passes
/// are all reported.
void run_passes(Unit& unit, Diagnostics& diags) {
    for (const Pass& pass : pipeline) {
        pass.run(unit, diags);
        if (pass.run == lower && diags.has_errors()) return;
    }
}

std::optional<Compiled> compile(Unit& unit, Diagnostics& diags) {
    run_passes(unit, diags);
    if (diags.has_errors()) return std::nullopt;
    const auto unsound = schedule::verify(unit.program);
    SLAB_CHECK(unsound.empty(), "the program of `{}` is unsound: {}", unit.program.kernel,
               unsound.front());
    const bool has_work = unit.run_decides || skeleton::has_skeleton(unit.program);
    if (has_work && !schedule::decides_by_values(unit.program))
        skeleton::run(unit.program, unit.data,
                      {.most_events = unit.settings.skeleton_events,
                       .most_steps = unit.settings.max_steps,
                       .sync_copies = unit.settings.sync_copies},
                      diags);
    if (diags.has_errors()) return std::nullopt;
    return Compiled{std::move(unit.program), std::move(unit.bound), std::move(unit.data)};
}

}  // namespace

void lower(Unit& unit, Diagnostics& diags) {
    Lowering(unit, diags).run();
}

std::optional<Compiled> compile(const dsl::ast::File& file, const dsl::ast::Kernel& kernel,
                                const SourceFile& source, const Settings& settings,
                                const arch::ChipSpec& chip, Diagnostics& diags) {
    Unit unit{file, kernel, chip, settings, source};
    return compile(unit, diags);
}

void check_meshes(const dsl::ast::File& file, const dsl::ast::Kernel& kernel,
                  const SourceFile& source, const Settings& settings, const arch::ChipSpec& chip,
                  Diagnostics& diags) {
    std::vector<std::string> extents;
    for (const dsl::ast::Clause& clause : kernel.clauses)
        if (const auto* mesh = boost::get<dsl::ast::MeshClause>(&clause.get()))
            for (const dsl::ast::Coordinate& axis : mesh->extents.coordinates)
                if (const auto* name = boost::get<dsl::ast::Name>(&axis.value.get()))
                    extents.push_back(name->text);
    if (extents.empty()) return;
    constexpr std::int64_t most_work = 20'000;  // a long kernel shows on the first what it can show
    std::int64_t work = 0;
    for (const char* size : {"2", "3", "4", "8"}) {
        if (work > most_work) return;
        Settings sized = settings;
        for (const std::string& extent : extents) sized.set.emplace_back(extent, size);
        Diagnostics found;
        Unit unit{file, kernel, chip, sized, source};
        compile(unit, found);
        work += unit.work;
        // what does not fit a size, such as a `require`, says nothing about the others
        const bool is_sync = std::any_of(found.messages().begin(), found.messages().end(),
                                         [](const Diagnostic& message) {
                                             return message.info().code().starts_with("E07") ||
                                                    message.info().code().starts_with("E08");
                                         });
        if (!is_sync) continue;
        diags.append(found);
        return;
    }
}

std::optional<std::int64_t> vmem_needed(const Unit& like, const Settings& settings,
                                        std::int64_t& work) {
    Diagnostics diags;
    Unit unit{like.file, like.kernel, like.chip, settings, like.source};
    unit.quiet = true;
    run_passes(unit, diags);
    work += unit.work;
    for (const Diagnostic& message : diags.messages())
        if (message.id() != Diag::E0601) return std::nullopt;
    return unit.program.vmem_bytes;
}

std::vector<ParameterName> parameters(const dsl::ast::File& file, const dsl::ast::Kernel& kernel) {
    std::vector<ParameterName> names;
    for (const dsl::ast::Name& name : shape_names(file, kernel))
        names.push_back({name.text, true, false});
    for (const dsl::ast::BracketParam& bracket : kernel.brackets)
        names.push_back({bracket.name.text, false, bracket.value.has_value()});
    for (const dsl::ast::Param& param : kernel.params)
        if (param.scalar) names.push_back({param.name.text, false, false});
    return names;
}

}  // namespace slab::compiler
