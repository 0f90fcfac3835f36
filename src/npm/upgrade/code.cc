#include "npm/upgrade/code.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/base/text.h"
#include "base/json/placing.h"
#include "npm/exports/entries.h"
#include "npm/upgrade/head.h"

namespace cg::upgrade {

namespace {

constexpr std::size_t kMaxFileBytes = 200'000;  // of one that is compared
constexpr std::size_t kMaxFileLines = 6000;
constexpr std::size_t kMaxBytes = 1U << 20U;  // of all on one side
constexpr std::size_t kMaxCodeLine = 200;
constexpr std::size_t kMaxExportLine = 500;
constexpr std::size_t kMaxCodeLines = 12'000;  // of one file

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

/// Without indentation, and without lines that have no word in them.
std::string bare_lines(std::string_view text) {
  std::string out;
  std::size_t count = 0;
  for (std::string_view line : split(text, '\n')) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) continue;
    line.remove_prefix(first);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (std::none_of(line.begin(), line.end(), is_word_char)) continue;
    if (line == "'use strict';" || line == "\"use strict\";") continue;
    if (++count > kMaxFileLines) break;
    out += line;
    out += '\n';
  }
  return out;
}

bool is_comment(std::string_view line) {
  return line.starts_with("//") || line.starts_with("/*") || line.starts_with("*");
}

/// What compilers write around a module says nothing about it, nor which files it is made of.
bool is_boilerplate(std::string_view line) {
  for (const std::string_view word :
       {"__esModule", "_interopRequire", "void 0", "Object.defineProperty(exports", " = require('.",
        " = require(\".", "sourceMappingURL"}) {
    if (line.find(word) != line.npos) return true;
  }
  return false;
}

Code::Worth worth_of(std::string_view line, bool used) {
  if (is_comment(line)) {
    return line.find("eprecated") == line.npos ? Code::Worth::comment : Code::Worth::used;
  }
  if (is_boilerplate(line)) return Code::Worth::comment;
  const bool exports = line.find("module.exports") != line.npos || line.starts_with("exports.") ||
                       line.starts_with("exports =") || line.starts_with("export ") ||
                       line.starts_with("export{") || line.find(" as default") != line.npos;
  used = used || line.starts_with("throw ") || line.find(" throw ") != line.npos;
  return exports ? Code::Worth::exports : used ? Code::Worth::used : Code::Worth::other;
}

/// The lines of declarations that say what a module is as a whole.
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

std::string stem(std::string_view file) {
  file = file.substr(file.rfind('/') + 1);
  return std::string(file.substr(0, file.find('.')));
}

class Comparing {
 public:
  Comparing(Lister& before, Lister& after, const Used& used, const Gone& gone)
      : before_(before), after_(after), used_(used), gone_(gone) {}

  std::vector<Code> run() {
    const Lister::Files old = before_.files_behind(used_);
    const Lister::Files now = after_.files_behind(used_);
    std::set<std::string> taken;
    for (const auto& [file, key] : now) {
      const std::string partner = partner_of(file, key, old, taken);
      if (!partner.empty()) taken.insert(partner);
      compare(partner, file);
    }
    for (const auto& [file, key] : old) {
      if (gone_.contains(key) && !taken.contains(file)) compare(file, "");
    }
    return std::move(out_);
  }

 private:
  /// The file that had the same task.
  static std::string partner_of(const std::string& file, const std::string& key,
                                const Lister::Files& old, const std::set<std::string>& taken) {
    const std::array<bool (*)(const Lister::File&, const std::string&, const std::string&), 3>
        same = {[](const Lister::File& one, const std::string&, const std::string& task) {
                  return !task.empty() && one.key == task;
                },
                [](const Lister::File& one, const std::string& path, const std::string&) {
                  return one.file == path;
                },
                [](const Lister::File& one, const std::string& path, const std::string&) {
                  return stem(one.file) == stem(path) && stem(path) != "index";
                }};
    for (const auto& is_same : same) {
      for (const Lister::File& one : old) {
        if (!taken.contains(one.file) && is_same(one, file, key)) return one.file;
      }
    }
    return {};
  }

  static std::string text_in(Lister& lister, const std::string& file, std::size_t& spent) {
    const auto found = lister.files().find(file);
    if (file.empty() || found == lister.files().end()) return {};
    if (found->second.size() > kMaxFileBytes || spent + found->second.size() > kMaxBytes) return {};
    spent += found->second.size();
    return exports::is_declaration(file) ? whole_lines(found->second) : bare_lines(found->second);
  }

  void compare(const std::string& old, const std::string& now) {
    const std::string was = text_in(before_, old, old_bytes_);
    const std::string is = text_in(after_, now, new_bytes_);
    if (was.empty() && is.empty()) return;
    Code code;
    code.before = old;
    code.after = now;
    for (const json::Hunk& hunk : json::difference("x", was, is).hunks) {
      for (const json::DiffLine& line : hunk.lines) {
        if (line.kind == json::DiffLine::Kind::context || code.lines.size() == kMaxCodeLines)
          continue;
        const bool added = line.kind == json::DiffLine::Kind::added;
        const Code::Worth worth = worth_of(line.text, speaks_of_used(line.text));
        const bool exports = worth == Code::Worth::exports;
        const std::string text = one_line(line.text, exports ? kMaxExportLine : kMaxCodeLine);
        code.lines.push_back({(added ? "+ " : "- ") + text, worth});
      }
    }
    if (!code.lines.empty()) out_.push_back(std::move(code));
  }

  [[nodiscard]] bool speaks_of_used(std::string_view line) const {
    std::string word;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      const char c = i < line.size() ? line[i] : ' ';
      if (is_word_char(c)) {
        word += c;
        continue;
      }
      if (word.size() > 2 && used_.members.contains(word)) return true;
      for (const auto& [path, names] : used_.paths) {
        if (word.size() > 2 && names.contains(word)) return true;
      }
      word.clear();
    }
    return false;
  }

  Lister& before_;
  Lister& after_;
  const Used& used_;
  const Gone& gone_;
  std::size_t old_bytes_ = 0;
  std::size_t new_bytes_ = 0;
  std::vector<Code> out_;
};

}  // namespace

std::vector<Code> code_between(Lister& before, Lister& after, const Used& used, const Gone& gone) {
  return Comparing(before, after, used, gone).run();
}

}  // namespace cg::upgrade
