// Where the tarball of a package lies: at the operator's registry, and on a shelf.
//
// A lockfile names the host that packages once came from. Who installs asks the registry
// that is configured, as npm's replace-registry-host does; only the path counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "npm/registry/url.h"

namespace cg::catalog {

/// "@s/a/-/a-1.0.0.tgz" of "https://host/some/where/@s%2fa/-/a-1.0.0.tgz#…"; nothing if
/// `resolved` is no such URL of the package `name`.
[[nodiscard]] std::optional<std::string> registry_part(std::string_view resolved,
                                                       std::string_view name);

/// The whole path beneath its host, decoded, without fragment:
/// "some/where/@s/a/-/a-1.0.0.tgz". Nothing if it is no URL, has a query, or if the path has
/// parts that cannot be folders.
[[nodiscard]] std::optional<std::string> host_part(std::string_view resolved);

/// Where to fetch what a lock calls `resolved`. The operator's token goes along, and a lock is a
/// stranger's: so always `registry`, then the package's own name, "/-/" and the file's; never a
/// path or query of the lock's choosing. Nothing if it has another form.
[[nodiscard]] std::optional<std::string> fetch_url(const registry::RegistryUrl& registry,
                                                   std::string_view resolved,
                                                   std::string_view name);

/// The same for what the registry itself calls a release's tarball: it may have a form of its own
/// (download/a/1.0.0/…), as long as it lies beneath `registry`.
[[nodiscard]] std::optional<std::string> release_url(const registry::RegistryUrl& registry,
                                                     std::string_view tarball,
                                                     std::string_view name);

/// "@s/a/-/a-1.0.0.tgz"
[[nodiscard]] std::string usual_path(std::string_view name, std::string_view version);

/// The name of a file in yarn's offline mirror: "@s-a-1.0.0.tgz", as yarn 1 makes it of the
/// URL; nothing if it is none.
[[nodiscard]] std::optional<std::string> mirror_name(std::string_view resolved);

}  // namespace cg::catalog
