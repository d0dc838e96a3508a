#include "cli/cases.hpp"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "arch_configs/chip_json.hpp"
#include "arch_configs/read_chip.hpp"
#include "cli/cases_check.hpp"
#include "cli/cases_data.hpp"
#include "cli/text_file.hpp"
#include "cli/words.hpp"

namespace slab::cli {

namespace {

constexpr const char* schema = "slab.cases/1";
constexpr const char* every_chip = "";
const std::vector<std::string> case_keys = {"name", "kind",  "kernel",    "chips",  "set", "with",
                                            "data", "seeds", "tolerance", "expect", "note"};

/// Reads one entry; `path` is `cases[0]`.
class CaseReader {
public:
    CaseReader(const Json& json, std::string path, CasesCheck& check)
        : json_(json), path_(std::move(path)), check_(check) {}

    Case read(const std::string& folder) {
        Case out;
        out.path = path_;
        if (!check_.is_object(path_, json_)) return out;
        check_.known_keys(path_, json_, case_keys);
        check_.required_keys(path_, json_, {"name", "kind"});
        out.name = text("name", "");
        out.kernel = text("kernel", folder);
        out.note = text("note", "");
        out.with = texts("with");
        read_kind(out);
        read_chips(out);
        read_set(out);
        read_seeds(out);
        read_tolerance(out);
        read_expect(out);
        if (const Json* data = find("data")) out.data = read_data(*data, below("data"), check_);
        return out;
    }

private:
    const Json* find(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() ? nullptr : &*found;
    }
    std::string below(const std::string& key) const { return path_ + "." + key; }

    std::string text(const char* key, const std::string& otherwise) {
        const Json* value = find(key);
        return value ? check_.text(below(key), *value) : otherwise;
    }

    std::vector<std::string> texts(const char* key) {
        std::vector<std::string> all;
        const Json* list = find(key);
        if (!list) return all;
        if (!list->is_array()) {
            check_.wrong_kind(below(key), *list, "a list of texts");
            return all;
        }
        for (std::size_t i = 0; i < list->size(); ++i)
            all.push_back(check_.text(element(below(key), i), (*list)[i]));
        return all;
    }

    void read_kind(Case& out) {
        const Json* kind = find("kind");
        if (!kind) return;
        out.kind = *kind == "full" ? CaseKind::full : CaseKind::check;
        if (*kind != "full" && *kind != "check")
            check_.wrong_kind(below("kind"), *kind, "\"check\" or \"full\"");
    }

    void read_chips(Case& out) {
        const std::vector<std::string> shipped = arch::shipped_chips();
        if (!find("chips")) {
            out.chips = shipped;
            return;
        }
        out.chips = texts("chips");
        for (std::size_t i = 0; i < out.chips.size(); ++i)
            check_.known_chip(element(below("chips"), i), out.chips[i], shipped);
    }

    void read_set(Case& out) {
        if (const Json* set = find("set")) out.set = check_.settings(below("set"), *set);
    }

    void read_seeds(Case& out) {
        const Json* seeds = find("seeds");
        if (!seeds) return;
        if (seeds->is_number_integer() && *seeds >= 1 && *seeds <= 1'000'000)
            out.seeds = seeds->get<std::int64_t>();
        else
            check_.wrong_kind(below("seeds"), *seeds, "a whole number from 1 to 1000000");
    }

    void read_tolerance(Case& out) {
        const Json* tolerance = find("tolerance");
        if (!tolerance || !check_.is_object(below("tolerance"), *tolerance)) return;
        check_.known_keys(below("tolerance"), *tolerance, {"rel"});
        check_.required_keys(below("tolerance"), *tolerance, {"rel"});
        const auto rel = tolerance->find("rel");
        if (rel == tolerance->end()) return;
        if (rel->is_number() && *rel >= 0)
            out.tolerance = rel->get<double>();
        else
            check_.wrong_kind(below("tolerance.rel"), *rel, "a number of at least 0");
    }

    void read_expect(Case& out) {
        const Json* expect = find("expect");
        if (!expect) return;
        if (!expect->is_object()) {
            out.expect[every_chip] = outcome(below("expect"), *expect);
            return;
        }
        for (const auto& [chip, code] : expect->items()) {
            const std::string path = below("expect") + "." + chip;
            check_.known_chip(path, chip, arch::shipped_chips());
            out.expect[chip] = outcome(path, code);
        }
    }

    /// `E0203`, or empty for "pass".
    std::string outcome(const std::string& path, const Json& json) {
        const std::string text = json.is_string() ? json.get<std::string>() : "";
        if (text == "pass") return "";
        const bool is_code = text.size() == 5 && text[0] == 'E' &&
                             text.find_first_not_of("0123456789", 1) == std::string::npos;
        if (!is_code) check_.wrong_kind(path, json, "\"pass\" or a code such as \"E0203\"");
        return text;
    }

    const Json& json_;
    std::string path_;
    CasesCheck& check_;
};

void check_names(const std::vector<Case>& cases, CasesCheck& check) {
    for (std::size_t i = 0; i < cases.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!cases[i].name.empty() && cases[i].name == cases[j].name) {
                check.report<Diag::cases_same_name>(element("cases", i), element("cases", j),
                                                    cases[i].name);
                break;
            }
}

std::vector<Case> read_json(const Json& json, const std::string& folder, CasesCheck& check) {
    std::vector<Case> cases;
    const Json* list = check.list_of(json, schema, "cases");
    for (std::size_t i = 0; list && i < list->size(); ++i)
        cases.push_back(CaseReader((*list)[i], element("cases", i), check).read(folder));
    check_names(cases, check);
    return cases;
}

}  // namespace

bool Case::is_for(const std::string& chip) const {
    const std::vector<std::string> shipped = arch::shipped_chips();
    const bool is_shipped = std::find(shipped.begin(), shipped.end(), chip) != shipped.end();
    return !is_shipped || std::find(chips.begin(), chips.end(), chip) != chips.end();
}

std::string Case::expected(const std::string& chip) const {
    for (const std::string& key : {chip, std::string(every_chip)})
        if (const auto found = expect.find(key); found != expect.end()) return found->second;
    return "";
}

std::optional<std::vector<Case>> read_cases(const SourceFile& text, const std::string& folder,
                                            Diagnostics& diags) {
    Diagnostics found;
    std::vector<Case> cases;
    const std::optional<Json> json = arch::parse_json(text.name(), std::string(text.text()), found);
    if (json) {
        CasesCheck check(text.name(), found);
        cases = read_json(*json, folder, check);
    }
    // The reader of JSON speaks of chip files, which are what it was written for.
    const bool too_deep = !found.empty() && found.messages().front().id() == Diag::chip_too_deep;
    if (too_deep)
        diags.add<Diag::cases_too_deep>({}, text.name());
    else
        diags.append(found);
    if (found.has_errors()) return std::nullopt;
    return cases;
}

std::string cases_path(const std::string& slab_file) {
    return (std::filesystem::path(slab_file).parent_path() / "cases.json").string();
}

std::optional<std::vector<Case>> read_cases_beside(const std::string& slab_file,
                                                   Diagnostics& diags) {
    const std::string path = cases_path(slab_file);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return std::vector<Case>{};
    const std::optional<SourceFile> text = read_text_file(path, diags);
    if (!text) return std::nullopt;
    const auto folder = std::filesystem::absolute(path, error).parent_path().filename();
    return read_cases(*text, folder.string(), diags);
}

}  // namespace slab::cli
