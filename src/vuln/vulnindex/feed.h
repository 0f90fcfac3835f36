// Feeds: advisory records out of whatever they come in.
//
// A file may be one JSON record, a list of them, JSON lines, a page of NVD's API, or a
// zip, tar, gzip or zstd of these; a folder may hold any of them. One bad record among
// thousands is reported and left out; a container that is broken is an error, because
// what is behind the break cannot be known.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/json/value.h"
#include "vuln/vulnindex/error.h"

namespace cg::vulnindex {

/// One record as it stands in a feed.
struct RawRecord {
  std::string_view text;    // JSON
  const json::Value& json;  // the same, parsed
  std::string where;        // "all.zip:GHSA-x.json", "osv.jsonl:17"
};

struct Rejected {
  std::string where;
  std::string id;  // if it could be read
  std::string reason;
};

struct FeedReader {
  std::function<void(const RawRecord&)> record;
  std::function<void(Rejected)> rejected;
};

/// Reads a file or folder. `label` stands for the path in `where`.
[[nodiscard]] Result<Done, Error> read_feed(const std::string& path, const FeedReader& reader);
/// The same from bytes at hand.
[[nodiscard]] Result<Done, Error> read_feed_bytes(std::string_view bytes, const std::string& label,
                                                  const FeedReader& reader);

}  // namespace cg::vulnindex
