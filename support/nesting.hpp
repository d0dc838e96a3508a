#pragma once

namespace slab {

/// How deep something stands in itself, such as expressions, those of the functions they call
/// included: the parser bounds what is written, but calls multiply that, and the stack is finite.
class Nesting {
public:
    explicit Nesting(int deepest) : deepest_(deepest) {}

    int deepest() const { return deepest_; }
    bool too_deep() const { return depth_ > deepest_; }

    /// One level, as long as it lives.
    class Level {
    public:
        explicit Level(Nesting& nesting) : nesting_(nesting) { ++nesting_.depth_; }
        ~Level() { --nesting_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        Nesting& nesting_;
    };

private:
    int deepest_;
    int depth_ = 0;
};

}  // namespace slab
