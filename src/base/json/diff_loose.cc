// How a loose diff is read: it is written out as the strict one that it stands for, and read as
// that. Only what is between two headers changes; whatever else is wrong stays wrong.
//
//     --- a/x                     --- a/x
//     +++ b/x                     +++ b/x
//     @@ -7,9 +7,9 @@ f()         @@ -1,3 +1,2 @@
//      one                         one
//     <nothing>                   <a space>
//     -two                        -two
//     <nothing>
//     @@                          @@ -4,1 +3,1 @@
//     -nine                       -nine
//     +NINE<carriage return>      +NINE
//     \ No newline at end of file
#include <limits>

#include "base/base/text.h"
#include "base/json/diff.h"
#include "base/json/parsing.h"

namespace cg::json {

namespace {

bool opens_hunk(std::string_view line) { return line == "@@" || line.starts_with("@@ "); }

class Straightener {
 public:
  explicit Straightener(std::string_view text) : lines_(split(text, '\n')) {
    if (lines_.back().empty()) lines_.pop_back();
    for (std::string_view& line : lines_) {
      while (line.ends_with('\r')) line.remove_suffix(1);
    }
  }

  std::string run() {
    while (at_ < lines_.size()) {
      if (opens_hunk(lines_[at_])) {
        write_hunk();
        continue;
      }
      put(lines_[at_], at_);
      ++at_;
      old_lines_ = new_lines_ = 0;
    }
    return std::move(out_);
  }

  /// The line of the loose text that a line of the strict one stands for, both from 1.
  [[nodiscard]] std::size_t source_of(std::size_t line) const {
    return line <= sources_.size() ? sources_[line - 1] + 1 : lines_.size() + 1;
  }

 private:
  void put(std::string_view line, std::size_t source) {
    (out_ += line) += '\n';
    sources_.push_back(source);
  }

  /// The line at `at_` is one of the hunk that begins at `first`.
  [[nodiscard]] bool in_hunk(std::size_t first) const {
    const std::string_view line = lines_[at_];
    const bool next_file =
        line.starts_with("--- ") && at_ + 1 < lines_.size() && lines_[at_ + 1].starts_with("+++ ");
    if (line.empty() || line == kEndMarker) return line.empty() || at_ > first;
    return !next_file && std::string_view(" +-").find(line.front()) != std::string_view::npos;
  }

  void write_hunk() {
    const std::size_t header = at_++;
    const std::size_t first = at_;
    while (at_ < lines_.size() && in_hunk(first)) ++at_;
    std::size_t end = at_;
    while (end > first && lines_[end - 1].empty()) --end;
    std::size_t removed = 0;
    std::size_t added = 0;
    std::size_t marks = 0;
    for (std::size_t i = first; i < end; ++i) {
      const char mark = lines_[i].empty() ? ' ' : lines_[i].front();
      removed += mark == '-' ? 1U : 0U;
      added += mark == '+' ? 1U : 0U;
      marks += mark == '\\' ? 1U : 0U;
    }
    const std::size_t kept = end - first - removed - added - marks;
    put("@@ -" + advance(old_lines_, kept + removed) + " +" + advance(new_lines_, kept + added) +
            " @@",
        header);
    for (std::size_t i = first; i < end; ++i) {
      if (lines_[i] != kEndMarker) put(lines_[i].empty() ? " " : lines_[i], i);
    }
  }

  /// "4,2" for the two lines behind three others.
  static std::string advance(std::size_t& before, std::size_t lines) {
    const std::size_t start = lines == 0 ? before : before + 1;
    before += lines;
    return std::to_string(start) + "," + std::to_string(lines);
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::size_t old_lines_ = 0;  // of the hunks above, in this file
  std::size_t new_lines_ = 0;
  std::string out_;
  std::vector<std::size_t> sources_;  // of the lines of `out_`, from 0
};

}  // namespace

Result<Patch, DiffError> parse_loose_diff(std::string_view text, const DiffLimits& limits) {
  if (text.size() > limits.max_bytes) return fail(DiffError{DiffError::Kind::too_large, 1, ""});
  Straightener straightener(text);
  const std::string strict = straightener.run();
  auto patch = parse_diff(strict, {.max_bytes = std::numeric_limits<std::size_t>::max()});
  if (!patch) {
    DiffError error = std::move(patch).error();
    error.line = straightener.source_of(error.line);
    return fail(std::move(error));
  }
  return patch;
}

}  // namespace cg::json
