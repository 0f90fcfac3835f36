#include "npm/exports/exports.h"

#include "base/json/json.h"
#include "npm/exports/entries.h"
#include "npm/exports/follow.h"
#include "npm/exports/unpack.h"

namespace cg::exports {

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

}  // namespace cg::exports
