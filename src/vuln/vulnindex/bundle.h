// Bundle: an index as one file that can be carried to a machine without network.
//
// A tar of manifest.json and records.jsonl, packed with zstd. The same records and
// build time give the same bytes. The digest in the manifest is that of the records, so
// a bundle that was altered does not import.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "vuln/vulnindex/draft.h"
#include "vuln/vulnindex/error.h"
#include "vuln/vulnindex/index.h"

namespace cg::vulnindex {

[[nodiscard]] std::string make_bundle(const Draft& draft, const Summary& summary);

struct Bundle {
  Draft draft;
  Time built;
  std::string digest;
};
/// `label` is named in errors. Error::corrupt if the records are not those of the digest.
[[nodiscard]] Result<Bundle, Error> read_bundle(std::string_view bytes, const std::string& label);

}  // namespace cg::vulnindex
