#include <algorithm>

#include "compiler/lower/lowering.hpp"

// Copies, semaphores, and what chips say to each other.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using schedule::SemaphoreKind;
using schedule::Space;
using Int = std::int64_t;

namespace {

const char* counts(SemaphoreKind kind) {
    return kind == SemaphoreKind::dma ? "bytes" : "signals";
}

}  // namespace

// ------------------------------------------------------------------------------------------------
// semaphores

void Lowering::declare_semaphore(const ast::ScratchDecl& decl, Entry& entry) {
    schedule::Semaphore semaphore;
    semaphore.name = decl.name.text;
    semaphore.kind = decl.type.element.text == "count" ? SemaphoreKind::count : SemaphoreKind::dma;
    semaphore.place.span = decl.name.span;
    constexpr Int most = 1 << 16;
    if (!decl.type.dims.empty()) {
        const auto shape = sizes(decl.type.dims, decl.name);
        if (!shape) return;
        semaphore.shape = *shape;
    }
    double count = 1;
    for (const Int size : semaphore.shape) count *= static_cast<double>(size);
    if (count > most) {
        diags_.add<Diag::E0603_many>(decl.span, decl.name.text, fmt::format("{:.6g}", count), most);
        return;
    }
    program_.semaphores.push_back(std::move(semaphore));
    entry.value = SemaphoreValue{
        {static_cast<schedule::SemaphoreId>(program_.semaphores.size()) - 1, {}}, decl.name.text};
    semaphore_grids_.push_back(grids_.size());
}

Value Lowering::slice_semaphore(const SemaphoreValue& base, const ast::Slices& slices, Span span) {
    const std::vector<Int>& shape = program_.semaphores[base.ref.semaphore].shape;
    SemaphoreValue result = base;
    for (const ast::Slice& slice : slices.items) {
        const std::size_t d = result.ref.index.size();
        const auto* one = boost::get<ast::IndexSlice>(&slice.get());
        if (d == shape.size()) {
            diags_.add<Diag::E0101_rank>(slices.span, text({span.begin, slices.span.begin}),
                                         shape.size() - base.ref.index.size(), slices.items.size());
            return Invalid{};
        }
        if (!one) {
            diags_.add<Diag::E0004_value>(slice.span(), "the index of a semaphore",
                                          "an integer scalar",
                                          fmt::format("`{}`", text(slice.span())));
            return Invalid{};
        }
        const auto at = index(one->index, "the index of a semaphore");
        if (!at) return Invalid{};
        if (!has_index(base.name, "semaphores", d, shape[d], *at, slice.span())) return Invalid{};
        result.ref.index.push_back(*at);
    }
    return result;
}

/// One semaphore. `kind`: what its user needs, if that is decided.
std::optional<schedule::SemaphoreRef> Lowering::semaphore(const ast::Expr& expr,
                                                          std::optional<SemaphoreKind> kind,
                                                          const char* user) {
    const Value value = eval_place(expr);
    if (is_invalid(value)) return std::nullopt;
    const auto* named = std::get_if<SemaphoreValue>(&value);
    if (!named) {
        diags_.add<Diag::E0204_semaphore>(expr.span(), fmt::format("`{}`", text(expr.span())))
            .label("this is " + describe(value))
            .fix("scratch arrived: sem dma");
        return std::nullopt;
    }
    const schedule::Semaphore& semaphore = program_.semaphores[named->ref.semaphore];
    if (named->ref.index.size() < semaphore.shape.size()) {
        diags_
            .add<Diag::E0101_rank>(expr.span(), named->name, semaphore.shape.size(),
                                   named->ref.index.size())
            .because("one semaphore is meant, not an array of them");
        return std::nullopt;
    }
    if (kind && *kind != semaphore.kind) {
        diags_
            .add<Diag::E0806>(expr.span(), named->name, counts(semaphore.kind), user, counts(*kind))
            .note(semaphore.place.span, "declared here")
            .fix(fmt::format("{}: sem {}", semaphore.name,
                             *kind == SemaphoreKind::dma ? "dma" : "count"));
        return std::nullopt;
    }
    check_shared(named->name, semaphore_grids_[named->ref.semaphore], expr.span());
    return named->ref;
}

