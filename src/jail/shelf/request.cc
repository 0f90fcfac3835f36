#include "jail/shelf/request.h"

#include <algorithm>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::shelf {

namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

bool is_token_byte(char c) {
  const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alnum || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_byte);
}

/// Visible, space or tab; bytes past ASCII are passed over by all who read headers.
bool is_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f');
  });
}

bool is_plain_part(std::string_view part) {
  if (part.empty() || part == "." || part == "..") return false;
  return std::all_of(part.begin(), part.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7f' && c != '\\';
  });
}

/// The next line of `rest`, which ends with one.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find(kLineEnd);
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(line.size() + kLineEnd.size());
  return line;
}

Result<Request, Refusal> parse_first_line(std::string_view line) {
  const std::vector<std::string_view> parts = split(line, ' ');
  if (parts.size() != 3 || !is_token(parts[0])) return fail(Refusal::bad_request);
  if (parts[2] != "HTTP/1.1" && parts[2] != "HTTP/1.0") return fail(Refusal::version);
  Request request;
  request.keep_alive = parts[2] == "HTTP/1.1";
  if (parts[0] != "GET" && parts[0] != "HEAD") return fail(Refusal::not_allowed);
  request.method = parts[0] == "GET" ? Method::get : Method::head;
  auto path = parse_target(parts[1]);
  if (!path) return fail(Refusal::bad_request);
  request.path = *std::move(path);
  return request;
}

Result<Done, Refusal> take_header(std::string_view line, Request& request) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return fail(Refusal::bad_request);
  }
  const std::string_view value = line.substr(colon + 1);
  if (!is_value(value)) return fail(Refusal::bad_request);
  const std::string name = lower_ascii(line.substr(0, colon));
  if (name == "transfer-encoding") return fail(Refusal::too_large);
  if (name == "content-length" && trim(value) != "0") return fail(Refusal::too_large);
  if (name != "connection") return Done{};
  for (const std::string_view option : split(value, ',')) {
    const std::string word = lower_ascii(trim(option));
    if (word == "close") request.keep_alive = false;
  }
  return Done{};
}

}  // namespace

std::optional<std::size_t> head_size(std::string_view bytes) {
  const std::size_t end = bytes.substr(0, kMaxHead).find(kHeadEnd);
  if (end == std::string_view::npos) return std::nullopt;
  return end + kHeadEnd.size();
}

std::optional<std::string> parse_target(std::string_view target) {
  target = target.substr(0, target.find('?'));
  if (!target.starts_with('/') || target.size() > kMaxPath) return std::nullopt;
  auto path = percent_decoded(target.substr(1));
  if (!path) return std::nullopt;
  if (path->ends_with('/')) path->pop_back();
  if (path->empty()) return path;
  const std::vector<std::string_view> parts = split(*path, '/');
  if (!std::all_of(parts.begin(), parts.end(), is_plain_part)) return std::nullopt;
  return path;
}

Result<Request, Refusal> parse_request(std::string_view head) {
  if (head.size() > kMaxHead) return fail(Refusal::head_too_large);
  if (!head.ends_with(kHeadEnd)) return fail(Refusal::bad_request);
  CG_TRY_ASSIGN(Request request, parse_first_line(take_line(head)));
  std::size_t lines = 0;
  while (!head.empty()) {
    const std::string_view line = take_line(head);
    if (line.empty()) break;
    if (++lines > kMaxHeaderLines) return fail(Refusal::head_too_large);
    CG_TRY(take_header(line, request));
  }
  if (!head.empty()) return fail(Refusal::bad_request);
  return request;
}

}  // namespace cg::shelf
