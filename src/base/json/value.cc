#include "base/json/value.h"

#include <algorithm>

#include "base/base/assert.h"

namespace cg::json {

namespace {

constexpr std::size_t kFewMembers = 16;

template <class T, class Data>
std::optional<T> value_of(const Data& data) {
  const T* value = std::get_if<T>(&data);
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

std::string_view words(ParseError::Kind kind) {
  using enum ParseError::Kind;
  switch (kind) {
    case too_large:
      return "the text is too large";
    case too_deep:
      return "nested too deeply";
    case too_many_nodes:
      return "too many values";
    case byte_order_mark:
      return "a byte order mark is not allowed";
    case not_utf8:
      return "not UTF-8";
    case control_character:
      return "control character";
    case syntax:
      return "";
    case trailing_data:
      return "more text after the end of the value";
    case duplicate_key:
      return "duplicate key";
    case bad_escape:
      return "bad escape";
    case lone_surrogate:
      return "half of a surrogate pair";
    case bad_number:
      return "malformed number";
    case number_out_of_range:
      return "number out of range";
    case several_documents:
      return "more than one document";
    case yaml_feature:
      return "not allowed here";
    case bad_key:
      return "a key must be a scalar that is written out";
  }
  return "";
}

}  // namespace

// Out of line: inlined, GCC 12 with sanitizers takes the unused alternatives of the
// variant for uninitialized variables.
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

std::optional<bool> Value::as_bool() const { return value_of<bool>(data_); }
std::optional<std::int64_t> Value::as_int() const { return value_of<std::int64_t>(data_); }
std::optional<double> Value::as_double() const { return value_of<double>(data_); }

const Value* Value::find(std::string_view key) const {
  const Object* members = as_object();
  if (members == nullptr) return nullptr;
  for (const Member& member : *members) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

std::string Value::text(std::string_view key) const {
  const Value* member = find(key);
  return member != nullptr && member->is_string() ? *member->as_string() : std::string();
}

Value Value::located_at(const Position& position) && {
  at_ = position;
  return std::move(*this);
}

std::string_view name(Value::Type type) {
  using enum Value::Type;
  switch (type) {
    case null:
      return "null";
    case boolean:
      return "boolean";
    case integer:
      return "integer";
    case real:
      return "number";
    case string:
      return "string";
    case array:
      return "array";
    case object:
      return "object";
  }
  return "";
}

bool ObjectBuilder::has(std::string_view key) const {
  if (!keys_.empty()) return keys_.contains(key);
  return std::any_of(members_.begin(), members_.end(),
                     [&](const Value::Member& member) { return member.first == key; });
}

void ObjectBuilder::add(std::string key, Value value) {
  CG_ASSERT(!has(key));
  if (!keys_.empty()) keys_.insert(key);
  members_.emplace_back(std::move(key), std::move(value));
  // A tree, not a hash table: hostile keys can be made to collide, not to sort badly.
  if (keys_.empty() && members_.size() > kFewMembers) {
    for (const Value::Member& member : members_) keys_.insert(member.first);
  }
}

std::string describe(const ParseError& error) {
  return "line " + std::to_string(error.at.line) + ", column " + std::to_string(error.at.column) +
         ": " + describe_what(error);
}

std::string describe_what(const ParseError& error) {
  std::string out(words(error.kind));
  if (error.detail.empty()) return out;
  if (error.kind == ParseError::Kind::duplicate_key) return out + " `" + error.detail + "`";
  if (error.kind != ParseError::Kind::syntax) out += ": ";
  return out + error.detail;
}

}  // namespace cg::json
