// Document: a text in Markdown, or what people take for it, as blocks one under the other.
//
// Not Markdown's grammar but what is needed of it: where a heading is one and where it is code or
// a comment, what belongs to an item of a list, where an example ends. Total: every text gives
// blocks. What is opened and never closed (a fence, a comment) was none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cg::notes {

struct Block {
  enum class Shape : std::uint8_t {
    heading,
    paragraph,
    item,    // of a list, with all that is in it
    code,    // with its fence, if it has one
    header,  // of a table: the lines above its rows
    row,
  };
  Shape shape = Shape::paragraph;
  std::uint8_t level = 0;   // of a heading: 1 to 6; 0: a line that only is_title() takes for one
  std::uint32_t first = 0;  // lines, from 0
  std::uint32_t last = 0;   // one behind
};
using Shape = Block::Shape;

class Document {
 public:
  /// Lines for which is_title() is true are headings, too; it may be nullptr.
  using IsTitle = bool (*)(std::string_view line);
  [[nodiscard]] static Document parse(std::string_view bytes, IsTitle is_title);

  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  /// Without its newline.
  [[nodiscard]] std::string_view line(std::size_t i) const {
    return std::string_view(text_).substr(starts_[i], starts_[i + 1] - starts_[i] - 1);
  }
  [[nodiscard]] std::size_t line_count() const { return starts_.size() - 1; }
  /// Of a heading: its text, without what makes it one.
  [[nodiscard]] std::string_view title(const Block& block) const;
  /// Not all of it was read.
  [[nodiscard]] bool is_cut() const { return is_cut_; }

 private:
  friend class DocumentParser;
  std::string text_;                   // UTF-8, every line with its newline
  std::vector<std::uint32_t> starts_;  // of lines, and the end
  std::vector<Block> blocks_;
  bool is_cut_ = false;
};

/// The kinds of lines, for who takes a block apart.
[[nodiscard]] bool is_blank(std::string_view line);
[[nodiscard]] std::size_t indent_of(std::string_view line);
/// How many ` or ~ open or close an example here; 0 for none.
[[nodiscard]] std::size_t fence_of(std::string_view line);

}  // namespace cg::notes
