// Cursor: reads our own canonical JSON, where every byte is foreseeable.
//
// A general JSON parser would accept other spellings of the same thing and then
// have to be checked for the one we write. This reader expects the one spelling.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"

namespace cg::record {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : left_(text) {}

  /// Each take… returns false, or nothing, if what comes next is anything else.
  [[nodiscard]] bool take(std::string_view literal);
  [[nodiscard]] std::optional<std::uint64_t> take_number();
  [[nodiscard]] std::optional<hash::Digest> take_digest();  // in quotes
  /// The decoded text of a canonical JSON string of at most `cap` decoded bytes.
  [[nodiscard]] std::optional<std::string> take_string(std::size_t cap);
  /// The raw characters of a string that needs no escapes.
  [[nodiscard]] std::optional<std::string_view> take_plain_string();
  /// All that is left but the last `keep` bytes.
  [[nodiscard]] std::optional<std::string_view> take_all_but(std::size_t keep);

  [[nodiscard]] bool at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
};

}  // namespace cg::record
