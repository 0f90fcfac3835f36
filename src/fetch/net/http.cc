#include "fetch/net/http.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "base/base/text.h"
#include "fetch/net/url.h"

namespace cg::net {

namespace {

constexpr std::size_t kMaxHeaderBytes = 64 * 1024;
constexpr std::size_t kMaxHeaderLines = 128;
constexpr int kMaxInterim = 8;
constexpr std::uint64_t kMaxOtherBody = 64 * 1024;
constexpr std::size_t kMaxChunkLine = 256;

bool is_token_char(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const char l = lower(c);
  return is_digit(c) || (l >= 'a' && l <= 'z') || kMarks.find(c) != std::string_view::npos;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool has_control(std::string_view value) {
  return std::any_of(value.begin(), value.end(), [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
  });
}

/// True if the list `value` ("close, x") holds `word`.
bool lists(std::string_view value, std::string_view word) {
  const std::string all = lowered(value);
  for (const std::string_view part : split(all, ',')) {
    if (without_blanks(part) == word) return true;
  }
  return false;
}

struct Field {
  std::string_view name;
  std::string ResponseHead::*text;
};
constexpr Field kFields[] = {
    {"etag", &ResponseHead::etag},
    {"last-modified", &ResponseHead::last_modified},
    {"content-type", &ResponseHead::content_type},
    {"location", &ResponseHead::location},
    {"retry-after", &ResponseHead::retry_after},
};

bool has_no_body(int status) { return status == 204 || status == 304; }

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  if (text.empty() || text.size() > 15) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const char l = lower(c);
    if (!is_digit(l) && !(l >= 'a' && l <= 'f')) return std::nullopt;
    value = value << 4U | static_cast<unsigned>(is_digit(l) ? l - '0' : l - 'a' + 10);
  }
  return value;
}

}  // namespace

std::string_view describe(HttpError error) {
  switch (error) {
    case HttpError::bad_status_line:
      return "the answer does not begin like HTTP/1.1";
    case HttpError::bad_header:
      return "a header is malformed";
    case HttpError::headers_too_large:
      return "the headers are too large";
    case HttpError::bad_length:
      return "the length of the body is contradictory or no number";
    case HttpError::no_length:
      return "the answer does not say how long its body is";
    case HttpError::bad_chunk:
      return "a chunk of the body is malformed";
    case HttpError::unsupported_encoding:
      return "the body is encoded in a way that was not asked for";
    case HttpError::too_large:
      return "the body is larger than allowed";
    case HttpError::truncated:
      return "the connection ended in the middle of the answer";
  }
  std::abort();
}

Result<std::size_t, HttpError> ResponseReader::feed(std::string_view bytes, std::string& body) {
  std::size_t taken = 0;
  while (taken < bytes.size() && !is_complete()) {
    untouched_ = false;
    const std::string_view rest = bytes.substr(taken);
    if (state_ == State::body || state_ == State::chunk) {
      taken += feed_body(rest, body);
    } else {
      CG_TRY_ASSIGN(const std::size_t more, feed_line(rest));
      taken += more;
    }
  }
  return taken;
}

std::size_t ResponseReader::feed_body(std::string_view bytes, std::string& body) {
  const std::string_view part = bytes.substr(0, std::min<std::uint64_t>(bytes.size(), left_));
  body += part;
  left_ -= part.size();
  if (left_ == 0) state_ = state_ == State::chunk ? State::chunk_end : State::complete;
  return part.size();
}

Result<std::size_t, HttpError> ResponseReader::feed_line(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  const std::size_t taken = end == std::string_view::npos ? bytes.size() : end + 1;
  const bool of_chunk = state_ == State::chunk_size || state_ == State::chunk_end;
  if (!of_chunk) header_bytes_ += taken;
  if (header_bytes_ > kMaxHeaderBytes) return fail(HttpError::headers_too_large);
  line_ += bytes.substr(0, taken);
  if (of_chunk && line_.size() > kMaxChunkLine) return fail(HttpError::bad_chunk);
  if (end == std::string_view::npos) return taken;
  if (!line_.ends_with("\r\n")) {
    if (of_chunk) return fail(HttpError::bad_chunk);
    return fail(state_ == State::status_line ? HttpError::bad_status_line : HttpError::bad_header);
  }
  const std::string line = line_.substr(0, line_.size() - 2);
  line_.clear();
  CG_TRY(take_line(line));
  return taken;
}

Result<Done, HttpError> ResponseReader::take_line(std::string_view line) {
  switch (state_) {
    case State::status_line:
      return take_status(line);
    case State::headers:
      return line.empty() ? end_of_headers() : take_header(line);
    case State::chunk_size:
      return take_chunk_size(line);
    case State::chunk_end:
      if (!line.empty()) return fail(HttpError::bad_chunk);
      state_ = State::chunk_size;
      return Done{};
    case State::trailers:  // read past, never believed
      if (line.empty()) state_ = State::complete;
      if (++header_lines_ > kMaxHeaderLines) return fail(HttpError::headers_too_large);
      return Done{};
    case State::body:
    case State::chunk:
    case State::complete:
      break;
  }
  std::abort();
}

