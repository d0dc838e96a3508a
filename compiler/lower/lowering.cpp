#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <numbers>

#include "compiler/lower/sizes.hpp"
#include "compiler/ops/op.hpp"
#include "compiler/schedule/layout.hpp"
#include "compiler/schedule/walker.hpp"
#include "dsl/names.hpp"
#include "support/check.hpp"
#include "support/size_text.hpp"

namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using Int = std::int64_t;

Lowering::Lowering(Unit& unit, Diagnostics& diags)
    : unit_(unit),
      diags_(diags),
      source_(&unit.source),
      program_(unit.program),
      scalars_(unit.program),
      env_(std::make_shared<Env>(nullptr)),
      errors_before_(diags.size()) {
    const auto constant = [&](const char* name, Constant value) {
        env_->names[name].value = std::move(value);
    };
    constant("KiB", {Int{1} << 10});
    constant("MiB", {Int{1} << 20});
    constant("GiB", {Int{1} << 30});
    constant("pi", {std::numbers::pi});
}

std::vector<std::string> Lowering::visible_names(bool functions_only) const {
    std::vector<std::string> names;
    for (const Env* env = env_.get(); env; env = env->parent.get())
        for (const auto& [name, entry] : env->names)
            if (!functions_only || entry.kind == Entry::Kind::function) names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
}

void Lowering::declare(const ast::Name& name, Entry entry) {
    const bool built_in = find_op(name.text) || name.text == "has" || name.text == "KiB" ||
                          name.text == "MiB" || name.text == "GiB" || name.text == "pi";
    if (built_in) {
        diags_.add<Diag::E0003_built_in>(name.span, name.text);
        return;
    }
    entry.where = where_open_.empty() ? 0 : where_open_.back();
    const auto [earlier, inserted] = env_->names.try_emplace(name.text, entry);
    if (inserted) return;
    diags_.add<Diag::E0003>(name.span, name.text)
        .note(earlier->second.declared, "first declared here");
    earlier->second.value = std::move(entry.value);
}

schedule::SlotId Lowering::new_slot(const std::string& name, schedule::ScalarType type,
                                    Range range) {
    program_.slots.push_back({name, type, 0, 0});
    unit_.ranges.push_back(range);
    return static_cast<schedule::SlotId>(program_.slots.size()) - 1;
}

schedule::BufferId Lowering::new_buffer(const std::string& name, schedule::Space space,
                                        schedule::BufferRole role, DType type,
                                        const std::vector<Int>& shape, Int copies, Span span) {
    schedule::Buffer buffer;
    buffer.name = name;
    buffer.space = space;
    buffer.role = role;
    buffer.type = type;
    buffer.shape = shape;
    // A window keeps the tiles its operand has in HBM; elsewhere the compiler packs registers full.
    const Int packed_rows = chip().vpu.sublanes * 32 / bits(type);
    buffer.tile_rows =
        role == schedule::BufferRole::window ? chip().tiling.rows(type) : packed_rows;
    buffer.copies = copies;
    buffer.bytes = schedule::vmem_bytes(type, shape, buffer.tile_rows, chip().vpu.lanes);
    if (space == schedule::Space::smem) {  // 32-bit words, without tiles
        buffer.bytes = 4;
        for (const Int size : shape) buffer.bytes *= size;
    }
    buffer.place.span = span;
    program_.buffers.push_back(std::move(buffer));
    return static_cast<schedule::BufferId>(program_.buffers.size()) - 1;
}

void Lowering::push(schedule::Stmt stmt) {
    open_blocks_.back()->push_back(std::move(stmt));
}

void Lowering::declare_constants() {
    for (const ast::Item& item : unit_.file.items) {
        if (const auto* constant_decl = boost::get<ast::Const>(&item.get())) lower(*constant_decl);
        if (const auto* fn = boost::get<ast::Fn>(&item.get())) lower(*fn);
    }
}

std::optional<DType> Lowering::element_type(const ast::Name& name) {
    const Value value = eval_name(name);
    const auto* constant = std::get_if<Constant>(&value);
    if (constant && constant->dtype()) return *constant->dtype();
    if (!is_invalid(value))
        diags_.add<Diag::E0004_value>(name.span, fmt::format("`{}`", name.text), "an element type",
                                      describe(value));
    return std::nullopt;
}

std::optional<std::vector<Int>> Lowering::sizes(const std::vector<ast::Expr>& dims,
                                                const ast::Name& of) {
    constexpr Int most = (Int{1} << 31) - 1;
    std::vector<Int> shape;
    for (const ast::Expr& dim : dims) {
        const auto size = integer(dim, fmt::format("a size of `{}`", of.text));
        if (size && *size >= 1 && *size <= most) shape.push_back(*size);
        if (!size || (*size >= 1 && *size <= most)) continue;
        const auto names = dsl::names_in(dim);
        const bool is_given = std::any_of(names.begin(), names.end(), [&](const ast::Name& name) {
            return unit_.find(name.text) != nullptr;
        });
        report_size(dim.span(), text(dim.span()), *size, is_given, diags_);
    }
    if (shape.size() != dims.size()) return std::nullopt;
    if (!shape.empty() && shape.size() <= schedule::max_rank) return shape;
    diags_.add<Diag::E0004_kind>(of.span, "the rank", of.text,
                                 fmt::format("1 to {}", schedule::max_rank),
                                 std::to_string(shape.size()));
    return std::nullopt;
}

