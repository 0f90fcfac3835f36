#include "trust/sign/allowed_signers.h"

#include <algorithm>

#include "base/base/text.h"
#include "trust/sign/sshsig.h"

namespace cg::sign {

namespace {

constexpr std::size_t kMaxLines = 10'000;

/// Takes the next word; a quoted part may hold spaces, as in namespaces="a,b c".
std::string_view take_word(std::string_view& line) {
  bool quoted = false;
  std::size_t end = 0;
  for (; end < line.size(); ++end) {
    if (line[end] == '"') quoted = !quoted;
    if (!quoted && (line[end] == ' ' || line[end] == '\t')) break;
  }
  const std::string_view word = line.substr(0, end);
  line = trim(line.substr(end));
  return word;
}

/// A time as OpenSSH writes it: YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, then Z.
/// Without the Z it would be local time, which no two machines need agree on.
std::optional<Time> parse_time(std::string_view text) {
  if (!text.ends_with('Z')) return std::nullopt;
  std::string digits(text.substr(0, text.size() - 1));
  if (digits.size() != 8 && digits.size() != 12 && digits.size() != 14) return std::nullopt;
  digits.resize(14, '0');
  const auto part = [&](std::size_t at, std::size_t n) { return digits.substr(at, n); };
  return parse_iso(part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + "T" + part(8, 2) + ":" +
                   part(10, 2) + ":" + part(12, 2) + ".000Z");
}

/// OpenSSH patterns: `*` any run, `?` any one character.
bool matches(std::string_view text, std::string_view pattern) {
  std::size_t t = 0;
  std::size_t p = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++t;
      ++p;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool is_key_type(std::string_view word) {
  return word.starts_with("ssh-") || word.starts_with("ecdsa-") || word.starts_with("sk-");
}

/// Splits options at commas outside quotes and applies each; the error is words.
std::optional<std::string> apply_options(std::string_view options, AllowedSigner& signer) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : options) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      parts.emplace_back();
    } else if (c != '"') {
      parts.back() += c;
    }
  }
  for (const std::string& part : parts) {
    const std::size_t eq = part.find('=');
    const std::string name = part.substr(0, eq);
    const std::string value = eq == std::string::npos ? "" : part.substr(eq + 1);
    if (name == "namespaces") {
      for (const std::string_view pattern : split(value, ',')) {
        signer.name_spaces.emplace_back(pattern);
      }
    } else if (name == "valid-after" || name == "valid-before") {
      const std::optional<Time> time = parse_time(value);
      if (!time) return name + " needs a UTC time such as 20261115Z";
      (name == "valid-after" ? signer.valid_after : signer.valid_before) = time;
    } else {
      return "option " + printable(cut_utf8(name, 40)) + " is not supported";
    }
  }
  return std::nullopt;
}

}  // namespace

Result<AllowedSigners, AllowedSignersError> parse_allowed_signers(std::string_view text) {
  AllowedSigners out;
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    if (++number > kMaxLines) return fail(AllowedSignersError{number, "too many lines"});
    line = trim(line);
    if (line.empty() || line[0] == '#') continue;
    AllowedSigner signer;
    signer.principals = take_word(line);
    std::string_view type = take_word(line);
    if (!is_key_type(type)) {
      if (const auto wrong = apply_options(type, signer)) {
        return fail(AllowedSignersError{number, *wrong});
      }
      type = take_word(line);
    }
    if (!is_key_type(type))
      return fail(AllowedSignersError{number, "no key type where one belongs"});
    if (type != "ssh-ed25519") {
      ++out.other_key_types;
      continue;
    }
    const std::optional<PublicKey> key = parse_ssh_key_blob(take_word(line));
    if (!key) return fail(AllowedSignersError{number, "the key is damaged"});
    signer.key = *key;
    out.signers.push_back(std::move(signer));
  }
  return out;
}

std::optional<std::string> find_signer(const AllowedSigners& signers, const PublicKey& key,
                                       std::string_view name_space, Time when) {
  for (const AllowedSigner& s : signers.signers) {
    const bool purpose =
        s.name_spaces.empty() ||
        std::any_of(s.name_spaces.begin(), s.name_spaces.end(),
                    [&](const std::string& pattern) { return matches(name_space, pattern); });
    const bool in_time =
        (!s.valid_after || *s.valid_after <= when) && (!s.valid_before || when < *s.valid_before);
    if (s.key == key && purpose && in_time) return s.principals;
  }
  return std::nullopt;
}

}  // namespace cg::sign
