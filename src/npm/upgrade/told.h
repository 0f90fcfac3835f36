// Told: what the code of a package says to who still uses it as before.
#pragma once

#include <string>
#include <vector>

#include "npm/upgrade/finder.h"

namespace cg::upgrade {

/// 'throw new Error("use b()")' if that is all that a function does, or the function that a call
/// makes; empty otherwise.
[[nodiscard]] std::string thrown_by(Finder& finder, const Place& place);
/// The words of calls of something deprecat… in a function or a value: "a: use b instead".
[[nodiscard]] std::vector<std::string> warned_by(const Place& place);
struct Told {
  std::string text;     // with the key that it stands under: "safeLoad: use load instead"
  bool advice = false;  // about what is removed, renamed or deprecated; else of some error
};
/// What the texts in a file tell who uses it.
[[nodiscard]] std::vector<Told> told_in(const Source& source);

/// Names that a function reads from a parameter for options: members, and patterns that it is
/// taken apart by; followed where the parameter is handed on within the package.
[[nodiscard]] std::vector<std::string> options_of(Finder& finder, const Place& function);

}  // namespace cg::upgrade
