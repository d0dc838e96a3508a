#include "cli/output.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

#include "cli/diagnostics_json.hpp"

namespace slab::cli {

namespace {

Colour chosen_colour = Colour::automatic;

/// The first reason why stdout could not be written; 0 while it can.
int output_error = 0;

void put(std::string_view text, std::FILE* stream) {
    if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() && stream == stdout &&
        output_error == 0)
        output_error = errno ? errno : EIO;
}

void flush() {
    if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno ? errno : EIO;
}

}  // namespace

bool write(std::string_view text) {
    static char buffer[1 << 18];
    static const bool buffered = std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer) == 0;
    if (output_error == 0) put(text, stdout);
    return buffered && output_error == 0;
}

void show(const Diagnostics& diags, const SourceFile* file) {
    flush();
    put(render(diags, file, colour(stderr)), stderr);
}

void show(const Diagnostics& diags, const SourceFile* file, bool json) {
    if (json && diags.has_errors())
        write(diagnostics_json(diags, file));
    else
        show(diags, file);
}

void remark(std::string_view line) {
    flush();
    put(legible(line) + '\n', stderr);
}

int finish(int code) {
    flush();
    if (output_error == 0) return code;
    Diagnostics diags;
    diags.add<Diag::output_unwritable>({}, std::strerror(output_error));
    put(render(diags, nullptr, colour(stderr)), stderr);
    return diags.exit_code();
}

void choose_colour(Colour choice) {
    chosen_colour = choice;
}

bool colour(std::FILE* stream) {
    if (chosen_colour != Colour::automatic) return chosen_colour == Colour::always;
    const char* refused = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    if (refused && *refused) return false;
    if (terminal && std::strcmp(terminal, "dumb") == 0) return false;
    return isatty(fileno(stream)) == 1;
}

}  // namespace slab::cli
