#include "programs.hpp"

#include "arch_configs/read_chip.hpp"
#include "compiler/ops/op.hpp"
#include "compiler/program/compile_program.hpp"
#include "dsl/check.hpp"
#include "dsl/parse.hpp"
#include "support/check.hpp"

namespace slab::compiler::test {
namespace {

Settings settings_of(const std::string& set) {
    Settings settings;
    for (std::size_t begin = 0; begin < set.size();) {
        const std::size_t comma = std::min(set.find(',', begin), set.size());
        const std::string part = set.substr(begin, comma - begin);
        const std::size_t equals = part.find('=');
        settings.set.emplace_back(part.substr(0, equals), part.substr(equals + 1));
        begin = comma + 1;
    }
    return settings;
}

}  // namespace

std::string compile_program_text(const std::string& text, const std::string& set,
                                 const std::string& chip) {
    const SourceFile source("t.slab", text);
    Diagnostics diags;
    const dsl::ast::File file = dsl::parse(source, diags);
    dsl::check(file, op_names(), diags);
    const auto spec = arch::read_chip(chip, {}, diags);
    const dsl::ast::Program* last = nullptr;
    for (const dsl::ast::Item& item : file.items)
        if (const auto* program = boost::get<dsl::ast::Program>(&item.get())) last = program;
    SLAB_CHECK(spec && last, "no chip `{}`, or no program in the text", chip);
    if (!diags.has_errors())
        compile_program(file, *last, source, settings_of(set), spec->spec, diags);
    return render(diags, &source);
}

}  // namespace slab::compiler::test
