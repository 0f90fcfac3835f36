// Ready: the tools of this machine, with the yarn or pnpm that a repository wants among them.
//
// It is fetched as dependencies are: from the operator's registry, with the integrity that the
// packument gives, by way of the cache. Nothing of it runs on the host: it lies in a folder of ours
// that a chamber shows, and is started with node. Where it cannot be had, the repository's own yarn
// serves, or one of the same major version in PATH, and that is told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "fetch/catalog/catalog.h"
#include "fetch/catalog/tools.h"
#include "fetch/manager/wish.h"

namespace cg::manager {

struct Fetched {
  std::string package;
  std::string version;
  std::string integrity;  // as it was checked
};

struct Ready {
  /// Tools::yarn or Tools::pnpm is the one that was wanted, and whoever calls it by name gets it.
  catalog::Tools tools;
  std::string own_yarn;            // beneath the folder of the lock: this one is used; else empty
  std::optional<Fetched> fetched;  // if it was
  std::vector<std::string> notes;  // for the operator, one line each
};

/// `folder` is empty and our own, at the same path inside of a chamber; `tree` is the folder of the
/// lock inside. A Problem says what is missing and what to do; damage of the cache is one of exit
/// code 4.
[[nodiscard]] Result<Ready, Problem> make_ready(catalog::Catalog& catalog, const Wish& wish,
                                                const catalog::Tools& tools, const os::Dir& folder,
                                                const std::string& tree);

/// Whether a hash of `packageManager` is that of the package: of the tarball, or of yarn's only
/// file where that is all that corepack fetches. Nothing if it is of a kind that is not computed.
[[nodiscard]] std::optional<bool> is_pinned(const Pin& pin, std::string_view bytes);

}  // namespace cg::manager
