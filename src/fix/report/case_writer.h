// Writes what case_fields.h lists as JSON. For case_json.cc and plan_text.cc only.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/base/time.h"
#include "base/json/value.h"
#include "fix/report/case.h"
#include "fix/report/case_fields.h"
#include "vuln/formats/words.h"

namespace cg::report {

/// Members into an object. Text that is not UTF-8 is written as printable() shows it.
class Writer {
 public:
  template <class T>
  void operator()(std::string_view key, const T& value) {
    out_.emplace_back(std::string(key), to_value(value));
  }
  void nullable(std::string_view key, const std::string& text) {
    out_.emplace_back(std::string(key), text.empty() ? json::Value() : to_value(text));
  }
  [[nodiscard]] json::Value take() && { return std::move(out_); }

 private:
  static json::Value to_value(const json::Value& value) { return value; }
  static json::Value to_value(const std::string& text) { return formats::utf8(text); }
  static json::Value to_value(bool value) { return value; }
  static json::Value to_value(int value) { return value; }
  static json::Value to_value(std::uint64_t value) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(value < kMost ? value : kMost);
  }
  static json::Value to_value(Time time) { return to_iso(time); }
  static json::Value to_value(plan::Blocker blocker) {
    return blocker == plan::Blocker::none ? json::Value() : json::Value(name(blocker));
  }
  template <class T>
  static json::Value to_value(const std::optional<T>& value) {
    return value ? to_value(*value) : json::Value();
  }
  template <class T>
  static json::Value to_value(const std::vector<T>& items) {
    json::Value::Array out;
    out.reserve(items.size());
    for (const T& item : items) out.push_back(to_value(item));
    return out;
  }
  template <class T>
  static json::Value to_value(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return json::Value(name(value));
    } else {
      Writer inner;
      Fields<T>::visit(value, inner);
      return std::move(inner).take();
    }
  }

  json::Value::Object out_;
};

}  // namespace cg::report
