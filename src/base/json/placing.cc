// How places are found: each hunk as far up as the hunks above it let it be, which gives one
// way to place them all; then each as far down as the hunks below let it. If both ways are the
// same, there is no third. A hunk is searched from the one before it on, so that all of them
// together read the file once in each direction, however often its lines repeat (Knuth, Morris
// and Pratt).
#include "base/json/placing.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/parsing.h"

namespace cg::json {

namespace {

using LineKind = DiffLine::Kind;
using Lines = std::vector<std::string_view>;
using Offset = std::ptrdiff_t;
/// Nobody sees it, so nobody copies it with the first line.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A text as lines without what ends them.
struct Source {
  explicit Source(std::string_view text) {
    for (std::string_view line : lines_of(text)) {
      const std::string_view end = line.ends_with("\r\n") ? "\r\n"
                                   : line.ends_with('\n') ? "\n"
                                                          : "";
      line.remove_suffix(end.size());
      lines.push_back(line);
      ends_.push_back(end);
    }
  }

  /// What ends a line, or what would if the file did not end there.
  [[nodiscard]] std::string_view end_of(std::size_t line) const {
    if (!ends_[line].empty()) return ends_[line];
    return ends_.front().empty() ? "\n" : ends_.front();
  }
  [[nodiscard]] bool ends_with_newline() const { return ends_.empty() || !ends_.back().empty(); }

  Lines lines;

 private:
  Lines ends_;
};

Lines old_lines(const Hunk& hunk) {
  Lines out;
  for (const DiffLine& line : hunk.lines) {
    if (line.is_old()) out.push_back(line.text);
  }
  return out;
}

/// Where lines are looked for again and again, each time behind the last.
class Finder {
 public:
  explicit Finder(const Lines& wanted) : wanted_(wanted), borders_(wanted.size()) {
    for (std::size_t i = 1, length = 0; i < wanted.size(); ++i) {
      while (length > 0 && wanted[i] != wanted[length]) length = borders_[length - 1];
      if (wanted[i] == wanted[length]) ++length;
      borders_[i] = length;
    }
  }

  /// The first place from `from` on.
  [[nodiscard]] std::optional<std::size_t> find(const Lines& text, std::size_t from) const {
    std::size_t length = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
      while (length > 0 && text[i] != wanted_[length]) length = borders_[length - 1];
      if (text[i] == wanted_[length]) ++length;
      if (length == wanted_.size()) return i + 1 - length;
    }
    return std::nullopt;
  }

 private:
  const Lines& wanted_;
  std::vector<std::size_t> borders_;  // of each start of `wanted_`: the longest that also ends it
};

/// How far behind the start of a hunk the next one starts at least: behind its last line, or
/// so that an unchanged line lies between what they change.
Offset gap_between(const Hunk& above, const Hunk& below) {
  std::size_t line = 0;
  std::size_t changed_until = 0;
  for (const DiffLine& one : above.lines) {
    line += one.is_old() ? 1U : 0U;
    if (one.kind != LineKind::context) changed_until = line;
  }
  std::size_t changed_from = 0;
  while (below.lines[changed_from].kind == LineKind::context) ++changed_from;
  return std::min(static_cast<Offset>(line),
                  static_cast<Offset>(changed_until) - static_cast<Offset>(changed_from) + 1);
}

struct Task {
  std::vector<Lines> wanted;  // of each hunk
  std::vector<Offset> gaps;   // between the starts of a hunk and the next
};

Task task_of(const std::vector<Hunk>& hunks) {
  Task out;
  for (std::size_t i = 0; i < hunks.size(); ++i) {
    out.wanted.push_back(old_lines(hunks[i]));
    if (i > 0) out.gaps.push_back(gap_between(hunks[i - 1], hunks[i]));
  }
  return out;
}

/// From the last hunk to the first, in a file that is read from its end.
Task turned(const Task& task) {
  Task out;
  for (std::size_t i = task.wanted.size(); i-- > 0;) {
    out.wanted.emplace_back(task.wanted[i].rbegin(), task.wanted[i].rend());
    if (i == 0) break;
    out.gaps.push_back(task.gaps[i - 1] - static_cast<Offset>(task.wanted[i - 1].size()) +
                       static_cast<Offset>(task.wanted[i].size()));
  }
  return out;
}

/// The places of all hunks, each as early as can be; it ends where there is none for the next.
std::vector<std::size_t> earliest(const Task& task, const Lines& text) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < task.wanted.size(); ++i) {
    const Offset from = i == 0 ? 0 : static_cast<Offset>(out.back()) + task.gaps[i - 1];
    const auto found =
        Finder(task.wanted[i]).find(text, static_cast<std::size_t>(std::max<Offset>(from, 0)));
    if (!found) break;
    out.push_back(*found);
  }
  return out;
}

