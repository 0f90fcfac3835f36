#include "npm/upgrade/line.h"

#include <algorithm>
#include <array>

#include "base/base/text.h"

namespace cg::upgrade {

namespace {

constexpr std::size_t kMaxFileLines = 6000;

/// Behind the string that begins at `at`.
std::size_t string_end(std::string_view line, std::size_t at) {
  std::size_t end = at + 1;
  while (end < line.size() && line[end] != line[at]) end += line[end] == '\\' ? 2U : 1U;
  return std::min(end + 1, line.size());
}

bool opens_string(std::string_view line, std::size_t at) {
  const char c = line[at];
  // Not that of "it's".
  return (c == '\'' || c == '"') && (at == 0 || !is_word_char(line[at - 1]));
}

}  // namespace

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

std::size_t line_start(std::string_view text, std::size_t at) {
  const std::size_t newline = at == 0 ? text.npos : text.rfind('\n', at - 1);
  return newline == text.npos ? 0 : newline + 1;
}

Text bare_lines(std::string_view text, const Ranges& functions) {
  Text out;
  for (std::string_view line : split(text, '\n')) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) continue;
    const auto at = static_cast<std::size_t>(line.data() - text.data());
    line.remove_prefix(first);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (std::none_of(line.begin(), line.end(), is_word_char)) continue;
    if (line == "'use strict';" || line == "\"use strict\";") continue;
    if (out.where.size() == kMaxFileLines) break;
    out.lines += line;
    out.lines += '\n';
    Where where = Where::outside;
    for (const Range& range : functions) {
      if (range.begin <= at && at < range.end) where = std::max(where, Where::inside);
      if (range.head == at) where = Where::head;
    }
    out.where.push_back(where);
  }
  return out;
}

std::string name_of(const Source& source, syntax::Index value) {
  using syntax::Field;
  using syntax::Kind;
  const syntax::Syntax& syntax = source.syntax();
  syntax::Index name = syntax.child(value, Field::name);
  const syntax::Index above = syntax.at(value).parent;
  if (name == syntax::kNone && above != syntax::kNone) {
    switch (syntax.at(above).kind) {
      case Kind::variable_declarator:
        name = syntax.child(above, Field::name);
        break;
      case Kind::pair:
        name = syntax.child(above, Field::key);
        break;
      case Kind::assignment_expression:
        name = syntax.child(above, Field::left);
        if (name != syntax::kNone && syntax.at(name).kind == Kind::member_expression) {
          name = syntax.child(name, Field::property);
        }
        break;
      default:
        break;
    }
  }
  return name == syntax::kNone ? std::string() : source.locals().word(name);
}

bool is_comment(std::string_view line) {
  return line.starts_with("//") || line.starts_with("/*") || line.starts_with("*");
}

bool is_boilerplate(std::string_view line) {
  for (const std::string_view word :
       {"__esModule", "_interopRequire", "void 0", "Object.defineProperty(exports", " = require('.",
        " = require(\".", "sourceMappingURL"}) {
    if (line.find(word) != line.npos) return true;
  }
  return false;
}

bool is_export(std::string_view line) {
  return line.find("module.exports") != line.npos || line.starts_with("exports.") ||
         line.starts_with("exports =") || line.starts_with("export ") ||
         line.starts_with("export{") || line.find(" as default") != line.npos;
}

bool is_telling(std::string_view line) {
  return line.find("eprecated") != line.npos || line.starts_with("throw ") ||
         line.find(" throw ") != line.npos;
}

std::string whole_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("export =") || line.starts_with("export default") ||
        line.find(" as default") != line.npos) {
      out += std::string(line) + "\n";
    }
  }
  return out;
}

std::string meaning_of(std::string_view line) {
  for (const std::string_view word : {"var ", "let ", "const "}) {
    if (!line.starts_with(word)) continue;
    line.remove_prefix(word.size());
    break;
  }
  std::string out;
  for (const char c : line) out += c == '"' || c == '`' ? '\'' : c;
  while (!out.empty() && (out.back() == ';' || out.back() == ',' || out.back() == ' ')) {
    out.pop_back();
  }
  return out;
}

std::string frame_of(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    if (opens_string(line, i)) {
      out += '\'';
      i = string_end(line, i);
    } else {
      out += line[i++];
    }
  }
  return out;
}

void each_word(std::string_view line, const std::function<void(std::string_view)>& word,
               const std::function<void(std::string_view)>& string) {
  std::size_t closes = 0;
  for (std::size_t i = 0; i < line.size();) {
    if (i >= closes && opens_string(line, i)) {
      closes = string_end(line, i);
      if (closes - i > 2) string(line.substr(i + 1, closes - i - 2));
    }
    std::size_t end = i;
    while (end < line.size() && is_word_char(line[end])) ++end;
    if (end > i) word(line.substr(i, end - i));
    i = std::max(end, i + 1);
  }
}

}  // namespace cg::upgrade
