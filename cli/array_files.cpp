#include "cli/array_files.hpp"

#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include "cli/replace_file.hpp"
#include "cli/words.hpp"
#include "reference/npy.hpp"

namespace slab::cli {

void add_input_files(const std::string& folder, const Item& item, Asked& asked,
                     Diagnostics& diags) {
    if (folder.empty()) return;
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
        diags.add<Diag::inputs_no_folder>({}, folder);
        return;
    }
    const auto& params = item.kernel ? item.kernel->params : item.program->params;
    std::vector<std::string> names;
    const std::size_t before = asked.data.size();
    for (const dsl::ast::Param& param : params) {
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

void write_array_file(const std::string& folder, const std::string& name,
                      const interp::Elements& elements, const interp::Shape& shape, bool force,
                      Diagnostics& diags) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        diags.add<Diag::outputs_no_folder>({}, folder, error.message());
        return;
    }
    const std::string path = (std::filesystem::path(folder) / (name + ".npy")).string();
    if (!force && std::filesystem::exists(path, error)) {
        diags.add<Diag::outputs_exist>({}, path);
        return;
    }
    reference::Array array{reference::Kind::real, shape, {}};
    for (interp::Int i = 0; i < elements.count(); ++i) array.values.push_back(elements.number(i));
    replace_file(path, reference::npy_text(array, elements.type), diags);
}

}  // namespace slab::cli
