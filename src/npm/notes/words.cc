#include "npm/notes/words.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/base/text.h"

namespace cg::notes {

namespace {

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

/// As a word, or the beginning of one.
bool has_word(std::string_view lower, std::string_view word) {
  for (std::size_t at = lower.find(word); at != std::string_view::npos;
       at = lower.find(word, at + 1)) {
    if (at == 0 || !is_word_char(lower[at - 1]) || !is_word_char(word[0])) return true;
  }
  return false;
}

bool has_any(std::string_view lower, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return has_word(lower, word); });
}

// In Chinese and Japanese: breaking, incompatible; removed, deprecated, renamed, migration.
constexpr std::array<std::string_view, 4> kForeignBreaking = {
    "\xE7\xA0\xB4\xE5\x9D\x8F\xE6\x80\xA7", "\xE4\xB8\x8D\xE5\x85\xBC\xE5\xAE\xB9",
    "\xE7\xA0\xB4\xE5\xA3\x8A\xE7\x9A\x84", "\xE9\x9D\x9E\xE4\xBA\x92\xE6\x8F\x9B"};
constexpr std::array<std::string_view, 8> kForeignHints = {"\xE7\xA7\xBB\xE9\x99\xA4",
                                                           "\xE5\x88\xA0\xE9\x99\xA4",
                                                           "\xE5\xBA\x9F\xE5\xBC\x83",
                                                           "\xE5\xBC\x83\xE7\x94\xA8",
                                                           "\xE9\x87\x8D\xE5\x91\xBD\xE5\x90\x8D",
                                                           "\xE8\xBF\x81\xE7\xA7\xBB",
                                                           "\xE5\x89\x8A\xE9\x99\xA4",
                                                           "\xE5\xBB\x83\xE6\xAD\xA2"};

// Usage, in Chinese.
constexpr std::array<std::string_view, 2> kForeignUsage = {"\xE4\xBD\xBF\xE7\x94\xA8",
                                                           "\xE7\x94\xA8\xE6\xB3\x95"};

template <std::size_t N>
bool has_foreign(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

/// "breaking", but not "non-breaking" or "no breaking changes".
bool says_breaking(std::string_view lower) {
  for (std::size_t at = lower.find("breaking"); at != std::string_view::npos;
       at = lower.find("breaking", at + 1)) {
    const std::string_view before = lower.substr(0, at);
    const auto ends = [&](std::string_view end) { return before.ends_with(end); };
    const bool is_denied = ends("non-") || ends("non ") || ends("no ") || ends("not ") ||
                           ends("not a ") || ends("without ") || ends("any ") || ends("line-") ||
                           ends("word-");
    if (!is_denied) return true;
  }
  // Warning sign, collision.
  return has_any(lower, {"incompatib", "backwards-incompat", "bc break", "breaks compat",
                         "breaks backward", "\xE2\x9A\xA0", "\xF0\x9F\x92\xA5"}) ||
         has_foreign(lower, kForeignBreaking);
}

/// Only modules, or only newer versions of node: nobody can go on without knowing.
bool says_needs(std::string_view lower) {
  if (has_any(lower, {"pure esm", "esm only", "esm-only", "only esm", "native esm", "now esm",
                      "is an esm", "\"type\": \"module\"", "no longer commonjs", "drop commonjs",
                      "drops commonjs", "commonjs support", "esm package", "cannot be `require",
                      "can't be `require", "err_require_esm"})) {
    return true;
  }
  return has_word(lower, "node") && has_any(lower, {"drop", "requires node", "require node",
                                                    "node.js >=", "node >=", "no longer support",
                                                    "minimum", "or later is required", "or higher",
                                                    "and above", "is now required", "engines"});
}

bool says_removed(std::string_view lower) {
  return has_any(lower,
                 {"remov",          "renam",        "deprecat",    "drop",          "no longer",
                  "must now",       "now must",     "now require", "instead of",    "replac",
                  "moved to",       "moved from",   "by default",  "now default",   "now return",
                  "now throw",      "now reject",   "migrat",      "upgrade guide", "commonjs",
                  "default export", "named export", "esm",         "signature",     "has changed",
                  "changed to",     "disallow",     "now async",   "promise",       "end of life",
                  "breaks",         "previously",   "is now",      "are now"}) ||
         has_foreign(lower, kForeignHints);
}

bool says_housekeeping(std::string_view lower) {
  return has_any(lower, {"bump",   "dependabot", "devdep",     "dev-dep",   "dev dep",
                         "deps",   "dependenc",  "typo",       "readme",    "docs",
                         "lint",   "eslint",     "tests",      "ci:",       "documentation",
                         "travis", "coverage",   "test suite", "benchmark", "changelog",
                         "chore",  "refactor",   "prettier",   "unused",    "github actions"});
}

bool says_security(std::string_view lower) { return has_any(lower, {"security", "cve-", "ghsa-"}); }

}  // namespace

