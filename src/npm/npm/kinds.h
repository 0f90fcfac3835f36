// The kinds of lockfiles, of packages in them, and of dependencies between these.
#pragma once

#include <cstdint>
#include <string_view>

namespace cg::npm {

enum class LockKind : std::uint8_t { package_lock, npm_shrinkwrap, yarn_classic, yarn_berry, pnpm };
/// "package-lock", "npm-shrinkwrap", "yarn classic", "yarn berry", "pnpm".
[[nodiscard]] std::string_view name(LockKind kind);

/// Where the bytes of a package come from. Advisories speak of published packages, so
/// they never apply to root, workspace, directory and link.
enum class Source : std::uint8_t {
  root,       // the repository's own package
  workspace,  // a package of the repository
  registry,   // published, or as good as: the lock does not say otherwise
  tarball,    // a URL of its own
  git,
  directory,  // file: outside the workspaces
  link,       // a symbolic link; `target` is what it leads to
};

/// A package whose manifest people write.
[[nodiscard]] constexpr bool is_importer(Source source) {
  return source == Source::root || source == Source::workspace;
}

enum class EdgeKind : std::uint8_t { prod, dev, optional, peer, peer_optional };
[[nodiscard]] constexpr bool is_peer(EdgeKind kind) {
  return kind == EdgeKind::peer || kind == EdgeKind::peer_optional;
}
/// May be missing, though not wrong.
[[nodiscard]] constexpr bool is_optional(EdgeKind kind) {
  return kind == EdgeKind::optional || kind == EdgeKind::peer_optional;
}

}  // namespace cg::npm
