// The keys of pnpm-lock.yaml, which changed with each version of the format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cg::lockfile {

enum class PnpmFormat : std::uint8_t {
  v5,  // /name/1.0.0_peers
  v6,  // /name@1.0.0(peers)
  v9,  // name@1.0.0(peers), and `snapshots`
};

/// What a key says about the package. Views point into the key; empty where it does
/// not say it: a git or tarball package of v5 and v6 is named by its entry alone.
struct PnpmKey {
  std::string_view name;
  std::string_view version;    // only if it is one, not a URL
  std::string_view reference;  // what stands behind the name, without peers
};

[[nodiscard]] PnpmKey parse_pnpm_key(PnpmFormat format, std::string_view key);

/// The key without its peers: what `packages` calls a snapshot of v9.
[[nodiscard]] std::string_view without_peers(std::string_view key);

/// Sets `out` to the key that a dependency `name: reference` has if it is no alias.
void dependency_key(PnpmFormat format, std::string_view name, std::string_view reference,
                    std::string& out);

/// `path` relative to the folder `from`, with "." and ".." worked out; "." for the
/// folder of the lock itself.
[[nodiscard]] std::string join_path(std::string_view from, std::string_view path);

}  // namespace cg::lockfile
