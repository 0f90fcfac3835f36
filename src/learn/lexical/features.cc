#include "learn/lexical/features.h"

#include <algorithm>
#include <string>

#include "base/base/text.h"

namespace cg::lexical {

namespace {

enum class Kind : std::uint8_t { word = 1, gram = 2 };

// Words that more than one in twenty advisories has, or one in five of the sources that use a
// package, or three in ten of what versions have differently: what they say is little. Sorted.
constexpr std::string_view kCommonWords =
    "access add added advisory affected affects all allow allowing allows an and any api "
    "application arbitrary are args array as async at attack attacker attackers available "
    "await base be because been before boolean browser buffer but by bypass call callback can "
    "case catch cause changed class code com command comment compromised const constructor "
    "content control controlled could crafted create cross data declared default denial "
    "dependencies deprecated details different directory do does done due each else empty end "
    "engines environment err error escape example execute execution exp export exports "
    "expression extends false file files filter fix fixed for foreach found from fs function "
    "get github has have header host html http https id if impact import in index indexof "
    "information injection input installed instanceof intended interface into invalid is "
    "issue it its java javascript join js json key keys later lead length let lib lines local "
    "main malicious map match max may message method module more must name new next no node "
    "none not now npm null number object of on one only open option options opts or other "
    "outside own package packages parse patch patched patches path paths pollution possible "
    "prior private process promise property prototype push raw read recommendation references "
    "reg regexp remote remove removed replace request require resolve result resulting return "
    "running script scripting security server service set should site sites slice source "
    "speak str strict string such summary system test text texts that the there they this "
    "those through throw title to tostring traversal true try ts type typeof types undefined "
    "unknown update upgrade url use used user users using validation value var version "
    "versions via void vulnerability vulnerable was web what when where which while who will "
    "with without workarounds xss you your";

std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 32U;
  x *= 0xD6E8FEB86659FD93U;
  x ^= x >> 32U;
  x *= 0xD6E8FEB86659FD93U;
  return x ^ (x >> 32U);
}

std::uint64_t hash_of(Kind kind, std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U + static_cast<std::uint64_t>(kind);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return mixed(hash);
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Of a word: letters, digits, _ and $, and every byte that is not ASCII.
bool is_inner(char c) {
  return is_lower(c) || is_upper(c) || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80U;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool is_common(std::string_view word) {
  static const std::vector<std::string_view> words = split(kCommonWords, ' ');
  return word.size() < 2 || std::binary_search(words.begin(), words.end(), word);
}

/// Where the part of a name that begins at `from` ends: "parse" of "parseHTTPHeader2", then "HTTP",
/// "Header", "2".
std::size_t end_of_part(std::string_view name, std::size_t from) {
  std::size_t to = from + 1;
  if (is_digit(name[from])) {
    while (to < name.size() && is_digit(name[to])) ++to;
    return to;
  }
  if (is_upper(name[from]) && to < name.size() && is_upper(name[to])) {
    while (to < name.size() && is_upper(name[to])) ++to;
    return to < name.size() && is_lower(name[to]) ? to - 1 : to;
  }
  while (to < name.size() && !is_upper(name[to]) && !is_digit(name[to]) && name[to] != '_' &&
         name[to] != '$') {
    ++to;
  }
  return to;
}

class Collector {
 public:
  explicit Collector(const Kinds& kinds) : kinds_(kinds) {}

  void take(std::string_view name) {
    const std::string word = lowered(name);
    add_word(word, kinds_.word);
    if (is_common(word)) return;
    constexpr std::size_t kGram = 4;
    for (std::size_t i = 0; word.size() > kGram && i + kGram <= word.size(); ++i) {
      add(Kind::gram, std::string_view(word).substr(i, kGram), kinds_.gram);
    }
    for (std::size_t i = 0; i < name.size();) {
      if (name[i] == '_' || name[i] == '$') {
        ++i;
        continue;
      }
      const std::size_t end = end_of_part(name, i);
      if (end - i < name.size()) {
        add_word(lowered(name.substr(i, end - i)), kinds_.part);
      }
      i = end;
    }
  }
  [[nodiscard]] std::vector<Feature> finish() {
    // Each hash once; the weight of what occurs n times is its mean times the root of n.
    std::sort(all_.begin(), all_.end(),
              [](const Feature& a, const Feature& b) { return a.hash < b.hash; });
    std::vector<Feature> out;
    for (std::size_t i = 0; i < all_.size();) {
      std::int64_t sum = 0;
      std::size_t end = i;
      while (end < all_.size() && all_[end].hash == all_[i].hash) sum += all_[end++].weight;
      const std::uint64_t count = end - i;
      const auto damped = static_cast<std::int64_t>(root(count << 16U));  // 2^8 times the root
      out.push_back({all_[i].hash, sum * damped / static_cast<std::int64_t>(count)});
      i = end;
    }
    return out;
  }

 private:
  void add_word(const std::string& word, std::int32_t weight) {
    add(Kind::word, word, is_common(word) ? weight * kinds_.common / 4 : weight);
  }
  void add(Kind kind, std::string_view text, std::int32_t weight) {
    if (weight != 0) all_.push_back({hash_of(kind, text), weight});
  }
  const Kinds& kinds_;
  std::vector<Feature> all_;
};

}  // namespace

std::uint64_t root(std::uint64_t square) {
  std::uint64_t out = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31U; bit != 0; bit >>= 1U) {
    const std::uint64_t more = out | bit;
    if (more * more <= square) out = more;
  }
  return out;
}

std::vector<Feature> features_of(std::string_view text, const Kinds& kinds) {
  text = text.substr(0, kMaxText);
  Collector collector(kinds);
  for (std::size_t i = 0; i < text.size();) {
    if (!is_inner(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && end - i < kMaxWord && is_inner(text[end])) ++end;
    collector.take(text.substr(i, end - i));
    i = end;
  }
  return collector.finish();
}

}  // namespace cg::lexical
