#include "fetch/net/url.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

#include "base/base/text.h"

namespace cg::net {

namespace {

constexpr std::size_t kMaxUrl = 4096;
constexpr std::size_t kMaxHost = 253;

bool is_hex(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

bool is_label(std::string_view label) {
  if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') {
    return false;
  }
  return std::all_of(label.begin(), label.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  });
}

bool is_ipv4(const std::string& host) {
  in_addr address{};
  std::array<char, INET_ADDRSTRLEN> written{};
  return inet_pton(AF_INET, host.c_str(), &address) == 1 &&
         inet_ntop(AF_INET, &address, written.data(), written.size()) != nullptr &&
         host == written.data();
}

bool is_ipv6(const std::string& host) {
  in6_addr address{};
  return inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

/// Resolvers read 0x7f.1 and 017700000001 as addresses; a name never ends in a number.
bool looks_numeric(std::string_view last_label) { return is_digit(last_label.front()); }

bool is_name(std::string_view host) {
  const std::vector<std::string_view> labels = split(host, '.');
  return std::all_of(labels.begin(), labels.end(), is_label) && !looks_numeric(labels.back());
}

bool is_host(const std::string& host) {
  if (host.empty() || host.size() > kMaxHost) return false;
  if (host.find(':') != std::string::npos) return is_ipv6(host);
  return is_name(host) || is_ipv4(host);
}

bool is_ipv6_loopback(const std::string& host) {
  in6_addr address{};
  return inet_pton(AF_INET6, host.c_str(), &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
}

std::uint16_t own_port(Scheme scheme) { return scheme == Scheme::https ? 443 : 80; }

struct HostPort {
  std::string_view host;
  std::optional<std::string_view> port;
};

/// "host", "host:port", "[v6]" or "[v6]:port".
std::optional<HostPort> split_authority(std::string_view text) {
  std::size_t end = text.find(':');
  std::string_view host = text.substr(0, end);
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) return std::nullopt;
    host = text.substr(1, bracket - 1);
    if (host.find(':') == std::string_view::npos) return std::nullopt;
    end = bracket + 1 == text.size() ? std::string_view::npos : bracket + 1;
    if (end != std::string_view::npos && text[end] != ':') return std::nullopt;
  }
  if (end == std::string_view::npos) return HostPort{host, std::nullopt};
  return HostPort{host, text.substr(end + 1)};
}

}  // namespace

std::string_view describe(UrlError error) {
  switch (error) {
    case UrlError::scheme:
      return "only https is fetched, and http from this machine itself";
    case UrlError::plain_http:
      return "http is only for hosts on loopback; use https";
    case UrlError::user_info:
      return "a URL must not hold a user name or password";
    case UrlError::host:
      return "the host is neither a name nor an address";
    case UrlError::port:
      return "the port is not between 1 and 65535";
    case UrlError::target:
      return "the path holds a character that must be percent-escaped";
    case UrlError::has_fragment:
      return "a URL to fetch has no fragment (#)";
    case UrlError::too_long:
      return "the URL has more than 4096 bytes";
  }
  std::abort();
}

Result<Origin, UrlError> Origin::parse(Scheme scheme, std::string_view host, std::uint16_t port) {
  std::string name(host);
  std::transform(name.begin(), name.end(), name.begin(), lower);
  if (!is_host(name)) return fail(UrlError::host);
  if (port == 0) return fail(UrlError::port);
  Origin origin(scheme, std::move(name), port);
  if (scheme == Scheme::http && !origin.is_loopback()) return fail(UrlError::plain_http);
  return origin;
}

bool Origin::is_loopback() const {
  if (host_ == "localhost" || host_.ends_with(".localhost")) return true;
  return (is_ipv4(host_) && host_.starts_with("127.")) || is_ipv6_loopback(host_);
}

bool Origin::is_address() const { return is_ipv4(host_) || is_ipv6(host_); }

std::string Origin::authority() const {
  std::string out = host_.find(':') == std::string::npos ? host_ : "[" + host_ + "]";
  if (port_ != own_port(scheme_)) out += ":" + std::to_string(port_);
  return out;
}

std::string Origin::str() const {
  return (scheme_ == Scheme::https ? "https://" : "http://") + authority();
}

Result<Target, UrlError> Target::parse(std::string_view text) {
  if (text.size() > kMaxUrl) return fail(UrlError::too_long);
  if (!text.starts_with('/')) return fail(UrlError::target);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') return fail(UrlError::has_fragment);
    constexpr std::string_view kForeign = "\"<>\\^`{|}";
    if (c <= ' ' || c > '~' || kForeign.find(c) != std::string_view::npos) {
      return fail(UrlError::target);
    }
    if (c != '%') continue;
    if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) {
      return fail(UrlError::target);
    }
  }
  return Target(text);
}

Result<Url, UrlError> Url::parse(std::string_view text) {
  if (text.size() > kMaxUrl) return fail(UrlError::too_long);
  Scheme scheme = Scheme::https;
  if (text.starts_with("https://")) {
    text.remove_prefix(8);
  } else if (text.starts_with("http://")) {
    scheme = Scheme::http;
    text.remove_prefix(7);
  } else {
    return fail(UrlError::scheme);
  }
  const std::size_t end = std::min(text.find_first_of("/?#"), text.size());
  const std::string_view authority = text.substr(0, end);
  if (authority.find('@') != std::string_view::npos) return fail(UrlError::user_info);
  const auto parts = split_authority(authority);
  if (!parts) return fail(UrlError::host);
  const auto port = parts->port ? parse_port(*parts->port) : own_port(scheme);
  if (!port) return fail(UrlError::port);
  CG_TRY_ASSIGN(Origin origin, Origin::parse(scheme, parts->host, *port));
  std::string rest(text.substr(end));
  if (!rest.starts_with('/')) rest.insert(0, "/");
  CG_TRY_ASSIGN(Target target, Target::parse(rest));
  return Url(std::move(origin), std::move(target));
}

}  // namespace cg::net
