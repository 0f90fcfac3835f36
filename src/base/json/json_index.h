// JsonIndex: where things begin in a JSON text, found a block of bytes at a time.
//
// A mark is the offset of a bracket, colon, comma, quote that is not escaped, or of
// the first byte of anything else outside of strings. Between two marks there is only
// space, the inside of a string, or the rest of a word or number. The reader above
// never looks at a byte that is no mark, other than to read words and numbers.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>

namespace cg::json {

class JsonIndex {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// `portable` is what machines without AVX2 use; both find the same marks.
  enum class Width { widest, portable };

  /// `text` must stay where it is, and be smaller than 4 GiB.
  explicit JsonIndex(std::string_view text, Width width = Width::widest);

  /// The next mark; the size of the text if there is none.
  [[nodiscard]] std::uint32_t mark() {
    if (at_ == count_) refill();
    return marks_[at_];
  }
  void advance() { ++at_; }

  /// True if there may have been a backslash since two windows ago: strings are short,
  /// so that who asks at the end of one learns whether it has escapes.
  [[nodiscard]] bool may_have_escape(std::uint32_t string_start) const {
    return last_backslash_ != kNone && last_backslash_ >= string_start;
  }
  /// The first control character inside a string so far; kNone if there is none.
  [[nodiscard]] std::uint32_t control() const { return control_; }

  /// Starts again at `offset`, which must not lie inside a string.
  void restart(std::uint32_t offset);

 private:
  static constexpr std::size_t kBlock = 64;
  static constexpr std::size_t kWindowBytes = 4096;
  struct Window {
    std::array<std::uint32_t, kWindowBytes + kBlock> marks;
  };
  /// One bit per byte of a block.
  struct Masks {
    std::uint64_t quote;
    std::uint64_t backslash;
    std::uint64_t bracket;  // or colon or comma
    std::uint64_t blank;
    std::uint64_t control;
  };

  void refill();
  void scan_portable(const char* from, std::size_t blocks);
  void scan_wide(const char* from, std::size_t blocks);
  void scan(const char* from, std::size_t blocks);
  void take_block(const Masks& masks, std::uint32_t offset);
  [[nodiscard]] std::uint64_t escaped(std::uint64_t backslash);
  [[nodiscard]] static Masks masks_of(const char* block);
  [[nodiscard]] static Masks masks_wide(const char* block);

  std::string_view text_;
  std::unique_ptr<Window> window_;
  const std::uint32_t* marks_;  // those of the window
  bool wide_;
  std::uint32_t next_ = 0;  // first byte that was not looked at
  std::size_t at_ = 0;
  std::size_t count_ = 0;
  // What the bytes before `next_` leave open.
  std::uint64_t in_string_ = 0;     // all ones or zero
  std::uint64_t after_escape_ = 0;  // 1 if the next byte is escaped
  std::uint64_t after_scalar_ = 0;  // 1 if a word or number goes on
  std::uint32_t last_backslash_ = kNone;
  std::uint32_t control_ = kNone;
};

}  // namespace cg::json
