#include "base/json/diff.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "base/base/text.h"
#include "base/json/parsing.h"

namespace cg::json {

namespace {

using Kind = DiffError::Kind;
using Action = FilePatch::Action;
using LineKind = DiffLine::Kind;
using End = DiffLine::End;

constexpr std::string_view kGitHeader = "diff --git a/";
constexpr std::string_view kIndex = "index ";
constexpr std::string_view kMode = " 100644";
constexpr std::string_view kNoFile = "/dev/null";
constexpr std::uint64_t kMostLines = 1U << 30U;  // sums stay far from overflow

/// How many lines stand before the hunk on one side.
std::size_t lines_above(std::size_t start, std::size_t lines) {
  return lines == 0 ? start : start - 1;
}

/// The reason why a line in the place of a header is refused.
Kind refusal(std::string_view line) {
  const struct {
    std::string_view start;
    Kind kind;
  } rows[] = {
      {"old mode ", Kind::mode_line},
      {"new mode ", Kind::mode_line},
      {"new file mode ", Kind::mode_line},
      {"deleted file mode ", Kind::mode_line},
      {"rename ", Kind::rename_line},
      {"similarity index ", Kind::rename_line},
      {"dissimilarity index ", Kind::rename_line},
      {"copy ", Kind::copy_line},
      {"GIT binary patch", Kind::binary},
      {"Binary files ", Kind::binary},
  };
  for (const auto& row : rows) {
    if (line.starts_with(row.start)) return row.kind;
  }
  return Kind::bad_header;
}

bool is_git_folder(std::string_view component) {
  return component.size() == 4 && component[0] == '.' && (component[1] | 0x20) == 'g' &&
         (component[2] | 0x20) == 'i' && (component[3] | 0x20) == 't';
}

bool is_safe_path(std::string_view path) {
  if (path.find_first_of("\\%\"") != std::string_view::npos) return false;
  if (printable(path) != path) return false;
  const std::vector<std::string_view> components = split(path, '/');
  return std::none_of(components.begin(), components.end(), [](std::string_view component) {
    return component.empty() || component == "." || component == ".." ||
           component.starts_with(' ') || component.ends_with(' ') || is_git_folder(component);
  });
}

/// abc..def, perhaps with the mode of a file that keeps it
bool is_index(std::string_view text) {
  if (text.ends_with(kMode) || text.ends_with(" 100755")) text.remove_suffix(kMode.size());
  const auto is_id = [](std::string_view id) {
    return !id.empty() && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  };
  const std::size_t dots = std::min(text.find(".."), text.size());
  return is_id(text.substr(0, dots)) && is_id(text.substr(std::min(dots + 2, text.size())));
}

struct Range {
  std::size_t start = 0;
  std::size_t count = 0;
};

/// 12 or 12,3
std::optional<Range> parse_range(std::string_view text) {
  const std::size_t comma = text.find(',');
  const auto start = parse_u64(text.substr(0, comma));
  const auto lines = comma == std::string_view::npos ? std::optional<std::uint64_t>(1)
                                                     : parse_u64(text.substr(comma + 1));
  if (!start || !lines || *start > kMostLines || *lines > kMostLines) return std::nullopt;
  if (*start == 0 && *lines > 0) return std::nullopt;
  return Range{*start, *lines};
}

/// The lines that a hunk has by its header and not yet by its lines.
struct Missing {
  std::size_t old_lines = 0;
  std::size_t new_lines = 0;

  [[nodiscard]] bool any() const { return old_lines > 0 || new_lines > 0; }

  [[nodiscard]] std::size_t on_sides_of(const DiffLine& line) const {
    return (line.is_old() ? old_lines : 0) + (line.is_new() ? new_lines : 0);
  }

  /// False if there is no room for the line.
  bool subtract(const DiffLine& line) {
    if (line.is_old() && old_lines-- == 0) return false;
    return !line.is_new() || new_lines-- > 0;
  }
};

/// What the lines in front of the first hunk say.
struct Header {
  std::optional<std::string> git_path;
  std::optional<Action> mode_action;  // from `new file mode` or `deleted file mode`
};

class DiffParser {
 public:
  explicit DiffParser(std::string_view text) : rest_(text) {}

  Result<Patch, DiffError> run() {
    Patch patch;
    std::set<std::string> paths;
    while (!rest_.empty()) {
      const std::size_t start = line_;
      CG_TRY_ASSIGN(FilePatch file, parse_file());
      if (!paths.insert(file.path).second) {
        return fail(DiffError{Kind::duplicate_path, start, excerpt(file.path)});
      }
      patch.files.push_back(std::move(file));
    }
    if (patch.files.empty()) return error(Kind::no_patch);
    return patch;
  }

 private:
  /// The next line without its newline; parse_diff() made sure that it has one.
  [[nodiscard]] std::string_view peek() const { return rest_.substr(0, rest_.find('\n')); }

  [[nodiscard]] bool next_starts_with(std::string_view start) const {
    return rest_.starts_with(start);
  }

