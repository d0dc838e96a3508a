#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <variant>

#include <catch2/catch.hpp>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/verify.hpp"
#include "compiler/schedule/walker.hpp"
#include "programs.hpp"
#include "random_program.hpp"

// What holds of any program, tried on many made by chance.
using namespace slab;
using namespace slab::schedule;
using namespace slab::schedule::testing;

namespace {

constexpr std::uint32_t programs = 1000;
constexpr std::int64_t most_events = 20000;

/// Follows the events of a program and checks what the walker promises of transfers.
class Observer {
public:
    explicit Observer(const Program& program) : program_(program) { collect(program.body); }

    void see(const Event& event, const Walker& walker) {
        if (event.kind == EventKind::step) step(event, walker);
        if (event.kind == EventKind::copy) copy(event, walker);
        if (event.kind == EventKind::wait) wait(event, walker);
        if (event.kind == EventKind::region) body(walker);
    }
    void end() const {
        for (const auto& [semaphore, bytes] : semaphores_) CHECK(bytes == 0);
        CHECK(under_way_.empty());
    }

private:
    const Stream& stream(std::int32_t id) const {
        return program_.streams[static_cast<std::size_t>(id)];
    }

    void collect(const Block& block) {
        for (const Stmt& stmt : block) {
            if (const auto* grid = std::get_if<Pipeline>(&stmt.node)) {
                grids_.push_back(grid);
                collect(grid->body);
            } else if (const auto* loop = std::get_if<Loop>(&stmt.node)) {
                collect(loop->body);
            } else if (const auto* branch = std::get_if<Branch>(&stmt.node)) {
                collect(branch->then);
                collect(branch->otherwise);
            } else if (const auto* scope = std::get_if<Scope>(&stmt.node)) {
                collect(scope->body);
            }
        }
    }

    /// In a live step the window is what its expressions say now, look-ahead or not, and it is
    /// another one than before only if they say something else.
    void step(const Event& event, const Walker& walker) {
        const Pipeline& grid = *grids_[static_cast<std::size_t>(event.id)];
        const bool live = grid.where == none || walker.integer_of(grid.where) != 0;
        CHECK(event.live == live);
        for (StreamId id : grid.streams) {
            const auto window = walker.window(id);
            if (live) {
                REQUIRE(window.has_value());
                for (std::size_t d = 0; d < stream(id).dims.size(); ++d)
                    CHECK(window->start[d] == walker.integer_of(stream(id).dims[d].start));
                const auto before = last_.find(id);
                if (before != last_.end() && window->index == before->second.index + 1)
                    CHECK((window->start != before->second.start || counts_live(id)));
                else if (before != last_.end() && window->index > 0)
                    CHECK(window->start == before->second.start);
                last_[id] = *window;
            }
        }
    }

    bool counts_live(StreamId id) const {
        for (const RefDim& dim : stream(id).dims)
            if (dim.live != none) return true;
        return false;
    }

    void copy(const Event& event, const Walker& walker) {
        const Stream& source = stream(event.id);
        CHECK(event.bytes > 0);
        CHECK(event.runs > 0);
        CHECK(event.slot >= 0);
        CHECK(event.slot < source.depth);
        CHECK(event.semaphore < walker.semaphore_count());
        if (event.write) {
            const auto window = walker.window(event.id);
            REQUIRE(window.has_value());
            CHECK(event.slot == window->slot);
            CHECK(event.start == window->start);
        }
        for (const Event& other : under_way_) {
            // No copy of a buffer is read and written at once, and semaphores are not shared.
            CHECK_FALSE((other.id == event.id && other.slot == event.slot));
            CHECK(other.semaphore != event.semaphore);
        }
        under_way_.push_back(event);
        semaphores_[event.semaphore] += event.bytes;
        std::int64_t together = 0;
        for (const Event& other : under_way_)
            together += other.id == event.id && other.write == event.write;
        CHECK(together <= (event.write ? std::min<std::int64_t>(2, source.depth) : source.depth));
    }

    void wait(const Event& event, const Walker& walker) {
        const auto started =
            std::find_if(under_way_.begin(), under_way_.end(),
                         [&](const Event& copy) { return copy.semaphore == event.semaphore; });
        REQUIRE(started != under_way_.end());
        CHECK(started->id == event.id);
        CHECK(started->write == event.write);
        CHECK(started->bytes == event.bytes);
        if (!event.write) {
            const auto window = walker.window(event.id);
            REQUIRE(window.has_value());
            CHECK(started->slot == window->slot);
            CHECK(started->start == window->start);
            CHECK(started->extent == window->extent);
        }
        semaphores_[event.semaphore] -= event.bytes;
        under_way_.erase(started);
    }

    /// Nothing is being moved into or out of what the body sees.
    void body(const Walker& walker) const {
        for (const Event& copy : under_way_) {
            const auto window = walker.window(copy.id);
            if (window) CHECK(copy.slot != window->slot);
        }
    }

