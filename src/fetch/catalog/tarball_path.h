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

/// The whole path beneath its host, decoded, without query and fragment:
/// "some/where/@s/a/-/a-1.0.0.tgz". Nothing if it is no URL, or if the path has parts that
/// cannot be folders.
[[nodiscard]] std::optional<std::string> host_part(std::string_view resolved);

/// Where to fetch it, always beneath `registry`: what `resolved` names there, else the same
/// path with the host replaced. Nothing if it lies elsewhere, in a form of its own.
[[nodiscard]] std::optional<std::string> fetch_url(const registry::RegistryUrl& registry,
                                                   std::string_view resolved,
                                                   std::string_view name);

/// "@s/a/-/a-1.0.0.tgz"
[[nodiscard]] std::string usual_path(std::string_view name, std::string_view version);

/// The name of a file in yarn's offline mirror: "@s-a-1.0.0.tgz", as yarn 1 makes it of the
/// URL; nothing if it is none.
[[nodiscard]] std::optional<std::string> mirror_name(std::string_view resolved);

}  // namespace cg::catalog
