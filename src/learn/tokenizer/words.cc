// Canonical order is the one thing that needs more than a character at a time: marks are held
// until a character comes that is none. Those that are dropped anyhow are not held, nor those that
// are more than a word may have.
#include "learn/tokenizer/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/base/text.h"

namespace cg::tokenizer {

namespace {

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13);
  if (c == 0x85) return true;
  const auto kind = category(c);
  return kind == UTF8PROC_CATEGORY_ZS || kind == UTF8PROC_CATEGORY_ZL ||
         kind == UTF8PROC_CATEGORY_ZP;
}

/// Of private use, what the tables of the tokenizers in use have: the ends of each range, without
/// what is between them.
bool is_listed_private(char32_t c) {
  constexpr std::array<char32_t, 6> kEnds = {0xE000, 0xF8FF, 0xF0000, 0xFFFFD, 0x100000, 0x10FFFD};
  return std::find(kEnds.begin(), kEnds.end(), c) != kEnds.end();
}

/// What is not assigned stays: a later Unicode may give it a meaning.
bool is_control(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  if (c < 0x7f) return c < 0x20;
  const auto kind = category(c);
  return kind == UTF8PROC_CATEGORY_CC || kind == UTF8PROC_CATEGORY_CF || is_listed_private(c);
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) {
    return (c > 0x20 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') ||
           (c > 'z' && c < 0x7f);
  }
  const auto kind = category(c);
  return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

/// The blocks that BERT was trained with, which are not all of Unicode's.
bool is_ideograph(char32_t c) {
  struct Block {
    char32_t first;
    char32_t last;
  };
  constexpr std::array<Block, 8> kBlocks = {{{0x3400, 0x4DBF},
                                             {0x4E00, 0x9FFF},
                                             {0xF900, 0xFAFF},
                                             {0x20000, 0x2A6DF},
                                             {0x2A700, 0x2B73F},
                                             {0x2B740, 0x2B81F},
                                             {0x2B920, 0x2CEAF},
                                             {0x2F800, 0x2FA1F}}};
  return c >= kBlocks.front().first &&
         std::any_of(kBlocks.begin(), kBlocks.end(),
                     [c](const Block& block) { return c >= block.first && c <= block.last; });
}

class Splitter {
 public:
  Splitter(const Rules& rules, const WordSink& sink) : rules_(rules), sink_(sink) {}

  void take(char32_t c) {
    if (rules_.clean) {
      if (c == 0 || c == 0xFFFD || is_control(c)) return;
      if (is_space(c)) c = ' ';
    }
    if (!rules_.spaces_ideographs || !is_ideograph(c)) return decompose(c);
    decompose(' ');
    decompose(c);
    decompose(' ');
  }
  bool finish() {
    release_marks();
    end_word();
    return wanted_;
  }
  [[nodiscard]] bool wanted() const { return wanted_; }

 private:
  struct Mark {
    char32_t rune;
    int order;
  };

  void decompose(char32_t c) {
    if (!rules_.strips_accents) return lower(c);
    if (c < 0x80) {
      release_marks();
      return lower(c);
    }
    std::array<utf8proc_int32_t, 32> parts{};
    int boundary = 0;
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(),
                                               parts.size(), UTF8PROC_DECOMPOSE, &boundary);
    for (std::size_t i = 0; i < parts.size() && static_cast<utf8proc_ssize_t>(i) < count; ++i) {
      const utf8proc_property_t* property = utf8proc_get_property(parts[i]);
      const bool dropped = property->category == UTF8PROC_CATEGORY_MN;
      const auto part = static_cast<char32_t>(parts[i]);
      if (property->combining_class == 0) {
        release_marks();  // also by one that is dropped itself: order was made before that
        if (!dropped) lower(part);
      } else if (!dropped && marks_.size() <= kMaxWord) {
        marks_.push_back({part, property->combining_class});
      }
    }
  }
  void release_marks() {
    if (marks_.empty()) return;
    std::stable_sort(marks_.begin(), marks_.end(),
                     [](const Mark& a, const Mark& b) { return a.order < b.order; });
    for (const Mark& mark : marks_) lower(mark.rune);
    marks_.clear();
  }
  void lower(char32_t c) {
    if (!rules_.lowers) return split(c);
    if (c == 0x130) {  // the one character whose small form is two, in every language
      split('i');
      return split(0x307);
    }
    split(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
  }
  void split(char32_t c) {
    if (is_space(c)) return end_word();
    const bool alone = is_punctuation(c);
    if (alone) end_word();
    if (++length_ <= kMaxWord) {
      std::array<utf8proc_uint8_t, 4> bytes{};
      const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes.data());
      for (std::size_t i = 0; static_cast<utf8proc_ssize_t>(i) < size; ++i) {
        word_ += static_cast<char>(bytes.at(i));
      }
    }
    if (alone) end_word();
  }
  void end_word() {
    if (length_ > 0 && wanted_) {
      wanted_ = sink_(length_ > kMaxWord ? std::string_view() : std::string_view(word_));
    }
    word_.clear();
    length_ = 0;
  }

  const Rules& rules_;
  const WordSink& sink_;
  std::vector<Mark> marks_;
  std::string word_;
  std::size_t length_ = 0;  // in characters
  bool wanted_ = true;
};

}  // namespace

bool each_word(std::string_view text, const Rules& rules, const WordSink& sink) {
  Splitter splitter(rules, sink);
  while (!text.empty() && splitter.wanted()) {
    std::size_t size = 1;
    char32_t rune = static_cast<unsigned char>(text[0]);
    if (rune >= 0x80) {
      size = utf8_sequence(text);
      utf8proc_int32_t read = 0xFFFD;
      if (size != 0) {
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                         static_cast<utf8proc_ssize_t>(size), &read);
      }
      rune = static_cast<char32_t>(read);
      size = std::max<std::size_t>(size, 1);
    }
    splitter.take(rune);
    text.remove_prefix(size);
  }
  return splitter.finish();
}

}  // namespace cg::tokenizer
