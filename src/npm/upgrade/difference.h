// Difference: what two versions of a package have differently, for who uses it, as values.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "npm/exports/offer.h"
#include "npm/upgrade/shape.h"

namespace cg::upgrade {

enum class Turn : std::uint8_t { same, removed, changed, deprecated, added };
[[nodiscard]] std::string_view name(Turn turn);

/// How near a name is to what our sources use.
enum class Use : std::uint8_t {
  named,    // they import it, or use it of the package
  likely,   // a member of what those lead to, of a name that they use
  perhaps,  // a member of that name of something else
  none,
};

struct Change {
  std::string path;  // behind the package's name
  std::string name;  // "parse", "Parser.run"; "default" for all of CommonJS, too
  Turn turn = Turn::same;
  Use use = Use::none;
  bool erased = false;  // a type
  Lines before;         // how it was declared
  Lines after;
  Lines notes;    // "was deprecated: use b()", "reads options: a, b"
  Lines nearest;  // what there is in the place of one that is removed, as declared
};

/// A type that declarations of used names speak of.
struct Type {
  std::string name;
  std::string brief;  // what is used of it, and names of the rest
  std::string text;   // how it is declared now, what is used first
  std::string whole;  // longer: of a class all that it has
  Lines changes;      // "removed: a, b", "changed: c: string -> number"
};

/// Lines of one file that only one version has.
struct Code {
  enum class Worth : std::uint8_t {
    exports,  // hands something out
    said,     // has a string that our sources say, as few lines do, or what came in its place
    named,    // says a name that is used, as few lines do
    inside,   // of a function that is called so
    used,     // says a name that is used, as many do
    other,
    comment,
  };
  struct Line {
    std::string text;  // "- " or "+ " before it
    Worth worth = Worth::other;
  };
  std::string before;  // empty: there was none
  std::string after;   // empty: there is none any more
  std::vector<Line> lines;
};

struct Difference {
  std::string package;
  std::string before;  // versions
  std::string after;
  Lines facts;                  // of the manifest, and of each path that is imported
  std::set<exports::Why> shut;  // why imports of ours no longer lead anywhere
  std::vector<Change> changes;  // the nearest use first
  std::vector<Type> types;
  Lines told;  // what texts in the new code say of what is gone, renamed or not to be used
  std::vector<Code> code;  // of the files that define what is used, and of those they load
};

}  // namespace cg::upgrade
