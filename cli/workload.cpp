#include "cli/workload.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "arch_configs/chip_json.hpp"
#include "arch_configs/read_chip.hpp"
#include "cli/cases_data.hpp"
#include "cli/library.hpp"

namespace slab::cli {

namespace fs = std::filesystem;

bool WorkloadReader::read(Workload& out, const std::vector<std::string>& more,
                          const std::vector<std::string>& required) {
    out.path = path_;
    if (!check_.is_object(path_, json_)) return false;
    std::vector<std::string> keys = {"id",    "chip",   "file", "kernel", "program",
                                     "set",   "with",   "data", "clock",  "activity",
                                     "group", "source", "note"};
    keys.insert(keys.end(), more.begin(), more.end());
    check_.known_keys(path_, json_, keys);
    keys = {"id", "chip", "group", "source"};
    keys.insert(keys.end(), required.begin(), required.end());
    check_.required_keys(path_, json_, keys);
    out.id = text("id");
    out.chip = text("chip");
    if (!out.chip.empty()) check_.known_chip(below("chip"), out.chip, arch::shipped_chips());
    out.group = text("group");
    out.source = text("source");
    out.sustained = one_of("clock", {"nominal", "sustained"}, "nominal") == "sustained";
    out.zeros = one_of("activity", {"zeros", "random"}, "random") == "zeros";
    read_item(out);
    if (const Json* set = find("set")) out.set = check_.settings(below("set"), *set);
    read_with(out);
    if (const Json* data = find("data")) out.data = read_data(*data, below("data"), check_);
    return true;
}

const Json* WorkloadReader::find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
}

std::string WorkloadReader::text(const char* key) {
    const Json* value = find(key);
    return value ? check_.text(below(key), *value) : "";
}

std::string WorkloadReader::one_of(const char* key, const std::vector<std::string>& words,
                                   const std::string& otherwise) {
    const Json* value = find(key);
    if (!value) return otherwise;
    const std::string word = value->is_string() ? value->get<std::string>() : "";
    if (std::find(words.begin(), words.end(), word) == words.end())
        check_.wrong_kind(below(key), *value, fmt::format("one of {}", fmt::join(words, ", ")));
    return word;
}

double WorkloadReader::number(const char* key, const Json& json) {
    const double value = json.is_number() ? json.get<double>() : 0;
    if (!(value > 0) || !std::isfinite(value))
        check_.wrong_kind(below(key), json, "a number above 0");
    return value;
}

void WorkloadReader::read_item(Workload& out) {
    const std::string kernel = text("kernel"), program = text("program");
    if (kernel.empty() == program.empty()) {
        check_.report<Diag::points_item>(path_);
        return;
    }
    out.item = kernel + program;
    std::string file = text("file");
    if (file.empty()) file = fmt::format("kernels/{0}/{0}.slab", out.item);
    const fs::path root = fs::path(library_folder()).parent_path();
    std::error_code error;
    out.file = (fs::exists(folder_ / file, error) ? folder_ / file : root / file)
                   .lexically_normal()
                   .string();
}

void WorkloadReader::read_with(Workload& out) {
    const Json* with = find("with");
    if (!with) return;
    if (!with->is_array()) return check_.wrong_kind(below("with"), *with, "a list of texts");
    for (std::size_t i = 0; i < with->size(); ++i)
        out.with.push_back(check_.text(element(below("with"), i), (*with)[i]));
}

bool read_workloads(const SourceFile& text, const std::string& schema, const std::string& key,
                    const std::function<const Workload&(WorkloadReader& entry)>& add,
                    Diagnostics& diags) {
    Diagnostics found;
    if (const auto json = arch::parse_json(text.name(), std::string(text.text()), found)) {
        CasesCheck check(text.name(), found);
        const Json* list = check.list_of(*json, schema, key);
        const fs::path folder = fs::path(text.name()).parent_path();
        std::set<std::string> ids;
        for (std::size_t i = 0; list && i < list->size(); ++i) {
            WorkloadReader entry((*list)[i], element(key, i), folder, check);
            const std::string& id = add(entry).id;
            if (!ids.insert(id).second && !id.empty())
                check.report<Diag::points_same_id>(element(key, i), id);
        }
    }
    diags.append(found);
    return !found.has_errors();
}

std::vector<std::string> shipped_files(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    const fs::path path = fs::path(library_folder()).parent_path() / folder;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
        if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace slab::cli
