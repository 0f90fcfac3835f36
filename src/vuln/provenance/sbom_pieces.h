// A JSON document of which only some members are wanted, one item at a time. Not for
// others.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/json/json.h"
#include "base/json/json_reader.h"
#include "vuln/provenance/sbom_error.h"

namespace cg::provenance {

class SbomPieces {
 public:
  /// Checks the whole text and remembers where the members of its object are.
  [[nodiscard]] static Result<SbomPieces, SbomError> read(std::string_view text);

  [[nodiscard]] bool has(std::string_view key) const { return members_.contains(key); }
  /// The member if it is a string; else nothing.
  [[nodiscard]] std::string text_of(std::string_view key) const;
  /// A member as a Value; null if there is none or it is larger than a piece may be.
  [[nodiscard]] json::Value value_of(std::string_view key) const;

  /// Calls `item(value)` for each item of the array `key`; nothing if there is none.
  template <class Item>
  [[nodiscard]] Result<Done, SbomError> each(std::string_view key, const Item& item) const {
    const auto member = members_.find(key);
    if (member == members_.end()) return Done{};
    json::JsonReader reader(member->second, {.max_bytes = kMaxSbomBytes});
    if (!reader.begin_array()) return fail(wrong(member->second, key));
    while (reader.next_item()) {
      const std::uint32_t begin = reader.next_offset();
      if (!reader.skip()) break;
      CG_TRY_ASSIGN(const json::Value value,
                    piece(member->second.substr(begin, reader.end_offset() - begin)));
      CG_TRY(item(value));
    }
    return Done{};
  }

  /// The error for something in the text that is not what it should be.
  [[nodiscard]] SbomError wrong(std::string_view where, std::string_view what) const;

 private:
  explicit SbomPieces(std::string_view text) : text_(text) {}
  [[nodiscard]] Result<json::Value, SbomError> piece(std::string_view text) const;

  std::string_view text_;
  std::map<std::string, std::string_view, std::less<>> members_;
};

/// The member `key` of an object if it is a string, else "".
[[nodiscard]] std::string text_in(const json::Value& object, std::string_view key);

}  // namespace cg::provenance
