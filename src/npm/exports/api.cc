#include "npm/exports/api.h"

#include <iterator>

namespace cg::exports {

std::string_view name(Form form) {
  constexpr std::string_view kNames[] = {"unknown", "function", "class", "constant", "type"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Form::type) + 1);
  return kNames[static_cast<std::size_t>(form)];
}

std::string_view name(Error error) {
  constexpr std::string_view kNames[] = {"not_a_package", "too_large", "bad_manifest"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Error::bad_manifest) + 1);
  return kNames[static_cast<std::size_t>(error)];
}

std::optional<Surface> Api::surface(std::string_view subpath) const {
  const std::string wanted = subpath.empty() ? "." : "./" + std::string(subpath);
  std::optional<Surface> out;
  for (const Entry& entry : entries) {
    const bool by_path = entry.conditions == std::vector<std::string>{"path"};
    // A path may be without its ending, or name a folder.
    const bool same =
        entry.subpath == wanted ||
        (by_path && (entry.subpath == wanted + ".js" || entry.subpath == wanted + "/index.js"));
    if (!same) continue;
    if (!out) out.emplace();
    const auto module = modules.find(entry.file);
    if (module == modules.end()) {
      out->complete = false;
      continue;
    }
    for (const auto& [exported, what] : module->second.names) out->names.insert(exported);
    // What CommonJS exports is the default of who imports it.
    if (module->second.style == Style::commonjs) out->names.insert("default");
    out->complete = out->complete && module->second.complete;
  }
  return out;
}

}  // namespace cg::exports
