#include "npm/notes/words.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "base/base/text.h"
#include "npm/notes/document.h"

namespace cg::notes {

namespace {

constexpr std::size_t kMaxOthers = 16;  // names that are no words, each looked for by itself

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// It cannot be a word of a sentence.
bool is_code_name(std::string_view word) {
  if (word.size() < 3) return false;
  return std::any_of(word.begin() + 1, word.end(), [](char c) {
    return is_capital(c) || c == '_' || c == '$' || (c >= '0' && c <= '9');
  });
}

/// As a word, or the beginning of one.
bool has_word(std::string_view lower, std::string_view word) {
  for (std::size_t at = lower.find(word); at != std::string_view::npos;
       at = lower.find(word, at + 1)) {
    if (at == 0 || !is_name_char(lower[at - 1]) || !is_name_char(word[0])) return true;
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

bool names_node(std::string_view lower) { return has_word(lower, "node"); }

/// Only modules, or only newer versions of node: nobody can go on without knowing.
bool says_needs(std::string_view lower) {
  if (has_any(lower, {"pure esm", "esm only", "esm-only", "only esm", "native esm", "now esm",
                      "is an esm", "\"type\": \"module\"", "no longer commonjs", "drop commonjs",
                      "drops commonjs", "commonjs support", "esm package", "cannot be `require",
                      "can't be `require", "err_require_esm"})) {
    return true;
  }
  return names_node(lower) && has_any(lower, {"drop", "requires node", "require node",
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

bool says_noise(std::string_view lower) {
  return has_any(lower, {"bump",     "dependabot", "devdep",        "dev-dep",
                         "dev dep",  "deps",       "dependenc",     "typo",
                         "readme",   "docs",       "documentation", "lint",
                         "eslint",   "tests",      "test suite",    "ci",
                         "travis",   "coverage",   "benchmark",     "changelog",
                         "refactor", "chore",      "security",      "cve-",
                         "ghsa-",    "grammar",    "prettier",      "github actions",
                         "unused"});
}

}  // namespace

Names::Names(const std::vector<std::string>& names, std::string_view package) : package_(package) {
  std::size_t count = 0;
  for (const std::string& full : names) {
    const std::string name = full.substr(full.rfind('.') + 1);
    if (name.empty() || name == "default" || name == "*") continue;
    const NameBits bit = NameBits{1} << (count++ % 64U);
    if (std::all_of(name.begin(), name.end(), is_name_char)) {
      words_[name] |= bit;
      lower_[lower_ascii(name)] |= bit;
    } else if (others_.size() < kMaxOthers) {
      others_.emplace_back(name, bit);
    }
  }
}

NameBits Names::find(std::string_view word) const {
  const auto found = words_.find(std::string(word));
  return found == words_.end() ? 0 : found->second;
}

NameBits Names::in_line(std::string_view line, bool is_code) const {
  NameBits out = 0;
  bool is_quoted = false;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '`') is_quoted = !is_quoted;
    std::size_t end = at;
    while (end < line.size() && is_name_char(line[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const std::string_view word = line.substr(at, end - at);
    const char before = at == 0 ? ' ' : line[at - 1];
    const char next = end == line.size() ? ' ' : line[end];
    const bool is_version = next == '.' && end + 1 < line.size() && line[end + 1] >= '0' &&
                            line[end + 1] <= '9';  // v4.0.0 is not v4
    // "highlight" is not what "highlight.js" speaks of.
    const bool is_package = package_.size() > word.size() && line.substr(at).starts_with(package_);
    const bool counts = is_code || is_quoted || next == '(' || before == '.' || is_code_name(word);
    if (counts && !is_version && !is_package) out |= find(word);
    at = end;
  }
  return out;
}

NameBits Names::in_text(std::string_view text) const {
  NameBits out = 0;
  if (!words_.empty()) {
    bool is_code = false;
    for (const std::string_view line : split(text, '\n')) {
      if (fence_of(line) > 0) is_code = !is_code;
      out |= in_line(line, is_code);
    }
  }
  for (const auto& [name, bit] : others_) {
    if (text.find(name) != std::string_view::npos) out |= bit;
  }
  return out;
}

NameBits Names::in_title(std::string_view title) const {
  NameBits out = in_line(title, true);
  const std::string lower = lower_ascii(title);
  for (std::size_t at = 0; at < lower.size();) {
    std::size_t end = at;
    while (end < lower.size() && is_name_char(lower[end])) ++end;
    const bool is_package =
        package_.size() > end - at && std::string_view(lower).substr(at).starts_with(package_);
    if (end - at >= 3 && !is_package) {
      const auto found = lower_.find(lower.substr(at, end - at));
      if (found != lower_.end()) out |= found->second;
    }
    at = std::max(end, at + 1);
  }
  return out;
}

NameBits Names::at_start(std::string_view line) const {
  const auto begin = std::find_if(line.begin(), line.end(), is_name_char);
  line.remove_prefix(static_cast<std::size_t>(begin - line.begin()));
  std::size_t end = 0;
  // "options.name": the last counts.
  while (end < line.size() && (is_name_char(line[end]) || line[end] == '.')) ++end;
  const std::string_view whole = line.substr(0, end);
  return find(whole.substr(whole.rfind('.') + 1));
}

bool Names::imports(std::string_view code) const {
  if (package_.empty()) return false;
  for (std::size_t at = code.find(package_); at != std::string_view::npos;
       at = code.find(package_, at + 1)) {
    const char before = at == 0 ? ' ' : code[at - 1];
    const std::size_t end = at + package_.size();
    const char next = end == code.size() ? ' ' : code[end];
    if ((before == '"' || before == '\'') && (next == '"' || next == '\'' || next == '/')) {
      return true;
    }
  }
  return false;
}

Tone tone_of(std::string_view text) {
  const std::string lower = lower_ascii(text);
  if (says_breaking(lower) || says_needs(lower)) return Tone::breaking;
  if (says_noise(lower)) return Tone::noise;
  return says_removed(lower) ? Tone::hint : Tone::plain;
}

Tone readme_tone_of(std::string_view text) {
  const std::string lower = lower_ascii(text);
  if (says_breaking(lower) || says_needs(lower)) return Tone::breaking;
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
  return says_noise(lower) || has_any(lower, {"internal", "polish", "contributors", "build"})
             ? Tone::noise
             : Tone::plain;
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
  if (has_any(lower, {"licen",
                      "contribut",
                      "sponsor",
                      "backer",
                      "author",
                      "credit",
                      "support us",
                      "table of contents",
                      "maintainer",
                      "donat",
                      "code of conduct",
                      "benchmark",
                      "performance",
                      "badge",
                      "acknowledg",
                      "who uses",
                      "community",
                      "team",
                      "enterprise",
                      "related",
                      "plugins",
                      "alternativ",
                      "comparison",
                      "companies",
                      "versioning",
                      "test",
                      "todo",
                      "issue",
                      "building",
                      "development",
                      "security"})) {
    return Topic::aside;
  }
  if (has_any(lower, {"usage",
                      "use",
                      "using",
                      "quick",
                      "getting started",
                      "start",
                      "install",
                      "api",
                      "example",
                      "option",
                      "reference",
                      "method",
                      "how to",
                      "import",
                      "require",
                      "config",
                      "esm",
                      "commonjs",
                      "typescript",
                      "\xE4\xBD\xBF\xE7\x94\xA8",
                      "\xE7\x94\xA8\xE6\xB3\x95"})) {
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
