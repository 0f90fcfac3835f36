// The public corpora of $CG_DATA: attacks, texts that only look like some, and how many of each
// the canary flags. The texts are data: nothing in them is followed, none is printed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/domain/source_kind.h"

namespace cg::canary_corpora {

struct Sample {
  std::string source;  // "NVIDIA/garak"
  std::string kind;    // "readme", "log-tsc" …
  bool is_explicit = false;
  std::string text;
};

/// Attacks, all of them; score on those that are explicit.
[[nodiscard]] std::vector<Sample> attacks(const std::filesystem::path& data);
[[nodiscard]] std::vector<Sample> benign(const std::filesystem::path& data);
/// Summary and details of every npm advisory.
[[nodiscard]] std::vector<Sample> advisories(const std::filesystem::path& data);

struct Rate {
  std::size_t flagged = 0;
  std::size_t of = 0;
  [[nodiscard]] double share() const;
  /// Wilson's interval, 95 %.
  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const;
};
[[nodiscard]] bool flagged(std::string_view text, SourceKind kind);
[[nodiscard]] Rate rate(const std::vector<Sample>& samples, SourceKind kind,
                        const std::function<bool(const Sample&)>& counts);

/// What is found of one source's explicit attacks by patterns that no text of it is needed for:
/// those that find an attack of another source too.
struct LeftOut {
  std::string source;
  Rate all;             // by all patterns
  Rate without;         // by those
  std::size_t own = 0;  // patterns that find nothing but attacks of this source
};
[[nodiscard]] std::vector<LeftOut> left_out(const std::vector<Sample>& attacks);

/// As what a text of this kind would be fenced.
[[nodiscard]] SourceKind fenced_as(std::string_view kind);

/// Ways to hide a text from a reader who looks for words.
struct Disguise {
  std::string_view name;
  std::string (*wear)(std::string_view text);
};
[[nodiscard]] const std::vector<Disguise>& disguises();

}  // namespace cg::canary_corpora
