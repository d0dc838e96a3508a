#include "cli/kernel_file.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "cli/text_file.hpp"
#include "cli/words.hpp"
#include "compiler/ops/op.hpp"
#include "dsl/check.hpp"
#include "dsl/parse.hpp"

namespace slab::cli {

namespace ast = dsl::ast;

namespace {

const Item* find(const std::vector<Item>& items, const std::string& name) {
    for (const Item& item : items)
        if (item.name == name) return &item;
    return nullptr;
}

std::vector<std::string> names_of(const std::vector<Item>& items) {
    std::vector<std::string> names;
    for (const Item& item : items) names.push_back(item.name);
    return names;
}

const Item* choose(const std::vector<Item>& items, const std::string& file, const std::string& name,
                   Diagnostics& diags) {
    const std::vector<std::string> names = names_of(items);
    if (items.empty()) {
        diags.add<Diag::no_kernel>({}, file);
        return nullptr;
    }
    if (!name.empty()) {
        const Item* item = find(items, name);
        if (!item)
            diags.add<Diag::kernel_unknown>({}, file, name, did_you_mean(name, names),
                                            quoted_list(names));
        return item;
    }
    if (items.size() == 1) return &items.front();
    const Item* item = find(items, std::filesystem::path(file).stem().string());
    if (!item) diags.add<Diag::kernel_ambiguous>({}, file, items.size(), quoted_list(names));
    return item;
}

}  // namespace

KernelFile read_kernel_file(const std::string& path, Diagnostics& diags) {
    KernelFile file;
    std::optional<SourceFile> source = read_text_file(path, diags);
    if (!source) {
        file.source = SourceFile(path, "");
        return file;
    }
    file.source = std::move(*source);
    file.ast = dsl::parse(file.source, diags);
    return file;
}

KernelFile read_checked_file(const std::string& path, Diagnostics& diags) {
    KernelFile file = read_kernel_file(path, diags);
    dsl::check(file.ast, compiler::op_names(), diags);
    return file;
}

std::vector<Item> items_of(const ast::File& file) {
    std::vector<Item> items;
    for (const ast::Item& item : file.items) {
        if (const auto* kernel = boost::get<ast::Kernel>(&item.get()))
            items.push_back({kernel->name.text, kernel->name.span, kernel, nullptr});
        if (const auto* program = boost::get<ast::Program>(&item.get()))
            items.push_back({program->name.text, program->name.span, nullptr, program});
    }
    return items;
}

std::optional<Item> choose_item(const KernelFile& file, const std::string& name,
                                Diagnostics& diags) {
    const std::vector<Item> items = items_of(file.ast);
    const Item* item = choose(items, file.source.name(), name, diags);
    return item ? std::optional(*item) : std::nullopt;
}

const ast::Kernel* choose_kernel(const KernelFile& file, const std::string& name,
                                 Diagnostics& diags) {
    const auto item = choose_item(file, name, diags);
    if (item && !item->kernel)
        diags.add<Diag::E0004_place>(item->span, fmt::format("the `program` `{}`", item->name),
                                     "this works on a kernel");
    return item ? item->kernel : nullptr;
}

}  // namespace slab::cli
