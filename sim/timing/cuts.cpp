#include "sim/timing/cuts.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace slab::sim::timing {

using schedule::BlockType;
using schedule::none;
using schedule::Op;
using schedule::OpClass;
using schedule::Region;
using schedule::ValueId;

namespace {

// A value with more slices than this stays whole.
constexpr std::size_t most_slices = 256;

/// What a slice takes of one dimension.
struct Range {
    std::int64_t start = 0;
    std::int64_t size = 0;
    bool dropped = false;
};
using Ranges = std::vector<Range>;

/// The op's integers are start, size, step and whether the dimension goes, dimension by dimension.
Ranges ranges_of(const Op& slice) {
    Ranges ranges;
    for (std::size_t d = 0; d < slice.integers.size(); d += 4)
        ranges.push_back({slice.integers[d], slice.integers[d + 1], slice.integers[d + 3] != 0});
    return ranges;
}

Op slice_op(ValueId value, ValueId result, const Ranges& ranges, const Op& like) {
    Op op;
    op.name = "slice";
    op.cls = OpClass::move;
    op.result = result;
    op.args = {value};
    for (const Range& range : ranges)
        for (const std::int64_t number :
             {range.start, range.size, std::int64_t{1}, std::int64_t{range.dropped}})
            op.integers.push_back(number);
    op.place = like.place;
    return op;
}

/// Registers change hands, and nothing moves.
bool is_free_slice(const Op& op) {
    return op.cls == OpClass::move && op.name == "slice" && op.work == schedule::Work{};
}

bool apart(const Ranges& a, const Ranges& b) {
    for (std::size_t d = 0; d < a.size(); ++d)
        if (a[d].start + a[d].size <= b[d].start || b[d].start + b[d].size <= a[d].start)
            return true;
    return false;
}

double elements(const BlockType& type) {
    double count = 1;
    for (const std::int64_t size : type.shape) count *= static_cast<double>(size);
    return count;
}

/// Walks a region from its end, so that the users of a value are known when its maker comes.
class Cutter {
public:
    Cutter(const Region& region, const arch::MxuSpec& mxu) : out_(region), mxu_(mxu) {
        out_.ops.clear();
        users_.resize(region.values.size());
        for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) visit(*op);
    }

    Region run() {
        std::reverse(reversed_.begin(), reversed_.end());
        for (Op& op : reversed_)
            if (op.cls == OpClass::store || op.result != none) out_.ops.push_back(std::move(op));
        return std::move(out_);
    }

private:
    /// Where in `reversed_` the users of a value stand; what is erased there has no result.
    struct Users {
        std::vector<std::size_t> slices;
        bool others = false;
    };

    const std::vector<std::int64_t>& shape(ValueId value) const { return out_.values[value].shape; }

    void emit(Op op) {
        for (const ValueId arg : op.args) {
            if (is_free_slice(op))
                users_[arg].slices.push_back(reversed_.size());
            else
                users_[arg].others = true;
        }
        reversed_.push_back(std::move(op));
    }

    void visit(const Op& op) {
        if (op.result == none || !may_cut(op)) {
            emit(op);
            return;
        }
        const Users users = users_[op.result];
        const bool whole = users.others || users.slices.empty();
        if (whole) emit(op);
        for (auto index = users.slices.begin(); index != users.slices.end(); ++index) {
            const Op slice = std::exchange(reversed_[*index], Op{});
            emit_part(op, slice.result, ranges_of(slice));
        }
    }

    bool may_cut(const Op& op) const {
        const Users& users = users_[op.result];
        if (users.slices.empty() || users.slices.size() > most_slices) return false;
        if (op.cls == OpClass::load) return true;
        if (op.cls != OpClass::map && op.cls != OpClass::dot) return false;
        if (users.others) return false;
        std::vector<Ranges> all;
        for (const std::size_t index : users.slices) {
            all.push_back(ranges_of(reversed_[index]));
            if (op.cls == OpClass::dot && !cuts_rows(all.back(), shape(op.result))) return false;
        }
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                if (!apart(all[a], all[b])) return false;
        return true;
    }

    /// Enough whole rows of a product, without batches.
    bool cuts_rows(const Ranges& ranges, const std::vector<std::int64_t>& shape) const {
        return ranges.size() == 2 && !ranges[0].dropped && !ranges[1].dropped &&
               ranges[1].size == shape[1] && ranges[0].size % mxu_.row_block == 0;
    }

    void emit_part(const Op& whole, ValueId result, const Ranges& ranges) {
        Op part = whole;
        part.result = result;
        const double share = elements(out_.values[result]) / elements(out_.values[whole.result]);
        part.work = {whole.work.valu * share, whole.work.eup * share, whole.work.xlu * share};
        std::vector<Op> slices;
        if (whole.cls == OpClass::dot)
            part.args[0] = cut_argument(whole.args[0], {ranges[0], {0, shape(whole.args[0])[1]}},
                                        whole, slices);
        if (whole.cls == OpClass::map)
            for (std::size_t arg = 0; arg < part.args.size(); ++arg) {
                const auto same =
                    std::find(whole.args.begin(), whole.args.begin() + arg, whole.args[arg]);
                part.args[arg] =
                    same != whole.args.begin() + arg
                        ? part.args[same - whole.args.begin()]
                        : cut_argument(whole.args[arg], ranges_in(whole.args[arg], ranges), whole,
                                       slices);
            }
        emit(std::move(part));
        for (Op& slice : slices) emit(std::move(slice));
    }

    /// Ranges of a result within an argument that is spread over it, the last dimensions in line.
    Ranges ranges_in(ValueId arg, const Ranges& ranges) const {
        const std::vector<std::int64_t>& sizes = shape(arg);
        Ranges within(ranges.end() - static_cast<std::ptrdiff_t>(sizes.size()), ranges.end());
        for (std::size_t d = 0; d < sizes.size(); ++d)
            if (sizes[d] == 1) within[d] = {0, 1, within[d].dropped};
        return within;
    }

    /// The part of an argument, as a slice of it where it is not the whole.
    ValueId cut_argument(ValueId value, const Ranges& ranges, const Op& user,
                         std::vector<Op>& slices) {
        BlockType part{out_.values[value].type, {}};
        bool all = true;
        for (std::size_t d = 0; d < ranges.size(); ++d) {
            all = all && !ranges[d].dropped && ranges[d].size == shape(value)[d];
            if (!ranges[d].dropped) part.shape.push_back(ranges[d].size);
        }
        if (all) return value;
        if (part.shape.empty()) part.shape = {1};
        out_.values.push_back(part);
        users_.emplace_back();
        const auto result = static_cast<ValueId>(out_.values.size() - 1);
        slices.push_back(slice_op(value, result, ranges, user));
        return result;
    }

    Region out_;
    const arch::MxuSpec& mxu_;
    std::vector<Op> reversed_;
    std::vector<Users> users_;  ///< per value
};

}  // namespace

Region cut_values(const Region& region, const arch::MxuSpec& mxu) {
    return Cutter(region, mxu).run();
}

}  // namespace slab::sim::timing
