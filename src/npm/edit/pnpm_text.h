// The lines of a pnpm-lock.yaml, as pnpm writes it. Private to this module.
//
// The reader understands any YAML; this knows where the parts stand, for texts with one
// key a line and two spaces a level. Any other text is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "npm/edit/edit.h"

namespace cg::edit {

struct PnpmLine {
  npm::Span at;  // from the start of the line, without its end
  std::uint32_t indent = 0;
  std::string key;     // empty for an item of a list
  npm::Span value_at;  // as written; empty if there is none
  std::size_t parent = 0;
  std::size_t last = 0;  // one past what is within it
};

class PnpmText {
 public:
  static constexpr std::size_t kNoLine = SIZE_MAX;

  /// Of the document that the byte `inside` is in.
  [[nodiscard]] static Result<PnpmText, EditError> read(std::string_view text,
                                                        std::uint32_t inside);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const PnpmLine& line(std::size_t i) const { return lines_[i]; }
  /// Direct children; those of kNoLine stand at the top.
  [[nodiscard]] std::vector<std::size_t> children(std::size_t parent) const;
  /// kNoLine if there is none.
  [[nodiscard]] std::size_t child(std::size_t parent, std::string_view key) const;
  /// The line with all that is within it.
  [[nodiscard]] npm::Span whole(std::size_t i) const {
    return {lines_[i].at.begin, lines_[lines_[i].last - 1].at.end};
  }
  /// Without quotes.
  [[nodiscard]] std::string value(std::size_t i) const;

 private:
  explicit PnpmText(std::string_view text) : text_(text) {}
  [[nodiscard]] bool add_line(npm::Span at);

  std::string_view text_;
  std::vector<PnpmLine> lines_;
  std::vector<std::size_t> open_;  // while reading: the lines that may have children
  std::uint32_t prose_ = 0;        // while reading: in a block of text; its indentation plus one
};

/// A text in pnpm's YAML, in quotes where it needs them.
[[nodiscard]] std::string pnpm_scalar(std::string_view text);

}  // namespace cg::edit
