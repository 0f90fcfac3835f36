// Request: what a package manager asks the shelf for, read from bytes.
//
// As much of HTTP/1.1 as an installer that fetches files needs, and strict: lines end in
// CR LF, nothing is folded, nothing has a body. Who asks is the code under test, so all of
// it is bounded and whatever could be read in two ways is refused.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"

namespace cg::shelf {

inline constexpr std::size_t kMaxHead = 16U << 10U;
inline constexpr std::size_t kMaxHeaderLines = 100;
inline constexpr std::size_t kMaxPath = 1024;

enum class Method { get, head };

struct Request {
  Method method = Method::get;
  /// Decoded, relative, without a slash at either end; empty for "/". Its parts are never
  /// empty, "." or "..", and have no NUL, backslash or control character.
  std::string path;
  bool keep_alive = true;
};

/// What is answered instead of a file; the connection ends with it.
enum class Refusal {
  bad_request = 400,
  not_allowed = 405,
  too_large = 413,  // it announces a body
  head_too_large = 431,
  version = 505,
};

/// How many bytes at the front of `bytes` are the head of a request, its empty line
/// included; nothing if it is not complete. A head of over kMaxHead never will be.
[[nodiscard]] std::optional<std::size_t> head_size(std::string_view bytes);

/// `head` as head_size() measures it.
[[nodiscard]] Result<Request, Refusal> parse_request(std::string_view head);

/// The path of a request's target: without its query, with escapes decoded once.
[[nodiscard]] std::optional<std::string> parse_target(std::string_view target);

}  // namespace cg::shelf