  std::string_view take() {
    const std::string_view line = peek();
    rest_.remove_prefix(line.size() + 1);
    ++line_;
    return line;
  }

  /// About the next line.
  [[nodiscard]] Failure<DiffError> error(Kind kind, std::string_view detail = "") const {
    return fail(DiffError{kind, line_, excerpt(detail)});
  }

  /// About the line that was taken last.
  [[nodiscard]] Failure<DiffError> error_above(Kind kind, std::string_view detail = "") const {
    return fail(DiffError{kind, line_ - 1, excerpt(detail)});
  }

  Result<FilePatch, DiffError> parse_file() {
    CG_TRY_ASSIGN(const Header header, parse_git_header());
    FilePatch file;
    CG_TRY(parse_names(file));
    if (header.git_path && *header.git_path != file.path) {
      return error_above(Kind::paths_differ, *header.git_path);
    }
    // git refuses a git header that does not announce the creation or removal.
    const Action announced = header.mode_action.value_or(Action::modify);
    if (header.git_path && announced != file.action) return error_above(Kind::bad_header);
    while (next_starts_with("@@ ")) CG_TRY(parse_hunk(file));
    if (file.hunks.empty()) return error(Kind::no_hunks);
    CG_TRY(check_action(file));
    return file;
  }

  Result<Header, DiffError> parse_git_header() {
    Header header;
    if (!next_starts_with(kGitHeader)) return header;
    const std::string_view both = peek().substr(kGitHeader.size());  // x b/x
    const std::string path(
        both.substr(0, both.size() / 2 - std::min<std::size_t>(both.size() / 2, 1)));
    if (both != path + " b/" + path) return error(Kind::paths_differ, both);
    header.git_path = path;
    take();
    if (peek() == "new file mode 100644") header.mode_action = Action::create;
    if (peek() == "deleted file mode 100644") header.mode_action = Action::remove;
    if (header.mode_action) take();
    if (next_starts_with(kIndex)) {
      if (!is_index(peek().substr(kIndex.size()))) return error(Kind::bad_header, peek());
      take();
    }
    return header;
  }

  Result<Done, DiffError> parse_names(FilePatch& file) {
    CG_TRY_ASSIGN(const std::string_view before, parse_name("--- ", "a/"));
    CG_TRY_ASSIGN(const std::string_view after, parse_name("+++ ", "b/"));
    if (before.empty() && after.empty()) return error_above(Kind::bad_header, kNoFile);
    if (!before.empty() && !after.empty() && before != after) {
      return error_above(Kind::paths_differ, after);
    }
    if (before.empty()) file.action = Action::create;
    if (after.empty()) file.action = Action::remove;
    file.path = before.empty() ? after : before;
    return Done{};
  }

  /// The path of a `---` or `+++` line, empty for /dev/null.
  Result<std::string_view, DiffError> parse_name(std::string_view mark, std::string_view side) {
    const std::string_view line = peek();
    if (!line.starts_with(mark)) return error(refusal(line), line);
    std::string_view name = line.substr(mark.size());
    if (name == kNoFile) {
      take();
      return std::string_view();
    }
    if (!name.starts_with(side)) return error(Kind::bad_path, name);
    name.remove_prefix(side.size());
    // git ends a name that has a space in it with a tab.
    if (name.ends_with('\t') && name.find(' ') != std::string_view::npos) name.remove_suffix(1);
    if (!is_safe_path(name)) return error(Kind::bad_path, name);
    take();
    return name;
  }

  /// @@ -1,2 +1,3 @@ section
  Result<Done, DiffError> parse_hunk(FilePatch& file) {
    const std::string_view line = peek();
    const std::size_t close = line.find(" @@", 3);
    const std::size_t plus = line.find(" +");
    if (!line.starts_with("@@ -") || close == std::string_view::npos || plus >= close) {
      return error(Kind::bad_hunk_header, line);
    }
    const auto old_range = parse_range(line.substr(4, plus - 4));
    const auto new_range = parse_range(line.substr(plus + 2, close - plus - 2));
    std::string_view section = line.substr(close + 3);
    if (!old_range || !new_range || !(section.empty() || section.starts_with(' '))) {
      return error(Kind::bad_hunk_header, line);
    }
    if (!section.empty()) section.remove_prefix(1);
    Hunk hunk{old_range->start, new_range->start, std::string(section), {}};
    CG_TRY(check_place(file.hunks, *old_range, *new_range));
    take();
    CG_TRY(parse_lines(hunk, {old_range->count, new_range->count}));
    file.hunks.push_back(std::move(hunk));
    return Done{};
  }

