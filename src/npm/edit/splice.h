// Splicer: changes inside a JSON text that leave all other bytes alone.
//
// Objects are read where they are touched, a level at a time. What is written anew
// takes its indentation, line ends and spaces from its neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/text.h"
#include "base/json/json_reader.h"
#include "base/json/value.h"
#include "npm/edit/collate.h"
#include "npm/edit/edit.h"
#include "npm/lockfile/rewrite.h"

namespace cg::edit {

using json::Value;

/// `"key": value`, from the first byte of its key to the last of its value.
struct Member {
  std::string_view key;
  std::uint32_t begin = 0;
  std::uint32_t value = 0;
  std::uint32_t end = 0;
};

struct Object {
  std::uint32_t open = 0;  // of `{`
  std::uint32_t end = 0;   // behind `}`
  std::vector<Member> members;
  [[nodiscard]] const Member* find(std::string_view key) const;
};

class Splicer {
 public:
  /// `text` is sound JSON and stays where it is.
  explicit Splicer(std::string_view text);

  [[nodiscard]] std::string_view text() const { return text_; }
  /// The object that all others are in.
  [[nodiscard]] Object root() { return read(0); }
  /// The object that starts at `value`; without members if it is something else.
  [[nodiscard]] Object read(std::uint32_t value);
  /// Of the member whose key starts at `key`.
  [[nodiscard]] std::uint32_t value_behind(std::uint32_t key);
  [[nodiscard]] Value value(const Member& member) const;
  [[nodiscard]] bool is_object(const Member& member) const {
    return text_[member.end - 1] == '}';  // nothing else ends like that
  }

  [[nodiscard]] Alphabet alphabet() const { return alphabet_; }
  void set_alphabet(Alphabet alphabet) { alphabet_ = alphabet; }

  void change(std::uint32_t begin, std::uint32_t end, std::string text);
  /// How many changes there are, and back to when there were so many.
  [[nodiscard]] std::size_t count() const { return changes_.size(); }
  void forget(std::size_t count) { changes_.resize(count); }
  /// The text with all changes.
  [[nodiscard]] Result<std::string, EditError> finish() &&;

  /// What stands between two members that follow each other: "\n    ", " " or "".
  [[nodiscard]] std::string gap_of(const Object& object);
  /// What stands before the closing bracket of an object that gets members.
  [[nodiscard]] std::string closing_gap(const Object& object);
  /// `value` as a member of an object with this gap.
  [[nodiscard]] std::string print(const Value& value, std::string_view gap);
  /// `"key": value`.
  [[nodiscard]] std::string print(std::string_view key, const Value& value, std::string_view gap);

 private:
  void learn_layout();
  [[nodiscard]] std::string_view space_before(std::uint32_t offset) const;
  void print_to(std::string& out, const Value& value, std::string_view gap);

  std::string_view text_;
  json::JsonReader reader_;
  std::vector<lockfile::Change> changes_;
  Alphabet alphabet_ = Alphabet::words;
  bool learnt_ = false;
  std::string unit_;   // one step of indentation
  std::string colon_;  // ":" or ": "
};

/// Collects what becomes of the members of one object.
class ObjectEdit {
 public:
  enum class Order {
    npm,    // new members go where npm sorts them, or would if all were sorted
    as_is,  // new members go last
  };
  /// `object` outlives the edit. Keys in `object` that nothing is said of stay.
  ObjectEdit(Splicer& splicer, const Object& object, Order order);

  /// A value that says the same already keeps its bytes, and so do parts of it.
  void set(std::string_view key, const Value& value);
  void drop(std::string_view key);
  void drop_at(std::size_t index) { dropped_[index] = true; }
  /// A new member where the order puts it; `key` must not be there.
  void add(std::string_view key, const Value& value);
  /// A new member right behind the one at `index`.
  void add_behind(std::size_t index, std::string_view key, const Value& value);
  [[nodiscard]] bool would_be_empty() const;
  /// Nothing of what was there stays.
  [[nodiscard]] bool would_lose_all() const;
  void finish();

 private:
  struct Addition {
    std::size_t at;  // how many members of the object come before it
    std::string key;
    Value value;
  };
  void add_at(std::size_t place, std::string_view key, const Value& value);
  [[nodiscard]] Value arranged(const Value& value) const;
  void become(const Member& member, const Value& value);
  [[nodiscard]] std::size_t place_of(const Ranked& wanted) const;
  void finish_front(std::size_t first_kept, const std::string& gap);
  void finish_rest(std::size_t first_kept, const std::string& gap);
  void finish_all(const std::string& gap);

  Splicer& splicer_;
  const Object& object_;
  Order order_;
  std::vector<bool> dropped_;
  std::vector<Addition> additions_;
};

/// The same with all members as npm sorts them.
[[nodiscard]] Value in_npm_order(const Value& value, Alphabet alphabet);

/// Same content, members in any order.
[[nodiscard]] bool says_the_same(const Value& a, const Value& b);

/// "what `where`", printable whatever `where` is.
[[nodiscard]] inline Failure<EditError> refuse(EditError::Kind kind, std::string_view what,
                                               std::string_view where) {
  return fail(EditError{kind, std::string(what) + " `" + printable(where) + "`"});
}

}  // namespace cg::edit
