// The pattern list (patterns.def) made ready to match.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/domain/source_kind.h"
#include "model/canary/forms.h"
#include "model/canary/span.h"
#include "trust/hash/digest.h"

namespace cg::canary {

/// Bit i: SourceKind i.
using Kinds = std::uint16_t;
static_assert(kSourceKinds.size() <= 16);

struct Pattern {
  std::string_view id;
  std::string_view family;
  Kinds kinds;
  bool of_words;         // begins and ends with a word
  std::string regex;     // RE2, over bytes of the folded form
  std::string squeezed;  // the same without anything between words; may be empty
};

/// In the order of the file. The rules about hidden characters are not among them.
[[nodiscard]] const std::vector<Pattern>& patterns();

/// Of the list with the rules: it stands in every event about a collision.
[[nodiscard]] const hash::Digest& patterns_digest();
[[nodiscard]] std::uint32_t patterns_version();

struct HiddenRule {
  std::string_view id;
  std::string_view family;
  Kinds kinds;
};
[[nodiscard]] const HiddenRule& hidden_rule(Hidden::Kind kind);

[[nodiscard]] constexpr bool applies(Kinds kinds, SourceKind kind) {
  return (static_cast<unsigned>(kinds) >> static_cast<unsigned>(kind) & 1U) != 0;
}

/// What kind of text a pattern is looked for in.
enum class Spacing : std::uint8_t {
  spaced,    // a form as it is
  words,     // the same, but only for the patterns of words
  squeezed,  // a form without anything between its words
};

struct Found {
  std::size_t pattern;
  Span span;  // of the text that was searched
};
/// Every place of `text` where a pattern of `kind` begins, in order; at most `most`. The cost of a
/// place is bounded, so that of the whole is linear.
void find(std::string_view text, Spacing spacing, SourceKind kind, std::size_t most,
          std::vector<Found>& out);

}  // namespace cg::canary