  Result<Done, DiffError> check_place(const std::vector<Hunk>& hunks, const Range& old_range,
                                      const Range& new_range) {
    std::size_t old_end = 0;
    std::size_t new_end = 0;
    if (!hunks.empty()) {
      const Hunk& last = hunks.back();
      if (std::any_of(last.lines.begin(), last.lines.end(),
                      [](const DiffLine& line) { return line.end == End::none; })) {
        return error(Kind::bad_end_marker);
      }
      old_end = last.lines_before() + last.old_count();
      new_end = lines_above(last.new_start, last.new_count()) + last.new_count();
    }
    const std::size_t old_at = lines_above(old_range.start, old_range.count);
    const std::size_t new_at = lines_above(new_range.start, new_range.count);
    if (old_at < old_end) return error(Kind::hunks_overlap);
    // The lines between two hunks are the same on both sides.
    if (new_at < new_end || new_at - new_end != old_at - old_end) {
      return error(Kind::starts_disagree);
    }
    return Done{};
  }

  Result<Done, DiffError> parse_lines(Hunk& hunk, Missing missing) {
    while (missing.any()) {
      CG_TRY_ASSIGN(DiffLine line, parse_line());
      if (!missing.subtract(line)) return error_above(Kind::counts_differ);
      // Nothing may follow on a side that has ended.
      if (line.end == End::none && missing.on_sides_of(line) > 0) {
        return error_above(Kind::bad_end_marker);
      }
      hunk.lines.push_back(std::move(line));
    }
    if (next_is_hunk_line()) return error(Kind::counts_differ);
    const bool changes = hunk.old_count() + hunk.new_count() < 2 * hunk.lines.size();
    if (!changes) return error_above(Kind::no_change);
    return Done{};
  }

  [[nodiscard]] bool next_is_hunk_line() const {
    if (next_starts_with("--- ")) return false;
    return next_starts_with(" ") || next_starts_with("+") || next_starts_with("-");
  }

  Result<DiffLine, DiffError> parse_line() {
    if (rest_.empty()) return error(Kind::counts_differ);
    const char mark = rest_.front();
    if (mark == '\\') return error(Kind::bad_end_marker, peek());
    if (mark != ' ' && mark != '-' && mark != '+') return error(Kind::bad_line, peek());
    const LineKind kind = mark == ' '   ? LineKind::context
                          : mark == '-' ? LineKind::removed
                                        : LineKind::added;
    DiffLine line{kind, std::string(take().substr(1))};
    if (peek() == kEndMarker) {
      line.end = End::none;
      take();
    }
    return line;
  }

  Result<Done, DiffError> check_action(const FilePatch& file) {
    if (file.action == Action::modify) return Done{};
    const bool creates = file.action == Action::create;
    const Hunk& only = file.hunks.front();
    const std::size_t other_side = creates ? only.old_count() : only.new_count();
    if (file.hunks.size() == 1 && other_side == 0 && only.lines_before() == 0) return Done{};
    return error_above(creates ? Kind::bad_creation : Kind::bad_removal);
  }

  std::string_view rest_;
  std::size_t line_ = 1;
};

std::string range(std::size_t start, std::size_t lines) {
  return std::to_string(start) + (lines == 1 ? "" : "," + std::to_string(lines));
}

std::string name_line(std::string_view mark, const FilePatch& file, Action absent) {
  std::string out(mark.substr(0, 4));
  if (file.action == absent) return out.append(kNoFile) + "\n";
  out.append(mark.substr(4)).append(file.path);
  return out + (file.path.find(' ') == std::string::npos ? "\n" : "\t\n");
}

void append(std::string& out, const DiffLine& line) {
  out += line.kind == LineKind::context ? ' ' : line.kind == LineKind::removed ? '-' : '+';
  out += line.text + "\n";
  if (line.end == End::none) out.append(kEndMarker) += '\n';
}

void append(std::string& out, const Hunk& hunk) {
  out += "@@ -" + range(hunk.old_start, hunk.old_count()) + " +" +
         range(hunk.new_start, hunk.new_count()) + " @@";
  out += hunk.section.empty() ? "\n" : " " + hunk.section + "\n";
  for (const DiffLine& line : hunk.lines) append(out, line);
}

}  // namespace

std::size_t Hunk::old_count() const {
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.is_old(); }));
}

std::size_t Hunk::new_count() const {
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.is_new(); }));
}

std::size_t Hunk::lines_before() const { return lines_above(old_start, old_count()); }

Result<Patch, DiffError> parse_diff(std::string_view text, const DiffLimits& limits) {
  if (text.size() > limits.max_bytes) return fail(DiffError{Kind::too_large, 1, ""});
  if (!is_utf8(text)) return fail(DiffError{Kind::not_utf8, 1, ""});
  if (text.find('\0') != std::string_view::npos) return fail(DiffError{Kind::not_text, 1, ""});
  if (!text.empty() && !text.ends_with('\n')) return fail(DiffError{Kind::truncated, 1, ""});
  return DiffParser(text).run();
}

std::string write_diff(const Patch& patch) {
  std::string out;
  for (const FilePatch& file : patch.files) {
    out += name_line("--- a/", file, Action::create);
    out += name_line("+++ b/", file, Action::remove);
    for (const Hunk& hunk : file.hunks) append(out, hunk);
  }
  return out;
}

}  // namespace cg::json
