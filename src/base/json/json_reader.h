// JsonReader: a cursor over a JSON text that builds nothing.
//
// For lockfiles: megabytes of which a fraction is wanted. Strings come as views of
// the text. What parse_json() refuses is refused here too, also inside of what is
// skipped: bad syntax, bad UTF-8, duplicate keys, too much depth. Differences: numbers
// may be of any size, and the number of values is not limited, as they take no memory.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_index.h"
#include "base/json/value.h"

namespace cg::json {

/// A well-mixed number for a key. Differs from run to run where `seed` does, so that
/// nobody can prepare keys that collide.
[[nodiscard]] std::uint64_t fingerprint(std::string_view key, std::uint64_t seed);

/// After a failure every call answers false and changes nothing; error() tells why. A
/// text is sound only once finish() has said so.
///
///   if (reader.begin_object()) while (reader.next_key(key)) { …read or skip()… }
///   if (!reader.ok()) …
class JsonReader {
 public:
  struct Key {
    std::string_view text;
    std::uint32_t offset = 0;  // of the opening quote
  };
  enum class Kind : std::uint8_t { object, array, string, number, boolean, null, none };

  /// `text` must stay where it is, and be smaller than 4 GiB.
  explicit JsonReader(std::string_view text, const Limits& limits = {});

  [[nodiscard]] bool begin_object();
  /// For an object whose keys the caller compares itself: duplicates are not looked for.
  [[nodiscard]] bool begin_object_of_known_keys();
  /// False after the last member.
  [[nodiscard]] bool next_key(Key& key);
  [[nodiscard]] bool begin_array();
  /// False after the last item.
  [[nodiscard]] bool next_item();

  /// What the next value is. `none` at the end or where no value starts.
  [[nodiscard]] Kind peek();
  /// A view of the text, or of the reader's own store if it had to be decoded.
  bool read_string(std::string_view& out);
  bool read_bool(bool& out);
  bool read_int(std::int64_t& out);
  /// Passes over one value of any kind, checking it.
  bool skip();
  /// Nothing but space may follow.
  bool finish();

  /// Reads on from `offset`, where a value must start that was skipped before.
  void rewind(std::uint32_t offset) { index_.restart(offset); }

  [[nodiscard]] bool ok() const { return !failed_; }
  [[nodiscard]] ParseError error() const;
  /// Where the next thing starts, and where the last one that was read ended.
  [[nodiscard]] std::uint32_t next_offset() { return index_.mark(); }
  [[nodiscard]] std::uint32_t end_offset() const { return end_; }
  /// Differs from run to run.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// False if `view` had to be decoded and lives in the reader.
  [[nodiscard]] bool in_text(std::string_view view) const {
    return view.data() >= text_.data() && view.data() <= text_.data() + text_.size();
  }

 private:
  struct Seen {
    const char* data = nullptr;
    std::size_t size = 0;
    std::uint64_t print = 0;
    std::uint32_t offset = 0;
    [[nodiscard]] std::string_view text() const { return {data, size}; }
  };

  bool fail(ParseError::Kind kind, const char* detail, std::uint32_t where);
  [[nodiscard]] char at(std::uint32_t offset) const {
    return offset < text_.size() ? text_.data()[offset] : '\0';
  }
  [[nodiscard]] bool enter(char open);
  [[nodiscard]] bool leave(std::uint32_t close);
  [[nodiscard]] bool member_or_end(char close, bool& end);
  [[nodiscard]] bool string(std::string_view& out);
  [[nodiscard]] bool decode(std::string_view raw, std::string_view& out);
  [[nodiscard]] bool scalar(Kind kind);
  [[nodiscard]] bool keys_differ(std::uint32_t first_of_object);

  std::string_view text_;
  JsonIndex index_;
  std::uint64_t seed_;
  std::size_t max_depth_;
  std::uint32_t end_ = 0;
  bool fresh_ = false;  // just behind an opening bracket
  bool failed_ = false;
  ParseError::Kind kind_ = ParseError::Kind::syntax;
  std::string detail_;
  std::uint32_t where_ = 0;
  std::vector<Seen> keys_;                // of all open objects
  std::vector<std::uint32_t> first_key_;  // per open bracket, where its keys start, or kNone
  std::vector<bool> objects_;             // open inside skip(): is it an object?
  std::deque<std::string> decoded_;
};

}  // namespace cg::json
