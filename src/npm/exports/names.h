// Names: what one file of a package exports, as far as it says so itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "npm/exports/api.h"
#include "npm/syntax/syntax.h"

namespace cg::exports {

/// `name` is what `from` exports as `original`.
struct Forward {
  std::string name;
  std::string original;  // "*" for all of it, as one value
  std::string from;      // as written: "./b.js", "other-package"
};

/// The node that says what a name is: its declaration, the value that it is given, an identifier
/// that is declared elsewhere in the file, or the descriptor of Object.defineProperty().
struct Place {
  std::string name;
  syntax::Index node = syntax::kNone;
};

struct FileNames {
  Module module;
  std::vector<Place> places;  // of names that are not handed on; several for overloads
  std::vector<Forward> forwards;
  std::vector<std::string> stars;  // all names of these, too
};

/// `declarations`: the file is a .d.ts. Style is by what the file has in it: import and export
/// make it a module.
[[nodiscard]] FileNames names_in(const syntax::Syntax& syntax, bool declarations);

}  // namespace cg::exports