void Lowering::declare_operands() {
    double total = 0;
    for (const ast::Param& param : unit_.kernel.params) {
        if (!param.memory) continue;  // a run-time scalar, declared with the sizes
        Entry entry;
        entry.declared = param.name.span;
        entry.value = Invalid{};
        const ast::MemType& memory = *param.memory;
        if (memory.optional && std::count(unit_.settings.with.begin(), unit_.settings.with.end(),
                                          param.name.text) == 0) {
            entry.kind = Entry::Kind::absent;
            unit_.absent.insert(param.name.text);
            declare(param.name, std::move(entry));
            continue;
        }
        if (memory.space == "sem") {
            diags_
                .add<Diag::E0004_place>(param.span, "a semaphore",
                                        "operands are arrays; semaphores are the kernel's own")
                .fix(fmt::format("scratch {}: sem {} in the body", param.name.text,
                                 memory.element.text));
            declare(param.name, std::move(entry));
            continue;
        }
        const auto type = element_type(memory.element);
        schedule::Operand operand;
        operand.name = param.name.text;
        operand.direction = param.direction == "out"     ? schedule::Direction::out
                            : param.direction == "inout" ? schedule::Direction::inout
                                                         : schedule::Direction::in;
        operand.place.span = param.name.span;
        const auto shape = sizes(memory.dims, param.name);
        if (type && shape) {
            operand.type = *type;
            operand.shape = *shape;
            operand.tile_rows = chip().tiling.rows(operand.type);
            double bytes = bits(operand.type) / 8.0;
            for (const Int size : operand.shape) bytes *= static_cast<double>(size);
            total += bytes;
            program_.operands.push_back(std::move(operand));
            const auto id = static_cast<std::int32_t>(program_.operands.size()) - 1;
            if (memory.space == "hbm")
                entry.value = whole(Reference::Kind::operand, id);
            else if (fits_vmem({*type, *shape}, param.name))
                entry.value = resident(memory, id).value_or(Invalid{});
        }
        declare(param.name, std::move(entry));
    }
    if (total > static_cast<double>(chip().hbm.bytes))
        diags_
            .add<Diag::E0604>(unit_.kernel.name.span, size_text(total),
                              size_text(static_cast<double>(chip().hbm.bytes)))
            .because("all operands of a launch lie in HBM at once");
}

void Lowering::check_requirements() {
    for (const ast::Clause& clause : unit_.kernel.clauses) {
        if (const auto* constant_decl = boost::get<ast::Const>(&clause.get())) {
            lower(*constant_decl);
        } else if (const auto* require = boost::get<ast::RequireClause>(&clause.get())) {
            for (const ast::Expr& condition : require->conditions) {
                const auto value = constant(condition, "a `require`");
                if (!value) continue;
                if (!value->truth())
                    diags_.add<Diag::E0102_condition>(condition.span(), compiler::describe(*value));
                else if (!*value->truth())
                    diags_.add<Diag::E0005>(condition.span(), text(condition.span()),
                                            sizes_used_in(condition, unit_));
            }
        }
    }
}

void Lowering::limit_vmem() {
    program_.vmem_limit_bytes = chip().vmem.scoped_limit_bytes;
    for (const ast::Clause& clause : unit_.kernel.clauses) {
        const auto* limit = boost::get<ast::LimitClause>(&clause.get());
        const auto bytes = limit ? integer(limit->bytes, "`limit vmem`") : std::nullopt;
        if (!bytes) continue;
        if (*bytes > chip().vmem.bytes || *bytes < 1)
            diags_
                .add<Diag::E0601_limit>(limit->bytes.span(),
                                        *bytes < 1 ? fmt::format("{} bytes", *bytes)
                                                   : size_text(static_cast<double>(*bytes)),
                                        size_text(static_cast<double>(chip().vmem.bytes)))
                .replace(limit->bytes.span(), fmt::format("{}*MiB", chip().vmem.bytes >> 20));
        else
            program_.vmem_limit_bytes = *bytes;
    }
}

bool Lowering::declare_head() {
    program_.kernel = unit_.kernel.name.text;
    program_.chip = chip().name;
    program_.lanes = chip().vpu.lanes;
    program_.sublanes = chip().vpu.sublanes;
    open_blocks_.push_back(&program_.body);
    declare_constants();
    env_ = std::make_shared<Env>(env_);
    if (!declare_sizes()) return false;
    declare_mesh();
    check_requirements();
    declare_operands();
    limit_vmem();
    return diags_.size() == errors_before_;
}

void Lowering::run() {
    if (!declare_head()) return;
    copy_residents(true);
    if (const auto* pipe = boost::get<ast::Pipe>(&unit_.kernel.body.get())) {
        ++statement_;
        lower(*pipe);
    } else {
        lower_block(boost::get<ast::Block>(unit_.kernel.body.get()));
    }
    close_region();
    copy_residents(false);
    SLAB_CHECK(!made_invalid_ || diags_.has_errors(),
               "a part of `{}` was not lowered and no message says why", program_.kernel);
}

}  // namespace slab::compiler
