#include "npm/edit/pnpm_text.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"

namespace cg::edit {

namespace {

constexpr auto kNowhere = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string unquoted(std::string_view text) {
  if (text.size() < 2) return std::string(text);
  if (text.front() == '"') {
    const auto decoded = json::parse_json(text);
    const std::string* out = decoded ? decoded->as_string() : nullptr;
    return out == nullptr ? std::string(text) : *out;
  }
  if (text.front() != '\'' || text.back() != '\'') return std::string(text);
  std::string out;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\'') ++i;
  }
  return out;
}

/// One past the key at the start of `text`; kNowhere if a colon does not follow it.
std::size_t key_end(std::string_view text) {
  std::size_t from = 0;
  const char quote = text.front();
  if (quote == '\'' || quote == '"') {
    from = text.find(quote, 1);
    while (quote == '\'' && from != kNowhere && text.substr(from).starts_with("''")) {
      from = text.find(quote, from + 2);
    }
    if (from == kNowhere) return kNowhere;
    ++from;
    return from < text.size() && text[from] == ':' ? from : kNowhere;
  }
  const std::size_t colon = text.find(": ");
  if (colon != kNowhere) return colon;
  return text.ends_with(':') ? text.size() - 1 : kNowhere;
}

/// What YAML would take for a number, a date, true, false or nothing.
bool is_other_type(std::string_view text) {
  const std::string word = lower_ascii(text);
  if (word == "true" || word == "false" || word == "null" || word == "~" || word == "<<" ||
      word == ".inf" || word == ".nan" || word == "yes" || word == "no" || word == "on" ||
      word == "off") {
    return true;
  }
  const bool starts = is_digit(text.front()) || text.front() == '+' || text.front() == '.';
  if (!starts) return false;
  const bool numeric = word.find_first_not_of("0123456789+-._exabcdf") == kNowhere;
  return numeric && std::count(word.begin(), word.end(), '.') < 2;
}

bool is_plain(std::string_view text) {
  constexpr std::string_view kFirst = "-?:,[]{}#&*!|=>'\"%@` ";
  if (text.empty() || kFirst.find(text.front()) != kNowhere || text.ends_with(' ')) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    if (text[i] == ':' && (next == ' ' || std::string_view(",[]{}").find(next) != kNowhere)) {
      return false;
    }
    if (text[i] == '#' && text[i - 1] == ' ') return false;
    if (std::string_view(",[]{}").find(text[i]) != kNowhere) return false;
  }
  return !is_other_type(text);
}

}  // namespace

std::string pnpm_scalar(std::string_view text) {
  const bool printable_ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  if (!printable_ascii) return json::write_json(json::Value(std::string(text)));
  if (is_plain(text)) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

Result<PnpmText, EditError> PnpmText::read(std::string_view text, std::uint32_t inside) {
  PnpmText out(text);
  std::size_t begin = 0;
  bool passed = false;
  while (begin < text.size()) {
    const std::size_t break_ = std::min(text.find('\n', begin), text.size());
    std::size_t end = break_;
    if (end > begin && text[end - 1] == '\r') --end;
    const std::string_view line = text.substr(begin, end - begin);
    if (line == "---" || line == "...") {
      if (passed) break;
      out.lines_.clear();
      out.open_.clear();
    } else if (!out.add_line(
                   {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)})) {
      return fail(EditError{EditError::Kind::shape,
                            "`" + printable(cut_utf8(line, 60)) + "` is not as pnpm writes it"});
    }
    passed = passed || break_ >= inside;
    begin = break_ + 1;
  }
  while (!out.open_.empty()) {
    out.lines_[out.open_.back()].last = out.lines_.size();
    out.open_.pop_back();
  }
  return out;
}

bool PnpmText::add_line(npm::Span at) {
  const std::string_view line = text_.substr(at.begin, at.end - at.begin);
  const std::size_t first = line.find_first_not_of(' ');
  if (first == kNowhere || line[first] == '#') return true;
  if (prose_ > 0 && first >= prose_) {
    lines_.back().at.end = lines_.back().value_at.end = at.end;
    return true;
  }
  prose_ = 0;
  const std::string_view content = line.substr(first);
  if (content.starts_with("? ") || content.find('\t') != kNowhere) return false;
  while (!open_.empty() && lines_[open_.back()].indent >= first) {
    lines_[open_.back()].last = lines_.size();
    open_.pop_back();
  }
  PnpmLine out;
  out.at = at;
  out.indent = static_cast<std::uint32_t>(first);
  out.parent = open_.empty() ? kNoLine : open_.back();
  if (!content.starts_with("- ")) {
    const std::size_t end = key_end(content);
    if (end == kNowhere) return false;
    out.key = unquoted(content.substr(0, end));
    const std::size_t value = content.find_first_not_of(' ', end + 1);
    if (value != kNowhere) {
      out.value_at = {at.begin + static_cast<std::uint32_t>(first + value), at.end};
      if (content[value] == '|' || content[value] == '>') prose_ = out.indent + 1;
    }
  }
  open_.push_back(lines_.size());
  lines_.push_back(std::move(out));
  return true;
}

std::vector<std::size_t> PnpmText::children(std::size_t parent) const {
  std::vector<std::size_t> out;
  const std::size_t end = parent == kNoLine ? lines_.size() : lines_[parent].last;
  for (std::size_t i = parent == kNoLine ? 0 : parent + 1; i < end; i = lines_[i].last) {
    out.push_back(i);
  }
  return out;
}

std::size_t PnpmText::child(std::size_t parent, std::string_view key) const {
  const std::size_t end = parent == kNoLine ? lines_.size() : lines_[parent].last;
  for (std::size_t i = parent == kNoLine ? 0 : parent + 1; i < end; i = lines_[i].last) {
    if (lines_[i].key == key) return i;
  }
  return kNoLine;
}

std::string PnpmText::value(std::size_t i) const {
  const npm::Span at = lines_[i].value_at;
  return unquoted(text_.substr(at.begin, at.end - at.begin));
}

}  // namespace cg::edit
