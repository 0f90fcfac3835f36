// Tokenizer: a text as the numbers that a model of the BERT family was trained on (WordPiece).
//
// Reads what such models are published with: `vocab.txt`, a token per line, or `tokenizer.json`,
// which also says by what rules it was trained. What it cannot do exactly as that file says, it
// refuses: another number would be another text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/json/value.h"
#include "learn/tokenizer/error.h"
#include "learn/tokenizer/words.h"

namespace cg::tokenizer {

inline constexpr std::size_t kMaxFile = 32U << 20U;
inline constexpr std::size_t kMaxTokens = 1'000'000;
inline constexpr std::size_t kMaxTokenBytes = 1'000;
inline constexpr std::size_t kMaxSpecials = 100;
inline constexpr std::size_t kMaxSpecialBytes = 100;

/// What a vocabulary calls the tokens that are none of a text.
struct Names {
  std::string unknown = "[UNK]";
  std::string first = "[CLS]";
  std::string last = "[SEP]";
  std::string pad = "[PAD]";
  std::string mask = "[MASK]";
};

class Tokenizer {
 public:
  /// Needs the first three of `names`, and of the others those that are not the usual ones. A token
  /// twice, or none in a line, is an error.
  [[nodiscard]] static Result<Tokenizer, Error> from_vocab(std::string_view text,
                                                           const Rules& rules,
                                                           const Names& names = {});
  [[nodiscard]] static Result<Tokenizer, Error> from_json(std::string_view text);

  /// The first `max` (at least 2) with [CLS] before and [SEP] behind. Time is linear in the text.
  [[nodiscard]] std::vector<std::uint32_t> ids(std::string_view text, std::size_t max) const;

  [[nodiscard]] const Rules& rules() const { return rules_; }
  /// Every id is smaller.
  [[nodiscard]] std::size_t id_end() const { return id_end_; }
  /// How many ids `tokenizer.json` cuts a text to, if it does.
  [[nodiscard]] std::optional<std::size_t> max_length() const { return max_length_; }

 private:
  struct Token {
    std::string text;
    std::uint32_t id = 0;
  };
  /// Sorted by text. Each text and each id once.
  class Table {
   public:
    void add(std::string text, std::uint32_t id) { tokens_.push_back({std::move(text), id}); }
    [[nodiscard]] Result<Done, Error> sort();
    [[nodiscard]] const Token* find(std::string_view text) const;
    [[nodiscard]] const std::vector<Token>& all() const { return tokens_; }

   private:
    std::vector<Token> tokens_;
  };

  [[nodiscard]] Result<Done, Error> finish(std::string_view unknown);
  [[nodiscard]] Result<Done, Error> read_model(const json::Value& model);
  [[nodiscard]] Result<Done, Error> read_added(const json::Value& added);
  [[nodiscard]] Result<Done, Error> read_ends(const json::Value& ends);
  [[nodiscard]] Result<std::uint32_t, Error> special(std::string_view text) const;
  [[nodiscard]] Result<Done, Error> add_special(const Token& token);
  [[nodiscard]] const Token* special_at(std::string_view text) const;
  void add_pieces(std::string_view word, std::vector<std::uint32_t>& out) const;

  Rules rules_;
  Table whole_;   // at the start of a word
  Table inside_;  // further on, without the prefix that says so
  std::string prefix_ = "##";
  std::size_t longest_ = 0;      // token in bytes
  std::vector<Token> specials_;  // found in a text as they are; sorted by text
  std::size_t max_word_ = kMaxWord;
  std::uint32_t unknown_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
  std::size_t id_end_ = 0;
  std::optional<std::size_t> max_length_;
};

}  // namespace cg::tokenizer
