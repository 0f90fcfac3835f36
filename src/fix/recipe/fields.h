// Fields: the members of a small strict YAML mapping, each taken once.
//
// What was not taken by the end is unknown, and unknown keys are refused: a mistyped
// limit must not pass for one that holds.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/json/value.h"
#include "fix/recipe/error.h"
#include "npm/npm/graph.h"

namespace cg::recipe {

/// Lower-case letters, digits and single dashes, starting with a letter.
[[nodiscard]] bool is_word(std::string_view text);

/// Collects the first error; after it every take gives an empty value.
class Fields {
 public:
  /// `prefix` stands before keys in messages: "limits.".
  Fields(const json::Value& value, std::string prefix);

  [[nodiscard]] bool has(std::string_view key) const;
  /// Printable text of 1 to `max` bytes.
  [[nodiscard]] std::string text(std::string_view key, std::size_t max);
  [[nodiscard]] std::string one_of(std::string_view key,
                                   std::initializer_list<std::string_view> words);
  [[nodiscard]] int number(std::string_view key, int least, int most);
  /// A sequence of texts, at most `most` of them and no two the same.
  [[nodiscard]] std::vector<std::string> texts(std::string_view key, std::size_t most);
  /// A member for Fields of its own; null if it is missing.
  [[nodiscard]] const json::Value* nested(std::string_view key);

  void refuse(const std::string& what, std::size_t line);
  /// Hands on what `other`, made for a nested member, found wrong.
  void adopt(Fields&& other);
  /// The first error, or a key that nobody took.
  [[nodiscard]] std::optional<RecipeError> finish();

 private:
  [[nodiscard]] const json::Value* take(std::string_view key);
  [[nodiscard]] std::string shown(std::string_view key) const;

  const json::Value* value_;
  std::string prefix_;
  std::vector<std::string_view> taken_;
  std::optional<RecipeError> error_;
};

/// Parses `yaml` into `root`; the error names the place.
[[nodiscard]] Result<json::Value, RecipeError> parse_mapping(std::string_view yaml,
                                                             std::size_t max_bytes);

/// The kinds that npm::name() gives these words; sorted.
[[nodiscard]] std::vector<npm::LockKind> lock_kinds(Fields& fields, std::string_view key);

}  // namespace cg::recipe
