#include "model/canary/patterns.h"

#include <algorithm>
#include <utility>

#include "base/base/assert.h"
#include "model/canary/letter.h"
#include "trust/hash/blake3.h"

namespace cg::canary {
namespace {

constexpr Kinds bit(SourceKind kind) {
  return static_cast<Kinds>(1U << static_cast<unsigned>(kind));
}
constexpr Kinds kAll = (1U << kSourceKinds.size()) - 1;
constexpr Kinds kCode = bit(SourceKind::source_snippet) | bit(SourceKind::rag_retrieved) |
                        bit(SourceKind::package_api) | bit(SourceKind::prior_diff);
constexpr Kinds kNotCode = static_cast<Kinds>(kAll & ~kCode);
/// Output of tools, where nobody is spoken to.
constexpr Kinds kLogs = bit(SourceKind::sandbox_stderr) | bit(SourceKind::prior_attempt_summary);
/// Where text about language models is no surprise it is not flagged for speaking of one.
constexpr Kinds kPlain = static_cast<Kinds>(kAll & ~kCode);

enum class Style { words, exact };
struct Source {
  std::string_view id;
  std::string_view family;
  Kinds kinds;
  Style style;
  std::string_view regex;
};
constexpr Source kSources[] = {
#define CG_PATTERNS_VERSION(number)
#define CG_RULE(id, family, kinds, rule, why)
#define CG_PATTERN(id, family, kinds, style, regex) {id, #family, kinds, Style::style, regex},
#include "model/canary/patterns.def"
#undef CG_PATTERN
#undef CG_RULE
#undef CG_PATTERNS_VERSION
};

struct NamedRule {
  Hidden::Kind kind;
  HiddenRule rule;
};
constexpr NamedRule kRules[] = {
#define CG_PATTERNS_VERSION(number)
#define CG_PATTERN(id, family, kinds, style, regex)
#define CG_RULE(id, family, kinds, rule, why) {Hidden::Kind::rule, {id, #family, kinds}},
#include "model/canary/patterns.def"
#undef CG_PATTERN
#undef CG_RULE
#undef CG_PATTERNS_VERSION
};

constexpr std::uint32_t kVersions[] = {
#define CG_PATTERNS_VERSION(number) number,
#define CG_PATTERN(id, family, kinds, style, regex)
#define CG_RULE(id, family, kinds, rule, why)
#include "model/canary/patterns.def"
#undef CG_PATTERN
#undef CG_RULE
#undef CG_PATTERNS_VERSION
};
static_assert(std::size(kVersions) == 1);

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
#define CG_WORDS(name, alternatives) {#name, alternatives},
#include "model/canary/vocabulary.def"
#undef CG_WORDS
};

/// {name} replaced by its list.
std::string with_words(std::string_view regex) {
  std::string out;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    const bool named = regex[i] == '{' && i + 1 < regex.size() && regex[i + 1] >= 'a' &&
                       regex[i + 1] <= 'z' && (i == 0 || regex[i - 1] != '\\');
    if (!named) {
      out += regex[i];
      continue;
    }
    const std::size_t end = regex.find('}', i);
    const std::string_view name = regex.substr(i + 1, end - i - 1);
    const auto* const found = std::find_if(std::begin(kWords), std::end(kWords),
                                           [&](const auto& entry) { return entry.first == name; });
    CG_ASSERT(found != std::end(kWords));
    out += "(?:" + std::string(found->second) + ")";
    i = end;
  }
  return out;
}

/// Literals as the folded form has them.
std::string folded(std::string_view regex) {
  std::string out;
  while (!regex.empty()) {
    const Rune rune = first_rune(regex);
    if (rune.value < 0x80) {
      out += regex[0];
    } else {
      out += fold(rune.value).text();
    }
    regex.remove_prefix(rune.size);
  }
  return out;
}

/// Every space outside a class of characters becomes `gap`.
std::string with_gaps(std::string_view regex, std::string_view gap) {
  std::string out;
  bool in_class = false;
  for (const char c : regex) {
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    if (c == ' ' && !in_class) {
      out += gap;
    } else {
      out += c;
    }
  }
  return out;
}

Pattern made(const Source& source) {
  constexpr std::string_view kGap = "[\\n -/:-@\\[-`{-~]+";
  Pattern out{source.id, source.family, source.kinds, source.style == Style::words, {}, {}};
  const std::string regex = folded(with_words(source.regex));
  if (source.style == Style::exact) {
    out.regex = regex;
    return out;
  }
  out.regex = "\\b(?:" + with_gaps(regex, kGap) + ")";
  if (!source.regex.ends_with(' ')) out.regex += "\\b";
  // Without gaps a free word would reach over everything.
  const bool free =
      regex.find("[a-z]+") != std::string::npos || regex.find("[a-z]*") != std::string::npos;
  if (!free) out.squeezed = with_gaps(regex, "");
  return out;
}

}  // namespace

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = [] {
    std::vector<Pattern> out;
    for (const Source& source : kSources) out.push_back(made(source));
    return out;
  }();
  return all;
}

const HiddenRule& hidden_rule(Hidden::Kind kind) {
  const auto* const found = std::find_if(std::begin(kRules), std::end(kRules),
                                         [&](const NamedRule& rule) { return rule.kind == kind; });
  CG_ASSERT(found != std::end(kRules));
  return found->rule;
}

const hash::Digest& patterns_digest() {
  static const hash::Digest digest = [] {
    std::string list = std::to_string(patterns_version()) + '\n';
    const auto add = [&](std::string_view id, std::string_view family, Kinds kinds,
                         std::string_view rule) {
      list.append(id).append("\t").append(family).append("\t");
      list.append(std::to_string(kinds)).append("\t").append(rule).append("\n");
    };
    for (const Pattern& pattern : patterns())
      add(pattern.id, pattern.family, pattern.kinds, pattern.regex);
    for (const NamedRule& rule : kRules)
      add(rule.rule.id, rule.rule.family, rule.rule.kinds, "hidden");
    return hash::blake3(as_bytes(list));
  }();
  return digest;
}

std::uint32_t patterns_version() { return kVersions[0]; }

}  // namespace cg::canary
