#include "compiler/program/arrays.hpp"

#include <algorithm>

namespace slab::compiler {

using Int = std::int64_t;

namespace {

Int product(const std::vector<Int>& shape) {
    Int elements = 1;
    for (const Int size : shape) elements *= size;
    return elements;
}

}  // namespace

void Coverage::add(Int begin, Int end) {
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second >= begin) --next;
    while (next != ranges_.end() && next->first <= end) {
        begin = std::min(begin, next->first);
        end = std::max(end, next->second);
        next = ranges_.erase(next);
    }
    ranges_.emplace(begin, end);
}

void Coverage::remove(Int begin, Int end) {
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second > begin) --next;
    while (next != ranges_.end() && next->first < end) {
        const auto [from, to] = *next;
        next = ranges_.erase(next);
        if (from < begin) ranges_.emplace(from, begin);
        if (to > end) ranges_.emplace(end, to);
    }
}

bool Coverage::covers(Int begin, Int end) const {
    const auto next = ranges_.upper_bound(begin);
    return next != ranges_.begin() && std::prev(next)->second >= end;
}

bool Coverage::touches(Int begin, Int end) const {
    const auto next = ranges_.lower_bound(end);
    return next != ranges_.begin() && std::prev(next)->second > begin;
}

Int Array::elements() const {
    return product(shape);
}

Int Array::bytes() const {
    return (elements() * bits(type) + 7) / 8;
}

Int ArrayPart::end() const {
    return begin + product(shape);
}

}  // namespace slab::compiler
