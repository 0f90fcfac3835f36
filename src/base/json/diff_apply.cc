#include "base/json/diff.h"
#include "base/json/parsing.h"

namespace cg::json {

namespace {

using Kind = DiffError::Kind;
using Action = FilePatch::Action;

/// Copies the original up to a hunk, replays the hunk, and so on to the end.
class Applier {
 public:
  explicit Applier(std::string_view original) : lines_(lines_of(original)) {}

  Result<Done, DiffError> replay(const Hunk& hunk) {
    CG_TRY(copy_until(hunk.lines_before()));
    for (const DiffLine& line : hunk.lines) {
      const std::string text = line.end == DiffLine::End::newline ? line.text + "\n" : line.text;
      if (line.is_old() && (at_ == lines_.size() || lines_[at_] != text)) return mismatch();
      if (line.is_new()) CG_TRY(put(text));
      if (line.is_old()) ++at_;
    }
    return Done{};
  }

  Result<std::string, DiffError> finish() && {
    CG_TRY(copy_until(lines_.size()));
    return std::move(out_);
  }

 private:
  [[nodiscard]] Failure<DiffError> mismatch() const {
    return fail(DiffError{Kind::does_not_match, at_ + 1, ""});
  }

  Result<Done, DiffError> copy_until(std::size_t end) {
    if (end < at_ || end > lines_.size()) return mismatch();
    for (; at_ < end; ++at_) CG_TRY(put(lines_[at_]));
    return Done{};
  }

  Result<Done, DiffError> put(std::string_view line) {
    // Only the last line of a text may lack its newline.
    if (!out_.empty() && !out_.ends_with('\n')) return mismatch();
    out_ += line;
    return Done{};
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

Result<std::string, DiffError> apply_patch(const FilePatch& patch, std::string_view original) {
  if (patch.action == Action::create && !original.empty()) {
    return fail(DiffError{Kind::file_not_empty, 1, ""});
  }
  Applier applier(original);
  for (const Hunk& hunk : patch.hunks) CG_TRY(applier.replay(hunk));
  CG_TRY_ASSIGN(std::string out, std::move(applier).finish());
  if (patch.action == Action::remove && !out.empty()) {
    return fail(DiffError{Kind::contents_left, 1, ""});
  }
  return out;
}

}  // namespace cg::json
