// Output of strangers' programs, made fit to be shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cg::runners {

/// Lines without terminal escapes (they are taken out whole), without a carriage return's
/// overwriting, and with all else that could move a cursor or hide text made visible.
[[nodiscard]] std::string without_escapes(std::string_view output);

/// The end of it, from the start of a line, at most `max` bytes.
[[nodiscard]] std::string tail(std::string_view output, std::size_t max);

/// One printable line of at most `max` bytes.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t max);

/// argv as a shell would take it: quoted where needed, printable.
[[nodiscard]] std::string command_line(const std::vector<std::string>& argv);

}  // namespace cg::runners
