// Fetcher: the port through which the rest of codegenie gets bytes from outside.
//
// A call is one GET of one URL with a limit on bytes and time. Nothing is followed,
// nothing is retried on another host. Tests hand in a Fetcher of their own;
// fetch/net/process_fetcher.h is the real one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "base/base/result.h"
#include "fetch/net/message.h"
#include "fetch/net/sink.h"
#include "fetch/net/url.h"
#include "trust/hash/digest.h"

namespace cg::net {

/// Texts are sent as headers if they are not empty; they are visible ASCII of at
/// most 2048 bytes (is_header_value()).
struct Request {
  Url url;
  std::string accept = {};
  std::string if_none_match = {};          // the etag of what we have
  std::string if_modified_since = {};      // its last_modified
  std::uint64_t max_bytes = 64ULL << 20U;  // of the body, packed and unpacked
  /// gzip: for texts that pack well; feeds that are archives already stay identity.
  Encoding encoding = Encoding::identity;
  std::chrono::milliseconds limit{30'000};  // for all of it, starting programs included
};

/// Status 200, and the body is in the sink.
struct Fetched {
  std::string etag;  // empty if the server sent none, as the others
  std::string last_modified;
  std::string content_type;
  std::uint64_t size = 0;
  hash::Digest sha256{};  // of the bytes in the sink
};
/// Status 304: what we have is current. Only where a validator was sent.
struct NotModified {
  std::string etag;
  std::string last_modified;
};
using Answer = std::variant<Fetched, NotModified>;

struct Error {
  enum class Kind {
    request,      // a header text of the request is unusable
    unresolved,   // the name has no address, or none that may be dialled
    unreachable,  // nobody answers there, or hung up before answering
    timeout,
    tls,          // the other side did not prove to be the host
    http_status,  // any status but 200 and an expected 304; see `status`
    redirect,     // 301, 302, 303, 307, 308: see `location`; not followed
    too_large,
    protocol,   // not HTTP/1.1, contradictory or cut off
    storage,    // the sink failed
    setup,      // the programs could not be found, started or sealed
    violation,  // a program did what it must not, and is gone
  };
  Kind kind;
  std::string detail;  // for people; may hold text from outside, made printable
  int status = 0;
  std::string location = {};
  std::string retry_after = {};  // as sent, with 429 or 503
};
/// One line.
[[nodiscard]] std::string describe(const Error& error);

class Fetcher {
 public:
  virtual ~Fetcher() = default;
  /// On an error the sink may have received part of the body.
  [[nodiscard]] virtual Result<Answer, Error> get(const Request& request, Sink& sink) = 0;
};

struct FetchedText {
  Answer answer;
  std::string text;  // empty with NotModified
};
/// Into memory.
[[nodiscard]] Result<FetchedText, Error> get_text(Fetcher& fetcher, const Request& request);

}  // namespace cg::net
