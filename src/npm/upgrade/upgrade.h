// Upgrade: what the next version of a package means for who uses it, from the files of both.
//
// For who must rewrite call sites and does not know the package: which names are gone, what there
// is in their place, how that is declared now, and what the manifest says differently. Names are
// those that exports (npm/exports) finds; each is looked for where it is declared, in .d.ts files
// of the package or of @types, else in its JavaScript. Nothing is run, so what is made up while
// running is not seen; where it could be, that is said.
//
// The text is made of what others wrote: one line each, UTF-8, bounded; for a reader that takes
// it for data (model/prompt).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/upgrade/listing.h"
#include "npm/upgrade/used.h"

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
  std::string text;  // how it is declared now
  Lines changes;     // "removed: a, b", "changed: c: string -> number"
};

struct Difference {
  std::string package;
  std::string before;  // versions
  std::string after;
  Lines facts;                  // of the manifest, and of each path that is imported
  std::vector<Change> changes;  // the nearest use first
  std::vector<Type> types;
  Lines told;  // what texts in the new code say of what is gone, renamed or not to be used
};

/// What is the same is listed only if it is used.
[[nodiscard]] Result<Difference, exports::Error> compare(const Side& before, const Side& after,
                                                         const Used& used,
                                                         const exports::Limits& limits = {});

inline constexpr std::size_t kMaxText = 12'288;

/// At most `cap` bytes, the most important first; what does not fit is counted.
[[nodiscard]] std::string describe(const Difference& difference, std::size_t cap = kMaxText);

}  // namespace cg::upgrade