Tone tone_of(std::string_view text) {
  const std::string lower = lower_ascii(text);
  if (says_breaking(lower) || says_needs(lower)) return Tone::breaking;
  if (says_housekeeping(lower)) return Tone::noise;
  if (says_removed(lower)) return Tone::hint;
  return says_security(lower) ? Tone::noise : Tone::plain;
}

namespace {

/// "Node 10+", "Node.js >= 18", "node v12 or newer", outside of addresses.
bool names_node_version(std::string_view lower) {
  constexpr std::string_view kNode = "node";
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  for (std::size_t at = lower.find(kNode); at != lower.npos; at = lower.find(kNode, at + 1)) {
    if (at > 0 && is_letter(lower[at - 1])) continue;
    std::string_view rest = lower.substr(at + kNode.size());
    for (const std::string_view part :
         {".js", "js", "`", " ", "version ", "versions ", ">=", "> ", "\xE2\x89\xA5", " ", "v"}) {
      if (rest.starts_with(part)) rest.remove_prefix(part.size());
    }
    if (rest.size() == lower.size() - at - kNode.size()) continue;  // node1
    std::size_t digits = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') ++digits;
    const bool whole = rest.size() == digits || !is_letter(rest[digits]);
    if (digits > 0 && digits < 3 && whole && rest.substr(digits, 1) != "%") return true;
  }
  return false;
}

/// A whole sentence that stands out: "**Only ... are supported.**"
bool begins_loud(std::string_view text) {
  constexpr std::string_view kMark = "**";
  constexpr std::size_t kSentence = 24;  // bytes; less is a title
  if (!text.starts_with(kMark)) return false;
  const std::size_t end = text.find(kMark, kMark.size());
  return end != text.npos && end > kSentence && text[end - 1] != ':';
}

}  // namespace

Tone readme_tone_of(std::string_view text) {
  const std::string lower = lower_ascii(text);
  if (says_breaking(lower) || says_needs(lower)) return Tone::breaking;
  if (names_node_version(lower) || begins_loud(text)) return Tone::hint;
  const bool is_about_older =
      has_any(lower, {"no longer",    "deprecat",     "previous version", "previous release",
                      "past release", "past version", "earlier version",  "older version",
                      "prior to v",   "as of v",      "since v",          "removed in",
                      "renamed to",   "was renamed",  "was removed",      "were removed",
                      "replaced by",  "migrat",       "legacy",           "before v",
                      "formerly"});
  return is_about_older || has_foreign(lower, kForeignHints) ? Tone::hint : Tone::plain;
}

bool is_about_fixes(std::string_view title) {
  return has_any(lower_ascii(title), {"fix", "bug", "added", "patch"});
}

Tone title_tone_of(std::string_view title) {
  const std::string lower = lower_ascii(title);
  if (says_breaking(lower) || has_foreign(lower, kForeignHints) ||
      has_any(lower, {"remov", "renam", "deprecat", "dropped", "migrat", "upgrad", "major change",
                      ":boom:"})) {
    return Tone::breaking;
  }
  if (has_word(lower, "changed")) return Tone::hint;
  const bool is_noise = says_housekeeping(lower) || says_security(lower) ||
                        has_any(lower, {"internal", "polish", "contributors", "build"});
  return is_noise ? Tone::noise : Tone::plain;
}

