#include <algorithm>

#include "model/canary/scan.h"

namespace cg::canary {
namespace {

constexpr std::size_t kReach = 512;  // bytes of context on either side

bool is_inside(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

/// Whether a sentence or a line ends before `at`.
bool ends_before(std::string_view text, std::size_t at) {
  if (text[at - 1] == '\n') return true;
  const bool space = text[at - 1] == ' ' && at >= 2;
  return space && (text[at - 2] == '.' || text[at - 2] == '!' || text[at - 2] == '?');
}

Span with_context(std::string_view text, Span span) {
  std::size_t begin = span.begin;
  while (begin > 0 && span.begin - begin < kReach && !ends_before(text, begin)) --begin;
  std::size_t end = span.end;
  while (end < text.size() && end - span.end < kReach && text[end] != '\n' &&
         !(end > span.end && ends_before(text, end)))
    ++end;
  // A cut by length may fall inside a character.
  for (int i = 0; i < 3 && begin > 0 && is_inside(text[begin]); ++i) --begin;
  for (int i = 0; i < 3 && end < text.size() && is_inside(text[end]); ++i) ++end;
  return {begin, end};
}

}  // namespace

std::vector<Span> redactions(std::string_view text, const Scan& scan) {
  std::vector<Span> spans;
  for (const Hit& hit : scan.hits) {
    const std::size_t begin = std::min(hit.span.begin, text.size());
    const std::size_t end = std::clamp(hit.span.end, begin, text.size());
    spans.push_back(with_context(text, {begin, end}));
  }
  if (scan.more && !spans.empty()) spans.push_back({spans.back().begin, text.size()});
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::vector<Span> out;
  for (const Span& span : spans) {
    if (!out.empty() && span.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, span.end);
    } else if (span.begin < span.end) {
      out.push_back(span);
    }
  }
  return out;
}

}  // namespace cg::canary