void Lowering::check_shared(const std::string& name, std::size_t declared_in_grids, Span span) {
    for (std::size_t g = declared_in_grids; g < grids_.size(); ++g) {
        const OpenGrid& grid = grids_[g];
        for (std::size_t i = 0; i < grid.names.size(); ++i) {
            if (grid.pipe->axes[i].order != "par" || grid.extents[i] == 1) continue;
            diags_.add<Diag::E0303>(span, name, grid.names[i])
                .note(grid.pipe->axes[i].span, "declared `par`: its steps may run in any order")
                .because("what one step of a `par` axis changes, no other step may wait for")
                .fix(fmt::format("{} in … seq", grid.names[i]));
            return;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// copies

/// What a DMA can move.
bool Lowering::check_end(const Reference& source, Span span) {
    if (source.transposed || source.type == DType::pred) {
        diags_
            .add<Diag::E0004_place>(
                span, source.transposed ? "a transpose" : "a block of conditions",
                source.transposed ? "a DMA moves tiles as they lie" : "a DMA moves numbers")
            .fix(source.transposed ? "permute(…) of leading dimensions, or transpose the block"
                                   : "select(x, 1, 0), and copy that");
        return false;
    }
    return true;
}

bool Lowering::check_source(const Reference& source, Span span) {
    if (!check_end(source, span)) return false;
    if (source.kind == Reference::Kind::buffer) note_load(source.id, span);
    return true;
}

bool Lowering::check_target(const Reference& target, Span span) {
    if (!check_end(target, span)) return false;
    if (target.kind == Reference::Kind::operand) {
        const schedule::Operand& operand = program_.operands[target.id];
        if (operand.direction != schedule::Direction::in) return true;
        diags_.add<Diag::E0307_operand>(span, operand.name)
            .note(operand.place.span, "declared without `out` or `inout`")
            .fix(fetching_ == none ? fmt::format("inout {}: …", operand.name)
                                   : fmt::format("copy … -> {}", program_.streams[fetching_].name));
        return false;
    }
    const auto window = window_of_.find(target.id);
    if (window != window_of_.end() && fetching_ != window->second &&
        program_.streams[window->second].direction == schedule::Direction::in) {
        diags_.add<Diag::E0307>(span, target.name)
            .because("an `in` window is a copy of the operand and is never written back")
            .fix(fmt::format("a `scratch` block, or `inout {}`", target.name));
        return false;
    }
    if (space_of(target) == Space::smem && holds_operand(target.id)) {
        diags_.add<Diag::E0307_operand>(span, target.name)
            .because("an operand in SMEM arrives before the body and stays as it is")
            .fix("scratch in smem");
        return false;
    }
    note_copy(target.id);
    return true;
}

bool Lowering::same_ends(const Reference& source, Span source_span, const Reference& target,
                         Span target_span) {
    const std::vector<Int> from = source.shape(), to = target.shape();
    if (source.type != target.type) {
        diags_.add<Diag::E0102_copy>(source_span, name(source.type), name(target.type), target.name)
            .because("a DMA moves bytes and converts nothing")
            .fix(fmt::format("a block of {} at both ends", name(source.type)));
        return false;
    }
    std::vector<schedule::ExprId> live_from, live_to;
    for (const Reference::Dim& dim : source.dims)
        if (!dim.dropped) live_from.push_back(dim.live);
    for (const Reference::Dim& dim : target.dims)
        if (!dim.dropped) live_to.push_back(dim.live);
    if (from == to && live_from == live_to) return true;
    // run-time lengths are compared when they are known
    bool same = from.size() == to.size();
    for (std::size_t d = 0; d < from.size() && same; ++d)
        same = from[d] == to[d] || live_from[d] != none || live_to[d] != none;
    if (same) return true;
    diags_.add<Diag::E0805>(source_span, to_string(from), to_string(to))
        .label(fmt::format("{} elements", to_string(from)))
        .note(target_span, fmt::format("{} elements", to_string(to)))
        .fix("slices of one shape at both ends");
    return false;
}

bool Lowering::make_copy(const ast::Expr& source_expr, const ast::Expr& target_expr, Span span,
                         schedule::Copy& copy) {
    const auto source = reference(source_expr);
    const auto target = reference(target_expr);
    if (!source || !target) return false;
    const bool moves =
        check_source(*source, source_expr.span()) & check_target(*target, target_expr.span());
    if (!moves || !same_ends(*source, source_expr.span(), *target, target_expr.span()))
        return false;
    if (space_of(*target) == Space::smem && source->kind == Reference::Kind::operand)
        require_data(source->id, source_expr.span());
    copy.source = memory_ref(*source);
    copy.target = memory_ref(*target);
    copy.place.span = span;
    close_region();
    return true;
}

/// Inside `fill`, `put`, `fetch` and `flush` every copy has the slot as one of its ends, since the
/// slot's semaphore counts it.
bool Lowering::moves_slot(const ast::Copy& copy, const schedule::Copy& lowered) {
    const char* place = nullptr;
    std::string slot;
    bool inwards = true;
    if (fetching_ != none) {
        const schedule::Stream& stream = program_.streams[fetching_];
        inwards = !flushing_;
        place = inwards ? "fetch" : "flush";
        slot = stream.name;
        if ((inwards ? lowered.target : lowered.source).buffer == stream.buffer) return true;
    } else if (filling_ != none) {
        const ast::Slot& open = *open_slots_.back();
        inwards = open.kind == "fill";
        place = open.kind == "take" ? nullptr : open.kind.c_str();
        slot = open.name.text;
        const schedule::MemoryRef& end = inwards ? lowered.target : lowered.source;
        if (!place || end.buffer == program_.rings[filling_].buffer) return true;
    } else {
        return true;
    }
    diags_
        .add<Diag::E0004_place>(
            (inwards ? copy.target : copy.source).span(),
            fmt::format("`{}`", text((inwards ? copy.target : copy.source).span())),
            fmt::format("a copy in `{}` goes {} `{}`", place, inwards ? "into" : "out of", slot))
        .because("the semaphore of the slot counts the copies in this block")
        .fix("the other copy before or behind the block");
    return false;
}

void Lowering::lower(const ast::Copy& copy) {
    schedule::Copy lowered;
    if (!make_copy(copy.source, copy.target, copy.span, lowered)) return;
    if (copy.priority) {
        const auto priority = integer(*copy.priority, "a priority");
        constexpr Int most = 7;
        if (priority && (*priority < 0 || *priority > most))
            diags_.add<Diag::E0004_kind>(copy.priority->span(), "the priority", "copy",
                                         fmt::format("0 to {}", most), std::to_string(*priority));
        lowered.priority = priority.value_or(0);
    }
    if (!moves_slot(copy, lowered)) return;
    if (copy.done && (filling_ != none || fetching_ != none)) {
        diags_
            .add<Diag::E0004_place>(copy.done->span(), "`done`",
                                    "the slot has a semaphore of its own, which counts this copy")
            .fix("the copy without `done`");
        return;
    }
    if (copy.done) {
        const auto done = semaphore(*copy.done, SemaphoreKind::dma, "done");
        if (!done) return;
        lowered.done = *done;
    } else {
        lowered.stream = fetching_;
        if (fetching_ == none) lowered.ring = filling_;
    }
    program_.copies.push_back(std::move(lowered));
    push({schedule::StartCopy{static_cast<schedule::CopyId>(program_.copies.size()) - 1}});
}

void Lowering::lower(const ast::Send& send) {
    schedule::Copy lowered;
    if (!on_mesh(send.span, "`send`")) return;
    const auto to = device(send.device);
    const auto done = semaphore(send.done, SemaphoreKind::dma, "done");
    const auto arrive = semaphore(send.arrive, SemaphoreKind::dma, "arrive");
    if (!make_copy(send.source, send.target, send.span, lowered) || !to || !done || !arrive) return;
    lowered.device = *to;
    lowered.done = *done;
    lowered.arrive = *arrive;
    program_.copies.push_back(std::move(lowered));
    push({schedule::StartCopy{static_cast<schedule::CopyId>(program_.copies.size()) - 1}});
}

void Lowering::lower(const ast::Wait& wait) {
    const auto which = semaphore(wait.semaphore, std::nullopt, "wait");
    const Value amount = eval_place(wait.amount);
    if (!which || is_invalid(amount)) return;
    schedule::Wait lowered;
    lowered.semaphore = *which;
    lowered.place.span = wait.span;
    const schedule::Semaphore& semaphore = program_.semaphores[which->semaphore];
    const auto* memory = std::get_if<Reference>(&amount);
    const bool is_element = memory && space_of(*memory) == Space::smem && memory->shape().empty();
    if (semaphore.kind == SemaphoreKind::count || is_element || !memory) {
        if (semaphore.kind == SemaphoreKind::dma || (memory && !is_element)) {
            diags_
                .add<Diag::E0806_amount>(
                    wait.amount.span(), semaphore.name, counts(semaphore.kind),
                    semaphore.kind == SemaphoreKind::dma ? "a region of memory" : "a number",
                    describe(amount))
                .note(semaphore.place.span, "declared here");
            return;
        }
        const auto count = index(wait.amount, "what is waited for");
        if (!count) return;
        lowered.count = *count;
    } else {
        lowered.region = memory_ref(*memory);
    }
    close_region();
    program_.waits.push_back(std::move(lowered));
    push({schedule::Await{static_cast<schedule::WaitId>(program_.waits.size()) - 1}});
}

// ------------------------------------------------------------------------------------------------
// the mesh

void Lowering::declare_mesh() {
    for (const ast::Clause& clause : unit_.kernel.clauses) {
        const auto* mesh = boost::get<ast::MeshClause>(&clause.get());
        if (!mesh) continue;
        for (const ast::Coordinate& axis : mesh->extents.coordinates) {
            const auto extent =
                integer(axis.value, fmt::format("the extent of mesh axis `{}`", axis.axis.text));
            constexpr Int most = 9216;  // chips of the largest pod
            if (!extent) continue;
            if (*extent < 1 || *extent * program_.members() > most) {
                diags_.add<Diag::E0603_extent>(axis.span, *extent * program_.members(), most);
                continue;
            }
            const bool twice = std::any_of(
                program_.mesh.begin(), program_.mesh.end(),
                [&](const schedule::MeshAxis& other) { return other.name == axis.axis.text; });
            if (twice) {
                diags_.add<Diag::E0003>(axis.axis.span, axis.axis.text);
                continue;
            }
            Range range{0, *extent - 1, true, false};
            const auto slot = new_slot("me." + axis.axis.text, schedule::ScalarType::i32, range);
            program_.mesh.push_back({axis.axis.text, *extent, slot, {axis.axis.span}});
        }
    }
}

bool Lowering::on_mesh(Span span, const char* what) {
    if (!program_.mesh.empty()) return true;
    diags_.add<Diag::E0004_place>(span, what, "the kernel runs on one core")
        .fix("mesh (r: N) before the body");
    return false;
}

int Lowering::mesh_axis(const ast::Name& name) {
    std::vector<std::string> names;
    for (const schedule::MeshAxis& axis : program_.mesh) names.push_back(axis.name);
    const auto found = std::find(names.begin(), names.end(), name.text);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    auto& message = diags_.add<Diag::E0603>(name.span, name.text);
    if (names.empty()) {
        message.because("the kernel runs on one core").fix("mesh (r: N) before the body");
        return none;
    }
    message.because(fmt::format("the axes of the mesh are {}", fmt::join(names, ", ")));
    const std::string* near = nearest_of(name.text, names);
    if (near != nullptr || names.size() == 1)
        message.replace(last_word(name.span, name.text), near ? *near : names.front());
    return none;
}

Value Lowering::mesh_coordinate(const ast::Member& member, Span) {
    const int axis = mesh_axis({{member.span}, member.name});
    if (axis == none) return Invalid{};
    if (program_.mesh[axis].extent == 1) return Constant{Int{0}};
    return Scalar{scalars_.slot(program_.mesh[axis].slot), schedule::ScalarType::i32};
}

std::optional<schedule::Device> Lowering::device(const ast::Device& device) {
    schedule::Device coordinates;
    for (const schedule::MeshAxis& axis : program_.mesh)
        coordinates.push_back(scalars_.slot(axis.slot));
    for (const ast::Coordinate& coordinate : device.coordinates) {
        const int axis = mesh_axis(coordinate.axis);
        const auto value = index(coordinate.value, "a coordinate");
        if (axis == none || !value) return std::nullopt;
        coordinates[axis] = *value;
    }
    return coordinates;
}

void Lowering::lower(const ast::Signal& signal) {
    if (!on_mesh(signal.span, "`signal`")) return;
    schedule::Signal lowered;
    const auto which = semaphore(signal.semaphore, SemaphoreKind::count, "signal");
    const auto to = device(signal.device);
    const auto by =
        signal.by ? index(*signal.by, "what is signalled") : std::optional(scalars_.constant(1));
    if (!which || !to || !by) return;
    lowered.semaphore = *which;
    lowered.device = *to;
    lowered.by = *by;
    lowered.place.span = signal.span;
    close_region();
    program_.signals.push_back(std::move(lowered));
    push({schedule::SendSignal{static_cast<schedule::SignalId>(program_.signals.size()) - 1}});
}

void Lowering::lower(const ast::Barrier& barrier) {
    if (!on_mesh(barrier.span, "`barrier`")) return;
    schedule::Barrier lowered;
    lowered.place.span = barrier.span;
    if (barrier.all) {
        lowered.all = mesh_axis(*barrier.all);
        if (lowered.all == none) return;
    }
    for (const ast::Device& peer : barrier.devices) {
        const auto to = device(peer);
        if (!to) return;
        lowered.peers.push_back(*to);
    }
    close_region();
    program_.barriers.push_back(std::move(lowered));
    push({schedule::MeetPeers{static_cast<schedule::BarrierId>(program_.barriers.size()) - 1}});
}

}  // namespace slab::compiler
