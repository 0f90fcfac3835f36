// HTTP/1.1, as much of it as we need: one GET, or one POST of JSON; one answer.
//
// The reader is strict, because an answer that two readers could take for two
// different ones is not worth having: lines end in CR LF, headers are not folded, a
// length is given once and in digits, a length and chunks exclude each other, and a
// body without either is refused since its end could not be told from a cut.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "fetch/net/message.h"

namespace cg::net {

inline constexpr int kOk = 200;

enum class HttpError {
  bad_status_line,
  bad_header,
  headers_too_large,  // over 64 KiB or 128 lines
  bad_length,         // Content-Length twice, not a number, or beside chunks
  no_length,          // neither Content-Length nor chunks
  bad_chunk,
  unsupported_encoding,  // not what was asked for
  too_large,             // more bytes than the caller wants
  truncated,             // the connection ended first
};
[[nodiscard]] std::string_view describe(HttpError error);

/// Texts are visible ASCII and at most 2048 bytes; what is longer or not ASCII
/// counts as not sent, what was sent twice too.
struct ResponseHead {
  int status = 0;
  bool keep_alive = true;
  Encoding encoding = Encoding::identity;
  std::string etag;
  std::string last_modified;
  std::string content_type;
  std::string location;
  std::string retry_after;
};

/// Reads one answer from bytes as they come. Interim answers (1xx) are passed over,
/// eight at most.
class ResponseReader {
 public:
  /// `max_body` holds for status 200, as the body travels; other bodies may have 64
  /// KiB. Only an encoding that was `asked` for is accepted.
  explicit ResponseReader(std::uint64_t max_body, Encoding asked = Encoding::identity)
      : max_body_(max_body), asked_(asked) {}

  /// Takes bytes from the front of `bytes` and adds what belongs to the body to
  /// `body`. Returns how many it took: all of them, unless the answer is complete.
  /// After an error there is nothing more to read.
  [[nodiscard]] Result<std::size_t, HttpError> feed(std::string_view bytes, std::string& body);

  [[nodiscard]] bool has_head() const { return state_ > State::headers; }
  [[nodiscard]] bool is_complete() const { return state_ == State::complete; }
  /// Nothing at all was read so far.
  [[nodiscard]] bool is_untouched() const { return untouched_; }
  [[nodiscard]] const ResponseHead& head() const { return head_; }

 private:
  enum class State { status_line, headers, body, chunk_size, chunk, chunk_end, trailers, complete };
  enum class Length { none, fixed, chunked };

  [[nodiscard]] Result<Done, HttpError> take_line(std::string_view line);
  [[nodiscard]] Result<Done, HttpError> take_status(std::string_view line);
  [[nodiscard]] Result<Done, HttpError> take_header(std::string_view line);
  [[nodiscard]] bool take_field(std::string_view name, std::string_view value);
  [[nodiscard]] Result<Done, HttpError> take_framing(std::string_view name, std::string_view value);
  [[nodiscard]] Result<Done, HttpError> take_encoding(std::string_view value);
  [[nodiscard]] Result<Done, HttpError> take_chunk_size(std::string_view line);
  [[nodiscard]] Result<Done, HttpError> end_of_headers();
  [[nodiscard]] Result<Done, HttpError> expect(std::uint64_t more);
  [[nodiscard]] Result<std::size_t, HttpError> feed_line(std::string_view bytes);
  std::size_t feed_body(std::string_view bytes, std::string& body);

  std::uint64_t max_body_;
  Encoding asked_;
  State state_ = State::status_line;
  Length length_ = Length::none;
  ResponseHead head_;
  std::string line_;
  std::size_t header_bytes_ = 0;
  std::size_t header_lines_ = 0;
  unsigned seen_ = 0;  // which of the kept headers, by bit
  int interim_ = 0;
  int minor_ = 1;
  std::uint64_t left_ = 0;   // of the body or the chunk
  std::uint64_t total_ = 0;  // of body bytes announced so far
  bool untouched_ = true;
};

/// A value that may stand in a request header: visible ASCII and inner spaces, 1 to
/// 2048 bytes.
[[nodiscard]] bool is_header_value(std::string_view text);

struct RequestLine {
  std::string_view authority;
  std::string_view target;
  std::string_view accept;  // empty: not sent, as the others
  std::string_view if_none_match;
  std::string_view if_modified_since;
  std::string_view authorization;
  Encoding encoding = Encoding::identity;
};
/// The bytes of a GET. All parts have been checked: Target and is_header_value().
[[nodiscard]] std::string write_request(const RequestLine& request);

/// The bytes of a POST of JSON, after which the connection is closed.
[[nodiscard]] std::string write_post(std::string_view authority, std::string_view target,
                                     std::string_view body);

}  // namespace cg::net
