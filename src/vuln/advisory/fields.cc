#include "vuln/advisory/fields.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::advisory {

namespace {

using Kind = RecordError::Kind;

std::string_view words(Kind kind) {
  switch (kind) {
    case Kind::not_json:
      return "not JSON";
    case Kind::missing:
      return "missing";
    case Kind::wrong_type:
      return "of the wrong type";
    case Kind::too_long:
      return "too long";
    case Kind::too_many:
      return "too many";
    case Kind::bad_value:
      return "not understood";
  }
  std::abort();
}

RecordError wrong_type(std::string_view key, const json::Value& value) {
  return {Kind::wrong_type, std::string(key), std::string(json::name(value.type()))};
}

/// A table, because a scan checks the id of every rule it looks at.
constexpr std::array<bool, 256> kIdCharacters = [] {
  std::array<bool, 256> table{};
  for (const char c : {'-', '.', ':', '_'}) table[static_cast<Byte>(c)] = true;
  for (std::size_t c = 0; c < 256; ++c) {
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) table[c] = true;
  }
  return table;
}();

}  // namespace

void sort_unique(std::vector<std::string>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

std::string describe(const RecordError& error) {
  std::string out = error.field;
  if (!out.empty()) out += ": ";
  out += words(error.kind);
  if (!error.detail.empty()) out += " (" + error.detail + ")";
  return out;
}

RecordError within(std::string_view where, RecordError error) {
  std::string path(where);
  if (!error.field.empty() && error.field[0] != '[') path += '.';
  error.field.insert(0, path);
  return error;
}

RecordError within(std::string_view where, std::size_t index, RecordError error) {
  return within(std::string(where) + "[" + std::to_string(index) + "]", std::move(error));
}

const json::Value* member(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

Result<const std::string*, RecordError> optional_text(const json::Value& object,
                                                      std::string_view key) {
  const json::Value* value = member(object, key);
  if (value == nullptr) return static_cast<const std::string*>(nullptr);
  if (!value->is_string()) return fail(wrong_type(key, *value));
  return value->as_string();
}

Result<std::string_view, RecordError> required_text(const json::Value& object, std::string_view key,
                                                    std::size_t max) {
  CG_TRY_ASSIGN(const std::string* text, optional_text(object, key));
  if (text == nullptr || text->empty()) return fail(RecordError{Kind::missing, std::string(key)});
  if (text->size() > max) return fail(RecordError{Kind::too_long, std::string(key)});
  return std::string_view(*text);
}

Result<std::string, RecordError> cut_text(const json::Value& object, std::string_view key,
                                          std::size_t max) {
  CG_TRY_ASSIGN(const std::string* text, optional_text(object, key));
  return text == nullptr ? std::string() : std::string(cut_utf8(*text, max));
}

Result<const json::Value::Array*, RecordError> array_of(const json::Value& object,
                                                        std::string_view key, std::size_t max) {
  static const json::Value::Array kEmpty;
  const json::Value* value = member(object, key);
  if (value == nullptr) return &kEmpty;
  if (!value->is_array()) return fail(wrong_type(key, *value));
  if (value->as_array()->size() > max) return fail(RecordError{Kind::too_many, std::string(key)});
  return value->as_array();
}

Result<std::optional<Time>, RecordError> optional_time(const json::Value& object,
                                                       std::string_view key) {
  CG_TRY_ASSIGN(const std::string* text, optional_text(object, key));
  if (text == nullptr) return std::optional<Time>();
  const auto time = parse_timestamp(*text);
  if (!time) {
    return fail(RecordError{Kind::bad_value, std::string(key), printable(cut_utf8(*text, 40))});
  }
  return time;
}

std::optional<Time> parse_timestamp(std::string_view text) {
  constexpr std::size_t kSeconds = 19;  // "2023-09-12T15:15:24"
  if (text.size() > 40 || text.size() < kSeconds) return std::nullopt;
  if (text.ends_with('Z')) text.remove_suffix(1);
  if (text.size() < kSeconds) return std::nullopt;
  std::string_view fraction = text.substr(kSeconds);
  if (!fraction.empty()) {
    if (fraction.size() < 2 || fraction[0] != '.') return std::nullopt;
    fraction.remove_prefix(1);
    if (fraction.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  }
  std::string digits(fraction.substr(0, 3));
  digits.resize(3, '0');
  std::string full(text.substr(0, kSeconds));
  full += '.';
  full += digits;
  full += 'Z';
  return parse_iso(full);
}

bool is_record_id(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
    return kIdCharacters[static_cast<Byte>(c)];
  });
}

}  // namespace cg::advisory
