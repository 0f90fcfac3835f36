#include "npm/notes/versions.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/base/text.h"

namespace cg::notes {

namespace {

constexpr std::size_t kMaxTitle = 300;  // bytes that are looked at
constexpr std::size_t kMaxTokens = 16;
constexpr std::uint64_t kFirstYear = 1900;

bool is_number_char(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_foreign(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_token_char(char c) {
  return is_number_char(c) || is_letter(c) ||
         std::string_view(".-+_@/*").find(c) != std::string_view::npos;
}

struct Token {
  std::string_view text;
  std::string_view gap;  // what stands between it and the next one
};

std::string_view without_ends(std::string_view token) {
  constexpr std::string_view kEnds = ".-+_/*";
  while (!token.empty() && kEnds.find(token.back()) != std::string_view::npos) {
    token.remove_suffix(1);
  }
  while (!token.empty() && kEnds.find(token.front()) != std::string_view::npos) {
    token.remove_prefix(1);
  }
  return token;
}

/// Without tags and addresses of links. What is not ASCII is a token of its own.
std::vector<Token> tokens_of(std::string_view title) {
  title = cut_utf8(title, kMaxTitle);
  std::vector<Token> out;
  std::size_t at = 0;
  std::size_t gap = 0;
  while (at < title.size() && out.size() < kMaxTokens) {
    std::size_t end = at;
    if (title[at] == '<' && title.find('>', at) != std::string_view::npos) {
      at = title.find('>', at) + 1;
      continue;
    }
    if (title.substr(at).starts_with("](") && title.find(')', at) != std::string_view::npos) {
      at = title.find(')', at) + 1;
      continue;
    }
    while (end < title.size() && is_foreign(title[end])) ++end;
    if (end == at) {
      while (end < title.size() && is_token_char(title[end])) ++end;
    }
    if (end == at) {
      ++at;
      continue;
    }
    if (without_ends(title.substr(at, end - at)).empty()) {  // a dash
      at = end;
      continue;
    }
    if (!out.empty()) out.back().gap = title.substr(gap, at - gap);
    out.push_back({title.substr(at, end - at), title.substr(end)});
    at = gap = end;
  }
  return out;
}

/// A version as people write it.
struct Spelled {
  std::array<std::uint64_t, 3> numbers{};
  std::size_t parts = 0;
  bool has_v = false;
  bool is_wild = false;   // "4.x"
  std::string_view rest;  // "-beta.1"
};

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_number_char(text[end])) ++end;
  return end - at;
}

std::optional<Spelled> spelled(std::string_view token) {
  token = without_ends(token);
  token = token.substr(0, token.find('/'));
  Spelled out;
  for (const std::string_view mark : {"version", "ver.", "ver", "v.", "v"}) {
    if (lower_ascii(token.substr(0, mark.size())) != mark) continue;
    token.remove_prefix(mark.size());
    if (token.starts_with('_') || token.starts_with('-')) token.remove_prefix(1);
    out.has_v = true;
    break;
  }
  std::size_t at = 0;
  while (out.parts < 4) {
    const std::size_t digits = digits_at(token, at);
    const bool is_wild = digits == 0 && out.parts > 0 && at < token.size() &&
                         (token[at] == 'x' || token[at] == 'X' || token[at] == '*');
    if ((digits == 0 && !is_wild) || digits > 9) return std::nullopt;
    std::uint64_t number = 0;
    for (const char c : token.substr(at, digits)) {
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (!is_wild && !out.is_wild && out.parts < 3) out.numbers.at(out.parts++) = number;
    out.is_wild = out.is_wild || is_wild;
    at += is_wild ? 1 : digits;
    if (at + 1 >= token.size() || token[at] != '.' || out.is_wild) break;
    if (!is_number_char(token[at + 1]) && token[at + 1] != 'x' && token[at + 1] != 'X' &&
        token[at + 1] != '*') {
      break;
    }
    if (out.parts == 3) break;  // 1.2.3.4: the first three say enough
    ++at;
  }
  out.rest = token.substr(std::min(at, token.size()));
  if (out.rest.starts_with('.')) out.rest = {};
  if (out.parts == 1 && !out.rest.empty() && !out.is_wild) return std::nullopt;  // "3d", "2021-01"
  return out;
}

bool is_date(std::string_view token) {
  std::size_t numbers = 0;
  bool has_year = false;
  for (std::size_t at = 0; at < token.size();) {
    const std::size_t digits = digits_at(token, at);
    if (digits == 0 || digits > 4) return false;
    has_year = has_year || digits == 4;
    ++numbers;
    at += digits;
    if (at < token.size() && std::string_view("-./").find(token[at]) == std::string_view::npos) {
      return false;
    }
    ++at;
  }
  return has_year ? numbers >= 1 : numbers == 3 && token.find('.') == std::string_view::npos;
}

std::optional<semver::Version> version_of(const Spelled& what, std::string_view rest) {
  std::string text;
  for (const std::uint64_t number : what.numbers) {
    if (!text.empty()) text += '.';
    text += std::to_string(number);
  }
  semver::Options loose;
  loose.loose = true;
  if (auto version = semver::Version::parse(text + std::string(rest), loose)) return *version;
  if (auto version = semver::Version::parse(text)) return *version;
  return std::nullopt;
}

std::optional<Span> span_of(const Spelled& what) {
  auto first = version_of(what, what.rest);
  if (!first) return std::nullopt;
  if (!what.is_wild) return Span{*first, *first};
  Spelled highest = what;
  for (std::size_t i = what.parts; i < highest.numbers.size(); ++i) {
    highest.numbers.at(i) = semver::kMaxNumber;
  }
  auto last = version_of(highest, "");
  if (!last) return std::nullopt;
  return Span{*first, *last};
}

bool is_year(const Spelled& what, const Wanted& wanted) {
  return what.numbers[0] >= kFirstYear && wanted.to.major() < kFirstYear;
}

template <std::size_t N>
bool is_among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool says_version(std::string_view word) {
  static constexpr std::array<std::string_view, 6> kWords = {
      "version", "ver", "v", "release", "released", "\xE7\x89\x88\xE6\x9C\xAC"};
  return is_among(word, kWords);
}

bool is_package(std::string_view word, const Wanted& wanted) {
  const std::string package = lower_ascii(wanted.package);
  return word == package || word == std::string_view(package).substr(package.rfind('/') + 1);
}

/// A word that may stand before the version of a section.
bool is_filler(std::string_view word, const Wanted& wanted) {
  static constexpr std::array<std::string_view, 34> kWords = {
      "changes", "changelog", "change", "log", "in",   "for",   "of",    "new",   "what",
      "whats",   "s",         "notes",  "the", "note", "major", "minor", "patch", "stable",
      "final",   "released",  "jan",    "feb", "mar",  "apr",   "may",   "jun",   "jul",
      "aug",     "sep",       "oct",    "nov", "dec",  "since", "on"};
  if (word.empty() || is_foreign(word.front()) || says_version(word)) return true;
  if (is_among(word, kWords) || is_date(word)) return true;
  static constexpr std::array<std::string_view, 12> kMonths = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  if (is_among(word, kMonths)) return true;
  const std::size_t digits = digits_at(word, 0);
  const std::string_view end = word.substr(digits);
  if (digits > 0 && digits <= 4 &&
      (end.empty() || end == "st" || end == "nd" || end == "rd" || end == "th")) {
    return true;
  }
  return is_package(word, wanted);
}

bool is_unreleased(std::string_view word) {
  static constexpr std::array<std::string_view, 7> kWords = {
      "unreleased",
      "head",
      "next",
      "master",
      "main",
      "upcoming",
      "\xE6\x9C\xAA\xE5\x8F\x91\xE5\xB8\x83"};
  return is_among(word, kWords);
}

std::string_view skip_name(std::string_view token) {
  const std::size_t at = token.rfind('@');
  return at == std::string_view::npos ? token : token.substr(at + 1);
}

/// "package@4.0.0" of another package.
bool is_other_package(std::string_view token, const Wanted& wanted) {
  const std::size_t at = token.rfind('@');
  if (at == std::string_view::npos || at == 0) return false;
  return lower_ascii(token.substr(0, at)) != lower_ascii(wanted.package);
}

/// `title` of a tag that only names the place.
std::string_view anchor_of(std::string_view title) {
  if (!title.starts_with("<a ")) return title;
  std::size_t at = title.find("name=");
  if (at == std::string_view::npos) at = title.find("id=");
  if (at == std::string_view::npos) return title;
  at = title.find('=', at) + 1;
  const std::string_view value = title.substr(at, title.find('>', at) - at);
  return value.starts_with('"') || value.starts_with('\'') ? value.substr(1) : value;
}

}  // namespace

std::optional<Release> release_of(std::string_view title, const Wanted& wanted) {
  const std::vector<Token> tokens = tokens_of(anchor_of(title));
  bool after_version = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i].text;
    const std::string word = lower_ascii(without_ends(token));
    const auto what = spelled(skip_name(token));
    const bool is_plain = what && what->parts == 1 && !what->has_v && !what->is_wild;
    const bool is_only =
        i == 0 && (tokens.size() == 1 || tokens[0].gap.find('(') != std::string_view::npos);
    if (what && !is_year(*what, wanted) && (!is_plain || after_version || is_only)) {
      if (is_other_package(token, wanted)) return Release{};
      auto span = span_of(*what);
      // "4.0.0 - 4.0.3", "3.4.1 / 3.4.2"
      const auto second = i + 1 < tokens.size() ? spelled(tokens[i + 1].text) : std::nullopt;
      if (span && second && second->parts >= 2 && !is_date(tokens[i + 1].text)) {
        if (const auto more = span_of(*second); more && more->last > span->last) {
          span->last = more->last;
        }
      }
      return Release{std::move(span)};
    }
    if (is_unreleased(word) && i <= 1) return Release{};
    if (!is_filler(word, wanted)) return std::nullopt;
    after_version = says_version(word) || is_package(word, wanted);
  }
  return std::nullopt;
}

