// How a difference is found: lines at both ends that are the same are set aside. Between them the
// fewest lines that have to go and come are counted up from none (Myers 1986): `reach[k]` is how
// far into the old lines one gets with so many edits where k more old than new lines are used.
// What was reached at each count is kept, and read backwards it says which lines changed.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/json/parsing.h"
#include "base/json/placing.h"

namespace cg::json {

namespace {

using Numbers = std::vector<int>;  // lines as numbers: the same for the same text

constexpr int kMostEdits = 1000;  // beyond, all between the ends is replaced
constexpr std::size_t kContext = 3;

/// Which lines go, and which come.
struct Marks {
  std::vector<bool> removed;
  std::vector<bool> added;
};

class Shortest {
 public:
  Shortest(const Numbers& before, const Numbers& after)
      : before_(before),
        after_(after),
        olds_(static_cast<int>(before.size())),
        news_(static_cast<int>(after.size())) {}

  [[nodiscard]] Marks run() {
    Marks out{std::vector<bool>(before_.size()), std::vector<bool>(after_.size())};
    const auto edits = count();
    if (!edits) {
      out.removed.assign(before_.size(), true);
      out.added.assign(after_.size(), true);
      return out;
    }
    int k = olds_ - news_;
    for (int edit = *edits; edit > 0; --edit) {
      const bool removes = is_removal(reached_[at(edit - 1)], edit, k);
      k += removes ? -1 : 1;
      const int old_line = reached_[at(edit - 1)][at(k + edit - 1)];
      if (removes) {
        out.removed[at(old_line)] = true;
      } else {
        out.added[at(old_line - k)] = true;
      }
    }
    return out;
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  /// Whether the edit that leads to diagonal `k` passes an old line, or else a new one. `reach` is
  /// of one edit less, so it has the diagonals from -(edit - 1) to edit - 1.
  static bool is_removal(const Numbers& reach, int edit, int k) {
    if (k == -edit || k == edit) return k == edit;
    return reach[at(k + edit - 2)] >= reach[at(k + edit)];
  }

  [[nodiscard]] int slide(int old_line, int k) const {
    while (old_line < olds_ && old_line - k < news_ &&
           before_[at(old_line)] == after_[at(old_line - k)]) {
      ++old_line;
    }
    return old_line;
  }

  std::optional<int> count() {
    const int most = std::min(olds_ + news_, kMostEdits);
    for (int edit = 0; edit <= most; ++edit) {
      Numbers reach(at(2 * edit + 1), -1);
      for (int k = -edit; k <= edit; k += 2) {
        int old_line = 0;
        if (edit > 0) {
          const Numbers& last = reached_.back();
          const bool removes = is_removal(last, edit, k);
          old_line = removes ? last[at(k + edit - 2)] + 1 : last[at(k + edit)];
        }
        old_line = slide(old_line, k);
        reach[at(k + edit)] = old_line;
        if (old_line == olds_ && old_line - k == news_) {
          reached_.push_back(std::move(reach));
          return edit;
        }
      }
      reached_.push_back(std::move(reach));
    }
    return std::nullopt;
  }

  const Numbers& before_;
  const Numbers& after_;
  int olds_;
  int news_;
  std::vector<Numbers> reached_;  // by count of edits; of diagonal k at k + edits
};

/// The lines of both texts as one list: what goes before what comes.
std::vector<DiffLine> all_lines(const std::vector<std::string_view>& before,
                                const std::vector<std::string_view>& after, const Marks& marks) {
  std::vector<DiffLine> out;
  const auto put = [&](DiffLine::Kind kind, std::string_view line) {
    const bool ends = line.ends_with('\n');
    if (ends) line.remove_suffix(1);
    out.push_back({kind, std::string(line), ends ? DiffLine::End::newline : DiffLine::End::none});
  };
  std::size_t old_line = 0;
  std::size_t new_line = 0;
  while (old_line < before.size() || new_line < after.size()) {
    if (old_line < before.size() && marks.removed[old_line]) {
      put(DiffLine::Kind::removed, before[old_line++]);
    } else if (new_line < after.size() && marks.added[new_line]) {
      put(DiffLine::Kind::added, after[new_line++]);
    } else {
      put(DiffLine::Kind::context, before[old_line++]);
      ++new_line;
    }
  }
  return out;
}

/// The changed lines with those around them; what touches is one hunk.
std::vector<Hunk> hunks_of(const std::vector<DiffLine>& lines) {
  std::vector<bool> shown(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == DiffLine::Kind::context) continue;
    const std::size_t end = std::min(i + kContext + 1, lines.size());
    for (std::size_t near = i - std::min(i, kContext); near < end; ++near) shown[near] = true;
  }
  std::vector<Hunk> out;
  std::size_t old_line = 1;
  std::size_t new_line = 1;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (shown[i] && (i == 0 || !shown[i - 1])) out.push_back({old_line, new_line, "", {}});
    if (shown[i]) out.back().lines.push_back(lines[i]);
    old_line += lines[i].is_old() ? 1U : 0U;
    new_line += lines[i].is_new() ? 1U : 0U;
  }
  // A side without lines is told by the line before it.
  for (Hunk& hunk : out) {
    if (hunk.old_count() == 0) --hunk.old_start;
    if (hunk.new_count() == 0) --hunk.new_start;
  }
  return out;
}

Numbers numbered(const std::vector<std::string_view>& lines, std::size_t first, std::size_t end,
                 std::unordered_map<std::string_view, int>& known) {
  Numbers out;
  for (std::size_t i = first; i < end; ++i) {
    out.push_back(known.emplace(lines[i], static_cast<int>(known.size())).first->second);
  }
  return out;
}

}  // namespace

FilePatch difference(std::string path, std::string_view before, std::string_view after) {
  const auto olds = lines_of(before);
  const auto news = lines_of(after);
  const std::size_t shorter = std::min(olds.size(), news.size());
  std::size_t head = 0;
  while (head < shorter && olds[head] == news[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && olds[olds.size() - 1 - tail] == news[news.size() - 1 - tail]) {
    ++tail;
  }
  std::unordered_map<std::string_view, int> known;
  const Numbers old_middle = numbered(olds, head, olds.size() - tail, known);
  const Numbers new_middle = numbered(news, head, news.size() - tail, known);
  const Marks middle = Shortest(old_middle, new_middle).run();
  Marks marks{std::vector<bool>(olds.size()), std::vector<bool>(news.size())};
  const auto at = static_cast<std::ptrdiff_t>(head);
  std::copy(middle.removed.begin(), middle.removed.end(), marks.removed.begin() + at);
  std::copy(middle.added.begin(), middle.added.end(), marks.added.begin() + at);
  return {FilePatch::Action::modify, std::move(path), hunks_of(all_lines(olds, news, marks))};
}

}  // namespace cg::json
