#include "vuln/formats/markup.h"

#include "base/base/text.h"
#include "vuln/formats/words.h"

namespace cg::formats {

namespace {

/// A space that nobody sees. GitHub looks for mentions, addresses and numbers of issues
/// after it has decoded entities, so an entity in place of the character would not do.
constexpr std::string_view kBreak = "&#8203;";

}  // namespace

std::string entity(char c) { return "&#" + std::to_string(static_cast<int>(c)) + ";"; }

std::string prose(std::string_view text, std::size_t max) {
  constexpr std::string_view kMarkup = "&<>|`\\*_[]~$";
  const std::string all = shown(text, max);
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const char c = all[i];
    const std::string_view rest = std::string_view(all).substr(i);
    out += kMarkup.find(c) == std::string_view::npos ? std::string(1, c) : entity(c);
    const bool starts_link =
        rest.starts_with("://") || rest.starts_with("w.") || rest.starts_with("W.");
    if (c == '@' || c == '#' || starts_link) out += kBreak;
  }
  return out;
}

std::string code(std::string_view text, std::size_t max) {
  const std::string all = shown(text, max);
  if (trim(all).empty() || all.find_first_of("`|") != std::string::npos) return prose(text, max);
  return "`" + all + "`";
}

}  // namespace cg::formats
