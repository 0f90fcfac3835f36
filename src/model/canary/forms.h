// Normal forms of a text, in pieces, with the way back to the bytes as given.
//
// "folded" is the text in small letters as a reader takes it in: compatible characters and
// look-alikes made one, invisible ones dropped, hidden ones shown, white space collapsed. "undone"
// has in addition its markup, entities and escapes taken away. The rest are made of a piece of
// these: they change no length, or keep a list of places (see the functions at the end).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/canary/markup.h"
#include "model/canary/span.h"

namespace cg::canary {

/// Text that is there but not to be seen, which honest text has no use for.
struct Hidden {
  enum class Kind : std::uint8_t { tags, selectors, direction };
  Kind kind = Kind::tags;
  Span span;
};

/// A part of a form. It starts with the end of the piece before, so that a phrase is whole
/// in one of them, or with a newline at the start of the text.
class Piece {
 public:
  [[nodiscard]] std::string_view text() const { return {buffer_.data(), used_}; }
  /// The bytes as given that text()[begin, end) was made of.
  [[nodiscard]] Span given(std::size_t begin, std::size_t end) const;

  bool mixed = false;   // a letter stands beside a digit or a sign that may stand for one
  bool spaced = false;  // single letters stand apart
  std::vector<Hidden> hidden;

 private:
  friend class FormReader;
  struct Run {
    std::size_t out;
    std::size_t in;
    std::size_t size;  // of what one character was made of; 0: byte by byte
  };
  [[nodiscard]] const Run& run_of(std::size_t at) const;

  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::vector<Run> runs_;
};

class FormReader {
 public:
  enum class Form : std::uint8_t { folded, undone };
  FormReader(std::string_view given, Form form);

  /// Fills `piece` anew; false at the end of the text. Give the same one each time.
  [[nodiscard]] bool next(Piece& piece);
  /// After the end: whether there were escape sequences or characters without width.
  [[nodiscard]] bool saw_invisible() const { return invisible_; }

 private:
  void start(Piece& piece);
  void copy_plain(Piece& piece);
  bool skip_unseen(Piece& piece);
  void take(Piece& piece);
  bool end_word(Piece& piece);
  void write(Piece& piece, char32_t rune, Span span);
  void write_hidden(Piece& piece, char letter, Span span);
  void write_byte(Piece& piece, char c, Span span);
  void note(Piece& piece, Hidden::Kind kind, Span span);
  bool write_selector(Piece& piece, char32_t rune, Span span);

  std::string_view given_;
  Markup markup_;
  bool undo_;
  const std::uint8_t* plain_;
  std::size_t at_ = 0;
  std::size_t signs_ = 0;    // characters since the last letter
  std::size_t singles_ = 0;  // letters that stand alone, in a row
  std::size_t word_ = 0;     // letters of the word so far
  char32_t last_ = 0;
  std::size_t hidden_run_ = 0;
  bool flag_ = false;  // the run of tags is a flag's
  bool invisible_ = false;
};

/// A to m and n to z change places.
void rot13(std::string_view text, std::string& out);
/// After a newline, as every text begins.
void reversed(std::string_view text, std::string& out);
/// Digits and signs beside letters become the letters they resemble.
void unleeted(std::string_view text, std::string& out);

/// Letters and digits alone. `from[i]` is where the i-th came from.
struct Squeezed {
  std::string text;
  std::vector<std::uint32_t> from;
};
/// The runs of single letters of a text, with a newline between the runs.
void squeeze(std::string_view text, Squeezed& out);

}  // namespace cg::canary
