#include <algorithm>
#include <limits>
#include <numeric>

#include "compiler/schedule/text/words.hpp"
#include "compiler/schedule/verify/checks.hpp"

namespace slab::schedule {

namespace {

/// Bits of so many elements; as many as there are if they do not fit in 64 bits.
std::int64_t bits_of(const BlockType& block) {
    std::int64_t total = bits(block.type);
    for (std::int64_t extent : block.shape)
        if (__builtin_mul_overflow(total, extent, &total))
            return std::numeric_limits<std::int64_t>::max();
    return total;
}

bool is_permutation(std::vector<std::int32_t> order, std::size_t rank) {
    std::vector<std::int32_t> all(rank);
    std::iota(all.begin(), all.end(), 0);
    std::sort(order.begin(), order.end());
    return order == all;
}

class RefCheck {
public:
    RefCheck(Findings& findings, const std::string& who) : findings_(findings), who_(who) {}

    std::optional<BlockType> run(const MemoryRef& ref) {
        const Program& program = findings_.program;
        const bool is_operand = ref.operand != none;
        if (!findings_.require(is_operand != (ref.buffer != none),
                               "{} refers to operand {} and buffer {}, one of them is meant", who_,
                               ref.operand, ref.buffer))
            return std::nullopt;
        BlockType part;
        if (is_operand) {
            if (!findings_.require(in_range(ref.operand, program.operands),
                                   "{} refers to operand {}", who_, ref.operand))
                return std::nullopt;
            const Operand& operand = item(program.operands, ref.operand);
            name_ = operand.name;
            findings_.require(ref.copy == none, "{} asks for a copy of operand `{}`", who_, name_);
            // What lies outside an operand is not moved.
            if (!dims(ref.dims, operand.shape, false)) return std::nullopt;
            part.type = operand.type;
        } else {
            if (!findings_.require(in_range(ref.buffer, program.buffers), "{} refers to buffer {}",
                                   who_, ref.buffer))
                return std::nullopt;
            const Buffer& buffer = item(program.buffers, ref.buffer);
            name_ = buffer.name;
            copy(ref.copy, buffer);
            if (!dims(ref.dims, buffer.shape, true)) return std::nullopt;
            part.type = buffer.type;
        }
        part.shape = kept_extents(ref.dims);
        for (const View& view : ref.views)
            if (!see(view, part)) return std::nullopt;
        return part;
    }

    void element(BufferId id, ExprId number, const std::vector<ExprId>& index) {
        const Program& program = findings_.program;
        if (!findings_.require(in_range(id, program.buffers), "{} refers to buffer {}", who_, id))
            return;
        const Buffer& buffer = item(program.buffers, id);
        name_ = buffer.name;
        findings_.require(buffer.space == Space::smem,
                          "{} takes an element of `{}`, which is not in SMEM", who_, name_);
        copy(number, buffer);
        if (!has_rank(index.size(), buffer.shape.size())) return;
        for (std::size_t d = 0; d < index.size(); ++d)
            dim({index[d], none, 1, 1, true}, buffer.shape[d], true);
    }

private:
    void copy(ExprId number, const Buffer& buffer) {
        if (number == none) return;
        if (!findings_.require_type(number, ScalarType::i32, "the copy of " + name_)) return;
        const ScalarExpr& expr = item(findings_.program.exprs, number);
        findings_.require(
            expr.op != ScalarOp::constant || (expr.integer >= 0 && expr.integer < buffer.copies),
            "{} takes copy {} of the {} of `{}`", who_, expr.integer, buffer.copies, name_);
    }

    bool has_rank(std::size_t found, std::size_t rank) {
        return findings_.require(found == rank, "{} gives {} indices to `{}` of rank {}", who_,
                                 found, name_, rank);
    }

    bool dims(const std::vector<RefDim>& dims, const std::vector<std::int64_t>& shape,
              bool is_bounded) {
        if (!has_rank(dims.size(), shape.size())) return false;
        bool ok = true;
        for (std::size_t d = 0; d < dims.size(); ++d) ok &= dim(dims[d], shape[d], is_bounded);
        return ok;
    }

    bool dim(const RefDim& dim, std::int64_t extent, bool is_bounded) {
        const bool is_whole =
            dim.size >= 1 && dim.step >= 1 && (!dim.dropped || (dim.size == 1 && dim.live == none));
        if (!findings_.require(is_whole, "{} takes {} elements, {} apart, of `{}`", who_, dim.size,
                               dim.step, name_))
            return false;
        if (dim.live != none)
            findings_.require_type(dim.live, ScalarType::i32, "a length of " + name_);
        if (!findings_.require_type(dim.start, ScalarType::i32, "an index of " + name_))
            return false;
        const ScalarExpr& start = item(findings_.program.exprs, dim.start);
        if (!is_bounded || start.op != ScalarOp::constant) return true;
        // Of a length known at run time only the beginning must be there.
        const std::int64_t more = dim.live == none ? dim.size - 1 : 0;
        const bool fits = start.integer >= 0 && start.integer < extent &&
                          (more == 0 || (extent - 1 - start.integer) / more >= dim.step);
        if (fits) return true;
        findings_.add("{} takes elements {} to {} of the {} of `{}`", who_, start.integer,
                      start.integer + more * dim.step, extent, name_);
        return false;
    }

    /// `part` becomes what the view has of it.
    bool see(const View& view, BlockType& part) {
        const std::size_t rank = part.shape.size();
        if (!findings_.require(view.order.empty() || is_permutation(view.order, rank),
                               "{} permutes the {} dimensions of `{}` by ({})", who_, rank, name_,
                               fmt::join(view.order, ", ")))
            return false;
        const BlockType seen{view.type, view.shape};
        const bool fits =
            !seen.shape.empty() && all_positive(seen.shape) && bits_of(seen) == bits_of(part);
        if (!findings_.require(fits, "{} sees {} of `{}` as {}", who_,
                               spelled(part.type, part.shape), name_,
                               spelled(seen.type, seen.shape)))
            return false;
        if (!dims(view.dims, seen.shape, true)) return false;
        part = {seen.type, kept_extents(view.dims)};
        return true;
    }

    Findings& findings_;
    const std::string& who_;
    std::string name_;
};

}  // namespace

std::optional<BlockType> verify_ref(Findings& findings, const MemoryRef& ref,
                                    const std::string& who) {
    return RefCheck(findings, who).run(ref);
}

void verify_element(Findings& findings, BufferId buffer, ExprId copy,
                    const std::vector<ExprId>& index, const std::string& who) {
    RefCheck(findings, who).element(buffer, copy, index);
}

Reads reads_of(const Program& program, ExprId root) {
    Reads reads;
    std::vector<ExprId> seen{root};
    const auto meet = [&](ExprId id) {
        if (std::find(seen.begin(), seen.end(), id) == seen.end()) seen.push_back(id);
    };
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const ScalarExpr& expr = item(program.exprs, seen[i]);
        if (expr.op == ScalarOp::slot) reads.slots.push_back(expr.slot);
        if (expr.op == ScalarOp::element) reads.buffers.push_back(expr.buffer);
        if (expr.op == ScalarOp::element && expr.copy != none) meet(expr.copy);
        for (ExprId arg : expr.args) meet(arg);
    }
    return reads;
}

}  // namespace slab::schedule
