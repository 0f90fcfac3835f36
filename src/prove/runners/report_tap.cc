#include <algorithm>
#include <deque>
#include <optional>

#include "base/base/text.h"
#include "prove/runners/reports.h"
#include "prove/runners/shown.h"

namespace cg::runners {

namespace {

constexpr std::size_t kIndent = 4;
constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxDiagnostic = 200;  // lines
constexpr std::string_view kSubtest = "# Subtest: ";
constexpr std::string_view kSaysNothing = "test failed\n";

/// "ok 3 - name # SKIP why {" taken apart.
struct Point {
  bool ok = false;
  bool skipped = false;  // SKIP, or still to be done
  bool opens = false;    // its subtests follow, in braces
  std::string name;
};

/// The name up to the # that starts a directive; \# and \\ stand for themselves.
std::string unescaped(std::string_view text, std::size_t& end) {
  std::string out;
  for (end = 0; end < text.size(); ++end) {
    if (text[end] == '\\' && end + 1 < text.size() &&
        (text[end + 1] == '#' || text[end + 1] == '\\')) {
      out += text[++end];
      continue;
    }
    const bool spaced = end == 0 || text[end - 1] == ' ';
    if (text[end] == '#' && spaced) break;
    out += text[end];
  }
  return std::string(trim(out));
}

std::optional<Point> parse_point(std::string_view line) {
  Point out;
  out.ok = line.starts_with("ok");
  if (!out.ok && !line.starts_with("not ok")) return std::nullopt;
  line.remove_prefix(out.ok ? 2 : 6);
  if (!line.empty() && line.front() != ' ') return std::nullopt;
  line = trim(line);
  while (!line.empty() && line.front() >= '0' && line.front() <= '9') line.remove_prefix(1);
  line = trim(line);
  if (line.starts_with("- ")) line.remove_prefix(2);
  if (line.ends_with(" {") || line == "{") {
    out.opens = true;
    line.remove_suffix(1);
  }
  std::size_t end = 0;
  out.name = unescaped(line, end);
  const std::string directive = lower_ascii(trim(line.substr(std::min(end + 1, line.size()))));
  out.skipped = directive.starts_with("skip") || directive.starts_with("todo");
  return out;
}

/// N of "1..N".
std::optional<std::uint64_t> parse_plan(std::string_view line) {
  if (!line.starts_with("1..")) return std::nullopt;
  line.remove_prefix(3);
  return parse_u64(trim(line.substr(0, line.find('#'))));
}

class TapReader {
 public:
  TapReader(Runner runner, std::string_view root) : runner_(runner), list_(runner, root) {}

  TestRun run(std::string_view text) && {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      read_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    finish();
    return std::move(list_).finish();
  }

 private:
  /// What was seen at one depth since the point above it.
  struct Level {
    std::string name;  // of the subtest whose points come one deeper
    std::size_t points = 0;
    std::size_t failed = 0;
    std::optional<Point> opened;  // closed by a brace
  };

  void read_line(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view rest = line.substr(spaces);
    if (skips_diagnostic(spaces, rest, line)) return;
    if (spaces % kIndent != 0 || spaces / kIndent >= kMaxDepth) return;
    const std::size_t depth = spaces / kIndent;
    if (rest.starts_with(kSubtest)) {
      level(depth).name = rest.substr(kSubtest.size());
    } else if (rest == "{") {
      level(depth).name = last_name_;  // its point came before the diagnostic
      levels_.resize(depth + 1);
    } else if (rest == "}") {
      close(depth);
    } else if (const auto point = parse_point(rest)) {
      failed_last_ = false;
      take(depth, *point);
      last_depth_ = depth;
      last_name_ = point->name;
    } else if (depth == 0) {
      read_top(rest);
    }
  }

  /// YAML after a point, between `---` and `...` two columns further in.
  bool skips_diagnostic(std::size_t spaces, std::string_view rest, std::string_view line) {
    if (yaml_at_) {
      if (spaces == *yaml_at_ && rest == "...") {
        if (failed_last_) list_.said(why_failed());
        yaml_at_.reset();
        diagnostic_.clear();
        if (last_depth_ == 0U) printed_.clear();
      } else if (failed_last_ && diagnostic_.size() < kMaxDiagnostic) {
        diagnostic_.emplace_back(line.substr(std::min(line.size(), std::min(spaces, *yaml_at_))));
      }
      return true;
    }
    if (last_depth_ && rest == "---" && spaces == *last_depth_ * kIndent + 2) {
      yaml_at_ = spaces;
      return true;
    }
    return false;
  }

