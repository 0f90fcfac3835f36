#include "learn/carry/tokens.h"

#include <algorithm>

namespace cg::carry {

namespace {

constexpr std::size_t kMaxCells = 4U << 20U;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_single(char c) { return std::string_view(";,(){}[]").find(c) != std::string_view::npos; }

/// Keywords and signs between nodes.
void append_signs(std::string_view text, std::uint32_t begin, std::uint32_t end,
                  std::vector<Token>& out) {
  while (begin < end) {
    if (is_space(text[begin])) {
      ++begin;
      continue;
    }
    std::uint32_t at = begin + 1;
    if (is_letter(text[begin])) {
      while (at < end && is_letter(text[at])) ++at;
    } else if (!is_single(text[begin])) {
      while (at < end && !is_space(text[at]) && !is_letter(text[at]) && !is_single(text[at])) ++at;
    }
    out.push_back({begin, at, kNone});
    begin = at;
  }
}

}  // namespace

std::vector<Token> tokens_of(const Source& source, const Span& span,
                             const std::function<bool(Index)>& whole) {
  std::vector<Token> out;
  std::uint32_t at = source.begin_of(span);
  Index i = span.first;
  const Index end = source.at(span.last).after;
  while (i < end) {
    const syntax::Node& node = source.at(i);
    if (node.kind == Kind::comment) {
      append_signs(source.text(), at, node.begin, out);
      at = std::max(at, node.end);
      i = node.after;
      continue;
    }
    if (node.after != i + 1 && node.kind != Kind::string && !whole(i)) {
      ++i;
      continue;
    }
    append_signs(source.text(), at, node.begin, out);
    if (node.end > node.begin) out.push_back({node.begin, node.end, i});
    at = node.end;
    i = node.after;
  }
  append_signs(source.text(), at, source.end_of(span), out);
  return out;
}

bool is_alike(const Source& a, const Token& x, const Source& b, const Token& y) {
  const bool are_strings = x.node != kNone && y.node != kNone && a.kind(x.node) == Kind::string &&
                           b.kind(y.node) == Kind::string;
  if (are_strings) return a.syntax().constant(x.node) == b.syntax().constant(y.node);
  return word_of(a, x) == word_of(b, y);
}

std::optional<std::vector<std::size_t>> common(
    std::size_t a, std::size_t b, const std::function<bool(std::size_t, std::size_t)>& same) {
  std::vector<std::size_t> out(b, kApart);
  std::size_t head = 0;
  while (head < a && head < b && same(head, head)) {
    out[head] = head;
    ++head;
  }
  while (a > head && b > head && same(a - 1, b - 1)) {
    --a;
    --b;
    out[b] = a;
  }
  const std::size_t rows = a - head + 1;
  const std::size_t columns = b - head + 1;
  if (rows * columns > kMaxCells) return std::nullopt;
  std::vector<std::uint32_t> longest(rows * columns, 0);
  for (std::size_t i = rows - 1; i-- > 0;) {
    for (std::size_t j = columns - 1; j-- > 0;) {
      longest[i * columns + j] = same(head + i, head + j) ? 1 + longest[(i + 1) * columns + j + 1]
                                                          : std::max(longest[(i + 1) * columns + j],
                                                                     longest[i * columns + j + 1]);
    }
  }
  for (std::size_t i = 0, j = 0; i + 1 < rows && j + 1 < columns;) {
    if (same(head + i, head + j)) {
      out[head + j++] = head + i++;
    } else if (longest[(i + 1) * columns + j] >= longest[i * columns + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return out;
}

}  // namespace cg::carry
