// Defusing: a text that others had a hand in, without power over who shows it.
//
// Terminals act on control characters, people are misled by bidi and zero-width ones, and CI
// runners obey markers in what a step prints:
//
//   ##[error]…  ##vso[…]  ##teamcity[…]   anywhere in a line     Azure, GitHub, TeamCity
//   ::error file=a.js::…                  after leading spaces   GitHub
//   section_start:1700000000:build        anywhere               GitLab
//
// One character of each becomes a visible escape, as printable() (base/base/text.h) writes them,
// in JSON one that reads back the same. What is already so stays as it is, so that a text may
// pass through here twice. Azure compares as people of a language would, without characters
// that nobody sees: those do not keep a marker from being one here either.
#pragma once

#include <string>
#include <string_view>

namespace cg {

/// What of a text is ours and means what it says.
struct Ours {
  bool colours = false;         // ESC [ 1 ; 31 m and the like
  bool commands = false;        // lines that begin with `::`, of the format that consists of them
  std::string_view token = {};  // if any: the lines of stop_commands() and start_commands()
};

/// Lines for people. Line ends and tabs stay.
[[nodiscard]] std::string defused(std::string_view text, const Ours& ours = {});

/// A JSON text, or several, one to a line; the same values. Besides markers: DEL, the C1
/// controls, line separators, bidi and zero-width characters.
[[nodiscard]] std::string defused_json(std::string_view text);

/// GitHub's runner obeys nothing from the one line to the other. The token is one that nobody
/// can guess; each line ends with a newline.
[[nodiscard]] std::string stop_commands(std::string_view token);
[[nodiscard]] std::string start_commands(std::string_view token);

}  // namespace cg
