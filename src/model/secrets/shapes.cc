#include "model/secrets/shapes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <optional>

#include "base/base/text.h"

namespace cg::secrets {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
bool is_value_char(char c) {
  return is_key_char(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}
bool ends_url_value(char c) {
  return is_space(c) || is_quote(c) || c == '&' || c == '#' || c == '<' || c == '>' || c == '\\' ||
         c == ')';
}
/// A template, or what was filtered before.
bool opens_placeholder(char c) { return c == '$' || c == '{' || c == '<' || c == '['; }

/// Where the characters end that `belongs` holds for.
template <class Belongs>
std::size_t run_end(std::string_view text, std::size_t at, Belongs belongs) {
  while (at < text.size() && belongs(text[at])) ++at;
  return at;
}

/// Long enough, and not a word: words have no digits, and end sooner.
bool is_random(std::string_view value, std::size_t least) {
  if (value.size() < least) return false;
  return value.size() >= 32 || std::any_of(value.begin(), value.end(), is_digit);
}

using Secrets = std::vector<Secret>;

/// Something by which a credential may be known, in lower case. `judge` looks at one that
/// begins at `at` and says where to go on looking for the same: never again at what it read,
/// so that all of it stays linear.
struct Anchor {
  std::string_view text;
  std::string_view rule;
  std::size_t least;  // characters behind it
  std::size_t (*judge)(std::string_view text, std::size_t at, const Anchor& anchor, Secrets& out);
};

/// AKIA and its like: so many letters and digits behind it, and nothing more.
std::size_t judge_exact(std::string_view text, std::size_t at, const Anchor& anchor, Secrets& out) {
  const std::size_t tail = at + anchor.text.size();
  const std::size_t end = run_end(text, tail, is_alnum);
  const bool stands_alone =
      (at == 0 || !is_key_char(text[at - 1])) && (end == text.size() || !is_key_char(text[end]));
  if (stands_alone && end - tail == anchor.least) out.push_back({at, end, anchor.rule});
  return end;
}

std::size_t judge_prefix(std::string_view text, std::size_t at, const Anchor& anchor,
                         Secrets& out) {
  const std::size_t tail = at + anchor.text.size();
  // One that begins within a word is none (`task-`), but for the one that needs nothing more.
  if (anchor.least != 0 && at > 0 && is_alnum(text[at - 1])) return tail;
  const std::size_t end = run_end(text, tail, is_key_char);
  if (anchor.least == 0 || is_random(text.substr(tail, end - tail), anchor.least)) {
    out.push_back({at, end, anchor.rule});
  }
  return end;
}

/// eyJ….….…: three runs with points between.
std::size_t judge_web_token(std::string_view text, std::size_t at, const Anchor& anchor,
                            Secrets& out) {
  const auto belongs = [](char c) { return is_key_char(c) || c == '.'; };
  const std::size_t end = run_end(text, at, belongs);
  const std::string_view value = text.substr(at, end - at);
  const bool in_word = at > 0 && is_alnum(text[at - 1]);
  const bool dotted = std::count(value.begin(), value.end(), '.') >= 2;
  if (!in_word && dotted && value.size() >= anchor.least) out.push_back({at, end, anchor.rule});
  return end;
}

std::size_t judge_private_key(std::string_view text, std::size_t at, const Anchor& anchor,
                              Secrets& out) {
  constexpr std::string_view kEnd = "-----end ";
  const std::size_t name = at + anchor.text.size();
  if (text.substr(name, 40).find("private key") == text.npos) return name;
  const std::size_t last = std::min(text.find(kEnd, name), text.size());
  const std::size_t close = text.find("-----", std::min(last + kEnd.size(), text.size()));
  const std::size_t end = close == text.npos ? text.size() : close + 5;
  out.push_back({at, end, anchor.rule});
  return end;
}

std::size_t judge_bearer(std::string_view text, std::size_t at, const Anchor& anchor,
                         Secrets& out) {
  const std::size_t word = at + anchor.text.size();
  const std::size_t value = run_end(text, word, is_space);
  const std::size_t end = value == word ? value : run_end(text, value, is_value_char);
  if (!is_random(text.substr(value, end - value), anchor.least)) return value;
  out.push_back({value, end, anchor.rule});
  return end;
}

/// scheme://user:password@
std::size_t judge_user_info(std::string_view text, std::size_t at, const Anchor& anchor,
                            Secrets& out) {
  const auto belongs = [](char c) {
    return !is_space(c) && !is_quote(c) && c != '/' && c != '@' && c != ':' && c != '\\';
  };
  const std::size_t colon = run_end(text, at + anchor.text.size(), belongs);
  if (colon == text.size() || text[colon] != ':') return colon;
  const std::size_t end = run_end(text, colon + 1, belongs);
  const bool has_password = end > colon + 1 && end < text.size() && text[end] == '@';
  if (has_password && !opens_placeholder(text[colon + 1])) {
    out.push_back({colon + 1, end, anchor.rule});
  }
  return colon + 1;
}

/// ?name=value or &name=value, where the name may have more before it. `at` is at the `=`.
std::optional<Secret> in_url(std::string_view text, std::size_t name, std::size_t at) {
  std::size_t start = name;
  while (start > 0 && name - start < 64 && (is_key_char(text[start - 1]) || text[start - 1] == '.'))
    --start;
  if (start == 0 || (text[start - 1] != '?' && text[start - 1] != '&')) return std::nullopt;
  const std::size_t value = at + 1;
  const std::size_t end = run_end(text, value, [](char c) { return !ends_url_value(c); });
  if (end - value < 8 || opens_placeholder(text[value])) return std::nullopt;
  return Secret{value, end, "url-credential"};
}

constexpr std::size_t kLongest = 1024;  // value behind a name, so that all of it stays linear

/// What people choose themselves is shorter than what machines make, and has more than letters.
bool is_chosen(std::string_view value) {
  const auto is_odd = [](char c) {
    return is_digit(c) || std::string_view("!@#%^*+=?~|&").find(c) != std::string_view::npos;
  };
  return value.size() >= 8 && !opens_placeholder(value.front()) &&
         std::any_of(value.begin(), value.end(), is_odd);
}

/// name: "value", name='value', "name": "value". `at` is behind the name.
std::optional<Secret> in_quotes(std::string_view text, std::size_t at, const Anchor& anchor) {
  at = run_end(text, run_end(text, at, is_quote), is_space);
  if (at == text.size() || (text[at] != ':' && text[at] != '=')) return std::nullopt;
  at = run_end(text, at + 1, is_space);
  if (at == text.size() || !is_quote(text[at])) return std::nullopt;
  const bool chosen = anchor.least > 0;
  const char quote = text[at];
  const std::size_t end = run_end(text.substr(0, at + kLongest), at + 1, [&](char c) {
    return chosen ? c != quote && !is_space(c) : is_value_char(c);
  });
  if (end >= text.size() || text[end] != quote) return std::nullopt;
  const std::string_view value = text.substr(at + 1, end - at - 1);
  const bool counts = is_random(value, 16) || (chosen && is_chosen(value));
  if (!counts || opens_placeholder(value.front())) return std::nullopt;
  return Secret{at + 1, end, "named-credential"};
}

/// NAME=value as in a shell or a file of settings. `at` is at the `=`. Without quotes a value may
/// be the name of something: one has digits, letters, and is long.
std::optional<Secret> unquoted(std::string_view text, std::size_t at) {
  text = text.substr(0, at + kLongest);
  const std::size_t end = run_end(
      text, at + 1, [](char c) { return is_key_char(c) || c == '+' || c == '/' || c == '='; });
  const std::string_view value = text.substr(at + 1, end - at - 1);
  const bool mixed = std::any_of(value.begin(), value.end(), is_digit) &&
                     !std::all_of(value.begin(), value.end(), is_digit);
  const bool ends = end == text.size() || is_space(text[end]) || is_quote(text[end]) ||
                    text[end] == ';' || text[end] == ',' || text[end] == '\\';
  if (value.size() < 20 || !mixed || !ends) return std::nullopt;
  return Secret{at + 1, end, "named-credential"};
}

/// Behind `secret` in secretAccessKey, secret_key and their like.
std::size_t name_end(std::string_view text, std::size_t at) {
  for (const std::string_view more : {"accesskey", "_access_key", "-access-key", "_key", "-key",
                                      "key", "_value", "value", "_string", "string"}) {
    if (text.substr(at).starts_with(more)) return at + more.size();
  }
  return at;
}

std::size_t judge_name(std::string_view text, std::size_t at, const Anchor& anchor, Secrets& out) {
  const std::size_t end = name_end(text, at + anchor.text.size());
  const bool is_set = end < text.size() && text[end] == '=';
  std::optional<Secret> found = is_set ? in_url(text, at, end) : std::nullopt;
  if (!found && is_set) found = unquoted(text, end);
  if (!found) found = in_quotes(text, end, anchor);
  if (!found) return end;
  out.push_back(*found);
  return found->end;
}

constexpr Anchor kAnchors[] = {
    {"sk-ant-", "anthropic-key", 0, judge_prefix},
    {"sk-", "sk-key", 16, judge_prefix},
    {"claude_", "claude-token", 16, judge_prefix},
    {"ghp_", "github-token", 20, judge_prefix},
    {"gho_", "github-token", 20, judge_prefix},
    {"ghu_", "github-token", 20, judge_prefix},
    {"ghs_", "github-token", 20, judge_prefix},
    {"ghr_", "github-token", 20, judge_prefix},
    {"github_pat_", "github-token", 20, judge_prefix},
    {"npm_", "npm-token", 30, judge_prefix},
    {"glpat-", "gitlab-token", 16, judge_prefix},
    {"glrt-", "gitlab-token", 16, judge_prefix},
    {"xoxa-", "slack-token", 16, judge_prefix},
    {"xoxb-", "slack-token", 16, judge_prefix},
    {"xoxp-", "slack-token", 16, judge_prefix},
    {"xoxr-", "slack-token", 16, judge_prefix},
    {"xoxs-", "slack-token", 16, judge_prefix},
    {"xapp-", "slack-token", 16, judge_prefix},
    {"sk_live_", "payment-key", 16, judge_prefix},
    {"sk_test_", "payment-key", 16, judge_prefix},
    {"rk_live_", "payment-key", 16, judge_prefix},
    {"whsec_", "payment-key", 20, judge_prefix},
    {"shpat_", "shop-token", 20, judge_prefix},
    {"dop_v1_", "cloud-token", 30, judge_prefix},
    {"hf_", "model-hub-token", 30, judge_prefix},
    {"pypi-", "pypi-token", 30, judge_prefix},
    {"ya29.", "google-token", 30, judge_prefix},
    {"sg.", "mail-key", 60, judge_web_token},
    {"akia", "aws-key", 16, judge_prefix},
    {"asia", "aws-key", 16, judge_exact},
    {"aiza", "google-key", 30, judge_prefix},
    {"eyj", "web-token", 40, judge_web_token},
    {"-----begin ", "private-key", 0, judge_private_key},
    {"bearer", "bearer", 16, judge_bearer},
    {"basic", "bearer", 16, judge_bearer},
    {"://", "url-password", 0, judge_user_info},
    {"api_key", "", 0, judge_name},
    {"apikey", "", 0, judge_name},
    {"api-key", "", 0, judge_name},
    {"token", "", 0, judge_name},
    {"authorization", "", 0, judge_name},
    {"access_key", "", 0, judge_name},
    {"accesskey", "", 0, judge_name},
    {"private_key", "", 0, judge_name},
    {"privatekey", "", 0, judge_name},
    {"signature", "", 0, judge_name},
    // With a number: values that people choose count too.
    {"secret", "", 8, judge_name},
    {"password", "", 8, judge_name},
    {"passwd", "", 8, judge_name},
    {"passphrase", "", 8, judge_name},
};
constexpr std::size_t kCount = std::size(kAnchors);

/// Which anchors begin with a byte.
constexpr std::array<std::uint64_t, 256> kByFirst = [] {
  std::array<std::uint64_t, 256> out{};
  for (std::size_t i = 0; i < kCount; ++i) {
    out[static_cast<unsigned char>(kAnchors[i].text.front())] |= std::uint64_t{1} << i;
  }
  return out;
}();
static_assert(kCount <= 64);

}  // namespace

bool is_key_char(char c) { return is_alnum(c) || c == '-' || c == '_'; }

std::vector<Secret> find_shapes(std::string_view text) {
  const std::string lower = lower_ascii(text);
  const std::string_view view = lower;
  std::array<std::size_t, kCount> resume{};
  Secrets out;
  for (std::size_t at = 0; at < view.size(); ++at) {
    std::uint64_t candidates = kByFirst[static_cast<unsigned char>(view[at])];
    for (; candidates != 0; candidates &= candidates - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(candidates));
      const Anchor& anchor = kAnchors[i];
      if (at < resume[i] || !view.substr(at).starts_with(anchor.text)) continue;
      resume[i] = anchor.judge(view, at, anchor, out);
    }
  }
  return out;
}

bool is_secret_name(std::string_view name) {
  std::string bare = lower_ascii(name);
  std::erase_if(bare, [](char c) { return c == '-' || c == '_' || c == ' ' || c == '.'; });
  for (const std::string_view part : {"apikey", "password", "passwd", "secret", "privatekey"}) {
    if (bare.find(part) != bare.npos) return true;
  }
  return bare.ends_with("token") || bare == "authorization" || bare == "proxyauthorization" ||
         bare == "cookie" || bare == "setcookie";
}

}  // namespace cg::secrets
