#include "flow/cli/style.h"

#include <algorithm>

#include "base/base/assert.h"
#include "base/base/text.h"

namespace cg::cli {

namespace {

bool is_on(std::string_view variable) { return !variable.empty() && variable != "0"; }

std::string_view escape_of(Role role) {
  switch (role) {
    case Role::plain:
      return "";
    case Role::heading:
      return "\x1b[1m";
    case Role::error:
      return "\x1b[1;31m";
    case Role::warning:
      return "\x1b[33m";
    case Role::good:
      return "\x1b[32m";
    case Role::code:
      return "\x1b[36m";
    case Role::faint:
      return "\x1b[2m";
  }
  CG_ASSERT(false);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string spaces(std::size_t count) { return std::string(count, ' '); }

}  // namespace

std::optional<ColorChoice> parse_color_choice(std::string_view text) {
  if (text == "auto") return ColorChoice::automatic;
  if (text == "always") return ColorChoice::always;
  if (text == "never") return ColorChoice::never;
  return std::nullopt;
}

Color decide_color(const ColorInputs& inputs) {
  for (const auto& choice : {inputs.flag, inputs.config}) {
    if (choice == ColorChoice::always) return Color::on;
    if (choice == ColorChoice::never) return Color::off;
  }
  if (!inputs.no_color.empty()) return Color::off;
  if (is_on(inputs.force_color) || is_on(inputs.clicolor_force)) return Color::on;
  const bool capable = !inputs.term.empty() && inputs.term != "dumb";
  return inputs.terminal == Terminal::yes && capable ? Color::on : Color::off;
}

Charset decide_charset(std::string_view lc_all, std::string_view lc_ctype, std::string_view lang) {
  std::string_view locale = lang;
  if (!lc_ctype.empty()) locale = lc_ctype;
  if (!lc_all.empty()) locale = lc_all;
  std::string text(locale);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  const bool utf8 =
      text.find("utf-8") != std::string::npos || text.find("utf8") != std::string::npos;
  return utf8 ? Charset::utf8 : Charset::ascii;
}

std::string Style::paint(Role role, std::string_view text) const {
  const std::string_view escape = escape_of(role);
  if (color_ == Color::off || escape.empty() || text.empty()) return std::string(text);
  return std::string(escape) + std::string(text) + "\x1b[0m";
}

std::string_view Style::glyph(Glyph glyph) const {
  const bool utf8 = charset_ == Charset::utf8;
  switch (glyph) {
    case Glyph::ok:
      return utf8 ? "✓" : "ok";
    case Glyph::fail:
      return utf8 ? "✗" : "FAIL";
    case Glyph::warn:
      return utf8 ? "!" : "warn";
    case Glyph::none:
      return utf8 ? "–" : "-";
  }
  CG_ASSERT(false);
}

std::string_view Style::ellipsis() const { return charset_ == Charset::utf8 ? "…" : "..."; }

std::string Style::words(std::string_view text) const {
  if (charset_ == Charset::utf8) return std::string(text);
  constexpr std::pair<std::string_view, std::string_view> kPlain[] = {
      {"—", "-"}, {"–", "-"}, {"…", "..."}, {"·", "-"}, {"≤", "<="}, {"≥", ">="}, {"→", "->"}};
  std::string out;
  while (!text.empty()) {
    const auto* found = std::find_if(std::begin(kPlain), std::end(kPlain), [&](const auto& pair) {
      return text.starts_with(pair.first);
    });
    if (found != std::end(kPlain)) {
      out += found->second;
      text.remove_prefix(found->first.size());
    } else {
      out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

Style Style::with_stop_token(std::string token) const {
  Style out = *this;
  out.stop_token_ = std::move(token);
  return out;
}

std::string Style::foreign(std::string lines) const {
  if (stop_token_.empty() || lines.empty()) return lines;
  return stop_commands(stop_token_) + lines + start_commands(stop_token_);
}

std::string outgoing(std::string_view text, Format format, const Style& style) {
  Ours ours = style.ours();
  switch (format) {
    case Format::json:
    case Format::jsonl:
    case Format::sarif:
    case Format::cyclonedx:
    case Format::openvex:
      return defused_json(text);
    case Format::gh_annotations:
      ours.commands = true;
      break;
    case Format::table:
    case Format::markdown:
    case Format::html:
    case Format::pr_body:
    case Format::commit_message:
      break;
  }
  return defused(text, ours);
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string cut(std::string_view text, std::size_t max, const Style& style) {
  if (width(text) <= max) return std::string(text);
  const std::size_t mark = width(style.ellipsis());
  const std::size_t keep = max > mark ? max - mark : 0;
  std::string out;
  for (std::size_t i = 0; i < keep; ++i) {
    const std::size_t length = std::max<std::size_t>(1, utf8_sequence(text));
    out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out + std::string(style.ellipsis());
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string out;
  std::string line;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (!line.empty() && indent + width(line) + 1 + width(word) > columns) {
      out += spaces(indent) + line + "\n";
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) out += spaces(indent) + line + "\n";
  return out;
}

std::string layout(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows,
                   const Style& style, std::size_t indent) {
  std::vector<std::vector<Cell>> lines;
  const bool titled =
      std::any_of(columns.begin(), columns.end(), [](const Column& c) { return !c.title.empty(); });
  if (titled) {
    lines.emplace_back();
    for (const Column& c : columns) lines[0].push_back({std::string(c.title), Role::heading});
  }
  lines.insert(lines.end(), rows.begin(), rows.end());
  std::vector<std::size_t> widths(columns.size());
  for (auto& line : lines) {
    CG_ASSERT(line.size() <= columns.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i].text = printable(line[i].text);
      if (columns[i].max_width > 0) line[i].text = cut(line[i].text, columns[i].max_width, style);
      widths[i] = std::max(widths[i], width(line[i].text));
    }
  }
  std::string out;
  for (const auto& line : lines) {
    std::string row = spaces(indent);
    std::size_t gap = 0;  // spaces owed before the next cell that has text
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t fill = widths[i] - width(line[i].text);
      const bool right = columns[i].align == Align::right;
      if (!line[i].text.empty()) {
        row += spaces(gap + (right ? fill : 0)) + style.paint(line[i].role, line[i].text);
        gap = right ? 0 : fill;
      } else {
        gap += fill;
      }
      gap += 2;
    }
    out += (line.empty() ? "" : row) + "\n";
  }
  return out;
}

std::string two_columns(const Entries& entries, const Style& style) {
  constexpr std::size_t kWidestLeft = 28;
  std::size_t left = 0;
  for (const auto& [term, text] : entries) {
    if (width(term) <= kWidestLeft) left = std::max(left, width(term));
  }
  const std::size_t indent = 2 + left + 2;
  std::string out;
  for (const auto& [term, text] : entries) {
    const std::string lines = wrapped(style.words(text), kColumns, indent);
    out += "  " + style.paint(Role::code, term);
    if (width(term) > left || lines.empty()) {
      out += "\n" + lines;
    } else {
      out += lines.substr(2 + width(term));  // the indent of the first line makes the gap
    }
  }
  return out;
}

}  // namespace cg::cli
