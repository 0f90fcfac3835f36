#include "npm/lockfile/lock.h"

namespace cg::lockfile {

std::optional<LockKind> lock_kind_of(std::string_view file_name) {
  if (file_name == "package-lock.json") return LockKind::package_lock;
  if (file_name == "npm-shrinkwrap.json") return LockKind::npm_shrinkwrap;
  if (file_name == "yarn.lock") return LockKind::yarn_classic;
  if (file_name == "pnpm-lock.yaml") return LockKind::pnpm;
  return std::nullopt;
}

Result<Graph, LockError> read_lock(LockKind kind, std::string text,
                                   const std::vector<Manifest>& manifests) {
  switch (kind) {
    case LockKind::package_lock:
    case LockKind::npm_shrinkwrap:
      return read_package_lock(kind, std::move(text),
                               manifests.empty() ? nullptr : &manifests.front());
    case LockKind::yarn_classic:
    case LockKind::yarn_berry:
      return read_yarn_lock(std::move(text), manifests);
    case LockKind::pnpm:
      break;
  }
  return read_pnpm_lock(std::move(text));
}

}  // namespace cg::lockfile
