// .yarnrc.yml without what a repository has no say in.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"

namespace cg::catalog {

/// As yarn reads it (JSON is YAML): the settings of `text` but for those that name
/// registries, proxies, certificates, tokens, caches, another yarn, or whether there is a
/// network. Variables of the environment cannot take back those of scopes. The error is one line.
[[nodiscard]] Result<std::string, std::string> tame_yarnrc(std::string_view text);

/// What holds in a folder: its own settings, and those of the folder above but for `yarnPath`,
/// which is a path from there. Either may be empty; one that cannot be read is left as it is.
[[nodiscard]] std::string inherit_yarnrc(std::string own, std::string_view above);

/// `yarnPath`: the yarn that the repository brings; empty if it brings none or not beneath
/// itself.
[[nodiscard]] std::string own_yarn_of(std::string_view yarnrc);

/// `nodeLinker`: "pnp" unless it says otherwise.
[[nodiscard]] std::string node_linker_of(std::string_view yarnrc);

}  // namespace cg::catalog
