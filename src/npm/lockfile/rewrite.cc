#include "npm/lockfile/rewrite.h"

#include <algorithm>

namespace cg::lockfile {

Result<std::string, RewriteError> rewrite(const npm::Graph& graph, std::vector<Change> changes) {
  return rewrite(graph.text(), std::move(changes));
}

Result<std::string, RewriteError> rewrite(std::string_view text, std::vector<Change> changes) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.where.begin < b.where.begin; });
  std::string out;
  out.reserve(text.size());
  std::size_t written = 0;
  for (const Change& change : changes) {
    const auto [begin, end] = change.where;
    if (begin > end || end > text.size()) {
      return fail(RewriteError{RewriteError::Kind::outside, change.where});
    }
    if (begin < written) return fail(RewriteError{RewriteError::Kind::overlap, change.where});
    out += text.substr(written, begin - written);
    out += change.text;
    written = end;
  }
  out += text.substr(written);
  return out;
}

}  // namespace cg::lockfile
