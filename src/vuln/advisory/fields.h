// Reading the fields of a record, and saying which one was wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/json/value.h"

namespace cg::advisory {

/// Why a record is refused. `field` is a path: "affected[2].package.name".
struct RecordError {
  enum class Kind { not_json, missing, wrong_type, too_long, too_many, bad_value };
  Kind kind;
  std::string field;
  std::string detail = {};  // short and printable
  friend bool operator==(const RecordError&, const RecordError&) = default;
};
/// "affected[2].package.name: missing".
[[nodiscard]] std::string describe(const RecordError& error);

/// `error` seen from one level further out: its path begins with `where`.
[[nodiscard]] RecordError within(std::string_view where, RecordError error);
[[nodiscard]] RecordError within(std::string_view where, std::size_t index, RecordError error);

/// The member, or nullptr where it is absent or null: real records use both alike.
[[nodiscard]] const json::Value* member(const json::Value& object, std::string_view key);

// Each reads one member of an object; the optional ones give nullptr for absent.
[[nodiscard]] Result<const std::string*, RecordError> optional_text(const json::Value& object,
                                                                    std::string_view key);
/// At least 1 and at most `max` bytes.
[[nodiscard]] Result<std::string_view, RecordError> required_text(const json::Value& object,
                                                                  std::string_view key,
                                                                  std::size_t max);
/// Cut at `max` bytes, on a code point; empty if absent.
[[nodiscard]] Result<std::string, RecordError> cut_text(const json::Value& object,
                                                        std::string_view key, std::size_t max);
/// At most `max` items; an empty array if absent.
[[nodiscard]] Result<const json::Value::Array*, RecordError> array_of(const json::Value& object,
                                                                      std::string_view key,
                                                                      std::size_t max);
/// A time as parse_timestamp() reads it; nothing if absent.
[[nodiscard]] Result<std::optional<Time>, RecordError> optional_time(const json::Value& object,
                                                                     std::string_view key);

/// "2023-09-12T15:15:24.327", with or without fraction and "Z": databases write UTC
/// either way. Finer than a millisecond is dropped.
[[nodiscard]] std::optional<Time> parse_timestamp(std::string_view text);

/// Of a reference.
inline constexpr std::size_t kMaxUrl = 2048;

void sort_unique(std::vector<std::string>& items);

/// An id such as GHSA-968p-4wvh-cqc8: 1 to 128 letters, digits, '-', '.', ':', '_'.
[[nodiscard]] bool is_record_id(std::string_view text);

}  // namespace cg::advisory