bool is_release_line(std::string_view line) {
  static const Wanted kAny = {
      "", *semver::Version::parse("0.0.0"), *semver::Version::parse("0.0.0"), {}};
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (indent > 3) return false;
  line.remove_prefix(indent);
  if (line.starts_with("<a ")) {
    return line.size() < kMaxTitle && trim(line).ends_with("</a>") && anchor_of(line) != line &&
           release_of(line, kAny).has_value();
  }
  for (const std::string_view mark : {"* ", "- ", "+ "}) {
    if (line.starts_with(mark)) line.remove_prefix(mark.size());
  }
  const std::size_t start = std::min(line.find_first_not_of("*_[` "), line.size());
  if (start > 4) return false;
  line.remove_prefix(start);
  if (line.empty() || line.size() > kMaxTitle || is_foreign(line[0])) return false;
  const std::vector<Token> tokens = tokens_of(line);
  std::size_t at = 0;
  if (!tokens.empty() && says_version(lower_ascii(tokens[0].text))) at = 1;
  if (at >= tokens.size()) return false;
  const auto what = spelled(tokens[at].text);
  if (!what || what->is_wild || what->numbers[0] >= kFirstYear) return false;
  if (what->parts < (what->has_v || at == 1 ? std::size_t{2} : std::size_t{3})) return false;
  if (tokens[at].gap.find(':') != std::string_view::npos) return true;
  for (std::size_t i = at + 1; i < tokens.size(); ++i) {
    if (!is_filler(lower_ascii(without_ends(tokens[i].text)), kAny)) return false;
  }
  return true;
}

