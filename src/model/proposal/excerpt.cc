#include "model/proposal/excerpt.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::proposal {

namespace {

constexpr std::size_t kAround = 3;  // lines on either side of those that are asked for

}  // namespace

std::vector<Excerpt> excerpts_at(const std::vector<std::size_t>& places, std::size_t lines,
                                 std::string_view text) {
  std::vector<Excerpt> out;
  if (places.empty()) return out;
  const std::vector<std::string_view> all = split(text, '\n');
  for (const std::size_t place : places) {
    if (out.size() == kMaxExcerpts) break;
    const std::size_t first = place - std::min(place, kAround + 1);
    const std::size_t end =
        std::min({place - 1 + lines + kAround, first + kMaxExcerptLines, all.size()});
    Excerpt one{first + 1, {}};
    for (std::size_t i = first; i < end; ++i) {
      std::string_view line = all[i];
      if (line.ends_with('\r')) line.remove_suffix(1);
      const std::size_t room = kMaxExcerptText - one.text.size();
      if (line.size() >= room) {
        if (i == first) one.text = cut(line, room - 1);
        break;
      }
      (one.text += line) += '\n';
    }
    if (one.text.ends_with('\n')) one.text.pop_back();
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace cg::proposal