    const Program& program_;
    std::vector<const Pipeline*> grids_;
    std::map<StreamId, Window> last_;
    std::map<std::int32_t, std::int64_t> semaphores_;
    std::vector<Event> under_way_;
};

}  // namespace

TEST_CASE("random programs are sound, and print and read back") {
    for (std::uint32_t seed = 0; seed < 2 * programs; ++seed) {
        INFO("seed " << seed);
        const Program program =
            seed % 2 == 0 ? random_program(seed / 2) : random_program_of_everything(seed / 2);
        REQUIRE(verify(program) == std::vector<std::string>{});
        const std::string text = print(program);
        const SourceFile source("random", text);
        Diagnostics diags;
        const auto again = parse_program(source, diags);
        INFO(text << render(diags, &source));
        REQUIRE(again.has_value());
        CHECK(*again == canonical(program));
        CHECK(canonical(*again) == *again);
        CHECK(print(*again) == print(canonical(program)));
    }
}

TEST_CASE("a damaged text is read or refused, and what was read can be looked at") {
    std::mt19937 random(7);
    const auto pick = [&](std::size_t below) { return random() % below; };
    const std::string whole = together;
    std::size_t read = 0, sound = 0;
    for (int i = 0; i < 4000; ++i) {
        std::string text = whole;
        const std::size_t at = pick(text.size()), size = 1 + pick(12);
        if (i % 3 == 0)
            text.erase(at, size);
        else if (i % 3 == 1)
            text.replace(at, size, whole.substr(pick(whole.size()), 1 + pick(12)));
        else
            text.replace(at, 1, 1, "0123456789abcrs{}[]\"#"[pick(21)]);
        const SourceFile source("damaged", text);
        Diagnostics diags;
        const auto program = parse_program(source, diags);
        CHECK(program.has_value() == (diags.size() == 0));
        if (!program) continue;
        ++read;
        sound += verify(*program).empty();
        INFO(text);
        const SourceFile again("again", print(*program));
        CHECK(parse_program(again, diags) == canonical(*program));
    }
    CHECK(read > 200);
    CHECK(sound > 50);
    CHECK(sound < read);
}

TEST_CASE("random programs have every construct") {
    std::set<std::size_t> statements;
    std::size_t custom = 0, remote = 0, elements = 0, views = 0;
    for (std::uint32_t seed = 0; seed < programs; ++seed) {
        const Program program = random_program_of_everything(seed);
        const std::function<void(const Block&)> look = [&](const Block& block) {
            for (const Stmt& stmt : block) {
                statements.insert(stmt.node.index());
                for_each_block(stmt, look);
            }
        };
        look(program.body);
        for (const Stream& stream : program.streams) custom += stream.is_custom();
        for (const ScalarExpr& expr : program.exprs) elements += expr.op == ScalarOp::element;
        for (const Copy& copy : program.copies) {
            remote += copy.is_remote();
            views += copy.source.views.size();
        }
    }
    CHECK(statements.size() == std::variant_size_v<decltype(Stmt::node)>);
    for (std::size_t times : {custom, remote, elements, views}) CHECK(times > programs / 20);
}

TEST_CASE("every transfer is waited for once, none meets another or the body, windows are right") {
    std::int64_t seen = 0;
    for (std::uint32_t seed = 0; seed < programs; ++seed) {
        INFO("seed " << seed);
        const Program program = random_program(seed);
        INFO(print(program));
        Walker walker(program);
        Observer observer(program);
        Event event;
        std::int64_t events = 0;
        while (events < most_events && walker.next(event)) {
            observer.see(event, walker);
            ++events;
        }
        CHECK_FALSE(walker.stop());
        if (events < most_events) observer.end();
        seen += events;
    }
    CHECK(seen > 100000);
}

TEST_CASE("a copy of a walker goes on like the one it was made from") {
    for (std::uint32_t seed = 0; seed < programs; ++seed) {
        const Program program = random_program(seed);
        Walker walker(program);
        Event event, other;
        for (std::uint32_t skipped = 0; skipped < seed % 97; ++skipped) walker.next(event);
        Walker copy = walker;
        Walker assigned(program);
        assigned = copy;
        for (int i = 0; i < 300; ++i) {
            event = other = Event{};
            const bool more = walker.next(event);
            REQUIRE(copy.next(other) == more);
            REQUIRE(other == event);
            REQUIRE(assigned.next(other) == more);
            REQUIRE(other == event);
            REQUIRE(copy.steps() == walker.steps());
        }
    }
}

TEST_CASE("events of random programs read back as they were") {
    for (std::uint32_t seed = 0; seed < programs; ++seed) {
        const Program program = random_program(seed);
        const EventText text(program);
        Walker walker(program, {}, 2);
        Event event;
        for (int i = 0; i < 200 && walker.next(event); ++i) {
            INFO(text.print(event));
            REQUIRE(text.parse(text.print(event)) == event);
        }
    }
}
