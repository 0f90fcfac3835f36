#include "npm/notes/unit.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::notes {

namespace {

constexpr std::string_view kMore = "\xE2\x80\xA6";  // …
constexpr std::size_t kMaxAttached = 600;           // of a paragraph that is shown with its example

}  // namespace

std::string_view Reader::title(std::uint32_t i) const {
  return cut_utf8(source_.document.title(block(i)), kMaxOther);
}

bool Reader::is_lead(std::uint32_t i) const {
  if (block(i).shape == Shape::header) return true;
  if (block(i).shape != Shape::paragraph || i + 1 >= size()) return false;
  const Shape next = block(i + 1).shape;
  if (next != Shape::item && next != Shape::row && next != Shape::header) return false;
  const std::string whole = text(i, kMaxLead + 1);
  const std::string_view bare =
      std::string_view(whole).substr(0, whole.find_last_not_of("*_ \n") + 1);
  return whole.size() <= kMaxLead &&
         (bare.ends_with(':') || bare.ends_with("\xEF\xBC\x9A") || whole.starts_with("**"));
}

std::uint32_t Reader::unit_end(std::uint32_t i) const {
  const bool may_lead = block(i).shape == Shape::paragraph || block(i).shape == Shape::item;
  const bool has_code = may_lead && i + 1 < size() && block(i + 1).shape == Shape::code;
  if (!has_code) return i + 1;
  const std::string above = text(i, kMaxAttached + 1);
  return above.size() <= kMaxAttached && has_own_words(above) ? i + 2 : i + 1;
}

std::optional<Unit> Reader::unit(std::uint32_t first, std::uint32_t last, const Names& names,
                                 NameBits above) const {
  Unit out;
  out.source = index_;
  out.first = first;
  out.last = last;
  for (std::uint32_t i = first; i < last; ++i) {
    std::string part = text(i, kMaxUnit);
    const NameBits found = names.in_text(part) | above;
    if (found == 0 && part.size() > kMaxOther && block(i).shape != Shape::code) {
      part = text(i, kMaxOther);
    }
    out.names |= found;
    if (i > first) out.text += '\n';
    out.text += part;
  }
  if (!has_words(out.text)) return std::nullopt;
  return out;
}

Tone both(Tone above, Tone below) {
  if (above == Tone::breaking || below == Tone::breaking) return Tone::breaking;
  if (below == Tone::noise || (above == Tone::noise && below == Tone::plain)) return Tone::noise;
  return std::max(above, below);
}

Weight weight_of(Tone tone, bool is_named, Step step) {
  switch (tone) {
    case Tone::breaking:
      return is_named ? Weight::named_breaking : Weight::breaking;
    case Tone::hint:
      if (is_named) return Weight::named_hint;
      return step == Step::major ? Weight::hint : Weight::major;
    case Tone::noise:
      return is_named ? Weight::named_prose : Weight::noise;
    case Tone::plain:
      break;
  }
  if (is_named) return Weight::named;
  return step == Step::major ? Weight::major : Weight::rest;
}

std::string text_of(const Document& document, const Block& block, std::size_t most) {
  std::string out;
  bool is_code = false;
  for (std::uint32_t i = block.first; i < block.last; ++i) {
    const std::string_view raw = cut_utf8(document.line(i), 4 * most);
    const bool is_fence = fence_of(raw) > 0;
    if (is_fence) is_code = !is_code;
    const bool as_it_is = is_code || is_fence || block.shape == Shape::code;
    std::string line = as_it_is ? std::string(raw) : without_addresses(raw);
    line.resize(line.find_last_not_of(" \t") + 1);
    const std::size_t indent = indent_of(line);
    if (!as_it_is && std::string_view(line).substr(indent).starts_with('|')) {
      line = line.substr(0, indent) + without_padding(std::string_view(line).substr(indent));
    }
    if (out.size() + line.size() + 1 <= most) {
      out += line;
      out += '\n';
      continue;
    }
    if (out.empty()) out = cut(line, most - std::min(most, kMore.size()));
    // A fence that was open stays closed; it was not before its own line came.
    if (is_code && !is_fence) {
      if (!out.ends_with('\n')) out += '\n';
      out += "```\n";
    }
    out += kMore;
    return out;
  }
  out.resize(out.find_last_not_of('\n') + 1);
  return out;
}

}  // namespace cg::notes
