// A feed of any shape: records, rejections or an error, and what is kept can be indexed.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "vuln/vulnindex/bundle.h"
#include "vuln/vulnindex/draft.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  cg::vulnindex::Draft draft;
  cg::vulnindex::Tally tally;
  const auto read = cg::vulnindex::read_feed_bytes(
      bytes, "feed",
      {[&](const cg::vulnindex::RawRecord& record) { draft.add("osv", record, tally); },
       [&](cg::vulnindex::Rejected row) { draft.reject(std::move(row), tally); }});
  if (!read && read.error().what.empty()) std::abort();
  const auto tables = cg::vulnindex::tables_of(draft);
  for (const auto& [package, sealed] : tables.packages) {
    if (!cg::vulnindex::open_rules(package, sealed)) std::abort();
  }
  for (const auto& [group, brief] : tables.briefs) {
    if (cg::advisory::decode_brief(cg::advisory::encode_brief(brief)) != brief) std::abort();
  }
  static_cast<void>(cg::advisory::decode_brief(bytes));
  static_cast<void>(cg::vulnindex::open_rules("x", bytes));
  static_cast<void>(cg::vulnindex::read_bundle(bytes, "bundle"));
  return 0;
}
