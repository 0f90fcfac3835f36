// Words: a text as the normaliser of BERT makes it, in the pieces its vocabulary is asked for.
//
// Character by character, in memory that does not grow with the text: control characters go,
// space is what Unicode calls so, ideographs stand alone, accents are stripped after canonical
// decomposition, case is folded to lower; each as the rules say. Punctuation is a word of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace cg::tokenizer {

/// As the model was trained; these are the usual ones.
struct Rules {
  bool clean = true;
  bool spaces_ideographs = true;
  bool strips_accents = true;
  bool lowers = true;
};

/// A word with more characters than this is unknown, whatever it is.
inline constexpr std::size_t kMaxWord = 100;

/// `text` is empty for a word that is too long. False: no more words are wanted.
using WordSink = std::function<bool(std::string_view text)>;

/// Any bytes; one that is no UTF-8 counts as U+FFFD. False if the sink had enough.
bool each_word(std::string_view text, const Rules& rules, const WordSink& sink);

}  // namespace cg::tokenizer
