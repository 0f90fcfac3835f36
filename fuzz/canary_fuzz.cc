// Whatever a text is: its hits lie in it, in order, on characters; looking twice finds the same;
// what is to be redacted covers them, apart from each other.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "model/canary/scan.h"

namespace {

using namespace cg;
using namespace cg::canary;

bool on_character(std::string_view text, std::size_t at) {
  return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80;
}

void check_hits(std::string_view text, const Scan& found) {
  const bool utf8 = is_utf8(text);
  CG_ASSERT(found.hits.size() <= kMaxHits);
  std::size_t last = 0;
  for (const Hit& hit : found.hits) {
    CG_ASSERT(hit.span.begin >= last && hit.span.begin <= hit.span.end);
    CG_ASSERT(hit.span.end <= text.size());
    CG_ASSERT(!utf8 || (on_character(text, hit.span.begin) && on_character(text, hit.span.end)));
    last = hit.span.begin;
  }
}

void check_redactions(std::string_view text, const Scan& found) {
  const auto spans = redactions(text, found);
  CG_ASSERT(found.hits.empty() == spans.empty());
  std::size_t last = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    CG_ASSERT(spans[i].begin < spans[i].end && spans[i].end <= text.size());
    CG_ASSERT(i == 0 || spans[i].begin > last);
    last = spans[i].end;
  }
  for (const Hit& hit : found.hits) {
    CG_ASSERT(std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
      return span.begin <= hit.span.begin && hit.span.end <= span.end;
    }));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const SourceKind kind = kSourceKinds[data[0] % kSourceKinds.size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Scan found = scan(text, kind);
  check_hits(text, found);
  check_redactions(text, found);
  const Scan again = scan(text, kind);
  CG_ASSERT(again.hits.size() == found.hits.size() && again.more == found.more);
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    CG_ASSERT(again.hits[i].pattern == found.hits[i].pattern);
    CG_ASSERT(again.hits[i].span == found.hits[i].span);
  }
  return 0;
}
