// Rescan: the canary of today over records that were written under one of long ago.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/result.h"
#include "learn/example/example.h"

namespace cg::rag {

/// A phrase that a file names besides those that are built in.
struct Phrase {
  std::string id;
  std::string text;  // in small letters, one space between words
};
inline constexpr std::size_t kMaxPhrases = 1000;

/// `ID PHRASE` a line; empty lines and those with # count nothing. Looked for in the canary's
/// folded form, so case, spacing, look-alikes and invisible characters make no difference.
[[nodiscard]] Result<std::vector<Phrase>, std::string> parse_phrases(std::string_view text);

struct Match {
  std::string pattern;  // id
  std::string field;    // "sites[0].before"
};
/// All texts of it, as what was retrieved is looked at; one match per field.
[[nodiscard]] std::vector<Match> scan_example(const example::Example& example,
                                              const std::vector<Phrase>& phrases);

}  // namespace cg::rag
