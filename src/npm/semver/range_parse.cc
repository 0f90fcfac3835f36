// From the text of a range to its comparators.
#include <algorithm>
#include <utility>

#include "npm/semver/desugar.h"
#include "npm/semver/range.h"
#include "npm/semver/range_text.h"

namespace cg::semver {

/// Collects the alternatives of one range.
class RangeParser {
 public:
  explicit RangeParser(const Options& options) : range_(options) {}

  [[nodiscard]] Result<Done, Error> add_alternative(std::string_view text);
  [[nodiscard]] Result<Range, Error> finish() &&;

 private:
  [[nodiscard]] Result<Done, Error> add_text(std::string_view text);
  [[nodiscard]] Result<Done, Error> add_words(std::string_view text);
  [[nodiscard]] Result<Done, Error> add_comparators(std::string_view text);
  [[nodiscard]] Result<Done, Error> add_comparator(std::string_view text);
  [[nodiscard]] Result<Done, Error> add(Comparator comparator);
  void simplify_set(std::size_t first);
  void simplify_range();
  void keep_only(std::size_t set);
  [[nodiscard]] const Comparator& first_of(const Range::Set& set) const {
    return range_.comparators_[set.first];
  }

  Range range_;
  std::size_t set_first_ = 0;  // where the comparators of the present alternative begin
  std::string words_;          // one word desugared
};

Result<Done, Error> RangeParser::add_alternative(std::string_view text) {
  std::string stripped;
  if (text.find('+') != std::string_view::npos) {
    stripped = strip_builds(text);
    text = stripped;
  }
  const std::size_t source_at = range_.sources_.size();
  range_.sources_ += text;

  set_first_ = range_.comparators_.size();
  CG_TRY(add_text(text));
  simplify_set(set_first_);
  const std::size_t count = range_.comparators_.size() - set_first_;
  if (count == 0) return Done{};  // loose, and nothing of it could be read
  const auto begin = range_.comparators_.begin() + static_cast<std::ptrdiff_t>(set_first_);
  const bool prerelease = std::any_of(begin, range_.comparators_.end(), [](const Comparator& c) {
    return c.version().has_prerelease();
  });
  range_.sets_.push_back({set_first_, count, source_at, text.size(), prerelease});
  return Done{};
}

Result<Done, Error> RangeParser::add_text(std::string_view text) {
  if (text.find(' ') == std::string_view::npos) return add_words(text);
  std::string hyphen;
  if (desugar_hyphen(text, range_.options_, hyphen)) text = hyphen;
  if (is_attached(text)) return add_words(text);
  return add_words(attach_operators(text));
}

Result<Done, Error> RangeParser::add_words(std::string_view text) {
  bool first = true;
  for (bool last = false; !last; first = false) {
    const std::size_t space = text.find(' ');
    last = space == std::string_view::npos;
    words_.clear();
    desugar(text.substr(0, space), range_.options_, words_);
    if (!words_.empty()) {
      CG_TRY(add_comparators(words_));
    } else if (first || last) {
      // Between others an empty word leaves no trace; at either end it means any version.
      CG_TRY(add(Comparator::any()));
    }
    if (!last) text.remove_prefix(space + 1);
  }
  return Done{};
}

Result<Done, Error> RangeParser::add_comparators(std::string_view text) {
  const std::size_t space = text.find(' ');
  CG_TRY(add_comparator(text.substr(0, space)));
  if (space == std::string_view::npos) return Done{};
  return add_comparator(text.substr(space + 1));
}

Result<Done, Error> RangeParser::add_comparator(std::string_view text) {
  const Options& options = range_.options_;
  if (text == (options.include_prerelease ? ">=0.0.0-0" : ">=0.0.0")) {
    return add(Comparator::any());
  }
  auto comparator = Comparator::parse(text, options);
  if (comparator) return add(*std::move(comparator));
  if (options.loose && comparator.error() == Error::malformed) return Done{};
  return fail(comparator.error());
}

Result<Done, Error> RangeParser::add(Comparator comparator) {
  std::vector<Comparator>& all = range_.comparators_;
  const auto same = [&](const Comparator& other) { return other.same_text(comparator); };
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(set_first_);
  if (std::any_of(begin, all.end(), same)) return Done{};
  if (all.size() >= kMaxComparators || all.size() - set_first_ >= kMaxComparatorsPerSet) {
    return fail(Error::too_many_comparators);
  }
  all.push_back(std::move(comparator));
  return Done{};
}

/// What nothing satisfies stands alone; beside others, "*" says nothing.
void RangeParser::simplify_set(std::size_t first) {
  std::vector<Comparator>& all = range_.comparators_;
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  auto impossible =
      std::find_if(begin, all.end(), [](const Comparator& c) { return c.is_impossible(); });
  if (impossible != all.end()) {
    if (impossible != begin) *begin = std::move(*impossible);
    all.erase(begin + 1, all.end());
  } else if (all.size() - first > 1) {
    all.erase(std::remove_if(begin, all.end(), [](const Comparator& c) { return c.is_any(); }),
              all.end());
  }
}

void RangeParser::keep_only(std::size_t set) { range_.sets_ = {range_.sets_[set]}; }

/// Alternatives that nothing satisfies go, but one stays; beside "*", all others go.
void RangeParser::simplify_range() {
  std::vector<Range::Set>& sets = range_.sets_;
  if (sets.size() < 2) return;
  const auto impossible = [&](const Range::Set& set) { return first_of(set).is_impossible(); };
  if (std::all_of(sets.begin(), sets.end(), impossible)) return keep_only(0);
  sets.erase(std::remove_if(sets.begin(), sets.end(), impossible), sets.end());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (first_of(sets[i]).is_any()) return keep_only(i);
  }
}

Result<Range, Error> RangeParser::finish() && {
  if (range_.sets_.empty()) return fail(Error::malformed);
  simplify_range();
  return std::move(range_);
}

Result<Range, Error> Range::parse(std::string_view text, const Options& options) {
  if (text.size() > kMaxRangeBytes) return fail(Error::too_long);
  std::string collapsed;
  std::string_view rest = text;
  if (!is_collapsed(text)) {
    collapsed = collapse_spaces(text);
    rest = collapsed;
  }
  RangeParser parser(options);
  for (bool last = false; !last;) {
    constexpr std::string_view kOr = "||";
    const std::size_t bars = rest.find(kOr);
    last = bars == std::string_view::npos;
    std::string_view alternative = rest.substr(0, bars);
    if (alternative.starts_with(' ')) alternative.remove_prefix(1);
    if (alternative.ends_with(' ')) alternative.remove_suffix(1);
    CG_TRY(parser.add_alternative(alternative));
    if (!last) rest.remove_prefix(bars + kOr.size());
  }
  return std::move(parser).finish();
}

}  // namespace cg::semver
