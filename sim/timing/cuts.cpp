#include "sim/timing/cuts.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/schedule/layout.hpp"
#include "sim/timing/dataflow.hpp"
#include "sim/timing/mxu.hpp"

namespace slab::sim::timing {

using schedule::none;
using schedule::Op;
using schedule::OpClass;
using schedule::Program;
using schedule::Region;
using schedule::ValueId;

namespace {

// Slices of one value that are compared with each other, and parts that a region may get.
constexpr std::size_t most_slices = 256;
constexpr std::size_t most_parts = 8192;

/// What a slice takes of one dimension.
struct Range {
    std::int64_t start = 0;
    std::int64_t size = 0;
    std::int64_t step = 1;
    bool dropped = false;
};
using Ranges = std::vector<Range>;

Ranges ranges_of(const Op& slice) {
    Ranges ranges;
    for (std::size_t d = 0; d < slice.integers.size(); d += 4)
        ranges.push_back({slice.integers[d], slice.integers[d + 1], slice.integers[d + 2],
                          slice.integers[d + 3] != 0});
    return ranges;
}

void set_ranges(Op& slice, const Ranges& ranges) {
    slice.integers.clear();
    for (const Range& range : ranges)
        slice.integers.insert(slice.integers.end(),
                              {range.start, range.size, range.step, std::int64_t{range.dropped}});
}

/// Registers change hands, and nothing moves.
bool is_free(const Op& slice) {
    return slice.work == schedule::Work{};
}

bool is_apart(const Ranges& a, const Ranges& b) {
    for (std::size_t d = 0; d < a.size(); ++d)
        if (a[d].start + a[d].size <= b[d].start || b[d].start + b[d].size <= a[d].start)
            return true;
    return false;
}

std::int64_t elements(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Shape shape_of(const Ranges& ranges) {
    Shape shape;
    for (const Range& range : ranges)
        if (!range.dropped) shape.push_back(range.size);
    return shape.empty() ? Shape{1} : shape;
}

/// Walks a region from its end, so that the users of a value are known when its maker comes.
class Cutter {
public:
    Cutter(Region& region, const Program& program, const arch::MxuSpec& mxu)
        : region_(region), program_(program), mxu_(mxu), users_(region.values.size()) {}

    void run() {
        for (auto op = region_.ops.rbegin(); op != region_.ops.rend(); ++op) visit(std::move(*op));
        region_.ops.clear();
        for (auto op = reversed_.rbegin(); op != reversed_.rend(); ++op) {
            if (!*op) continue;
            for (ValueId& arg : (*op)->args)
                while (users_[arg].same_as != none) arg = users_[arg].same_as;
            region_.ops.push_back(std::move(**op));
        }
    }

private:
    struct Users {
        std::vector<std::size_t> slices;  ///< in `reversed_`
        bool others = false;
        ValueId same_as = none;  ///< the value of an equal slice
    };

    const Shape& shape(ValueId value) const { return region_.values[value].shape; }
    Op& slice_at(std::size_t index) { return *reversed_[index]; }

    void emit(Op op) {
        for (const ValueId arg : op.args) {
            if (is_slice(op))
                users_[arg].slices.push_back(reversed_.size());
            else
                users_[arg].others = true;
        }
        reversed_.emplace_back(std::move(op));
    }

    void visit(Op op) {
        if (op.result == none || users_[op.result].slices.empty()) return emit(std::move(op));
        join_equal(op.result);
        if (op.cls == OpClass::load || op.cls == OpClass::source)
            take_parts(op);
        else if (is_slice(op) && is_free(op))
            compose(op);
        else if (may_cut(op))
            return cut(op);
        const Users& users = users_[op.result];
        if (users.others || !users.slices.empty()) emit(std::move(op));
    }

    // ---- slices

    /// The program's first of equal slices stands for all; whoever uses them comes after it.
    void join_equal(ValueId value) {
        std::vector<std::size_t>& slices = users_[value].slices;
        std::sort(slices.begin(), slices.end());
        std::map<std::vector<std::int64_t>, ValueId> first;
        std::for_each(slices.rbegin(), slices.rend(), [&](std::size_t index) {
            const Op& slice = slice_at(index);
            const auto [known, is_new] = first.try_emplace(slice.integers, slice.result);
            if (is_new) return;
            users_[slice.result].same_as = known->second;
            reversed_[index].reset();
        });
        std::erase_if(slices, [&](std::size_t index) { return !reversed_[index]; });
    }

    /// Slices of a slice become slices of its value.
    void compose(const Op& slice) {
        const Ranges outer = ranges_of(slice);
        std::vector<std::size_t> kept;
        for (const std::size_t index : users_[slice.result].slices) {
            Op& inner = slice_at(index);
            if (!is_free(inner)) {
                kept.push_back(index);
                continue;
            }
            const Ranges within = ranges_of(inner);
            Ranges ranges = outer;
            auto range = within.begin();
            for (Range& composed : ranges)
                if (!composed.dropped) {
                    composed = {composed.start + range->start, range->size, 1, range->dropped};
                    ++range;
                }
            set_ranges(inner, ranges);
            inner.args[0] = slice.args[0];
            users_[slice.args[0]].slices.push_back(index);
        }
        users_[slice.result].slices = std::move(kept);
    }

    // ---- parts

    /// Each slice of what is loaded or constant takes its own part.
    void take_parts(const Op& whole) {
        for (const std::size_t index : std::exchange(users_[whole.result].slices, {})) {
            Op slice = std::move(*std::exchange(reversed_[index], std::nullopt));
            if (is_free(slice)) {
                emit(part_of(whole, slice.result));
                continue;
            }
            Ranges ranges = ranges_of(slice);
            for (Range& range : ranges) range = {0, 1 + (range.size - 1) * range.step, 1, false};
            const ValueId part = new_value(region_.values[whole.result].type, shape_of(ranges));
            slice.args = {part};
            emit(std::move(slice));
            emit(part_of(whole, part));
        }
    }

    bool may_cut(const Op& op) {
        const Users& users = users_[op.result];
        if ((op.cls != OpClass::map && op.cls != OpClass::dot) || users.others) return false;
        if (users.slices.size() > most_slices || parts_ + users.slices.size() > most_parts)
            return false;
        std::vector<Ranges> all;
        std::int64_t used = 0;
        for (const std::size_t index : users.slices) {
            if (!is_free(slice_at(index))) return false;
            all.push_back(ranges_of(slice_at(index)));
            used += elements(shape(slice_at(index).result));
        }
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                if (!is_apart(all[a], all[b])) return false;
        return op.cls == OpClass::map || (used == elements(shape(op.result)) && cuts_dot(op, all));
    }

    bool cuts_dot(const Op& op, const std::vector<Ranges>& all) const {
        const DotShape dot = dot_shape(op, region_.values);
        const Shape& sizes = shape(op.result);
        const std::size_t rank = sizes.size();
        for (const ValueId arg : op.args) {
            const Shape& batched = shape(arg);
            if (rank < 2 || batched.size() != rank ||
                !std::equal(sizes.begin(), sizes.end() - 2, batched.begin()))
                return false;
        }
        return std::all_of(all.begin(), all.end(), [&](const Ranges& ranges) {
            const Range& rows = ranges[rank - 2];
            const Range& columns = ranges[rank - 1];
            DotShape part = dot;
            part.m = rows.size;
            return !rows.dropped && !columns.dropped &&
                   (rows.size == dot.m || hides_load(part, mxu_)) &&
                   (columns.size == dot.n || columns.size % mxu_.dim == 0);
        });
    }

    /// Makes each slice of a value for itself.
    void cut(const Op& whole) {
        for (const std::size_t index : std::exchange(users_[whole.result].slices, {})) {
            const Op slice = std::move(*std::exchange(reversed_[index], std::nullopt));
            const Ranges ranges = ranges_of(slice);
            Op part = part_of(whole, slice.result);
            std::vector<Op> slices;
            for (std::size_t arg = 0; arg < part.args.size(); ++arg)
                part.args[arg] = cut_argument(whole, arg, ranges, slices);
            emit(std::move(part));
            for (Op& taken : slices) emit(std::move(taken));
        }
    }

    /// The same operation for a part of its result.
    Op part_of(const Op& whole, ValueId result) {
        ++parts_;
        Op part = whole;
        part.result = result;
        const double share = tiles(result) / tiles(whole.result);
        part.work = {whole.work.valu * share, whole.work.eup * share, whole.work.xlu * share};
        return part;
    }

    double tiles(ValueId value) const {
        return static_cast<double>(
            schedule::tile_count(shape(value), program_.sublanes, program_.lanes));
    }

    /// What of an argument a part of the result needs.
    Ranges needed(const Op& op, std::size_t arg, const Ranges& ranges) const {
        const Shape& sizes = shape(op.args[arg]);
        if (op.cls == OpClass::dot) {
            Ranges of_dot = ranges;
            const std::size_t k = arg == 0 || op.transposed ? sizes.size() - 1 : sizes.size() - 2;
            if (arg == 1) of_dot[2 * sizes.size() - 3 - k] = ranges.back();
            of_dot[k] = {0, sizes[k]};
            return of_dot;
        }
        Ranges spread(ranges.end() - static_cast<std::ptrdiff_t>(sizes.size()), ranges.end());
        for (std::size_t d = 0; d < sizes.size(); ++d)
            if (sizes[d] == 1) spread[d] = {0, 1, 1, spread[d].dropped};
        return spread;
    }

    /// The part of an argument, as a slice of it where it is not the whole.
    ValueId cut_argument(const Op& op, std::size_t arg, const Ranges& ranges,
                         std::vector<Op>& slices) {
        const ValueId value = op.args[arg];
        const Ranges part = needed(op, arg, ranges);
        if (shape_of(part) == shape(value)) return value;
        Op slice;
        slice.name = "slice";
        slice.cls = OpClass::move;
        slice.result = new_value(region_.values[value].type, shape_of(part));
        slice.args = {value};
        slice.place = op.place;
        set_ranges(slice, part);
        slices.push_back(std::move(slice));
        return slices.back().result;
    }

    ValueId new_value(DType type, Shape shape) {
        region_.values.push_back({type, std::move(shape)});
        users_.emplace_back();
        return static_cast<ValueId>(region_.values.size() - 1);
    }

    Region& region_;
    const Program& program_;
    const arch::MxuSpec& mxu_;
    std::vector<std::optional<Op>> reversed_;
    std::vector<Users> users_;  ///< per value
    std::size_t parts_ = 0;
};

}  // namespace

void cut_values(Region& region, const Program& program, const arch::MxuSpec& mxu) {
    Cutter(region, program, mxu).run();
}

}  // namespace slab::sim::timing
