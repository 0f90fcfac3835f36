#include "npm/exports/exports.h"

#include <algorithm>
#include <iterator>

#include "base/json/json.h"
#include "npm/exports/entries.h"
#include "npm/exports/follow.h"
#include "npm/exports/unpack.h"

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

Result<Api, Error> read_files(const Files& files, const Limits& limits) {
  const auto manifest = files.find("package.json");
  if (manifest == files.end()) return fail(Error::bad_manifest);
  const auto value = json::parse_json(manifest->second);
  if (!value || !value->is_object()) return fail(Error::bad_manifest);
  Api out;
  out.name = value->text("name");
  out.version = value->text("version");
  out.entries = find_entries(*value, files);
  Follower follower(files, limits);
  for (const Entry& entry : out.entries) {
    const bool by_path = entry.conditions == std::vector<std::string>{"path"};
    if (!by_path && !entry.subpath.starts_with("bin:")) follower.read(entry.file);
  }
  out.modules = std::move(follower).take();
  return out;
}

Result<Api, Error> read_package(std::string_view tarball, const Limits& limits) {
  CG_TRY_ASSIGN(const Unpacked unpacked, unpack(tarball, limits));
  return read_files(unpacked.sources, limits);
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
