#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "compiler/constant.hpp"
#include "compiler/schedule/program.hpp"
#include "dsl/ast.hpp"

namespace slab::compiler {

/// A run-time scalar: an expression of the scalar unit.
struct Scalar {
    schedule::ExprId expr = schedule::none;
    schedule::ScalarType type = schedule::ScalarType::i32;
};

/// A block computed so far; `id` is its index in the lowering's table of blocks. `transposed`: its
/// last two dimensions are seen exchanged, which costs nothing until somebody needs the elements
/// moved.
struct BlockValue {
    int id = -1;
    bool transposed = false;
};

/// Some of a memory: per dimension of the operand or buffer, or of the last view of it, a start and
/// a size.
struct Reference {
    enum class Kind { operand, buffer };
    using Dim = schedule::RefDim;
    Kind kind = Kind::buffer;
    std::int32_t id = -1;
    schedule::ExprId copy = schedule::none;  ///< of a buffer that has several
    std::string name;
    DType type = DType::f32;
    std::vector<Dim> dims;
    bool transposed = false;
    std::vector<Dim> viewed;            ///< the part of the memory that the views begin with
    std::vector<schedule::View> views;  ///< `dims` are those of the last

    /// Sizes of the dimensions that are not dropped, before transposition.
    std::vector<std::int64_t> shape() const {
        std::vector<std::int64_t> sizes;
        for (const Dim& dim : dims)
            if (!dim.dropped) sizes.push_back(dim.size);
        return sizes;
    }
};

/// A semaphore, or some of an array of them: its first dimensions are indexed.
struct SemaphoreValue {
    schedule::SemaphoreRef ref;
    std::string name;
};

/// A ring, as `fill`, `take` and `put` name it.
struct RingValue {
    schedule::RingId id = schedule::none;
};

/// What stands for a thing whose error has been reported; everything made from it is silent.
struct Invalid {};

using Value =
    std::variant<Invalid, Constant, Scalar, BlockValue, Reference, SemaphoreValue, RingValue>;

inline bool is_invalid(const Value& value) {
    return std::holds_alternative<Invalid>(value);
}

struct Env;
using EnvPtr = std::shared_ptr<Env>;

/// What a name means at a place.
struct Entry {
    enum class Kind {
        value,     ///< `let`, constants, sizes, axes, operands, buffers
        variable,  ///< `var`: a scalar in `slot`, or a block, in VMEM once control flow can change
                   ///< it
        function,
        absent  ///< an optional operand that is not passed
    };
    Kind kind = Kind::value;
    Value value;
    Span declared;
    bool is_let = false;
    int where = 0;  ///< the `where` whose live steps alone compute it; 0 for none
    int live = -1;  ///< index into Unit::live, for named blocks
    schedule::SlotId slot = schedule::none;
    schedule::BufferId backing = schedule::none;
    schedule::BlockType type;  ///< of a block variable
    const dsl::ast::Fn* function = nullptr;
    std::size_t grids = 0;  ///< open around its declaration
};

/// One lexical scope.
struct Env {
    EnvPtr parent;
    std::unordered_map<std::string, Entry> names;

    explicit Env(EnvPtr outer) : parent(std::move(outer)) {}
    Entry* find(const std::string& name) {
        for (Env* env = this; env; env = env->parent.get())
            if (const auto entry = env->names.find(name); entry != env->names.end())
                return &entry->second;
        return nullptr;
    }
    /// The scope that declares `name`, for functions, which see what was declared around them.
    EnvPtr owner(const EnvPtr& self, const std::string& name) {
        for (EnvPtr env = self; env; env = env->parent)
            if (env->names.count(name)) return env;
        return nullptr;
    }
};

}  // namespace slab::compiler
