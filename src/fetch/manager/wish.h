// Wish: which yarn or pnpm a repository is to be installed and run with, by its own files.
//
// Whoever works on it says so in `packageManager`, or brings a yarn along (`yarnPath`), or names
// versions in `engines` or `volta`; else the lock tells by its version which ones write such locks.
// All of it is a stranger's text: what cannot be read is told and passed over. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/manifest.h"
#include "npm/semver/range.h"
#include "npm/semver/version.h"

namespace cg::manager {

/// What `packageManager` says of the bytes, behind a plus: "sha512.<hex>".
struct Pin {
  std::string algorithm;
  std::string hex;
  friend bool operator==(const Pin&, const Pin&) = default;
};

struct Wish {
  enum class By { package_manager, yarn_path, engines, volta, lock };
  By by = By::lock;
  std::string command;                   // "pnpm" or "yarn"
  std::string package;                   // that has it: "pnpm", "yarn", "@yarnpkg/cli-dist"
  std::optional<semver::Version> exact;  // else any of `range`
  std::string range;
  std::string fits;                // a range: those that write locks of this version
  std::optional<Pin> pin;          // with `exact` alone
  std::string own;                 // the yarn that the repository brings, beneath it; empty: none
  std::vector<std::string> notes;  // what was passed over, and why; one line each
};
/// "packageManager"
[[nodiscard]] std::string_view name(Wish::By by);
/// "pnpm 9.15.4", "yarn ^1.22"
[[nodiscard]] std::string describe(const Wish& wish);

/// Nothing for locks of npm: npm comes with node. `lock_version` is npm::Graph::lock_version(),
/// `yarnrc` the text of .yarnrc.yml, empty if there is none.
[[nodiscard]] std::optional<Wish> wish_of(const npm::Manifest& manifest, npm::LockKind kind,
                                          std::string_view lock_version, std::string_view yarnrc);

}  // namespace cg::manager
