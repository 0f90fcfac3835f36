#include "vuln/formats/uri.h"

#include <algorithm>

#include "base/base/bytes.h"
#include "trust/hash/sha256.h"

namespace cg::formats {

namespace {

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Keeps RFC 3986's unreserved characters and those of `also`.
std::string percent_encoded(std::string_view text, std::string_view also) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_alphanumeric(c) || std::string_view("-._~").find(c) != std::string_view::npos ||
        also.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<Byte>(c);
    out += '%';
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xFU];
  }
  return out;
}

}  // namespace

std::string purl(std::string_view package, std::string_view version) {
  std::string out = "pkg:npm/";
  const std::size_t slash = package.find('/');
  if (package.starts_with('@') && slash != std::string_view::npos) {
    out += percent_encoded(package.substr(0, slash), ":") + "/";
    package.remove_prefix(slash + 1);
  }
  out += percent_encoded(package, ":");
  if (!version.empty()) out += "@" + percent_encoded(version, ":");
  return out;
}

std::string relative_uri(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  return percent_encoded(path, "/");
}

bool is_plain_https(std::string_view url) {
  constexpr std::string_view kScheme = "https://";
  constexpr std::size_t kMax = 1000;
  if (!url.starts_with(kScheme) || url.size() > kMax) return false;
  const std::string_view rest = url.substr(kScheme.size());
  const std::string_view host = rest.substr(0, rest.find_first_of("/?#"));
  const auto in_host = [](char c) { return is_alphanumeric(c) || c == '.' || c == '-'; };
  if (host.empty() || !std::all_of(host.begin(), host.end(), in_host)) return false;
  return std::all_of(rest.begin(), rest.end(), [](char c) {
    return is_alphanumeric(c) ||
           std::string_view("-._~/?#=&%+,;:@").find(c) != std::string_view::npos;
  });
}

std::string page(const findings::Finding& finding) {
  std::string first;
  for (const std::string& reference : finding.references) {
    if (!is_plain_https(reference)) continue;
    if (!finding.advisory.empty() && reference.find(finding.advisory) != std::string::npos) {
      return reference;
    }
    if (first.empty()) first = reference;
  }
  return first;
}

std::string urn_uuid(std::string_view content) {
  hash::Digest digest = hash::sha256(as_bytes(content));
  digest[6] = static_cast<Byte>((digest[6] & 0x0FU) | 0x80U);  // version 8
  digest[8] = static_cast<Byte>((digest[8] & 0x3FU) | 0x80U);  // the variant of RFC 9562
  const std::string hex = to_hex(digest);
  return "urn:uuid:" + hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" +
         hex.substr(16, 4) + "-" + hex.substr(20, 12);
}

}  // namespace cg::formats
