#include "prove/preflight/parts.h"

#include "base/base/text.h"

namespace cg::preflight {

namespace {

bool is_word_byte(char c) {
  const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alnum || c == '_' || c == '-';
}

}  // namespace

std::string shown(std::string_view text) {
  std::string out = printable(cut_utf8(text, kMaxText));
  return text.size() > kMaxText ? out + "…" : out;
}

std::string label(const npm::Node& node) {
  return shown(node.name) + (node.version.empty() ? "" : "@" + shown(node.version));
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_word_byte(text[at - 1]);
    const bool ends = end == text.size() || !is_word_byte(text[end]);
    if (starts && ends) return true;
  }
  return false;
}

}  // namespace cg::preflight
