#include "sim/timing/pieces.hpp"

#include <algorithm>
#include <cmath>

namespace slab::sim::timing {

namespace {

// approximation: row-pieces. Dependences between stages are followed in at most this many pieces,
// so that the cost of scheduling does not depend on the block.
constexpr std::int64_t most_pieces = 16;

std::int64_t piece_count(std::int64_t groups) {
    return std::clamp<std::int64_t>(groups, 1, most_pieces);
}

double part(std::int64_t piece, std::int64_t count) {
    return static_cast<double>(piece) / static_cast<double>(count);
}

/// Rows [from, from + rows] of the result, in fractions, through all rounds.
void add_row_block(std::vector<Piece>& pieces, const DotOrder& order, double from, double rows,
                   std::int64_t cuts) {
    const std::int64_t rounds = order.rounds;
    const std::int64_t middle = std::clamp<std::int64_t>(rounds - 2, 0, most_pieces);
    const double round = rows / static_cast<double>(rounds);
    for (std::int64_t cut = 0; cut < cuts; ++cut) {
        const double seen = from + rows * part(cut + 1, cuts);
        pieces.push_back({round / static_cast<double>(cuts), seen, rounds == 1 ? seen : from, 0});
    }
    for (std::int64_t cut = 0; cut < middle; ++cut)
        pieces.push_back({round * static_cast<double>(rounds - 2) / static_cast<double>(middle),
                          from + rows, from, 0});
    for (std::int64_t cut = 0; rounds > 1 && cut < cuts; ++cut)
        pieces.push_back(
            {round / static_cast<double>(cuts), from + rows, from + rows * part(cut + 1, cuts), 0});
}

/// Rows of the right operand, as a fraction, that are needed until a fraction of the rounds through
/// all weight tiles is done.
double weights_needed(const DotOrder& order, double done) {
    const auto whole_tiles = [&](std::int64_t count) {
        constexpr double rounding = 1e-9;
        const auto tiles = static_cast<double>(count);
        return std::min(1.0, std::ceil(done * tiles - rounding) / tiles);
    };
    if (order.transposed) return whole_tiles(order.column_sets > 1 ? order.column_sets : 1);
    return std::min(1.0, whole_tiles(order.rounds) * static_cast<double>(order.column_sets));
}

}  // namespace

std::vector<Piece> pass_pieces(std::int64_t groups) {
    const std::int64_t count = piece_count(groups);
    std::vector<Piece> pieces;
    for (std::int64_t piece = 1; piece <= count; ++piece) {
        const double done = part(piece, count);
        pieces.push_back({1.0 / static_cast<double>(count), done, done, done});
    }
    return pieces;
}

std::vector<Piece> dot_pieces(const DotOrder& order) {
    // approximation: even-batch. Products of a batch follow each other, each as if in one round.
    if (order.batch > 1) return pass_pieces(order.row_groups);
    const std::int64_t blocks = std::min(order.row_blocks, most_pieces);
    const std::int64_t cuts = std::max<std::int64_t>(1, piece_count(order.row_groups) / blocks);
    std::vector<Piece> pieces;
    for (std::int64_t block = 0; block < blocks; ++block)
        add_row_block(pieces, order, part(block, blocks), part(1, blocks), cuts);
    double done = 0;
    for (Piece& piece : pieces) {
        done += piece.share;
        piece.part_done = order.column_sets > 1 ? done : piece.rows_done;
        piece.weights = weights_needed(order, done * static_cast<double>(blocks));
    }
    return pieces;
}

std::size_t last_round(const std::vector<Piece>& pieces, const DotOrder& order) {
    if (order.batch > 1) return pieces.size() - 1;
    if (order.rounds == 1 && order.row_blocks == 1) return 0;
    const std::int64_t blocks = std::min(order.row_blocks, most_pieces);
    const std::int64_t cuts = std::max<std::int64_t>(1, piece_count(order.row_groups) / blocks);
    return pieces.size() - static_cast<std::size_t>(cuts);
}

}  // namespace slab::sim::timing
