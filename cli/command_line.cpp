#include "cli/command_line.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "support/check.hpp"

namespace slab::cli {

namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 fine; 1 the text, the kernel or its result is wrong; 2 usage or unreadable\n"
    "input; 3 a bug in slab.";

std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    return names;
}

std::vector<std::string> flags_of(const CLI::App& app) {
    std::vector<std::string> flags;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    return flags;
}

/// What the user typed up to here: `slab run`.
std::string spoken_name(const CLI::App& app) {
    return app.get_parent() ? "slab " + app.get_name() : "slab";
}

const CLI::App& innermost(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : *chosen.front();
}

bool report_unknown_flag(const CLI::App& app, Diagnostics& diags) {
    for (const std::string& word : app.remaining()) {
        if (word.size() < 2 || word.front() != '-' || word == "--") continue;
        const std::string flag = word.substr(0, word.find('='));
        const std::vector<std::string> known = flags_of(app);
        if (std::find(known.begin(), known.end(), flag) != known.end()) continue;  // behind `--`
        diags.add<Diag::flag_unknown>({}, spoken_name(app), flag, did_you_mean(flag, known));
        return true;
    }
    return false;
}

bool report_unknown_word(const CLI::App& app, Diagnostics& diags) {
    std::vector<std::string> words = app.remaining();
    std::erase(words, "--");
    if (words.empty()) return false;
    if (!app.get_parent())
        diags.add<Diag::command_unknown>({}, words.front(),
                                         did_you_mean(words.front(), command_names()),
                                         fmt::join(command_names(), ", "));
    else
        diags.add<Diag::argument_unexpected>({}, spoken_name(app), words.front());
    return true;
}

/// CLI11 begins its own messages with the name of the option: `--kernel: 1 required NAME missing`,
/// that of a flag without its dashes.
std::string option_in(const CLI::ParseError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find_first_of(": "));
}

/// Says in our words what CLI11 found.
void explain(const CLI::App& top, const CLI::ParseError& error, Diagnostics& diags) {
    const CLI::App& app = innermost(top);
    if (report_unknown_flag(top, diags) || report_unknown_flag(app, diags)) return;
    const std::string what = error.what();
    if (what.find("override") != std::string::npos)
        diags.add<Diag::flag_with_value>({}, "--" + option_in(error));
    else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) ||
             dynamic_cast<const CLI::ValidationError*>(&error))
        diags.add<Diag::flag_without_value>({}, option_in(error));
    else if (report_unknown_word(app, diags))
        return;
    else if (!app.get_parent())
        diags.add<Diag::command_missing>({}, fmt::join(command_names(), ", "));
    else if (dynamic_cast<const CLI::RequiredError*>(&error))
        diags.add<Diag::argument_missing>({}, spoken_name(app), option_in(error));
    else
        diags.add<Diag::arguments_wrong>({}, spoken_name(app), what);
}

constexpr const char* colour_flag = "--color";

/// Reads --color before all else, so that what is wrong with the other arguments has it too. The
/// last one counts.
void read_colour(int argc, const char* const* argv) {
    const std::string with_value = std::string(colour_flag) + "=";
    for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
        std::string_view word = argv[i];
        if (word == colour_flag && i + 1 < argc)
            word = argv[i + 1];
        else if (word.starts_with(with_value))
            word.remove_prefix(with_value.size());
        else
            continue;
        if (word == "auto") choose_colour(Colour::automatic);
        if (word == "always") choose_colour(Colour::always);
        if (word == "never") choose_colour(Colour::never);
    }
}

/// Whether a mistake in the flags goes to stdout as JSON too: it is found before --json is read.
bool wants_json(int argc, const char* const* argv) {
    for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i)
        if (std::string_view(argv[i]) == "--json") return true;
    return false;
}

/// Every command has --color; its value is read above and only checked here.
void declare_colour(CLI::App& app, std::string& value) {
    text_flag(app, colour_flag, value, "WHEN",
              "colour messages `auto`, `always` or `never`; `auto` does on a terminal, unless\n"
              "NO_COLOR is set");
}

int run_parsed(CLI::App& app, const std::map<std::string, Action>& actions, const std::string& when,
               int argc, const char* const* argv) {
    Diagnostics diags;
    try {
        app.parse(argc, argv);
        one_of(colour_flag, when, {"auto", "always", "never"}, diags);
    } catch (const CLI::CallForHelp&) {
        write(app.help());
        return finish(0);
    } catch (const CLI::ParseError& error) {
        explain(app, error, diags);
    }
    if (diags.has_errors()) {
        show(diags, nullptr, wants_json(argc, argv));
        return finish(diags.exit_code());
    }
    return finish(actions.at(innermost(app).get_name())());
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
    try {
        CLI::App app("Slab: write TPU kernels, and learn without a TPU how fast they are and why.",
                     "slab");
        app.require_subcommand(1, 1);
        app.footer(std::string("`slab COMMAND --help` tells more.\n") + exit_codes);
        read_colour(argc, argv);
        std::string when = "auto";
        declare_colour(app, when);
        std::map<std::string, Action> actions;
        for (const Command& command : commands()) {
            CLI::App* declared = app.add_subcommand(command.name, command.summary);
            declared->footer(exit_codes);
            actions[command.name] = command.declare(*declared);
            declare_colour(*declared, when);
        }
        return run_parsed(app, actions, when, argc, argv);
    } catch (const std::exception& error) {
        report_bug(__FILE__, __LINE__, error.what());
    }
}

}  // namespace slab::cli
