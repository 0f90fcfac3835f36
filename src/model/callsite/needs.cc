#include "model/callsite/needs.h"

#include <algorithm>

namespace cg::callsite {

namespace {

using syntax::Index;
using syntax::kNone;
using syntax::Scopes;
using syntax::Syntax;

bool reach_into(const Range& range, const Range& one) {
  return range.begin < one.end && one.begin < range.end;
}

class Needs {
 public:
  Needs(const Syntax& syntax, const Scopes& scopes, const Homes& homes,
        const std::vector<Range>& shown)
      : syntax_(syntax),
        scopes_(scopes),
        homes_(homes),
        shown_(in_order(shown)),
        looked_at_(scopes.bindings().size()) {}

  std::vector<Range> run(std::vector<Range> frontier) {
    for (std::size_t depth = 0; depth < kMaxNeedDepth && !frontier.empty(); ++depth) {
      frontier = step(in_order(std::move(frontier)));
    }
    return std::move(found_);
  }

 private:
  /// What the names within `frontier` mean and was not found before.
  std::vector<Range> step(const std::vector<Range>& frontier) {
    std::vector<Range> out;
    auto range = frontier.begin();
    for (Index i = 1; i < syntax_.nodes().size() && found_.size() < kMaxNeeds; ++i) {
      const syntax::Node& node = syntax_.at(i);
      while (range != frontier.end() && range->end <= node.begin) ++range;
      if (range == frontier.end()) break;
      if (node.begin < range->begin || !is_reference(node.kind)) continue;
      if (scopes_.is_declaration(i)) continue;
      const Index binding = scopes_.resolve(i, syntax_.text_of(i));
      if (binding == kNone || looked_at_[binding]) continue;
      looked_at_[binding] = true;
      const Range home = homes_.range_of(scopes_.bindings()[binding].name);
      if (home.end - home.begin > kMaxNeedBytes || is_taken(home)) continue;
      found_.push_back(home);
      out.push_back(home);
    }
    return out;
  }

  [[nodiscard]] bool is_taken(const Range& home) const {
    const auto next = std::partition_point(
        shown_.begin(), shown_.end(), [&](const Range& range) { return range.end <= home.begin; });
    if (next != shown_.end() && reach_into(*next, home)) return true;
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Range& range) { return reach_into(range, home); });
  }

  const Syntax& syntax_;
  const Scopes& scopes_;
  const Homes& homes_;
  std::vector<Range> shown_;
  std::vector<bool> looked_at_;  // by binding
  std::vector<Range> found_;
};

}  // namespace

std::vector<Range> needs_of(const Syntax& syntax, const Scopes& scopes, const Homes& homes,
                            const std::vector<Range>& shown, const std::vector<Range>& of) {
  return Needs(syntax, scopes, homes, shown).run(of);
}

}  // namespace cg::callsite