bool is_between(const Span& span, const Wanted& wanted) {
  return span.last > wanted.from && span.first <= wanted.to;
}

Step step_of(const Span& span) {
  const semver::Version& version = span.first;
  if (version.patch() != 0) return Step::patch;
  return version.minor() == 0 || version.major() == 0 ? Step::major : Step::minor;
}

Course course_of(std::string_view title, const Wanted& wanted) {
  static constexpr std::array<std::string_view, 14> kOthers = {
      "node",  "node.js", "nodejs", "typescript", "npm",        "yarn", "ie",
      "react", "es",      "http",   "tls",        "ecmascript", "ts",   "python"};
  static constexpr std::array<std::string_view, 6> kSources = {"from",  "before",  "since",
                                                               "older", "leaving", "pre"};
  static constexpr std::array<std::string_view, 5> kTargets = {"to", "upgrade", "upgrading",
                                                               "guide", "migration"};
  std::string spaced(title.substr(0, kMaxTitle));
  for (char& c : spaced) {
    if (c == '_') c = ' ';
  }
  std::optional<Span> source;
  std::optional<Span> target;
  std::string before;
  for (const Token& token : tokens_of(spaced)) {
    std::string word = lower_ascii(without_ends(token.text));
    // "v3-to-v4" is one token; what it says is told apart by its dashes.
    for (const std::string_view part : split(std::string_view(word), '-')) {
      const auto what = spelled(skip_name(part));
      const bool is_told =
          what &&
          (what->parts > 1 || what->has_v || what->is_wild || says_version(before) ||
           is_among(std::string_view(before), kSources) ||
           is_among(std::string_view(before), kTargets) || before == lower_ascii(wanted.package) ||
           is_foreign(before.empty() ? 'a' : before[0]));
      if (is_told && !is_year(*what, wanted) && !is_among(std::string_view(before), kOthers)) {
        auto& place = is_among(std::string_view(before), kSources) ? source : target;
        if (const auto span = span_of(*what); span && (!place || span->first > place->first)) {
          place = span;
        }
        continue;  // "from version 3": what is said of the first of two words holds
      }
      if (!says_version(part) || !is_among(std::string_view(before), kSources)) before = part;
    }
  }
  if (target) {
    // A major that is written without what follows begins with its first release.
    return is_between({target->first, target->first}, wanted) ? Course::ours : Course::another;
  }
  if (!source) return Course::unsaid;
  const bool is_on_way = source->last >= wanted.from && source->first < wanted.to;
  const bool is_of_major =
      source->first.major() >= wanted.from.major() && source->first < wanted.to;
  return is_on_way || is_of_major ? Course::ours : Course::another;
}

}  // namespace cg::notes
