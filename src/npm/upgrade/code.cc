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

/// A file as it is compared.
struct Text {
  std::string lines;         // without indentation, and without those that have no word in them
  std::vector<bool> inside;  // by line: of a function that has a name which is used
  [[nodiscard]] bool is_inside(std::size_t line) const {
    return line < inside.size() && inside[line];
  }
};

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;  // of bytes

Text bare_lines(std::string_view text, const Ranges& functions) {
  Text out;
  const auto is_within = [&](std::size_t at) {
    return std::any_of(functions.begin(), functions.end(), [&](const auto& range) {
      return range.first <= at && at < range.second;
    });
  };
  for (std::string_view line : split(text, '\n')) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) continue;
    const std::size_t at = static_cast<std::size_t>(line.data() - text.data()) + first;
    line.remove_prefix(first);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (std::none_of(line.begin(), line.end(), is_word_char)) continue;
    if (line == "'use strict';" || line == "\"use strict\";") continue;
    if (out.inside.size() == kMaxFileLines) break;
    out.lines += line;
    out.lines += '\n';
    out.inside.push_back(is_within(at));
  }
  return out;
}

/// What a function is called where it is written down: `a() {}`, `a = () => {}`, `b.a = …`, `a: …`.
std::string name_of(const Source& source, syntax::Index function) {
  using syntax::Field;
  using syntax::Kind;
  const syntax::Syntax& syntax = source.syntax();
  syntax::Index name = syntax.child(function, Field::name);
  const syntax::Index above = syntax.at(function).parent;
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

/// What compilers write around a module says nothing about it, nor which files it is made of.
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

/// It tells who uses something wrong, or what is not to be used.
bool is_telling(std::string_view line) {
  return line.find("eprecated") != line.npos || line.starts_with("throw ") ||
         line.find(" throw ") != line.npos;
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

/// A line that only one version has.
struct Line {
  std::string text;
  bool added = false;
  bool inside = false;  // of a function that is called like what is used
  bool begins = false;  // such a function
  bool moved = false;   // it stands elsewhere now, or stood there
};

struct File {
  std::string before, after;
  bool hands_out = false;  // what it exports is the package's, or defines what is used
  std::vector<Line> lines;
};

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
      compare(partner, file, !key.empty());
    }
    for (const auto& [file, key] : old) {
      if (gone_.contains(key) && !taken.contains(file)) compare(file, "", true);
    }
    drop_moved();
    weigh();
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

  Text text_in(Lister& lister, const std::string& file, std::size_t& spent) const {
    const auto found = lister.files().find(file);
    if (file.empty() || found == lister.files().end()) return {};
    if (found->second.size() > kMaxFileBytes || spent + found->second.size() > kMaxBytes) return {};
    spent += found->second.size();
    if (exports::is_declaration(file)) return bare_lines(whole_lines(found->second), {});
    return bare_lines(found->second, functions_in(lister.source(file)));
  }

  /// Where the functions are that are called like what is used; not what everything is called like.
  [[nodiscard]] Ranges functions_in(const Source* source) const {
    Ranges out;
    if (source == nullptr) return out;
    std::map<std::string, Ranges> by_name;
    const syntax::Syntax& syntax = source->syntax();
    for (syntax::Index i = 1; i < syntax.nodes().size(); ++i) {
      if (!is_callable(syntax.at(i).kind)) continue;
      const std::string name = name_of(*source, i);
      if (is_used(name)) by_name[name].emplace_back(syntax.at(i).begin, syntax.at(i).end);
    }
    constexpr std::size_t kMostOfAName = 3;
    constexpr std::size_t kMostBytes = 6000;  // of one
    for (const auto& [name, ranges] : by_name) {
      if (ranges.size() > kMostOfAName) continue;
      for (const auto& range : ranges) {
        if (range.second - range.first <= kMostBytes) out.push_back(range);
      }
    }
    return out;
  }

  void compare(const std::string& old, const std::string& now, bool hands_out) {
    const Text was = text_in(before_, old, old_bytes_);
    const Text is = text_in(after_, now, new_bytes_);
    if (was.lines.empty() && is.lines.empty()) return;
    File file{old, now, hands_out, {}};
    for (const json::Hunk& hunk : json::difference("x", was.lines, is.lines).hunks) {
      std::size_t old_line = hunk.lines_before();
      std::size_t new_line = hunk.new_start - std::min<std::size_t>(hunk.new_start, 1);
      for (const json::DiffLine& line : hunk.lines) {
        const bool added = line.kind == json::DiffLine::Kind::added;
        const bool removed = line.kind == json::DiffLine::Kind::removed;
        const bool inside = added     ? is.is_inside(new_line)
                            : removed ? was.is_inside(old_line)
                                      : false;
        if (!added) ++old_line;
        if (!removed) ++new_line;
        if ((!added && !removed) || file.lines.size() == kMaxCodeLines) continue;
        const bool before = added ? is.is_inside(new_line - 2) : was.is_inside(old_line - 2);
        file.lines.push_back({line.text, added, inside, inside && !before});
      }
    }
    files_.push_back(std::move(file));
  }

  /// A line that went from one place to another says nothing, unless it hands something out.
  void drop_moved() {
    std::map<std::string_view, std::array<std::size_t, 2>> counts;  // gone, come
    const auto each = [&](const auto& todo) {
      for (File& file : files_) {
        for (Line& line : file.lines) {
          if (!file.hands_out || !is_export(line.text)) todo(line, line.added ? 1U : 0U);
        }
      }
    };
    each([&](const Line& line, std::size_t side) { ++counts[line.text].at(side); });
    for (auto& [text, both] : counts) both.fill(std::min(both[0], both[1]));
    each([&](Line& line, std::size_t side) {
      std::size_t& left = counts[line.text].at(side);
      line.moved = left > 0;
      left -= line.moved ? 1 : 0;
    });
    for (File& file : files_) {
      std::erase_if(file.lines, [](const Line& line) { return line.moved; });
    }
  }

  [[nodiscard]] Code::Worth worth_of(const Line& line, bool hands_out) const {
    using enum Code::Worth;
    // What everything is called like tells nothing apart.
    constexpr std::size_t kFew = 6;
    constexpr std::size_t kMany = 60;
    std::size_t least = kMany + 1;
    for (const std::string_view name : used_words(line.text)) {
      least = std::min(least, frequency_.find(name)->second);
    }
    const Code::Worth by_name = least <= kFew || line.begins ? named
                                : line.inside    ? inside
                                : least <= kMany ? used
                                                 : other;
    if (is_comment(line.text)) {
      if (is_telling(line.text)) return used;
      return by_name == named || by_name == inside ? by_name : comment;
    }
    if (is_boilerplate(line.text)) return comment;
    if (hands_out && is_export(line.text)) return exports;
    return is_telling(line.text) ? std::min(by_name, used) : by_name;
  }

  void weigh() {
    for (const File& file : files_) {
      for (const Line& line : file.lines) {
        for (const std::string_view name : used_words(line.text)) ++frequency_[name];
      }
    }
    for (const File& file : files_) {
      Code code;
      code.before = file.before;
      code.after = file.after;
      for (const Line& line : file.lines) {
        const Code::Worth worth = worth_of(line, file.hands_out);
        const std::size_t most = worth == Code::Worth::exports ? kMaxExportLine : kMaxCodeLine;
        code.lines.push_back({(line.added ? "+ " : "- ") + one_line(line.text, most), worth});
      }
      if (!code.lines.empty()) out_.push_back(std::move(code));
    }
  }

  [[nodiscard]] bool is_used(std::string_view word) const {
    constexpr std::size_t kShort = 2;  // letters
    if (word.size() <= kShort) return false;
    return used_.members.contains(word) ||
           std::any_of(used_.paths.begin(), used_.paths.end(),
                       [&](const auto& path) { return path.second.contains(word); });
  }

  /// Words of a line that are used.
  [[nodiscard]] std::set<std::string_view> used_words(std::string_view line) const {
    std::set<std::string_view> out;
    for (std::size_t i = 0; i < line.size();) {
      std::size_t end = i;
      while (end < line.size() && is_word_char(line[end])) ++end;
      const std::string_view word = line.substr(i, end - i);
      if (is_used(word)) out.insert(word);
      i = std::max(end, i + 1);
    }
    return out;
  }

  Lister& before_;
  Lister& after_;
  const Used& used_;
  const Gone& gone_;
  std::size_t old_bytes_ = 0;
  std::size_t new_bytes_ = 0;
  std::vector<File> files_;
  std::map<std::string_view, std::size_t> frequency_;  // of lines that say a used name
  std::vector<Code> out_;
};

}  // namespace

std::vector<Code> code_between(Lister& before, Lister& after, const Used& used, const Gone& gone) {
  return Comparing(before, after, used, gone).run();
}

}  // namespace cg::upgrade
