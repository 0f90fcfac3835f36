// A PackageRule as bytes: what the index stores and a scan reads, without JSON.
//
//   rule      01, flags, id, intervals, versions, fixed
//   flags     the level in the lowest three bits, 08 for malware
//   id        length (varint), text
//   intervals count (varint); each: its end (one byte), key, and unless open a key
//   versions  count (varint), keys ascending
//   fixed     count (varint), keys ascending
//   varint    seven bits a byte, lowest first, in as few bytes as it takes
//
// A key (version_key.h) tells by itself where it ends. Exactly one sequence of bytes
// stands for a given rule; anything else is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "vuln/advisory/affects.h"

namespace cg::advisory {

inline constexpr std::size_t kMaxRuleBytes = 8U << 20U;

struct RuleError {
  enum class Kind {
    truncated,
    too_large,
    unknown_version,
    bad_flags,
    bad_id,
    bad_interval,
    bad_key,
    not_sorted,
    trailing_data
  };
  Kind kind;
  std::size_t offset = 0;
  friend bool operator==(const RuleError&, const RuleError&) = default;
};
[[nodiscard]] std::string describe(const RuleError& error);

[[nodiscard]] std::string encode_rule(const PackageRule& rule);

/// A checked rule inside bytes that somebody else keeps alive; takes no memory of its
/// own. parse() looks at every byte once, after that nothing can go wrong.
class RuleView {
 public:
  [[nodiscard]] static Result<RuleView, RuleError> parse(std::string_view bytes);

  [[nodiscard]] std::string_view advisory() const { return id_; }
  [[nodiscard]] Level level() const { return level_; }
  [[nodiscard]] bool malware() const { return malware_; }
  /// The same answer as evaluate() gives for the rule itself.
  [[nodiscard]] std::optional<Match> evaluate(const VersionKey& version) const;
  [[nodiscard]] PackageRule decode() const;

 private:
  RuleView() = default;
  std::string_view id_;
  Level level_ = Level::unknown;
  bool malware_ = false;
  std::uint64_t interval_count_ = 0;
  std::uint64_t version_count_ = 0;
  std::uint64_t fixed_count_ = 0;
  std::string_view intervals_;  // from the first interval to the end of the rule
  std::string_view versions_;
  std::string_view fixed_;
};

}  // namespace cg::advisory
