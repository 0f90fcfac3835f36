// An answer is read the same in one piece and in many, and never past its limits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "fetch/net/http.h"
#include "fetch/net/url.h"

namespace {

using cg::net::Encoding;
using cg::net::HttpError;
using cg::net::ResponseReader;

constexpr std::uint64_t kMaxBody = 4096;

struct Read {
  std::optional<HttpError> error;
  bool complete = false;
  std::size_t taken = 0;
  std::string body;
  int status = 0;
};

Read read(std::string_view bytes, std::size_t step) {
  ResponseReader reader(kMaxBody, Encoding::gzip);
  Read out;
  while (out.taken < bytes.size() && !reader.is_complete()) {
    const std::string_view piece = bytes.substr(out.taken, step);
    const auto taken = reader.feed(piece, out.body);
    if (!taken) {
      out.error = taken.error();
      break;
    }
    CG_ASSERT(*taken == piece.size() || reader.is_complete());
    out.taken += *taken;
  }
  out.complete = reader.is_complete();
  out.status = reader.has_head() ? reader.head().status : 0;
  const auto usable = [](const std::string& text) {
    return text.empty() || cg::net::is_header_value(text);
  };
  CG_ASSERT(usable(reader.head().etag) && usable(reader.head().location));
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Read whole = read(bytes, std::max<std::size_t>(size, 1));
  CG_ASSERT(whole.body.size() <= (whole.status == 200 ? kMaxBody : 64 * 1024));
  for (const std::size_t step : {std::size_t{1}, std::size_t{5}}) {
    const Read pieces = read(bytes, step);
    CG_ASSERT(pieces.error == whole.error && pieces.complete == whole.complete);
    CG_ASSERT(pieces.status == whole.status);
    if (!whole.error) CG_ASSERT(pieces.body == whole.body && pieces.taken == whole.taken);
  }
  // A Location is the one text from outside that somebody may want to parse.
  if (const auto url = cg::net::Url::parse(bytes)) {
    const auto again = cg::net::Url::parse(url->str());
    CG_ASSERT(again && *again == *url);
  }
  return 0;
}
