// The order in which npm writes keys. Not for other modules.
//
// npm sorts with the rules of English dictionaries: punctuation before digits before
// letters, and the case of a letter counts only where nothing else differs.
#pragma once

#include <string_view>

namespace cg::edit {

/// Negative, zero or positive. Exact for ASCII, which all names of packages are; other
/// bytes come behind it in their own order.
[[nodiscard]] int collate(std::string_view a, std::string_view b);

/// A member of an object as far as its place among others goes.
struct Ranked {
  std::string_view key;
  bool object = false;  // objects come last
};
enum class Alphabet {
  words,  // collate()
  bytes,  // as the first versions of npm had it
};
/// As npm sorts members of any object of a lock.
[[nodiscard]] int compare_members(const Ranked& a, const Ranked& b, Alphabet alphabet);

}  // namespace cg::edit
