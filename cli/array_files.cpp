#include "cli/array_files.hpp"

#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include "cli/replace_file.hpp"
#include "cli/words.hpp"
#include "reference/npy.hpp"

namespace slab::cli {

namespace {

const std::vector<dsl::ast::Param>& params_of(const Item& item) {
    return item.kernel ? item.kernel->params : item.program->params;
}

std::string path_of(const std::string& folder, const std::string& name) {
    return (std::filesystem::path(folder) / (name + ".npy")).string();
}

}  // namespace

void add_input_files(const std::string& folder, const Item& item, Asked& asked,
                     Diagnostics& diags) {
    if (folder.empty()) return;
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
        diags.add<Diag::inputs_no_folder>({}, folder);
        return;
    }
    std::vector<std::string> names;
    const std::size_t before = asked.data.size();
    for (const dsl::ast::Param& param : params_of(item)) {
        if (!param.memory || param.direction == "out") continue;
        const std::string& name = param.name.text;
        names.push_back(name + ".npy");
        const auto path = std::filesystem::path(folder) / names.back();
        if (!std::filesystem::exists(path, error)) continue;
        const nlohmann::json entry = {{"file", path.string()}};
        asked.data.push_back({name, entry.dump(), fmt::format("`{}`", path.string()), ""});
    }
    if (asked.data.size() == before)
        diags.add<Diag::inputs_none>({}, folder, item.name, quoted_list(names));
}

void prepare_output_files(const std::string& folder, const Item& item, bool force,
                          Diagnostics& diags) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        diags.add<Diag::outputs_no_folder>({}, folder, error.message());
        return;
    }
    for (const dsl::ast::Param& param : params_of(item)) {
        const std::string path = path_of(folder, param.name.text);
        const bool is_written = param.direction == "out" || param.direction == "inout";
        if (is_written && !force && std::filesystem::exists(path, error))
            diags.add<Diag::outputs_exist>({}, path);
    }
}

void write_array_file(const std::string& folder, const std::string& name,
                      const interp::Elements& elements, const interp::Shape& shape,
                      Diagnostics& diags) {
    reference::Array array{reference::Kind::real, shape, {}};
    for (interp::Int i = 0; i < elements.count(); ++i) array.values.push_back(elements.number(i));
    replace_file(path_of(folder, name), reference::npy_text(array, elements.type), diags);
}

}  // namespace slab::cli
