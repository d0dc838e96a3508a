#include "kernels.hpp"

#include "arch_configs/read_chip.hpp"
#include "compiler/ops/op.hpp"
#include "dsl/check.hpp"
#include "dsl/parse.hpp"
#include "reference/data.hpp"
#include "support/check.hpp"

namespace slab::compiler::test {
namespace {

std::vector<std::string> split(const std::string& text, char separator = ',') {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t comma = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, comma - begin));
        begin = comma + 1;
    }
    return parts;
}

std::vector<reference::Entry> entries(const std::string& data) {
    std::vector<reference::Entry> found;
    for (const std::string& line : split(data, '\n')) {
        const std::size_t equals = line.find('=');
        found.push_back({line.substr(0, equals), line.substr(equals + 1), "the test", ""});
    }
    return found;
}

const schedule::Region* last_region_storing(const schedule::Program& program,
                                            const std::string& buffer, const schedule::Op*& store) {
    const schedule::Region* found = nullptr;
    for (const schedule::Region& region : program.regions)
        for (const schedule::Op& op : region.ops)
            if (op.cls == schedule::OpClass::store &&
                program.buffers[op.ref->buffer].name == buffer) {
                found = &region;
                store = &op;
            }
    return found;
}

std::string control(const schedule::Program& program, const schedule::Block& block) {
    std::string text;
    for (const schedule::Stmt& stmt : block) {
        if (!text.empty()) text += ' ';
        if (const auto* grid = std::get_if<schedule::Pipeline>(&stmt.node))
            text += "grid{" + control(program, grid->body) + "}";
        else if (const auto* loop = std::get_if<schedule::Loop>(&stmt.node))
            text += "loop{" + control(program, loop->body) + "}";
        else if (const auto* branch = std::get_if<schedule::Branch>(&stmt.node))
            text += "if{" + control(program, branch->then) + "}else{" +
                    control(program, branch->otherwise) + "}";
        else if (const auto* set = std::get_if<schedule::SetSlot>(&stmt.node))
            text += "set:" + program.slots[set->slot].name;
        else if (const auto* scope = std::get_if<schedule::Scope>(&stmt.node))
            text += "scope{" + control(program, scope->body) + "}";
        else if (const auto* run = std::get_if<schedule::RunRegion>(&stmt.node))
            text += fmt::format("r{}", run->region);
    }
    return text;
}

}  // namespace

std::vector<std::string> Result::headlines() const {
    std::vector<std::string> lines;
    for (const Diagnostic& message : diags.messages())
        if (message.info().kind != DiagKind::warning) lines.push_back(message.headline());
    return lines;
}

std::string Result::error() const {
    std::string text;
    for (const Diagnostic& message : diags.messages())
        if (message.info().kind != DiagKind::warning)
            text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", message.info().code(),
                                message.headline());
    return text;
}

std::string Result::rendered() const {
    return render(diags, &source);
}

Result compile_text(const std::string& text, const std::string& set, const std::string& chip,
                    const std::string& with, const std::string& data) {
    Result result{std::nullopt, {}, SourceFile("t.slab", text)};
    const dsl::ast::File file = dsl::parse(result.source, result.diags);
    if (result.diags.has_errors()) return result;
    dsl::check(file, op_names(), result.diags);
    const auto spec = arch::read_chip(chip, {}, result.diags);
    SLAB_CHECK(spec, "no chip `{}`", chip);
    Settings settings;
    settings.with = split(with);
    for (const std::string& part : split(set)) {
        const std::size_t equals = part.find('=');
        settings.set.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    }
    for (const dsl::ast::Item& item : file.items)
        if (const auto* kernel = boost::get<dsl::ast::Kernel>(&item.get())) {
            const reference::ArrayData arrays(file, kernel->params, kernel->clauses, entries(data));
            settings.data = &arrays;
            result.compiled =
                compile(file, *kernel, result.source, settings, spec->spec, result.diags);
            break;
        }
    return result;
}

Result compile_body(const std::string& statements, const std::string& scratch,
                    const std::string& chip) {
    return compile_text(
        "kernel k(x: hbm f32[64, 256], hb: hbm bf16[64, 256], qi: hbm i32[64, 256],\n"
        "  ri: hbm i8[64, 256], vf: hbm f32[256], n: i32, s: f32, out y: hbm f32[64, 256])\n"
        "grid (i in 1)\n"
        "  in a = x in h = hb in q = qi in r = ri in v = vf out z = y\n" +
            (scratch.empty() ? "" : "  scratch " + scratch + "\n") + "{\n" + statements +
            "\n z = a }",
        "n=5,s=1.5", chip);
}

Made make(const std::string& expression, const std::string& type, const std::string& chip) {
    const Result result = compile_body("o = " + expression, "o: vmem " + type, chip);
    if (!result.compiled) return {{}, result.error()};
    const schedule::Op* store = nullptr;
    const schedule::Region* region = last_region_storing(result.program(), "o", store);
    if (!region) return {{}, "nothing is stored"};
    const schedule::BlockType stored = region->values[store->args[0]];
    for (const schedule::Op& op : region->ops)
        if (op.result == store->args[0])
            return {op, fmt::format("{}[{}]", name(stored.type), fmt::join(stored.shape, ","))};
    return {};
}

std::string operations(const schedule::Program& program) {
    std::string text;
    for (const schedule::Region& region : program.regions) {
        if (!text.empty()) text += " | ";
        for (const schedule::Op& op : region.ops) {
            if (!text.empty() && text.back() != ' ') text += ' ';
            text += op.name;
            if (op.ref) text += ":" + program.buffers[op.ref->buffer].name;
        }
    }
    return text;
}

std::string control(const schedule::Program& program) {
    return control(program, program.body);
}

const schedule::Buffer* buffer(const schedule::Program& program, const std::string& name) {
    for (const schedule::Buffer& candidate : program.buffers)
        if (candidate.name == name) return &candidate;
    return nullptr;
}

}  // namespace slab::compiler::test
