#include "npm/notes/names.h"

#include <algorithm>

#include "base/base/text.h"
#include "npm/notes/document.h"

namespace cg::notes {

namespace {

constexpr std::size_t kMaxOthers = 16;  // names that are no words, each looked for by itself

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// It cannot be a word of a sentence.
bool is_code_name(std::string_view word) {
  if (word.size() < 3) return false;
  return std::any_of(word.begin() + 1, word.end(), [](char c) {
    return is_capital(c) || c == '_' || c == '$' || (c >= '0' && c <= '9');
  });
}

}  // namespace

Names::Names(const std::vector<std::string>& names, std::string_view package) : package_(package) {
  std::size_t count = 0;
  for (const std::string& full : names) {
    const std::string name = full.substr(full.rfind('.') + 1);
    if (name.empty() || name == "default" || name == "*") continue;
    const NameBits bit = NameBits{1} << (count++ % 64U);
    if (std::all_of(name.begin(), name.end(), is_name_char)) {
      words_[name] |= bit;
      lower_[lower_ascii(name)] |= bit;
    } else if (others_.size() < kMaxOthers) {
      others_.emplace_back(name, bit);
    }
  }
}

NameBits Names::find(std::string_view word) const {
  const auto found = words_.find(std::string(word));
  return found == words_.end() ? 0 : found->second;
}

NameBits Names::in_line(std::string_view line, bool is_code) const {
  NameBits out = 0;
  bool is_quoted = false;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '`') is_quoted = !is_quoted;
    std::size_t end = at;
    while (end < line.size() && is_name_char(line[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const std::string_view word = line.substr(at, end - at);
    const char before = at == 0 ? ' ' : line[at - 1];
    const char next = end == line.size() ? ' ' : line[end];
    const bool is_version = next == '.' && end + 1 < line.size() && line[end + 1] >= '0' &&
                            line[end + 1] <= '9';  // v4.0.0 is not v4
    // "highlight" is not what "highlight.js" speaks of.
    const bool is_package = package_.size() > word.size() && line.substr(at).starts_with(package_);
    const bool counts = is_code || is_quoted || next == '(' || before == '.' || is_code_name(word);
    if (counts && !is_version && !is_package) out |= find(word);
    at = end;
  }
  return out;
}

NameBits Names::in_text(std::string_view text) const {
  NameBits out = 0;
  if (!words_.empty()) {
    bool is_code = false;
    for (const std::string_view line : split(text, '\n')) {
      if (fence_of(line) > 0) is_code = !is_code;
      out |= in_line(line, is_code);
    }
  }
  for (const auto& [name, bit] : others_) {
    if (text.find(name) != std::string_view::npos) out |= bit;
  }
  return out;
}

NameBits Names::in_title(std::string_view title) const {
  NameBits out = in_line(title, true);
  const std::string lower = lower_ascii(title);
  for (std::size_t at = 0; at < lower.size();) {
    std::size_t end = at;
    while (end < lower.size() && is_name_char(lower[end])) ++end;
    const bool is_package =
        package_.size() > end - at && std::string_view(lower).substr(at).starts_with(package_);
    if (end - at >= 3 && !is_package) {
      const auto found = lower_.find(lower.substr(at, end - at));
      if (found != lower_.end()) out |= found->second;
    }
    at = std::max(end, at + 1);
  }
  return out;
}

NameBits Names::at_start(std::string_view line) const {
  const auto begin = std::find_if(line.begin(), line.end(), is_name_char);
  line.remove_prefix(static_cast<std::size_t>(begin - line.begin()));
  std::size_t end = 0;
  // "options.name": the last counts.
  while (end < line.size() && (is_name_char(line[end]) || line[end] == '.')) ++end;
  const std::string_view whole = line.substr(0, end);
  return find(whole.substr(whole.rfind('.') + 1));
}

bool Names::lists_kin(std::string_view line) const {
  if (package_.empty() || !(line.starts_with("- ") || line.starts_with("* "))) return false;
  const std::size_t begin = line.find_first_not_of("-* [`@");
  if (begin == std::string_view::npos) return false;
  line.remove_prefix(begin);
  const std::string_view plain = std::string_view(package_).substr(package_.rfind('/') + 1);
  return line.starts_with(plain) && line.size() > plain.size() &&
         (line[plain.size()] == '-' || line[plain.size()] == '/');
}

bool Names::imports(std::string_view code) const {
  if (package_.empty()) return false;
  for (std::size_t at = code.find(package_); at != std::string_view::npos;
       at = code.find(package_, at + 1)) {
    const char before = at == 0 ? ' ' : code[at - 1];
    const std::size_t end = at + package_.size();
    const char next = end == code.size() ? ' ' : code[end];
    if ((before == '"' || before == '\'') && (next == '"' || next == '\'' || next == '/')) {
      return true;
    }
  }
  return false;
}

}  // namespace cg::notes