Topic topic_of(std::string_view title) {
  const std::string lower = lower_ascii(title);
  if (has_any(lower,
              {"migrat", "upgrad", "breaking", "what's new", "changes from", "changes in"})) {
    return Topic::upgrade;
  }
  if (has_any(lower, {"changelog", "change log", "history", "release notes", "releases"})) {
    return Topic::releases;
  }
  if (has_any(lower, {"licen",       "contribut",    "sponsor",         "backer",
                      "author",      "credit",       "support us",      "table of contents",
                      "maintainer",  "donat",        "code of conduct", "benchmark",
                      "performance", "badge",        "acknowledg",      "who uses",
                      "community",   "team",         "enterprise",      "related",
                      "plugins",     "alternativ",   "comparison",      "companies",
                      "versioning",  "command line", "command-line",    "test",
                      "todo",        "issue",        "building",        "development",
                      "security"})) {
    return Topic::aside;
  }
  if (has_any(lower, {"use", "usage", "using", "quick", "getting started", "start", "install",
                      "api", "example", "option", "reference", "method", "how to", "import",
                      "require", "config", "esm", "commonjs", "typescript"}) ||
      has_foreign(lower, kForeignUsage)) {
    return Topic::usage;
  }
  return Topic::none;
}

namespace {

/// "#12", "3a033f6": where a change can be looked up.
bool is_number_or_commit(std::string_view text) {
  if (text.starts_with('`') && text.ends_with('`') && text.size() > 1) {
    text = text.substr(1, text.size() - 2);
  }
  if (text.starts_with('#')) {
    return text.size() > 1 && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
  }
  return text.size() >= 7 && text.size() <= 40 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// `out` ends with "[text": what is left of it when its address is known to go.
void close_link(std::string& out, std::string_view& rest) {
  const std::size_t open = out.rfind('[');
  if (open == std::string::npos) return;
  const std::string text = out.substr(open + 1);
  const bool is_image = open > 0 && out[open - 1] == '!';
  out.resize(is_image ? open - 1 : open);
  if (is_image) return;
  if (!is_number_or_commit(text)) {
    out += text;
    return;
  }
  if (!out.ends_with('(') || !rest.starts_with(')')) {
    out += text;
    return;
  }
  rest.remove_prefix(1);
  out.pop_back();
  while (out.ends_with(' ')) out.pop_back();
}

enum class Links : std::uint8_t { count, skip };

/// Outside of tags, and of links if those are skipped.
std::size_t letters_of(std::string_view text, Links links) {
  std::size_t letters = 0;
  bool is_tag = false;
  bool is_link = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') is_tag = true;
    if (c == '[') is_link = links == Links::skip;
    const bool is_letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    if (is_letter && !is_tag && !is_link) ++letters;
    if (c == '>') is_tag = false;
    const bool goes_on = c == ']' && text.substr(i + 1).starts_with('(');
    if ((c == ']' && !goes_on) || c == ')' || c == '\n') is_link = false;
  }
  return letters;
}

}  // namespace

std::string without_addresses(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const std::size_t at = std::min(line.find("](http"), line.size());
    out += line.substr(0, at);
    line.remove_prefix(at);
    if (line.empty()) break;
    const std::size_t end = line.find(')');
    if (end == std::string_view::npos) return out += line;
    line.remove_prefix(end + 1);
    close_link(out, line);
  }
  return out;
}

std::string without_padding(std::string_view row) {
  std::string out;
  for (const char c : row) {
    const bool is_again = (c == ' ' || c == '-') && out.ends_with(c);
    if (!is_again) out += c;
  }
  return out;
}

bool has_words(std::string_view text) { return letters_of(text, Links::count) > 0; }

bool has_own_words(std::string_view text) {
  return letters_of(text, Links::skip) * 4 >= text.size() && letters_of(text, Links::skip) >= 3;
}

}  // namespace cg::notes
