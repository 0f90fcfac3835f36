// Names of packages, as far as one may be asked for and installed.
#pragma once

#include <string>
#include <string_view>

namespace cg::registry {

/// What npm takes for the name of some package, however old: up to 214 bytes of
/// characters that need no escape in a URL, not starting with a dot or underscore; for a
/// scoped one twice that, as @scope/name. It is therefore safe as a folder or two beneath
/// node_modules, and never leads out of there.
[[nodiscard]] bool is_package_name(std::string_view text);

/// "@scope" of "@scope/name"; empty if it has none.
[[nodiscard]] std::string_view scope_of(std::string_view name);

/// The name without its scope.
[[nodiscard]] std::string_view base_of(std::string_view name);

/// As part of a URL's path: the slash of a scoped name is written as %2f.
[[nodiscard]] std::string path_of(std::string_view name);

}  // namespace cg::registry
