#include "npm/registry/url.h"

#include <algorithm>

#include "base/base/text.h"
#include "npm/registry/name.h"

namespace cg::registry {

namespace {

constexpr std::size_t kMaxUrl = 2048;

bool is_host_byte(char c) {
  const bool alnum = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  return alnum || c == '-' || c == '.' || c == '_';
}

/// A name, an IPv4 address, or an IPv6 one in brackets. In lower case.
bool is_host(std::string_view host) {
  if (!host.starts_with('[')) {
    return !host.empty() && std::all_of(host.begin(), host.end(), is_host_byte);
  }
  return host.size() > 2 && host.ends_with(']') &&
         host.find_first_not_of("0123456789abcdef:.", 1) == host.size() - 1;
}

bool is_path_byte(char c) {
  return c > ' ' && c < '\x7f' &&
         std::string_view("?#\\\"<>^`{|}").find(c) == std::string_view::npos;
}

struct Authority {
  std::string host;
  std::string port;  // with its colon; empty if it is the scheme's own
};

std::optional<Authority> parse_authority(std::string_view text, std::string_view own_port) {
  const std::string lower = lower_ascii(text);
  const std::size_t colon = lower.rfind(':');
  const bool has_port = colon != std::string::npos && lower.find(']', colon) == std::string::npos;
  Authority authority{lower.substr(0, has_port ? colon : std::string::npos), {}};
  if (has_port) {
    const std::string port = lower.substr(colon + 1);
    if (!parse_port(port)) return std::nullopt;
    if (port != own_port) authority.port = ":" + port;
  }
  if (!is_host(authority.host)) return std::nullopt;
  return authority;
}

}  // namespace

std::optional<RegistryUrl> RegistryUrl::parse(std::string_view text) {
  text = trim(text);
  if (text.size() > kMaxUrl) return std::nullopt;
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string scheme = lower_ascii(text.substr(0, colon));
  if (scheme != "https" && scheme != "http") return std::nullopt;
  text.remove_prefix(colon + 3);
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto authority = parse_authority(text.substr(0, slash), scheme == "https" ? "443" : "80");
  if (!authority) return std::nullopt;
  std::string_view path = text.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (!std::all_of(path.begin(), path.end(), is_path_byte)) return std::nullopt;
  std::string whole = scheme + "://" + authority->host + authority->port;
  whole += path;
  return RegistryUrl(whole + "/");
}

std::string packument_url(const RegistryUrl& registry, std::string_view name) {
  return registry.str() + path_of(name);
}

std::string tarball_url(const RegistryUrl& registry, std::string_view name,
                        std::string_view version) {
  std::string url = registry.str();
  url += name;
  url += "/-/";
  url += base_of(name);
  url += '-';
  url += version;
  return url + ".tgz";
}

}  // namespace cg::registry
