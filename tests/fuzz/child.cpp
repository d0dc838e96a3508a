#include "child.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "one_text.hpp"

namespace slab::fuzz {

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr rlim_t cpu_seconds = 30;
constexpr bool limits_memory = false;  // the sanitizer reserves terabytes
#else
constexpr rlim_t cpu_seconds = 5;
constexpr bool limits_memory = true;
#endif

void limit(int resource, rlim_t value) {
    const rlimit both{value, value};
    setrlimit(resource, &both);
}

[[noreturn]] void be_child(const std::string& text, const std::string& log) {
    limit(RLIMIT_CPU, cpu_seconds);
    limit(RLIMIT_CORE, 0);
    if (limits_memory) limit(RLIMIT_AS, rlim_t{1} << 30);
    if (!std::freopen(log.c_str(), "w", stderr)) _exit(4);
    take(text);
    _exit(0);
}

}  // namespace

std::string read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<std::string> broken_by(const std::string& text) {
    const std::string log =
        std::filesystem::temp_directory_path() / fmt::format("slab_fuzz.{}", getpid());
    std::fflush(stdout);  // the child must not say it again
    const pid_t child = fork();
    if (child == 0) be_child(text, log);
    int status = 0;
    waitpid(child, &status, 0);
    const std::string said = read_bytes(log);
    std::filesystem::remove(log);
    if (status == 0) return std::nullopt;
    if (!WIFSIGNALED(status)) return fmt::format("exit {}: {}", WEXITSTATUS(status), said);
    const bool slow = WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU;
    return slow ? fmt::format("more than {} s", cpu_seconds)
                : fmt::format("signal {}: {}", WTERMSIG(status), said);
}

}  // namespace slab::fuzz
