// Origin and Url: the only addresses that anything is fetched from.
//
// https, or http where the host is this machine itself. What a fetcher of
// packages has no use for is refused rather than understood: user names,
// fragments, other schemes, spaces, backslashes, half-written escapes.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/result.h"

namespace cg::net {

// Of ASCII alone, whatever the locale.
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

enum class UrlError {
  scheme,        // neither https nor http
  plain_http,    // http to a host that is not loopback
  user_info,     // user:password@ before the host
  host,          // not a DNS name, an IPv4 or a bracketed IPv6 address
  port,          // not 1 to 65535
  target,        // a character or escape that does not belong in path or query
  has_fragment,  // #…
  too_long,      // over 4096 bytes
};
[[nodiscard]] std::string_view describe(UrlError error);

enum class Scheme : std::uint8_t { https, http };

/// Scheme, host and port: what one pair of network processes serves.
///
/// The host is in lower case and without brackets. A name has at most 253 bytes of
/// letters, digits, '-', '_' and '.'; what looks like a number is a canonical
/// dotted quad, so that 0x7f.1 and 2130706433 are no addresses.
class Origin {
 public:
  [[nodiscard]] static Result<Origin, UrlError> parse(Scheme scheme, std::string_view host,
                                                      std::uint16_t port);

  [[nodiscard]] Scheme scheme() const { return scheme_; }
  [[nodiscard]] const std::string& host() const { return host_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// localhost, *.localhost, 127.0.0.0/8 or ::1.
  [[nodiscard]] bool is_loopback() const;
  /// An IPv4 or IPv6 address rather than a name.
  [[nodiscard]] bool is_address() const;
  /// As in the Host header: brackets for IPv6, the port unless it is the scheme's own.
  [[nodiscard]] std::string authority() const;
  [[nodiscard]] std::string str() const;  // https://host:port
  friend auto operator<=>(const Origin&, const Origin&) = default;

 private:
  Origin(Scheme scheme, std::string host, std::uint16_t port)
      : scheme_(scheme), host_(std::move(host)), port_(port) {}
  Scheme scheme_;
  std::string host_;
  std::uint16_t port_;
};

/// Path and query as they stand in a request line: starts with '/', visible ASCII,
/// every '%' followed by two hexadecimal digits.
class Target {
 public:
  [[nodiscard]] static Result<Target, UrlError> parse(std::string_view text);
  [[nodiscard]] const std::string& str() const { return text_; }
  friend auto operator<=>(const Target&, const Target&) = default;

 private:
  explicit Target(std::string_view text) : text_(text) {}
  std::string text_;
};

class Url {
 public:
  [[nodiscard]] static Result<Url, UrlError> parse(std::string_view text);
  [[nodiscard]] const Origin& origin() const { return origin_; }
  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] std::string str() const { return origin_.str() + target_.str(); }
  friend auto operator<=>(const Url&, const Url&) = default;

 private:
  Url(Origin origin, Target target) : origin_(std::move(origin)), target_(std::move(target)) {}
  Origin origin_;
  Target target_;
};

}  // namespace cg::net
