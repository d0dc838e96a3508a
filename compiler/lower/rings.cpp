#include <algorithm>
#include <utility>

#include "compiler/lower/lowering.hpp"

// Rings: buffers of several slots whose semaphores and byte counts are implied.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using schedule::UseRing;
using Int = std::int64_t;

void Lowering::lower(const ast::Ring& ring) {
    Entry entry;
    entry.declared = ring.name.span;
    entry.value = Invalid{};
    const auto type = element_type(ring.type.element);
    const auto shape = sizes(ring.type.dims, ring.name);
    const auto depth = integer(ring.depth, "the depth of a ring");
    constexpr Int most = 64;
    if (ring.type.space != "vmem")
        diags_.add<Diag::E0204_ring>(ring.type.span, ring.name.text, ring.type.space)
            .fix(fmt::format("ring {}: vmem …", ring.name.text));
    else if (depth && (*depth < 1 || *depth > most))
        diags_.add<Diag::E0004_kind>(ring.depth.span(), "the depth", ring.name.text,
                                     fmt::format("1 to {}", most), std::to_string(*depth));
    else if (type && shape && depth && fits_vmem({*type, *shape}, ring.name)) {
        schedule::Ring lowered;
        lowered.name = ring.name.text;
        lowered.buffer =
            new_buffer(ring.name.text, schedule::Space::vmem, schedule::BufferRole::ring, *type,
                       *shape, *depth, ring.name.span);
        const Range slots{0, *depth - 1, true, false};
        lowered.fill = new_slot(ring.name.text + ".fill", schedule::ScalarType::i32, slots);
        lowered.take = new_slot(ring.name.text + ".take", schedule::ScalarType::i32, slots);
        lowered.place.span = ring.name.span;
        const auto id = static_cast<schedule::RingId>(program_.rings.size());
        program_.rings.push_back(std::move(lowered));
        rings_.push_back(id);
        ring_grids_.push_back(grids_.size());
        note_unused("ring", ring.name);
        entry.value = RingValue{id};
    }
    declare(ring.name, std::move(entry));
}

/// A ring has one direction: it is filled and taken, or put.
void Lowering::check_ring_use(const ast::Slot& slot, schedule::RingId ring) {
    RingUse& use = ring_uses_[ring];
    const ast::Slot* other = slot.kind == "put" ? (use.fill ? use.fill : use.take) : use.put;
    if (other)
        diags_.add<Diag::E0801_direction>(slot.ring.span, slot.ring.text, slot.kind, other->kind)
            .note(other->ring.span, fmt::format("`{}` here", other->kind))
            .because("a ring moves data one way: `fill` and `take` inwards, `put` outwards")
            .fix("a second ring");
    const ast::Slot*& first = slot.kind == "fill"   ? use.fill
                              : slot.kind == "take" ? use.take
                                                    : use.put;
    if (!first) first = &slot;
}

void Lowering::lower(const ast::Slot& slot) {
    const Value named = eval_name(slot.ring);
    if (is_invalid(named)) return;
    const auto* ring_value = std::get_if<RingValue>(&named);
    if (!ring_value) {
        diags_.add<Diag::E0801_no_ring>(slot.ring.span, slot.ring.text, slot.kind)
            .label("this is " + describe(named))
            .fix(fmt::format("ring {}: vmem … depth 2", slot.ring.text));
        return;
    }
    const schedule::RingId id = ring_value->id;
    if (!only_copies(slot.span, slot.kind.c_str())) return;
    for (const ast::Slot* outer : open_slots_)
        if (outer->ring.text == slot.ring.text && (outer->kind == slot.kind || slot.kind == "put"))
            diags_.add<Diag::E0801_nested>(slot.ring.span, slot.ring.text)
                .note(outer->ring.span, fmt::format("`{}` here", outer->kind))
                .because("a slot is in use until the closing brace");
    const bool moves = slot.kind != "take";
    if (moves && filling_ != none) {
        diags_
            .add<Diag::E0004_place>(slot.span, fmt::format("`{}`", slot.kind),
                                    "the copies here belong to another slot")
            .fix("one after the other");
        return;
    }
    check_ring_use(slot, id);
    check_shared(slot.ring.text, ring_grids_[id], slot.ring.span);
    close_region();
    const schedule::Ring& ring = program_.rings[id];
    UseRing use;
    use.kind = slot.kind == "fill"   ? UseRing::Kind::fill
               : slot.kind == "take" ? UseRing::Kind::take
                                     : UseRing::Kind::put;
    use.ring = id;
    use.place.span = slot.span;
    Reference memory = whole(Reference::Kind::buffer, ring.buffer);
    memory.name = slot.name.text;
    memory.copy = scalars_.slot(slot.kind == "take" ? ring.take : ring.fill);
    // what a slot holds: in `take` what was filled in, elsewhere nothing yet
    written_[state_of(ring.buffer)].always = slot.kind == "take";
    const EnvPtr outer = env_;
    env_ = std::make_shared<Env>(outer);
    Entry entry;
    entry.declared = slot.name.span;
    entry.value = memory;
    declare(slot.name, std::move(entry));
    const schedule::RingId outer_filling =
        std::exchange(filling_, moves ? id : schedule::RingId{none});
    open_slots_.push_back(&slot);
    back_variables({&slot.body.stmts});
    const std::size_t errors = diags_.size(), copies = program_.copies.size();
    use.body = nested([&] { lower_block(slot.body); });
    const bool is_idle = std::none_of(program_.copies.begin() + static_cast<std::ptrdiff_t>(copies),
                                      program_.copies.end(),
                                      [&](const schedule::Copy& copy) { return copy.ring == id; });
    if (moves && is_idle && diags_.size() == errors) {
        const bool inwards = slot.kind == "fill";
        diags_
            .add<Diag::E0801_idle>({slot.span.begin, slot.name.span.end}, slot.kind,
                                   inwards ? "into" : "out of", slot.ring.text)
            .because(inwards ? "a `take` sees what copies have brought"
                             : "a slot is used again, and what it held is lost")
            .fix(inwards ? fmt::format("copy … -> {}", slot.name.text)
                         : fmt::format("copy {} -> …", slot.name.text));
    }
    open_slots_.pop_back();
    filling_ = outer_filling;
    env_ = outer;
    push({std::move(use)});
}

/// Where the block of a ring ends: its copies out are awaited, and nothing may be left in it.
void Lowering::drain_rings(std::size_t from) {
    while (rings_.size() > from) {
        const schedule::RingId id = rings_.back();
        rings_.pop_back();
        const schedule::Ring& ring = program_.rings[id];
        const RingUse& use = ring_uses_[id];
        if (use.put) {
            close_region();
            push({UseRing{UseRing::Kind::drain, id, {}, ring.place}});
        }
        if (!use.fill == !use.take) continue;
        const ast::Slot& alone = use.fill ? *use.fill : *use.take;
        diags_
            .add<Diag::E0801_alone>(alone.ring.span, ring.name, use.fill ? "filled" : "taken from",
                                    use.fill ? "taken from" : "filled")
            .because("every `fill` is matched by a `take`")
            .fix(use.fill ? fmt::format("take {} as b {{ … }}", ring.name)
                          : fmt::format("fill {} as d {{ copy … -> d }}", ring.name));
    }
}

}  // namespace slab::compiler
