// Tokens: a piece of a file as the words and signs that it is written with.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "learn/carry/source.h"

namespace cg::carry {

struct Token {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Index node = kNone;  // that it is the whole of; kNone for signs and keywords
};

/// Without comments. `whole` says which nodes are one token although there is something beneath
/// them; strings are anyway.
[[nodiscard]] std::vector<Token> tokens_of(const Source& source, const Span& span,
                                           const std::function<bool(Index)>& whole);

/// True if they say the same: strings by what they say, all else by its letters.
[[nodiscard]] bool is_alike(const Source& a, const Token& x, const Source& b, const Token& y);
[[nodiscard]] inline std::string_view word_of(const Source& source, const Token& token) {
  return source.text().substr(token.begin, token.end - token.begin);
}

/// What is compared of tokens of a rule's two sides: a member is no variable of the same name.
[[nodiscard]] inline std::string typed_word(const Source& source, const Token& token) {
  return std::to_string(static_cast<int>(source.kind(token.node))) + " " +
         std::string(word_of(source, token));
}

/// For each of `b` words the one of `a` that it goes with, or npos: a longest common subsequence.
/// Nothing if that would be too much work.
inline constexpr std::size_t kApart = static_cast<std::size_t>(-1);
[[nodiscard]] std::optional<std::vector<std::size_t>> common(
    std::size_t a, std::size_t b, const std::function<bool(std::size_t, std::size_t)>& same);

}  // namespace cg::carry
