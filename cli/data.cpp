#include "cli/data.hpp"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "arch_configs/chip_json.hpp"
#include "cli/cases_check.hpp"
#include "cli/cases_data.hpp"
#include "cli/words.hpp"

namespace slab::cli {

namespace {

/// The value as an entry of cases.json would spell it; empty after reporting why it cannot be one.
std::string json_of(const std::string& name, const std::string& value, Diagnostics& diags) {
    if (value.starts_with('@')) {
        const Json file = {{"file", value.substr(1)}};
        return file.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    Diagnostics unread;
    const auto json = arch::parse_json("--data", value, unread);
    if (!json) {
        diags.add<Diag::data_not_json>({}, name, value);
        return {};
    }
    const std::string flag = "--data";
    CasesCheck check(flag, diags);
    const std::size_t errors = diags.size();
    check_data_entry(*json, name, check);
    return diags.size() == errors ? json->dump() : "";
}

std::vector<std::string> operands_of(const std::vector<dsl::ast::Param>& params) {
    std::vector<std::string> names;
    for (const dsl::ast::Param& param : params)
        if (param.memory) names.push_back(param.name.text);
    return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<reference::Entry> read_data_flags(const std::vector<std::string>& texts,
                                              Diagnostics& diags) {
    std::vector<reference::Entry> entries;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            diags.add<Diag::data_no_equals>({}, text);
            continue;
        }
        const std::string name = text.substr(0, equals);
        std::string json = json_of(name, text.substr(equals + 1), diags);
        if (!json.empty())
            entries.push_back({name, std::move(json), fmt::format("`--data {}`", name), ""});
    }
    return entries;
}

std::shared_ptr<const reference::ArrayData> data_of(const KernelFile& file, const Item& item,
                                                    const Case* one,
                                                    const std::vector<reference::Entry>& given,
                                                    Diagnostics& diags, const DataSeed& seed) {
    const auto& params = item.kernel ? item.kernel->params : item.program->params;
    const auto& clauses = item.kernel ? item.kernel->clauses : item.program->clauses;
    std::vector<std::string> known = operands_of(params);
    std::vector<reference::Entry> entries;
    const std::string cases = cases_path(file.source.name());
    const std::string folder = std::filesystem::path(cases).parent_path().string();
    if (one)
        for (const auto& [name, json] : one->data) {
            entries.push_back(
                {name, json, fmt::format("{}: `{}.data.{}`", cases, one->path, name), folder});
            known.push_back(name);
        }
    for (const reference::Entry& entry : given) {
        if (!contains(known, entry.name))
            diags.add<Diag::data_unknown>({}, entry.name, item.name,
                                          did_you_mean(entry.name, known));
        entries.push_back(entry);
    }
    return std::make_shared<reference::ArrayData>(file.ast, params, clauses, std::move(entries),
                                                  seed.seed, seed.floats);
}

}  // namespace slab::cli
