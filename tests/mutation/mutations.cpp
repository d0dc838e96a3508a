// mutations PAGE: writes the table of planted faults anew where it stands in a page.
// mutations show WORDS: prints the kernels with the faults of that name, and what slab says.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <systemc>

#include "faults.hpp"

using namespace slab::mutation;

namespace {

int show(const std::string& words) {
    for (const Fault& fault : faults()) {
        const std::string title = fault.kernel + ": " + fault.name;
        if (title.find(words) == std::string::npos) continue;
        const Mutant mutant = plant(fault);
        fmt::print("--- {}\n{}{}\n", title, mutant.text, mutant.problem);
        if (!mutant.problem.empty()) continue;
        const auto found = find(mutant, fault.case_name);
        fmt::print("{}\n", found ? found->text : "escapes");
    }
    return 0;
}

/// The table is the end of the page.
int write_table(const std::string& path) {
    std::ifstream in(path);
    std::string page{std::istreambuf_iterator<char>(in), {}};
    const std::size_t begin = page.find(table_head());
    if (begin == std::string::npos) {
        fmt::print(stderr, "{} has no table of faults\n", path);
        return 2;
    }
    page.resize(begin);
    page += table_head();
    int code = 0;
    for (const Fault& fault : faults()) {
        const Mutant mutant = plant(fault);
        const auto found = mutant.problem.empty() ? find(mutant, fault.case_name) : std::nullopt;
        if (found) {
            page += row(fault, *found);
        } else {
            fmt::print(stderr, "{}: {} {}\n", fault.kernel, fault.name,
                       mutant.problem.empty() ? "escapes" : mutant.problem);
            code = 1;
        }
    }
    std::ofstream(path) << page;
    return code;
}

}  // namespace

// libsystemc brings main(), which calls sc_main().
int sc_main(int argc, char* argv[]) {
    if (argc == 2) return write_table(argv[1]);
    if (argc == 3 && std::string_view(argv[1]) == "show") return show(argv[2]);
    fmt::print(stderr, "usage: mutations PAGE | mutations show WORDS\n");
    return 2;
}
