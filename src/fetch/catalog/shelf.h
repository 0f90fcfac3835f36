// Shelf: a stock laid out as a folder that codegenie-shelf serves to package managers.
//
//   registry/<name>/index.json            what is said of the package: shelf_document()
//   registry/<name>/-/<base>-<version>.tgz
//   registry/<whatever path a lock names>
//   mirror/<base>-<version>.tgz           yarn 1 takes files from here and asks nobody
//
// Tarballs are second names of the files in the cache; where that is on another file
// system they are copies. The same stock gives the same shelf.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "fetch/catalog/stock.h"
#include "npm/npm/graph.h"

namespace cg::catalog {

/// Where the shelf is inside of a chamber: http://127.0.0.1:4873/.
inline constexpr std::uint16_t kShelfPort = 4873;
[[nodiscard]] std::string shelf_url(std::uint16_t port);

struct Shelf {
  std::string registry;  // folders, absolute if that of `folder` is
  std::string mirror;
  std::size_t packages = 0;
  std::size_t tarballs = 0;  // names of files in `registry`
  /// Paths that were not laid because something else has them, one line each.
  std::vector<std::string> notes;
};

/// Shelf::mirror of a shelf that will be laid into a folder of that path.
[[nodiscard]] std::string mirror_in(const std::string& folder);

/// `folder` is empty. `home` is the workspace that `stock` was taken from. Files beneath
/// `folder` are to be read only: they are those of the cache.
[[nodiscard]] Result<Shelf, Problem> lay_shelf(const os::Dir& home, const Stock& stock,
                                               const os::Dir& folder,
                                               std::uint16_t port = kShelfPort);

/// What a shelf says of a package: an abbreviated packument with the versions it has.
/// `versions` are of one name; `registry` is the URL of the shelf. One line of JSON. The
/// `latest` is the highest. Of a version that two locks mean by different bytes, the first.
/// `listed` are releases of the same name that it has no tarball of.
[[nodiscard]] std::string shelf_document(const std::vector<const Held*>& versions,
                                         const std::vector<const registry::Release*>& listed,
                                         const std::string& registry);

/// The lock as whoever installs from the shelf has to find it: pnpm asks for archives at the very
/// address that its lock has, so that of one which is on the shelf becomes the shelf's; the
/// integrity stays. Nothing if the lock can stay as it is.
[[nodiscard]] std::optional<std::string> lock_on_shelf(const npm::Graph& graph, const Stock& stock,
                                                       std::uint16_t port = kShelfPort);

}  // namespace cg::catalog
