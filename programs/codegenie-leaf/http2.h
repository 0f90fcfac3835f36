// HTTP/2, as much of it as one question needs: one POST, one answer, one stream.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "fetch/net/channel.h"
#include "fetch/net/message.h"
#include "fetch/tls/stream.h"
#include "model/leaf/wire.h"

namespace cg::leaf {

struct Post {
  std::string_view authority;
  std::string_view path;
  std::string_view version;  // of the API
  std::string_view key;      // stays where it is; never in a table of headers
  std::string_view body;
};

/// Any status; what it means is for the reader. At most 1 MiB of body, 64 header fields and
/// 32 KiB of them, 4 MiB of everything. A stream that is reset, a connection that is closed
/// before the end, and anything that is not HTTP/2 is `protocol`.
[[nodiscard]] Result<Raw, net::Failed> post(tls::Stream& stream, const Post& request,
                                            net::Deadline deadline);

}  // namespace cg::leaf
