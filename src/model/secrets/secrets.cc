#include "model/secrets/secrets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/base/bytes.h"

namespace cg::secrets {

namespace {

constexpr int kMaxUnfolds = 4;             // escapes inside escapes
constexpr int kMaxScrubs = 8;              // of scrub()
constexpr int kDepth = 2;                  // base64 inside base64
constexpr std::size_t kLeastRun = 20;      // 15 bytes: no key is shorter
constexpr std::size_t kMaxFound = 10'000;  // more are one: all of the text

/// A text in which escapes were resolved, and where each character came from.
struct Form {
  std::string text;
  std::vector<std::uint32_t> begin;  // of each character
  std::vector<std::uint32_t> end;

  void add(char c, std::size_t from, std::size_t to) {
    text += c;
    begin.push_back(static_cast<std::uint32_t>(from));
    end.push_back(static_cast<std::uint32_t>(to));
  }
};

int hex_of(char c) { return c >= 'A' && c <= 'F' ? c - 'A' + 10 : hex_digit(c); }

/// What an escape stands for and how long it is. No character: it stands for nothing.
struct Escape {
  std::optional<char> c;
  std::size_t size = 0;  // 0: there is none here
};

std::optional<char> plain(unsigned value) {
  return value >= 0x20 && value < 0x7f ? std::optional(static_cast<char>(value)) : std::nullopt;
}

/// `digits` hexadecimal digits behind `skip` characters.
Escape hexadecimal(std::string_view text, std::size_t skip, std::size_t digits) {
  if (text.size() < skip + digits) return {};
  unsigned value = 0;
  for (const char c : text.substr(skip, digits)) {
    if (hex_of(c) < 0) return {};
    value = value * 16 + static_cast<unsigned>(hex_of(c));
  }
  return plain(value) ? Escape{plain(value), skip + digits} : Escape{};
}

/// &#115; or &#x73;
Escape entity(std::string_view text) {
  if (!text.starts_with("&#")) return {};
  const bool hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const std::size_t start = hex ? 3 : 2;
  unsigned value = 0;
  std::size_t at = start;
  for (; at < text.size() && at < start + 7; ++at) {
    const int digit = hex ? hex_of(text[at]) : (hex_of(text[at]) < 10 ? hex_of(text[at]) : -1);
    if (digit < 0) break;
    value = value * (hex ? 16U : 10U) + static_cast<unsigned>(digit);
  }
  if (at == start || !plain(value)) return {};
  return {plain(value), at < text.size() && text[at] == ';' ? at + 1 : at};
}

Escape backslash(std::string_view text) {
  if (text.size() < 2) return {};
  const char c = text[1];
  if (c == 'u') return hexadecimal(text, 2, 4);
  if (c == 'x') return hexadecimal(text, 2, 2);
  if (c == '"' || c == '\'' || c == '/' || c == '\\') return {c, 2};
  return {};
}

/// Soft hyphen, zero-width characters, joiners, byte order mark, variation selectors.
std::size_t invisible(std::string_view text) {
  constexpr std::array<std::string_view, 9> kInvisible = {
      "\xc2\xad",     "\xe2\x80\x8b", "\xe2\x80\x8c", "\xe2\x80\x8d", "\xe2\x80\x8e",
      "\xe2\x80\x8f", "\xe2\x81\xa0", "\xef\xbb\xbf", "\xef\xb8\x8f"};
  for (const std::string_view one : kInvisible) {
    if (text.starts_with(one)) return one.size();
  }
  return 0;
}

Escape escape_at(std::string_view text) {
  switch (text.front()) {
    case '\\':
      return backslash(text);
    case '%':
      return hexadecimal(text, 1, 2);
    case '&':
      return entity(text);
    case '\xc2':
    case '\xe2':
    case '\xef':
      return {std::nullopt, invisible(text)};
    default:
      return {};
  }
}

/// One level of escapes less; nothing if there is none.
std::optional<Form> unfold(const Form& form) {
  const std::string_view text = form.text;
  Form out;
  bool changed = false;
  for (std::size_t at = 0; at < text.size();) {
    const Escape escape = escape_at(text.substr(at));
    const std::size_t size = std::max<std::size_t>(escape.size, 1);
    changed = changed || escape.size != 0;
    if (escape.size == 0 || escape.c) {
      out.add(escape.c.value_or(text[at]), form.begin[at], form.end[at + size - 1]);
    }
    at += size;
  }
  return changed ? std::optional(std::move(out)) : std::nullopt;
}

/// Most texts have none, and a form costs more than the look.
bool has_escape(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (escape_at(text.substr(at)).size != 0) return true;
  }
  return false;
}

std::optional<Form> unfolded(std::string_view text) {
  if (!has_escape(text)) return std::nullopt;
  Form same;
  for (std::size_t i = 0; i < text.size(); ++i) same.add(text[i], i, i + 1);
  return unfold(same);
}

int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

std::string from_sextets(std::string_view run) {
  std::string out;
  out.reserve(run.size() * 3 / 4 + 1);
  unsigned bits = 0;
  unsigned held = 0;
  for (const char c : run) {
    held = held << 6U | static_cast<unsigned>(sextet(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(held >> bits & 0xffU);
  }
  return out;
}

std::string from_nibbles(std::string_view run) {
  std::string out;
  for (std::size_t i = 0; i + 1 < run.size(); i += 2) {
    out += static_cast<char>(hex_of(run[i]) * 16 + hex_of(run[i + 1]));
  }
  return out;
}

struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Maximal runs of characters that `belongs` holds for, long enough to hide something.
template <class Belongs>
std::vector<Run> runs_of(std::string_view text, Belongs belongs) {
  std::vector<Run> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && belongs(text[end])) ++end;
    if (end - at >= kLeastRun) out.push_back({at, end});
    at = end + 1;
  }
  return out;
}

bool is_sextet(char c) { return sextet(c) >= 0; }
bool is_nibble(char c) { return hex_of(c) >= 0; }

bool carries(std::string_view text, int depth);

bool run_carries(std::string_view run, bool hex, int depth) {
  const std::size_t alignments = hex ? 2 : 4;
  for (std::size_t skip = 0; skip < alignments; ++skip) {
    const std::string_view rest = run.substr(skip);
    if (carries(hex ? from_nibbles(rest) : from_sextets(rest), depth - 1)) return true;
  }
  return false;
}

/// Runs of `text` that say a secret once they are decoded.
std::vector<Secret> encoded(std::string_view text, int depth) {
  std::vector<Secret> out;
  for (const bool hex : {false, true}) {
    for (const Run& run : hex ? runs_of(text, is_nibble) : runs_of(text, is_sextet)) {
      if (!run_carries(text.substr(run.begin, run.end - run.begin), hex, depth)) continue;
      std::size_t end = run.end;
      while (end < text.size() && text[end] == '=') ++end;
      out.push_back({run.begin, end, hex ? "hidden-in-hexadecimal" : "hidden-in-base64"});
    }
  }
  return out;
}

bool carries(std::string_view text, int depth) {
  if (!find_shapes(text).empty()) return true;
  if (depth > 0 && !encoded(text, depth).empty()) return true;
  std::optional<Form> form = unfolded(text);
  for (int i = 0; form && i < kMaxUnfolds; ++i) {
    if (!find_shapes(form->text).empty()) return true;
    form = unfold(*form);
  }
  return false;
}

std::vector<Secret> all_in(std::string_view text) {
  std::vector<Secret> found = find_shapes(text);
  for (const Secret& secret : encoded(text, kDepth)) found.push_back(secret);
  std::erase_if(found, [](const Secret& secret) { return secret.begin == secret.end; });
  return found;
}

std::vector<Secret> without_overlap(std::vector<Secret> found) {
  std::sort(found.begin(), found.end(), [](const Secret& a, const Secret& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<Secret> out;
  for (const Secret& secret : found) {
    if (out.empty() || secret.begin >= out.back().end) {
      out.push_back(secret);
    } else {
      out.back().end = std::max(out.back().end, secret.end);
    }
  }
  return out;
}

}  // namespace

std::vector<Secret> find_secrets(std::string_view text) {
  std::vector<Secret> found = all_in(text);
  std::optional<Form> form = unfolded(text);
  for (int i = 0; form && i < kMaxUnfolds; ++i) {
    for (const Secret& secret : all_in(form->text)) {
      found.push_back({form->begin[secret.begin], form->end[secret.end - 1], secret.rule});
    }
    form = unfold(*form);
  }
  std::vector<Secret> out = without_overlap(std::move(found));
  if (out.size() > kMaxFound) return {{0, text.size(), out.front().rule}};
  return out;
}

Redacted redact(std::string_view text, std::string (*mark)(std::string_view rule)) {
  const std::vector<Secret> found = find_secrets(text);
  Redacted out;
  std::size_t at = 0;
  for (const Secret& secret : found) {
    out.text += text.substr(at, secret.begin - at);
    out.text += mark(secret.rule);
    out.bytes += secret.end - secret.begin;
    out.rules.push_back(secret.rule);
    at = secret.end;
  }
  out.text += text.substr(at);
  out.found = found.size();
  std::sort(out.rules.begin(), out.rules.end());
  out.rules.erase(std::unique(out.rules.begin(), out.rules.end()), out.rules.end());
  if (out.found > 0) out.text = scrub(out.text);
  return out;
}

std::string scrub(std::string_view text) {
  std::string now(text);
  // What is left beside a mark may look different than before: again, until nothing is found.
  for (int round = 0; round < kMaxScrubs; ++round) {
    const std::vector<Secret> found = find_secrets(now);
    if (found.empty()) return now;
    std::string next;
    std::size_t at = 0;
    for (const Secret& secret : found) {
      next += now.substr(at, secret.begin - at);
      next += kFiltered;
      at = secret.end;
    }
    next += now.substr(at);
    now = std::move(next);
  }
  return std::string(kFiltered);
}

}  // namespace cg::secrets
