#include "npm/npm/url.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/base/text.h"

namespace cg::npm {

namespace {

/// Without what URL parsers drop: control characters and spaces at the start, tabs and line ends
/// anywhere. In lower case, as neither scheme nor host knows another.
std::string tidy(std::string_view url) {
  constexpr std::size_t kEnough = 4096;  // scheme and host stand at the start
  while (!url.empty() && static_cast<unsigned char>(url.front()) <= ' ') url.remove_prefix(1);
  std::string out(url.substr(0, kEnough));
  std::erase_if(out, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return lower_ascii(out);
}

/// "127.0.0.1": four numbers of a byte, without leading zeros.
bool is_dotted_quad(std::string_view host) {
  const std::vector<std::string_view> parts = split(host, '.');
  return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           const auto number = parse_u64(part);
           return number && *number <= 255 && part == std::to_string(*number);
         });
}

bool is_local_quad(std::string_view host) {
  return is_dotted_quad(host) && (host.starts_with("127.") || host == "0.0.0.0");
}

bool is_local_name(std::string_view host) {
  constexpr std::string_view kLocalhost = "localhost";
  if (host == kLocalhost) return true;
  return host.ends_with(".localhost") &&
         host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == host.npos;
}

/// Without its brackets.
bool is_local_v6(std::string_view host) {
  constexpr std::string_view kMapped = "::ffff:";
  return host == "::1" || host == "0:0:0:0:0:0:0:1" || host == "::" ||
         (host.starts_with(kMapped) && is_local_quad(host.substr(kMapped.size())));
}

/// Nothing, or a colon and a number.
bool is_port(std::string_view rest) {
  return rest.empty() || (rest.front() == ':' && parse_port(rest.substr(1)));
}

}  // namespace

bool is_http(std::string_view url) { return tidy(url).starts_with("http:"); }

bool is_web(std::string_view url) {
  const std::string text = tidy(url);
  return text.starts_with("http:") || text.starts_with("https:");
}

bool is_loopback(std::string_view url) {
  const std::string text = tidy(url);
  std::string_view rest = text;
  const std::size_t scheme = rest.find("://");
  if (scheme == rest.npos) return false;
  if (rest.substr(0, scheme) != "http" && rest.substr(0, scheme) != "https") return false;
  rest.remove_prefix(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (rest.starts_with('[')) {
    const std::size_t close = rest.find(']');
    return close != rest.npos && is_local_v6(rest.substr(1, close - 1)) &&
           is_port(rest.substr(close + 1));
  }
  const std::size_t colon = std::min(rest.find(':'), rest.size());
  const std::string_view host = rest.substr(0, colon);
  return (is_local_name(host) || is_local_quad(host)) && is_port(rest.substr(colon));
}

}  // namespace cg::npm
