// Encoded runs: base64, base32, hex and lists of character codes that decode to text.
//
// A run is decoded in blocks, each from where it makes the most sense, so that neither what
// stands before the payload nor a bad start hides it. What decodes to no text is passed over.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/canary/span.h"

namespace cg::canary {

struct Decoded {
  std::string_view form;  // "base64"
  std::string text;
  /// The bytes of the encoded text that text[begin, end) came from, to a block.
  [[nodiscard]] Span given(std::size_t begin, std::size_t end) const;

  struct Block {
    std::size_t out;
    Span in;
  };
  std::vector<Block> blocks;
};

/// The runs of a text one after the other; a long one comes in parts that overlap.
class RunReader {
 public:
  explicit RunReader(std::string_view text) : text_(text) {}
  [[nodiscard]] bool next(Decoded& out);

 private:
  [[nodiscard]] bool decode_symbols(Decoded& out);
  [[nodiscard]] bool decode_codes(std::size_t begin, Decoded& out);
  void collect(std::size_t begin);
  void add_symbols(std::size_t begin, std::size_t end);
  [[nodiscard]] std::size_t next_line(std::size_t end) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::string symbols_;
  std::vector<std::size_t> places_;  // of every symbol that begins a block
  std::size_t end_ = 0;
  bool goes_on_ = false;  // the next run is the rest of this one
};

}  // namespace cg::canary
