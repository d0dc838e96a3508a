// libFuzzer's door to slab (scripts/fuzz): bytes are a text, and changes are made token by token,
// line by line or by writing a new kernel, so that most texts get past the parser.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/time.h>
#include <unistd.h>

#include "one_text.hpp"
#include "texts.hpp"

namespace {

using namespace slab::fuzz;

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

std::size_t put(const std::string& text, std::uint8_t* data, std::size_t max_size) {
    const std::size_t size = std::min(text.size(), max_size);
    std::memcpy(data, text.data(), size);
    return size;
}

/// Ends the process where a text takes more than a second of CPU time. libFuzzer's own limit is
/// one of the clock, which a busy machine passes with any text.
class CpuLimit {
public:
    CpuLimit() {
        static const bool once = [] {
            std::signal(SIGPROF, [](int) {
                constexpr std::string_view said = "more than a second of CPU time\n";
                if (write(STDERR_FILENO, said.data(), said.size()) < 0) _exit(3);
                std::abort();  // which libFuzzer reports, with the text
            });
            return true;
        }();
        if (once) set(1);
    }
    ~CpuLimit() { set(0); }
    CpuLimit(const CpuLimit&) = delete;
    CpuLimit& operator=(const CpuLimit&) = delete;

private:
    static void set(time_t seconds) {
        const itimerval timer{{0, 0}, {seconds, 0}};
        setitimer(ITIMER_PROF, &timer, nullptr);
    }
};

}  // namespace

// libsystemc wants it; the program's main() is libFuzzer's
extern "C" int sc_main(int, char**) {
    return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const CpuLimit limit;
    take(text_of(data, size), Chips::one);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
    Chance chance(seed);
    switch (chance.pick(16)) {
        case 0:
            return LLVMFuzzerMutate(data, size, max_size);
        case 1:
        case 2:
        case 3:
            return put(random_text(chance), data, max_size);
        default: {
            const std::string text(text_of(data, size));
            const std::string other = chance.one_in(4) ? random_text(chance) : text;
            return put(mutated(text, other, chance), data, max_size);
        }
    }
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned int seed) {
    Chance chance(seed);
    return put(mutated(text_of(data, size), text_of(other, other_size), chance), out, max_size);
}
