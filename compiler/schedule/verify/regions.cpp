#include <algorithm>
#include <cmath>

#include "compiler/schedule/text/words.hpp"
#include "compiler/schedule/verify/checks.hpp"

namespace slab::schedule {

namespace {

using Shape = std::vector<std::int64_t>;

/// Does `from` broadcast to `to`: right-aligned, each extent equal or 1?
bool broadcasts(const Shape& from, const Shape& to) {
    if (from.size() > to.size()) return false;
    const std::size_t missing = to.size() - from.size();
    for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i] != 1 && from[i] != to[missing + i]) return false;
    return true;
}

class RegionCheck {
public:
    RegionCheck(Findings& findings, const Region& region)
        : findings_(findings), region_(region), defined_(region.values.size()) {}

    void run() {
        for (const BlockType& type : region_.values)
            findings_.require(!type.shape.empty() && all_positive(type.shape),
                              "region `{}` has a value of shape {}", region_.name,
                              extents(type.shape));
        for (const Op& op : region_.ops) check(op);
        findings_.require(flops_ <= region_.flops, "region `{}` counts {} flops, its dots have {}",
                          region_.name, region_.flops, flops_);
        check_live_values();
    }

private:
    template <typename... Args>
    bool require(bool holds, fmt::format_string<Args...> format, Args&&... args) {
        return findings_.require(
            holds, "`{}` in region `{}` {}", op_->name, region_.name,
            holds ? std::string() : fmt::format(format, std::forward<Args>(args)...));
    }
    const Shape& shape(ValueId id) const { return item(region_.values, id).shape; }
    const Shape& arg(std::size_t i) const { return shape(op_->args[i]); }

    void check(const Op& op) {
        op_ = &op;
        bool ok = true;
        for (ValueId id : op.args)
            ok &= require(in_range(id, region_.values) && defined_[static_cast<std::size_t>(id)],
                          "uses %{}, which is not defined before", id);
        const bool stores = op.cls == OpClass::store;
        ok &= require(stores == (op.result == none), "has result {}", op.result);
        if (ok && !stores) ok = define(op.result);
        const bool accesses = stores || op.cls == OpClass::load;
        ok &= require(op.ref.has_value() == accesses, "refers to {} buffer", op.ref ? "a" : "no");
        for (ExprId scalar : op.scalars)
            ok &= require(in_range(scalar, findings_.program.exprs),
                          "uses expression {}, which does not exist", scalar);
        for (double amount : {op.work.valu, op.work.eup, op.work.xlu})
            require(std::isfinite(amount) && amount >= 0, "works {}", amount);
        if (!ok) return;
        if (accesses)
            check_access();
        else
            check_shapes();
    }

    bool define(ValueId id) {
        if (!require(in_range(id, region_.values), "defines %{}, which has no type", id))
            return false;
        auto is_defined = defined_[static_cast<std::size_t>(id)];
        const bool is_new = require(!is_defined, "defines %{} again", id);
        is_defined = true;
        return is_new;
    }

    void check_access() {
        const MemoryRef& ref = *op_->ref;
        if (!require(ref.operand == none, "refers to an operand, which is in HBM")) return;
        const std::string who = fmt::format("`{}` in region `{}`", op_->name, region_.name);
        const auto part = verify_ref(findings_, ref, who);
        if (!part) return;
        const Buffer& buffer = item(findings_.program.buffers, ref.buffer);
        const bool stores = op_->cls == OpClass::store;
        if (!require(op_->args.size() == (stores ? 1 : 0), "has {} arguments", op_->args.size()))
            return;
        const BlockType& value = item(region_.values, stores ? op_->args[0] : op_->result);
        require(value == *part, "moves {} where `{}` has {}", spelled(value.type, value.shape),
                buffer.name, spelled(part->type, part->shape));
    }

    void check_shapes() {
        const Shape& result = shape(op_->result);
        switch (op_->cls) {
            case OpClass::source:
                require(op_->args.empty(), "is a source with {} arguments", op_->args.size());
                break;
            case OpClass::map:
                for (std::size_t i = 0; i < op_->args.size(); ++i)
                    require(broadcasts(arg(i), result), "spreads {} over {}", extents(arg(i)),
                            extents(result));
                break;
            case OpClass::reduce_lanes:
                check_reduction(1);
                break;
            case OpClass::reduce_sublanes:
                check_reduction(2);
                break;
            case OpClass::reduce_outer:
                check_fold();
                break;
            case OpClass::dot:
                check_dot();
                break;
            case OpClass::move:
                require(!op_->args.empty(), "moves nothing");
                break;
            case OpClass::load:
            case OpClass::store:
                break;
        }
    }

