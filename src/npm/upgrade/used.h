// Used: what sources of ours use of a package, for who asks what a new version means for them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "npm/exports/asks.h"
#include "npm/syntax/syntax.h"

namespace cg::upgrade {

struct Used {
  struct Path {
    std::string path;  // behind the package's name: "", "v4", "dist/a.js"
    exports::Way way = exports::Way::require;
    friend auto operator<=>(const Path&, const Path&) = default;
  };
  using Names = std::set<std::string, std::less<>>;
  std::map<Path, Names> paths;  // with what they use of each: "parse", "default"
  /// Names of properties that the sources use on anything, and keys of objects that they hand to
  /// calls: methods and options of the package may be among them. They decide what is told first.
  Names members;
  /// What strings of theirs say that may be names to the package: "RS256", "number.min", "close".
  Names texts;
  /// Folders of the package out of which they take files by names that they make up: "locale".
  Names folders;

  /// What is used of a path, whichever way it is imported.
  [[nodiscard]] Names names(std::string_view path) const;
  void add(const Used& more);
};

/// By one source; nothing if it does not import `package`.
[[nodiscard]] Used used_in(const syntax::Syntax& syntax, std::string_view package);

}  // namespace cg::upgrade
