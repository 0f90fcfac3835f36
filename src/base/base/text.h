// Text: UTF-8 checks, strict numbers, splitting, edit distance, safe display.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cg {

/// True if `text` is well-formed UTF-8: no overlong forms, no surrogates, nothing
/// past U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Length in bytes of the well-formed UTF-8 sequence at the start of `text`, 0 if
/// there is none.
[[nodiscard]] std::size_t utf8_sequence(std::string_view text);

/// `text` cut to at most `max` bytes, on a code point.
[[nodiscard]] std::string_view cut_utf8(std::string_view text, std::size_t max);
/// The same as a text of its own: for fields of events, where the beginning says enough.
[[nodiscard]] inline std::string cut(std::string_view text, std::size_t max) {
  return std::string(cut_utf8(text, max));
}

/// For terminals and messages: control, bidi and zero-width characters, bad UTF-8 and
/// the markers that CI runners obey anywhere in a line become visible escapes, so that
/// untrusted text cannot move the cursor, hide itself, reorder a line or give orders.
/// Newline and tab are escaped too. More of that kind: base/base/defuse.h.
[[nodiscard]] std::string printable(std::string_view text);

/// A decimal number as JSON writes it: digits only, no leading zero, no sign.
[[nodiscard]] std::optional<std::uint64_t> parse_u64(std::string_view text);

/// 1 to 65535, written like that.
[[nodiscard]] std::optional<std::uint16_t> parse_port(std::string_view text);

/// The parts between `separator`s; always at least one.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> split(std::string&& text,
                                    char separator) = delete;  // it would be gone

[[nodiscard]] std::string_view trim(std::string_view text);

/// `text` with every `what`, which is not empty, made into `by`.
[[nodiscard]] std::string replaced(std::string_view text, std::string_view what,
                                   std::string_view by);

/// A to Z made small; all other bytes as they are.
[[nodiscard]] std::string lower_ascii(std::string_view text);

/// %41 becomes A. Nothing if a % has no two hexadecimal digits behind it.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

/// How many insertions, deletions, changes or neighbour swaps lead from `a` to `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate a mistyped `word` most likely meant, if one is near enough.
[[nodiscard]] std::optional<std::string> closest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

/// 1284 -> "1 284": thin groups of three, for counts that people read.
[[nodiscard]] std::string grouped(std::uint64_t value);
/// "1 entry", "1 284 entries".
[[nodiscard]] std::string counted(std::uint64_t value, std::string_view one, std::string_view many);

}  // namespace cg
