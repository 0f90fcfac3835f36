// Value: what a JSON or YAML text says, with the place where it says it.
//
// One type for both, so that whoever reads a document does not care which it is.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cg::json {

/// A place in a text. Columns count code points; lines end at `\n`.
struct Position {
  std::size_t line = 1;  // the first is 1, likewise the column
  std::size_t column = 1;
  std::size_t offset = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

/// Not std::uint64_t.
template <class T>
concept FitsInt64 = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                    (std::signed_integral<T> || sizeof(T) < sizeof(std::int64_t));

/// The parsers promise that doubles are finite, that strings are UTF-8 and that the
/// keys of an object differ; who builds one by hand uses ObjectBuilder for that.
class Value {
 public:
  enum class Type { null, boolean, integer, real, string, array, object };
  using Array = std::vector<Value>;
  using Member = std::pair<std::string, Value>;
  using Object = std::vector<Member>;  // in the order of the source

  Value() = default;
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  // NOLINTBEGIN(google-explicit-constructor): so that {"a", {1, "b"}} reads as it is.
  Value(std::same_as<bool> auto boolean) : data_(boolean) {}
  Value(FitsInt64 auto integer) : data_(static_cast<std::int64_t>(integer)) {}
  Value(double real) : data_(real) {}
  Value(const char* text) : data_(std::string(text)) {}
  Value(std::string_view text) : data_(std::string(text)) {}
  Value(std::string text) : data_(std::move(text)) {}
  Value(Array items) : data_(std::move(items)) {}
  Value(Object members) : data_(std::move(members)) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] Type type() const { return static_cast<Type>(data_.index()); }
  [[nodiscard]] bool is_null() const { return type() == Type::null; }
  [[nodiscard]] bool is_bool() const { return type() == Type::boolean; }
  [[nodiscard]] bool is_string() const { return type() == Type::string; }
  [[nodiscard]] bool is_array() const { return type() == Type::array; }
  [[nodiscard]] bool is_object() const { return type() == Type::object; }

  /// Nothing if the value is of another type: 1 is no double, 1.0 is no integer.
  [[nodiscard]] std::optional<bool> as_bool() const;
  [[nodiscard]] std::optional<std::int64_t> as_int() const;
  [[nodiscard]] std::optional<double> as_double() const;
  [[nodiscard]] const std::string* as_string() const { return std::get_if<std::string>(&data_); }
  [[nodiscard]] const Array* as_array() const { return std::get_if<Array>(&data_); }
  [[nodiscard]] const Object* as_object() const { return std::get_if<Object>(&data_); }

  /// The member `key`, looked for one by one; nullptr if there is none.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// The text of that member; empty if there is none, or it is no text.
  [[nodiscard]] std::string text(std::string_view key) const;

  /// Where the value starts in its source; the default Position if it has none.
  [[nodiscard]] const Position& position() const { return at_; }
  [[nodiscard]] Value located_at(const Position& position) &&;

  /// Same type and content, members in the same order. Positions do not count.
  friend bool operator==(const Value& a, const Value& b) { return a.data_ == b.data_; }

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> data_;
  Position at_;
};

/// "null", "boolean", "integer", "number", "string", "array", "object".
[[nodiscard]] std::string_view name(Value::Type type);

/// Collects members whose keys differ, in n log n at worst whatever the keys are.
class ObjectBuilder {
 public:
  [[nodiscard]] bool has(std::string_view key) const;
  void add(std::string key, Value value);  // the key must be new
  [[nodiscard]] Value::Object take() && { return std::move(members_); }

 private:
  Value::Object members_;
  std::set<std::string, std::less<>> keys_;  // empty while there are few members
};

/// What a parser accepts at most. Checked before memory is taken for it.
struct Limits {
  std::size_t max_bytes = 16U << 20U;
  std::size_t max_depth = 64;         // arrays and objects inside each other; never above 256
  std::size_t max_nodes = 1'000'000;  // values; keys are not counted
};

struct ParseError {
  enum class Kind {
    too_large,
    too_deep,
    too_many_nodes,
    byte_order_mark,
    not_utf8,
    control_character,
    syntax,
    trailing_data,
    duplicate_key,
    bad_escape,
    lone_surrogate,
    bad_number,
    number_out_of_range,
    several_documents,
    yaml_feature,
    bad_key
  };
  Kind kind;
  Position at;
  std::string detail;  // short and printable; what the words of the kind leave open
};

/// "line 3, column 14: duplicate key `tier`".
[[nodiscard]] std::string describe(const ParseError& error);
/// The same without the place.
[[nodiscard]] std::string describe_what(const ParseError& error);

/// A count, of which none of ours is past what JSON readers take.
[[nodiscard]] inline Value number(std::uint64_t count) { return static_cast<std::int64_t>(count); }

}  // namespace cg::json
