// Furnishing: from an ordinary process of the host to one that has nothing of it left but
// what the policy names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "jail/inside/site.h"
#include "jail/sandbox/wire.h"

namespace cg::inside {

struct Furnished {
  Site site;
  std::vector<sandbox::Layer> layers;  // in force for everything from here on
  std::string bare_folder;             // to be removed in the end; only without isolation
};

/// Changes the calling process, for good: afterwards it is in namespaces of its own, its
/// root is the jail's, and, had it been root, it is an unprivileged user.
[[nodiscard]] Result<Furnished, sandbox::Error> furnish(const sandbox::Furnish& order);

/// No isolation: a copy of the tree in a folder of the host.
[[nodiscard]] Result<Furnished, sandbox::Error> furnish_bare(const sandbox::Furnish& order);

}  // namespace cg::inside