    /// The dimension `from_last` from the end, counted from 1, becomes 1.
    void check_reduction(std::size_t from_last) {
        if (!require(op_->args.size() == 1 && arg(0).size() >= from_last,
                     "reduces {} arguments or too low a rank", op_->args.size()))
            return;
        Shape reduced = arg(0);
        reduced[reduced.size() - from_last] = 1;
        require(shape(op_->result) == reduced, "reduces {} to {}", extents(arg(0)),
                extents(shape(op_->result)));
    }

    /// One leading dimension goes.
    void check_fold() {
        if (!require(op_->args.size() == 1, "folds {} arguments", op_->args.size())) return;
        bool fits = false;
        for (std::size_t axis = 0; axis + 2 < arg(0).size() && !fits; ++axis) {
            Shape folded = arg(0);
            folded.erase(folded.begin() + static_cast<std::ptrdiff_t>(axis));
            fits = shape(op_->result) == folded;
        }
        require(fits, "folds {} to {}", extents(arg(0)), extents(shape(op_->result)));
    }

    void check_dot() {
        if (!require(op_->args.size() == 2 && op_->passes >= 1, "has {} arguments and {} passes",
                     op_->args.size(), op_->passes))
            return;
        const Shape& a = arg(0);
        Shape b = arg(1);
        const Shape& result = shape(op_->result);
        const std::size_t rank = a.size();
        bool fits = rank >= 2 && b.size() == rank && result.size() == rank;
        if (fits) {
            if (op_->transposed) std::swap(b[rank - 1], b[rank - 2]);
            Shape product = a;
            product[rank - 1] = b[rank - 1];
            fits = a[rank - 1] == b[rank - 2] && product == result &&
                   std::equal(a.begin(), a.end() - 2, b.begin());
        }
        if (!require(fits, "multiplies {} by {}{} to {}", extents(a), extents(arg(1)),
                     op_->transposed ? " transposed" : "", extents(result)))
            return;
        std::int64_t flops = 2 * a[rank - 1];
        for (std::int64_t extent : result) flops *= extent;
        flops_ += flops;
    }

    struct Use {
        BufferId buffer = none;
        std::size_t first = 0;
        std::size_t last = 0;
    };
    /// Of two live values in the same bytes, one is done with before the other is touched.
    void check_live_values() {
        std::vector<Use> uses;
        for (std::size_t i = 0; i < region_.ops.size(); ++i) {
            const auto& ref = region_.ops[i].ref;
            if (!ref || !in_range(ref->buffer, findings_.program.buffers)) continue;
            if (item(findings_.program.buffers, ref->buffer).role != BufferRole::live) continue;
            const auto known = std::find_if(uses.begin(), uses.end(), [&](const Use& use) {
                return use.buffer == ref->buffer;
            });
            if (known == uses.end())
                uses.push_back({ref->buffer, i, i});
            else
                known->last = i;
        }
        for (std::size_t i = 0; i < uses.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) check_pair(uses[j], uses[i]);
    }
    void check_pair(const Use& a, const Use& b) {
        const Buffer& first = item(findings_.program.buffers, a.buffer);
        const Buffer& second = item(findings_.program.buffers, b.buffer);
        const bool apart = first.offset + first.copies * first.bytes <= second.offset ||
                           second.offset + second.copies * second.bytes <= first.offset;
        findings_.require(apart || a.last < b.first || b.last < a.first,
                          "live values `{}` and `{}` share bytes in region `{}`", first.name,
                          second.name, region_.name);
    }

    Findings& findings_;
    const Region& region_;
    const Op* op_ = nullptr;
    std::vector<bool> defined_;
    std::int64_t flops_ = 0;
};

}  // namespace

void verify_regions(Findings& findings) {
    for (const Region& region : findings.program.regions) RegionCheck(findings, region).run();
}

}  // namespace slab::schedule
