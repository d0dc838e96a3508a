#include "sim/timing/list_schedule.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "support/check.hpp"

namespace slab::sim::timing {

namespace {

constexpr double rounding = 1e-9;

std::size_t first_piece(const std::vector<Piece>& pieces, double Piece::*done, double wanted) {
    std::size_t piece = 0;
    while (piece + 1 < pieces.size() && pieces[piece].*done < wanted - rounding) ++piece;
    return piece;
}

class Scheduler {
public:
    Scheduler(const std::vector<Job>& jobs, const arch::VpuSpec& vpu)
        : jobs_(jobs), lookahead_(vpu.lookahead_ops), mixing_(vpu.bundle_mixing) {
        progress_.resize(jobs.size());
        order_.resize(jobs.size());
        std::iota(order_.begin(), order_.end(), 0);
        std::stable_sort(order_.begin(), order_.end(),
                         [&](int a, int b) { return jobs[a].position < jobs[b].position; });
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            progress_[job].ends.reserve(jobs[job].pieces.size());
            progress_[job].dominant = static_cast<std::size_t>(
                std::max_element(jobs[job].demand.cycles.begin(), jobs[job].demand.cycles.end()) -
                jobs[job].demand.cycles.begin());
        }
    }

    double run() {
        for (std::size_t oldest = 0; oldest < order_.size();) {
            if (finished(order_[oldest])) {
                passed_.push_back(std::max(passed_.back(), progress_[order_[oldest]].start));
                ++oldest;
                continue;
            }
            const int next = choose(oldest);
            SLAB_CHECK(next >= 0, "no piece of a region can start");
            issue(next);
        }
        return length_;
    }

private:
    struct Progress {
        std::vector<double> ends;  ///< of the pieces issued
        double start = 0;          ///< of the last of them
        double ready = 0;          ///< of the next; meaningful when `known`
        std::size_t dominant = 0;
        bool known = false;
    };

    bool finished(int job) const { return progress_[job].ends.size() == jobs_[job].pieces.size(); }

    int choose(std::size_t oldest) {
        const int horizon = jobs_[order_[oldest]].position + lookahead_;
        int best = -1;
        double best_start = std::numeric_limits<double>::infinity();
        for (std::size_t i = oldest; i < order_.size(); ++i) {
            const int job = order_[i];
            if (jobs_[job].position > horizon) break;
            if (finished(job) || !ready(job)) continue;
            const double start = earliest(job);
            if (start < best_start) {
                best = job;
                best_start = start;
            }
        }
        return best;
    }

    /// Whether all that the next piece needs has been issued; then also when it is there.
    bool ready(int job) {
        Progress& now = progress_[job];
        if (now.known) return true;
        const std::size_t piece = now.ends.size();
        double time = piece == 0 ? window_opens(job) : now.start;
        double weights = std::max(weights_free_, jobs_[job].operands);
        // approximation: two-in-flight. Results wait in registers and queues for one piece, not
        // more.
        if (piece >= 2) time = std::max(time, now.ends[piece - 2]);
        for (const Need& need : jobs_[job].needs) {
            double there = 0;
            if (!available(job, need, piece, there)) return false;
            if (need.weights && piece == 0)
                weights = std::max(weights, there);
            else
                time = std::max(time, there);
        }
        const bool loads = piece == 0 && jobs_[job].weight_load > 0;
        if (loads) time = std::max(time, weights + jobs_[job].weight_load);
        now.known = !loads;  // the weight path may be taken in between
        now.ready = time;
        return true;
    }

    double window_opens(int job) const {
        const int first = jobs_[job].position - lookahead_;
        const auto before = std::lower_bound(
            order_.begin(), order_.end(), first,
            [&](int other, int position) { return jobs_[other].position < position; });
        return passed_[before - order_.begin()];
    }

    bool available(int job, const Need& need, std::size_t piece, double& there) const {
        const Job& from = jobs_[need.job];
        const Job& to = jobs_[job];
        const bool by_rows = need.relation == Relation::rows && (to.any_order || !from.any_order);
        const bool by_tiles = need.relation == Relation::tiles && !from.any_order;
        if (!by_rows && !by_tiles && piece > 0) return true;
        std::size_t wanted = from.pieces.size() - 1;
        if (by_tiles)
            wanted = first_piece(from.pieces, &Piece::rows_done, to.pieces[piece].weights);
        if (by_rows)
            wanted = first_piece(from.pieces, to.any_order ? &Piece::part_done : &Piece::rows_done,
                                 to.pieces[piece].needs);
        if (progress_[need.job].ends.size() <= wanted) return false;
        there = progress_[need.job].ends[wanted] + need.latency;
        return true;
    }

    double earliest(int job) const {
        const Progress& now = progress_[job];
        const Demand& demand = jobs_[job].demand;
        const double share = jobs_[job].pieces[now.ends.size()].share;
        const double length = demand.cycles[now.dominant] * share;
        double start = now.ready;
        for (std::size_t unit = 0; unit < unit_count; ++unit)
            if (const double use = demand.cycles[unit] * share; use > 0)
                // approximation: bundle-mixing. A unit that a piece needs for a part of its length
                // only may be busy when the piece starts, for a share of the rest.
                start = std::max(start, free_[unit] - mixing_ * (length - use));
        return start;
    }

    void issue(int job) {
        Progress& now = progress_[job];
        const Piece& piece = jobs_[job].pieces[now.ends.size()];
        const double start = earliest(job);
        double end = start;
        for (std::size_t unit = 0; unit < unit_count; ++unit) {
            const double use = jobs_[job].demand.cycles[unit] * piece.share;
            if (use <= 0) continue;
            free_[unit] = std::max(free_[unit], start) + use;
            end = std::max(end, free_[unit]);
        }
        if (jobs_[job].weight_load > 0 &&
            (now.ends.empty() || now.ends.size() == jobs_[job].last_round))
            weights_free_ = std::max(weights_free_, start);
        now.start = start;
        now.ends.push_back(end);
        now.known = false;
        length_ = std::max(length_, end + jobs_[job].drain);
    }

    const std::vector<Job>& jobs_;
    int lookahead_;
    double mixing_;
    std::vector<Progress> progress_;
    std::vector<int> order_;
    std::vector<double> passed_{0};  ///< per count of leading jobs: all have begun their last piece
    std::array<double, unit_count> free_{};
    // approximation: one-weight-path. All arrays load together, one tile ahead of the rows.
    double weights_free_ = 0;
    double length_ = 0;
};

}  // namespace

double list_schedule(const std::vector<Job>& jobs, const arch::VpuSpec& vpu) {
    return Scheduler(jobs, vpu).run();
}

}  // namespace slab::sim::timing