/// Each as late as can be. There is one for all.
std::vector<std::size_t> latest(const Task& task, const Lines& text) {
  std::vector<std::size_t> out = earliest(turned(task), {text.rbegin(), text.rend()});
  std::reverse(out.begin(), out.end());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = text.size() - out[i] - task.wanted[i].size();
  }
  return out;
}

std::vector<std::size_t> all_places(const Lines& wanted, const Lines& text) {
  std::vector<std::size_t> out;
  const Finder finder(wanted);
  for (auto found = finder.find(text, 0); found && out.size() < kMaxPlacesTold;
       found = finder.find(text, *found + 1)) {
    out.push_back(*found + 1);
  }
  return out;
}

/// Where most of the lines stand as far apart as they should, white space at their ends left
/// out of account. Lines that the file has many times say nothing.
std::optional<std::size_t> most_alike(const Lines& wanted, const Lines& text) {
  constexpr std::size_t kMany = 8;
  std::map<std::string_view, std::vector<std::size_t>> where;
  for (const std::string_view line : wanted) {
    if (!trim(line).empty()) where[trim(line)];
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto found = where.find(trim(text[i]));
    if (found != where.end() && found->second.size() < kMany) found->second.push_back(i);
  }
  std::map<std::size_t, std::size_t> votes;  // by first line
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = where.find(trim(wanted[i]));
    if (found == where.end() || found->second.size() == kMany) continue;
    for (const std::size_t line : found->second) ++votes[line < i ? 0 : line - i];
  }
  const auto best = std::max_element(
      votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (best == votes.end()) return std::nullopt;
  return best->first;
}

Misplaced not_found(const Task& task, const Lines& text, std::size_t hunk) {
  const Lines& wanted = task.wanted[hunk];
  Misplaced out{Misplaced::Kind::out_of_order, hunk + 1, all_places(wanted, text)};
  if (!out.places.empty()) return out;
  out.kind = Misplaced::Kind::absent;
  if (const auto best = most_alike(wanted, text)) out.places.push_back(*best + 1);
  return out;
}

/// The new lines, each with what ends it.
class Rewriter {
 public:
  explicit Rewriter(const Source& source) : source_(source) {}

  void replay(const Hunk& hunk, std::size_t start) {
    std::size_t at = start;
    for (const DiffLine& line : hunk.lines) {
      if (line.kind != LineKind::context) copy_until(at);
      if (line.kind == LineKind::added) put(line.text, at > start ? at - 1 : at);
      if (line.is_old()) ++at;
      if (line.kind == LineKind::removed) done_ = at;
    }
  }

  std::string finish() && {
    copy_until(source_.lines.size());
    if (!out_.empty() && !source_.ends_with_newline()) out_.resize(out_.size() - last_end_);
    return std::move(out_);
  }

 private:
  void put(std::string_view line, std::size_t like) {
    const std::string_view end = source_.end_of(like);
    (out_ += line) += end;
    last_end_ = end.size();
  }
  void copy_until(std::size_t line) {
    for (; done_ < line; ++done_) put(source_.lines[done_], done_);
  }

  const Source& source_;
  std::size_t done_ = 0;  // lines of the old text
  std::string out_;
  std::size_t last_end_ = 0;
};

}  // namespace

Result<std::string, Misplaced> place(const FilePatch& loose, std::string_view original) {
  const bool marked = original.starts_with(kByteOrderMark);
  const Source source(original.substr(marked ? kByteOrderMark.size() : 0));
  for (const Hunk& hunk : loose.hunks) CG_ASSERT(hunk.old_count() > 0);
  const Task task = task_of(loose.hunks);
  const std::vector<std::size_t> places = earliest(task, source.lines);
  if (places.size() < loose.hunks.size()) {
    return fail(not_found(task, source.lines, places.size()));
  }
  const std::vector<std::size_t> others = latest(task, source.lines);
  const auto differs = std::mismatch(places.begin(), places.end(), others.begin()).first;
  if (differs != places.end()) {
    const auto hunk = static_cast<std::size_t>(differs - places.begin());
    return fail(Misplaced{Misplaced::Kind::ambiguous, hunk + 1,
                          all_places(task.wanted[hunk], source.lines)});
  }
  Rewriter rewriter(source);
  for (std::size_t i = 0; i < places.size(); ++i) rewriter.replay(loose.hunks[i], places[i]);
  std::string text = std::move(rewriter).finish();
  if (marked) text.insert(0, kByteOrderMark);
  return text;
}

}  // namespace cg::json