Result<Done, HttpError> ResponseReader::take_status(std::string_view line) {
  // "HTTP/1.1 200" and then nothing, or a space and any reason.
  constexpr std::size_t kShortest = 12;
  const bool shaped = line.size() >= kShortest && line.starts_with("HTTP/1.") &&
                      (line[7] == '0' || line[7] == '1') && line[8] == ' ' &&
                      (line.size() == kShortest || line[kShortest] == ' ') && !has_control(line);
  const auto status = shaped ? parse_u64(line.substr(9, 3)) : std::nullopt;
  if (!status || *status < 100 || *status > 599) return fail(HttpError::bad_status_line);
  head_ = ResponseHead{};
  seen_ = 0;
  head_.status = static_cast<int>(*status);
  minor_ = line[7] - '0';
  head_.keep_alive = minor_ == 1;
  length_ = Length::none;
  left_ = 0;
  state_ = State::headers;
  return Done{};
}

Result<Done, HttpError> ResponseReader::take_header(std::string_view line) {
  if (++header_lines_ > kMaxHeaderLines) return fail(HttpError::headers_too_large);
  const std::size_t colon = line.find(':');
  const std::string_view raw_name = line.substr(0, std::min(colon, line.size()));
  if (colon == std::string_view::npos || raw_name.empty() ||
      !std::all_of(raw_name.begin(), raw_name.end(), is_token_char)) {
    return fail(HttpError::bad_header);
  }
  const std::string name = lowered(raw_name);
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (has_control(value)) return fail(HttpError::bad_header);
  if (take_field(name, value)) return Done{};
  return take_framing(name, value);
}

/// True if it is one of the headers we keep.
bool ResponseReader::take_field(std::string_view name, std::string_view value) {
  for (std::size_t i = 0; i < std::size(kFields); ++i) {
    if (kFields[i].name != name) continue;
    // Said twice is not said: there is no telling which one counts.
    const bool first = (seen_ >> i & 1U) == 0;
    seen_ |= 1U << i;
    head_.*kFields[i].text = first && is_header_value(value) ? std::string(value) : std::string();
    return true;
  }
  return false;
}

Result<Done, HttpError> ResponseReader::take_framing(std::string_view name,
                                                     std::string_view value) {
  if (name == "content-length") {
    const auto length = parse_u64(value);
    if (!length || length_ != Length::none) return fail(HttpError::bad_length);
    length_ = Length::fixed;
    left_ = *length;
  } else if (name == "transfer-encoding") {
    if (length_ != Length::none || minor_ == 0) return fail(HttpError::bad_length);
    if (lowered(value) != "chunked") return fail(HttpError::unsupported_encoding);
    length_ = Length::chunked;
  } else if (name == "content-encoding") {
    return take_encoding(lowered(value));
  } else if (name == "connection" && lists(value, "close")) {
    head_.keep_alive = false;
  }
  return Done{};
}

Result<Done, HttpError> ResponseReader::take_encoding(std::string_view value) {
  const bool packed = value == "gzip" || value == "x-gzip";
  const bool twice = head_.encoding != Encoding::identity;
  if (twice || (!packed && value != "identity") || (packed && asked_ != Encoding::gzip)) {
    return fail(HttpError::unsupported_encoding);
  }
  if (packed) head_.encoding = Encoding::gzip;
  return Done{};
}

/// Accounts for `more` body bytes that the server announced.
Result<Done, HttpError> ResponseReader::expect(std::uint64_t more) {
  const std::uint64_t max = head_.status == kOk ? max_body_ : kMaxOtherBody;
  if (more > max || total_ > max - more) return fail(HttpError::too_large);
  total_ += more;
  left_ = more;
  return Done{};
}

Result<Done, HttpError> ResponseReader::end_of_headers() {
  if (head_.status < 200) {
    // Switching protocols is nothing we asked for.
    if (head_.status == 101 || ++interim_ > kMaxInterim) return fail(HttpError::bad_status_line);
    state_ = State::status_line;
    return Done{};
  }
  if (has_no_body(head_.status)) {
    state_ = State::complete;
    return Done{};
  }
  if (length_ == Length::none) return fail(HttpError::no_length);
  if (length_ == Length::chunked) {
    state_ = State::chunk_size;
    return Done{};
  }
  state_ = left_ == 0 ? State::complete : State::body;
  return expect(left_);
}

Result<Done, HttpError> ResponseReader::take_chunk_size(std::string_view line) {
  if (has_control(line)) return fail(HttpError::bad_chunk);
  const auto size = parse_hex(without_blanks(line.substr(0, line.find(';'))));
  if (!size) return fail(HttpError::bad_chunk);
  state_ = *size == 0 ? State::trailers : State::chunk;
  return expect(*size);
}

bool is_header_value(std::string_view text) {
  if (text.empty() || text.size() > kMaxHeaderText) return false;
  if (text.front() == ' ' || text.back() == ' ') return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string write_request(const RequestLine& request) {
  std::string out = "GET " + std::string(request.target) + " HTTP/1.1\r\n";
  const auto header = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
  };
  header("Host", request.authority);
  header("User-Agent", "codegenie");
  header("Accept", request.accept);
  header("Accept-Encoding", request.encoding == Encoding::gzip ? "gzip" : "identity");
  header("If-None-Match", request.if_none_match);
  header("If-Modified-Since", request.if_modified_since);
  header("Authorization", request.authorization);
  return out + "\r\n";
}

std::string write_post(std::string_view authority, std::string_view target, std::string_view body) {
  std::string out = "POST ";
  out += target;
  out += " HTTP/1.1\r\nHost: ";
  out += authority;
  out +=
      "\r\nUser-Agent: codegenie\r\nAccept: application/json\r\nAccept-Encoding: identity\r\n"
      "Connection: close\r\nContent-Type: application/json\r\nContent-Length: ";
  out += std::to_string(body.size());
  out += "\r\n\r\n";
  out += body;
  return out;
}

}  // namespace cg::net
