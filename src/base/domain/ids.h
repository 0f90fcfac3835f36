// Identifiers: which log, which stream, which workflow.
#pragma once

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/bytes.h"
#include "base/base/time.h"

namespace cg {

/// Names one audit log for ever: 16 random bytes, written as 32 lower-case
/// hexadecimal digits. There is no other way to get one than parse() or from
/// random bytes, so it may stand in a file name.
class LogId {
 public:
  [[nodiscard]] static std::optional<LogId> parse(std::string_view text);
  [[nodiscard]] static LogId from_random(const std::array<Byte, 16>& random);
  [[nodiscard]] const std::string& str() const { return text_; }
  friend auto operator<=>(const LogId&, const LogId&) = default;

 private:
  explicit LogId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// A ULID: 48 bits of milliseconds, 80 random bits, 26 Crockford base-32 digits
/// in upper case. Sorts by time. Safe in a file name, as parse() is strict.
class WorkflowId {
 public:
  [[nodiscard]] static std::optional<WorkflowId> parse(std::string_view text);
  [[nodiscard]] static WorkflowId make(Time now, const std::array<Byte, 10>& random);
  [[nodiscard]] const std::string& str() const { return text_; }
  friend auto operator<=>(const WorkflowId&, const WorkflowId&) = default;

 private:
  explicit WorkflowId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace cg
