// Events as canonical JSON bodies, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "trust/record/event.h"

namespace cg::record {

[[nodiscard]] std::string_view kind_of(const Event& event);
[[nodiscard]] Home home_of(const Event& event);
[[nodiscard]] Severity severity_of(const Event& event);
/// "warning"
[[nodiscard]] std::string_view name(Severity severity);

/// The body: canonical JSON, keys in order. Text over its cap is cut on a code
/// point, text that is not UTF-8 is written with visible escapes: an event is
/// always recorded, whatever is in it.
[[nodiscard]] std::string encode_body(const Event& event);

enum class EventError { unknown_kind, bad_body };

/// Takes exactly what encode_body() writes: one spelling, nothing more.
[[nodiscard]] Result<Event, EventError> decode_body(std::string_view kind, std::string_view body);

struct FieldRow {
  std::string_view name;
  std::string_view type;
  std::size_t cap;  // bytes of text; 0 for numbers and digests
  bool added_later = false;
};
struct EventRow {
  std::string_view kind;
  std::string_view says;
  Home home;
  Severity severity;
  std::vector<FieldRow> fields;
};

/// The list itself, in the order of the variant.
[[nodiscard]] std::vector<EventRow> event_table();

}  // namespace cg::record
