// Owners: which manifest of a repository a file belongs to.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cg::propose {

/// "packages/a/" of "packages/a/package.json", "" of what lies at the root.
[[nodiscard]] std::string_view folder_of(std::string_view path);

/// A file belongs to the manifest in the nearest folder above it, so that nothing of one workspace
/// is offered for another, nor of a workspace for the root.
class Owners {
 public:
  void add(std::string_view manifest) { folders_.emplace(folder_of(manifest)); }
  [[nodiscard]] bool owns(std::string_view manifest, std::string_view file) const;

 private:
  std::set<std::string, std::less<>> folders_;
};

}  // namespace cg::propose
