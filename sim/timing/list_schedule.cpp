#include "sim/timing/list_schedule.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/timing/timeline.hpp"
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
        : jobs_(jobs), lookahead_(vpu.lookahead_ops) {
        progress_.resize(jobs.size());
        order_.resize(jobs.size());
        std::iota(order_.begin(), order_.end(), 0);
        std::stable_sort(order_.begin(), order_.end(),
                         [&](int a, int b) { return jobs[a].position < jobs[b].position; });
        for (std::size_t job = 0; job < jobs.size(); ++job)
            progress_[job].ends.reserve(jobs[job].pieces.size());
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
        double ready = 0;          ///< when the next has all that it needs; meaningful when `known`
        bool known = false;
    };

    bool finished(int job) const { return progress_[job].ends.size() == jobs_[job].pieces.size(); }

    /// Whose next piece has had all that it needs for longest; the oldest among equals.
    int choose(std::size_t oldest) {
        const int horizon = jobs_[order_[oldest]].position + lookahead_;
        int best = -1;
        double earliest = std::numeric_limits<double>::infinity();
        for (std::size_t i = oldest; i < order_.size(); ++i) {
            const int job = order_[i];
            if (jobs_[job].position > horizon) break;
            if (finished(job) || !ready(job) || progress_[job].ready >= earliest) continue;
            best = job;
            earliest = progress_[job].ready;
        }
        return best;
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

    /// Whether all that the next piece needs has been issued; then also when it is there.
    bool ready(int job) {
        Progress& now = progress_[job];
        if (now.known) return true;
        const std::size_t piece = now.ends.size();
        double time = piece == 0 ? window_opens(job) : now.start;
        double weights = jobs_[job].operands;
        for (const Need& need : jobs_[job].needs) {
            double there = 0;
            if (!available(job, need, piece, there)) return false;
            if (need.weights && piece == 0)
                weights = std::max(weights, there);
            else
                time = std::max(time, there);
        }
        if (piece == 0 && jobs_[job].weight_load > 0)
            time = std::max(time, weights_.take(weights, jobs_[job].weight_load));
        now.known = true;
        now.ready = time;
        return true;
    }

    void issue(int job) {
        Progress& now = progress_[job];
        const double start = now.ready;
        const Piece& piece = jobs_[job].pieces[now.ends.size()];
        double first = start, end = start;
        for (std::size_t unit = 0; unit < unit_count; ++unit) {
            const double use = jobs_[job].demand.cycles[unit] * piece.share;
            if (use <= 0) continue;
            first = std::max(first, units_[unit].free_from(start));
        }
        for (std::size_t unit = 0; unit < unit_count; ++unit) {
            const double use = jobs_[job].demand.cycles[unit] * piece.share;
            if (use > 0) end = std::max(end, units_[unit].take(start, use));
        }
        now.start = std::min(first, end);
        now.ends.push_back(end);
        now.known = false;
        length_ = std::max(length_, end + jobs_[job].drain);
    }

    const std::vector<Job>& jobs_;
    int lookahead_;
    std::vector<Progress> progress_;
    std::vector<int> order_;
    std::vector<double> passed_{0};  ///< per count of leading jobs: all have begun their last piece
    std::array<Timeline, unit_count> units_;
    // approximation: one-weight-path. All arrays load together.
    Timeline weights_;
    double length_ = 0;
};

}  // namespace

double list_schedule(const std::vector<Job>& jobs, const arch::VpuSpec& vpu) {
    return Scheduler(jobs, vpu).run();
}

}  // namespace slab::sim::timing
