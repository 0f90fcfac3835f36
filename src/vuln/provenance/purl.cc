#include "vuln/provenance/purl.h"

#include <algorithm>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::provenance {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_type(std::string_view type) {
  return !type.empty() && is_letter(type[0]) && std::all_of(type.begin(), type.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '-';
  });
}

bool is_key(std::string_view key) {
  return !key.empty() && is_letter(key[0]) && std::all_of(key.begin(), key.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '_';
  });
}

Failure<PurlError> wrong(std::string_view what) { return fail(PurlError{std::string(what)}); }

Result<std::string, PurlError> decode(std::string_view text) {
  auto out = percent_decoded(text);
  if (!out) return wrong("a % without two hexadecimal digits behind it");
  if (!is_utf8(*out)) return wrong("not UTF-8");
  return *std::move(out);
}

/// Parts between slashes, decoded one by one; empty ones do not count.
Result<std::string, PurlError> decode_path(std::string_view text, std::string_view what) {
  std::string out;
  for (const std::string_view part : split(text, '/')) {
    if (part.empty()) continue;
    CG_TRY_ASSIGN(const std::string decoded, decode(part));
    if (decoded.find('/') != std::string::npos) return wrong(std::string(what) + " hides a slash");
    if (!out.empty()) out += '/';
    out += decoded;
  }
  return out;
}

bool has_dots(std::string_view path) {
  const auto parts = split(path, '/');
  return std::any_of(parts.begin(), parts.end(),
                     [](std::string_view part) { return part == "." || part == ".."; });
}

/// Cuts what stands behind the last `mark` off `text` and gives it.
std::string_view cut_last(std::string_view& text, char mark) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view behind = text.substr(at + 1);
  text = text.substr(0, at);
  return behind;
}

Result<Done, PurlError> sort_qualifiers(Purl& purl) {
  auto& all = purl.qualifiers;
  for (auto& [key, value] : all) {
    if (!is_key(key)) return wrong("a qualifier whose key is not allowed");
    key = lower_ascii(key);
  }
  std::erase_if(all, [](const auto& each) { return each.second.empty(); });
  std::sort(all.begin(), all.end());
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::adjacent_find(all.begin(), all.end(), same) != all.end()) {
    return wrong("two qualifiers with the same key");
  }
  return Done{};
}

Result<Done, PurlError> read_qualifiers(std::string_view text, Purl& purl) {
  if (text.empty()) return Done{};
  for (const std::string_view pair : split(text, '&')) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return wrong("a qualifier without a value");
    CG_TRY_ASSIGN(std::string value, decode(pair.substr(equals + 1)));
    purl.qualifiers.emplace_back(std::string(pair.substr(0, equals)), std::move(value));
  }
  return sort_qualifiers(purl);
}

}  // namespace

Result<Purl, PurlError> parse_purl(std::string_view text) {
  constexpr std::string_view kScheme = "pkg:";
  if (text.size() > kMaxPurl) return wrong("too long");
  if (lower_ascii(text.substr(0, kScheme.size())) != kScheme)
    return wrong("does not begin with pkg:");
  text.remove_prefix(kScheme.size());
  Purl purl;
  CG_TRY_ASSIGN(purl.subpath, decode_path(cut_last(text, '#'), "the subpath"));
  if (has_dots(purl.subpath)) return wrong("the subpath has . or .. in it");
  CG_TRY(read_qualifiers(cut_last(text, '?'), purl));
  while (text.starts_with('/')) text.remove_prefix(1);
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return wrong("no type");
  if (!is_type(text.substr(0, slash))) return wrong("a type that is not allowed");
  purl.type = lower_ascii(text.substr(0, slash));
  text.remove_prefix(slash + 1);
  while (text.ends_with('/')) text.remove_suffix(1);
  // An @ with a slash behind it begins a scope that somebody did not encode.
  const std::size_t at = text.rfind('@');
  if (at != std::string_view::npos && text.find('/', at) == std::string_view::npos) {
    CG_TRY_ASSIGN(purl.version, decode(cut_last(text, '@')));
  }
  const std::size_t last = text.rfind('/');
  CG_TRY_ASSIGN(purl.name, decode(last == std::string_view::npos ? text : text.substr(last + 1)));
  if (purl.name.empty()) return wrong("no name");
  if (last != std::string_view::npos) {
    CG_TRY_ASSIGN(purl.space, decode_path(text.substr(0, last), "the namespace"));
  }
  return purl;
}

std::optional<std::string> npm_name(const Purl& purl) {
  if (purl.type != "npm") return std::nullopt;
  return purl.space.empty() ? purl.name : purl.space + "/" + purl.name;
}

}  // namespace cg::provenance
