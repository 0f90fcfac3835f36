// clean(): the sanitiser. Used when an exchange is recorded, to take out; and when one is
// read, to refuse what it would take out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/cassette/exchange.h"

namespace cg::cassette {

/// What was taken out, never its value.
struct Found {
  std::string_view rule;
  std::string where;  // "request /messages/0/content", "response header set-cookie"
};

struct Cleaned {
  Exchange exchange;
  std::vector<Found> found;  // the first kMaxFinds; empty if and only if nothing changed
};
inline constexpr std::size_t kMaxFinds = 20;

/// Keeps of the headers those a replay needs (content-type, request-id, retry-after), with
/// names in lower case. In values and bodies every secret of secrets.h becomes kFiltered; in
/// JSON, what stands beneath a telling name too; a header value with 40 or more base64
/// characters on end as a whole. clean() of what it made changes nothing.
[[nodiscard]] Cleaned clean(Exchange exchange);

/// A body alone.
[[nodiscard]] std::string clean_body(std::string_view body);

}  // namespace cg::cassette