  /// Of a file that ended before it had any test node says only that it did: what the file printed
  /// stands before its point.
  std::string why_failed() const {
    std::string out = told_in_yaml(diagnostic_, list_.root());
    if (last_depth_ != 0U || !out.starts_with(kSaysNothing)) return out;
    std::string printed;
    for (const std::string& line : printed_) {
      if (!trim(line).empty()) printed += line + "\n";  // one node leaves empty lines out
    }
    printed = told(printed, list_.root(), kMaxFailureBytes);
    return printed.empty() ? out : printed;
  }

  void read_top(std::string_view line) {
    if (line.starts_with("# ")) {
      if (printed_.size() == kMaxDiagnostic) printed_.pop_front();
      printed_.emplace_back(line.substr(2));
    }
    if (const auto plan = parse_plan(line)) {
      if (plan_) list_.lacks("two plans");
      plan_ = plan;
    } else if (line.starts_with("Bail out!")) {
      list_.lacks("the run bailed out");
    } else if (line.starts_with("# time=")) {
      ended_ = true;
    }
  }

  Level& level(std::size_t depth) {
    if (levels_.size() <= depth) levels_.resize(depth + 1);
    return levels_[depth];
  }

  void take(std::size_t depth, const Point& point) {
    ended_ = false;
    if (point.opens) {
      Level& here = level(depth);
      here.name = point.name;
      here.opened = point;
      levels_.resize(depth + 1);
      return;
    }
    const bool is_parent = depth + 1 < levels_.size() && levels_[depth + 1].points > 0;
    settle(depth, point, is_parent);
  }

  void close(std::size_t depth) {
    if (depth >= levels_.size()) return;
    if (!levels_[depth].opened) {
      levels_[depth].name.clear();
      levels_.resize(depth + 1);
      return;
    }
    const Point point = *levels_[depth].opened;
    levels_[depth].opened.reset();
    const bool is_parent = depth + 1 < levels_.size() && levels_[depth + 1].points > 0;
    settle(depth, point, is_parent);
  }

  /// A parent says what its children said, unless it fails though none of them did.
  void settle(std::size_t depth, const Point& point, bool is_parent) {
    Level& here = level(depth);
    const bool fails = !point.ok && !point.skipped;
    const bool child_failed = is_parent && levels_[depth + 1].failed > 0;
    ++here.points;
    if (fails) ++here.failed;
    if (!is_parent || (fails && !child_failed)) {
      add(depth, point, fails);
    }
    here.name.clear();
    levels_.resize(depth + 1);
  }

  void add(std::size_t depth, const Point& point, bool fails) {
    std::vector<std::string_view> parts;
    for (std::size_t i = 0; i < depth; ++i) parts.emplace_back(levels_[i].name);
    parts.emplace_back(point.name);
    const Outcome quiet = point.skipped ? Outcome::skipped : Outcome::passed;
    list_.add(parts, fails ? Outcome::failed : quiet);
    failed_last_ = fails;
  }

  void finish() {
    const std::size_t points = levels_.empty() ? 0 : levels_.front().points;
    if (yaml_at_) return list_.lacks("the report ends within a test");
    // node-tap writes its plan before it opens the file, but its time at the very end.
    if (!plan_ && runner_ == Runner::tap && ended_ && points > 0) return;
    if (!plan_) return list_.lacks("the report ends without a plan");
    if (*plan_ != points) list_.lacks("the report names another number of tests than its plan");
  }

  Runner runner_;
  CaseList list_;
  std::vector<Level> levels_;
  std::optional<std::size_t> yaml_at_;
  std::vector<std::string> diagnostic_;  // lines of the YAML that is being read
  std::deque<std::string> printed_;      // by tests, since the last point of all
  bool failed_last_ = false;             // of the test that was added last
  std::optional<std::size_t> last_depth_;
  std::string last_name_;
  std::optional<std::uint64_t> plan_;
  bool ended_ = false;
};

}  // namespace

TestRun read_tap(Runner runner, std::string_view text, std::string_view root) {
  return TapReader(runner, root).run(text);
}

}  // namespace cg::runners
