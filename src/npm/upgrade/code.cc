#include "npm/upgrade/code.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/base/text.h"
#include "base/json/placing.h"
#include "npm/exports/entries.h"
#include "npm/upgrade/head.h"
#include "npm/upgrade/line.h"

namespace cg::upgrade {

namespace {

constexpr std::size_t kMaxFileBytes = 200'000;  // of one that is compared
constexpr std::size_t kMaxBytes = 1U << 20U;    // of all on one side
constexpr std::size_t kMaxCodeLine = 200;
constexpr std::size_t kMaxExportLine = 500;
constexpr std::size_t kMaxCodeLines = 12'000;  // of one file
constexpr std::size_t kMostOfAName = 3;        // functions in one file
constexpr std::size_t kMostKeys = 40;          // of objects of one name, likewise

std::string stem(std::string_view file) {
  file = file.substr(file.rfind('/') + 1);
  return std::string(file.substr(0, file.find('.')));
}

/// A line that only one version has.
struct Line {
  std::string text;
  bool added = false;
  Where where = Where::outside;
  bool moved = false;  // it stands elsewhere now, or stood there
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

  using Functions = std::map<std::string, Ranges, std::less<>>;

  static std::string_view text_in(Lister& lister, const std::string& file, std::size_t& spent) {
    const auto found = lister.files().find(file);
    if (file.empty() || found == lister.files().end()) return {};
    if (found->second.size() > kMaxFileBytes || spent + found->second.size() > kMaxBytes) return {};
    spent += found->second.size();
    return found->second;
  }

  /// Where the functions and objects are that are called like what is used, with what their
  /// comments say; not what everything is called like.
  [[nodiscard]] Functions functions_in(Lister& lister, const std::string& file) const {
    Functions out;
    const Source* source =
        file.empty() || exports::is_declaration(file) ? nullptr : lister.source(file);
    if (source == nullptr) return out;
    const syntax::Syntax& syntax = source->syntax();
    const std::string_view text = syntax.text();
    for (syntax::Index i = 1; i < syntax.nodes().size(); ++i) {
      const bool object = syntax.at(i).kind == syntax::Kind::object;
      if (!object && !is_callable(syntax.at(i).kind)) continue;
      const std::string name = name_of(*source, i);
      if (!is_used(name)) continue;
      if (object) {
        add_keys(syntax, i, out[name + " {"]);
        continue;
      }
      const std::string_view doc = source->doc(i);
      const std::size_t first =
          doc.empty() ? syntax.at(i).begin : static_cast<std::size_t>(doc.data() - text.data());
      out[name].push_back(
          {line_start(text, first), line_start(text, syntax.at(i).begin), syntax.at(i).end});
    }
    std::erase_if(out, [](const auto& each) {
      return each.second.size() > (each.first.ends_with('{') ? kMostKeys : kMostOfAName);
    });
    return out;
  }

  /// The line of each.
  static void add_keys(const syntax::Syntax& syntax, syntax::Index object, Ranges& out) {
    for (syntax::Index c = syntax.first_child(object); c != syntax::kNone;
         c = syntax.next_sibling(c)) {
      const std::size_t begin = line_start(syntax.text(), syntax.at(c).begin);
      out.push_back({begin, begin, begin + 1});
    }
  }

  /// Of what only one version has, its head is told; what it does is told where it does it
  /// otherwise.
  static Ranges told_of(const Functions& functions, const Functions& others) {
    constexpr std::size_t kMostBytes = 6000;  // of one
    Ranges out;
    for (const auto& [name, ranges] : functions) {
      for (Range range : ranges) {
        const bool whole = others.contains(name) && range.end - range.begin <= kMostBytes;
        if (!whole) range = {range.head, range.head, range.head + 1};
        out.push_back(range);
      }
    }
    return out;
  }

  void compare(const std::string& old, const std::string& now, bool hands_out) {
    const std::string_view old_text = text_in(before_, old, old_bytes_);
    const std::string_view new_text = text_in(after_, now, new_bytes_);
    const Functions old_functions = old_text.empty() ? Functions{} : functions_in(before_, old);
    const Functions new_functions = new_text.empty() ? Functions{} : functions_in(after_, now);
    const auto bare = [](const std::string& file, std::string_view text, const Ranges& told) {
      return exports::is_declaration(file) ? bare_lines(whole_lines(text), {})
                                           : bare_lines(text, told);
    };
    const Text was = bare(old, old_text, told_of(old_functions, new_functions));
    const Text is = bare(now, new_text, told_of(new_functions, old_functions));
    if (was.lines.empty() && is.lines.empty()) return;
    File file{old, now, hands_out, {}};
    for (const json::Hunk& hunk : json::difference("x", was.lines, is.lines).hunks) {
      std::size_t old_line = hunk.lines_before();
      std::size_t new_line = hunk.new_start - std::min<std::size_t>(hunk.new_start, 1);
      for (const json::DiffLine& line : hunk.lines) {
        const bool added = line.kind == json::DiffLine::Kind::added;
        const bool removed = line.kind == json::DiffLine::Kind::removed;
        const Where where = added     ? is.where_is(new_line)
                            : removed ? was.where_is(old_line)
                                      : Where::outside;
        if (!added) ++old_line;
        if (!removed) ++new_line;
        if ((!added && !removed) || file.lines.size() == kMaxCodeLines) continue;
        file.lines.push_back({line.text, added, where});
      }
    }
    files_.push_back(std::move(file));
  }

  /// A line that went from one place to another says nothing, unless it hands something out.
  void drop_moved() {
    std::map<std::string, std::array<std::size_t, 2>> counts;  // gone, come
    const auto each = [&](const auto& todo) {
      for (File& file : files_) {
        for (Line& line : file.lines) {
          if (!file.hands_out || !is_export(line.text)) todo(line, line.added ? 1U : 0U);
        }
      }
    };
    each([&](const Line& line, std::size_t side) { ++counts[meaning_of(line.text)].at(side); });
    for (auto& [text, both] : counts) both.fill(std::min(both[0], both[1]));
    each([&](Line& line, std::size_t side) {
      std::size_t& left = counts[meaning_of(line.text)].at(side);
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
    const Code::Worth by_name = least <= kFew || line.where == Where::head ? named
                                : line.where == Where::inside              ? inside
                                : least <= kMany                           ? used
                                                                           : other;
    if (is_comment(line.text)) {
      if (is_telling(line.text)) return used;
      return by_name == named || by_name == inside ? by_name : comment;
    }
    if (is_boilerplate(line.text)) return comment;
    if (hands_out && is_export(line.text)) return exports;
    if (least <= kFew && says_text(line.text)) return said;
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
      std::vector<Code::Worth> worths;
      for (const Line& line : file.lines) worths.push_back(worth_of(line, file.hands_out));
      add_replaced(file.lines, worths);
      add_handed_out(file.lines, worths);
      for (std::size_t i = 0; i < worths.size(); ++i) {
        const Line& line = file.lines[i];
        const std::size_t most = worths[i] == Code::Worth::exports ? kMaxExportLine : kMaxCodeLine;
        code.lines.push_back({(line.added ? "+ " : "- ") + one_line(line.text, most), worths[i]});
      }
      if (!code.lines.empty()) out_.push_back(std::move(code));
    }
  }

  /// A string that our sources say is gone: the line that says another one in its place is worth
  /// as much. Of several that which begins alike, then the nearest.
  void add_replaced(const std::vector<Line>& lines, std::vector<Code::Worth>& worths) const {
    constexpr std::size_t kNear = 24;                       // lines
    constexpr std::size_t kBegins = 24;                     // bytes of a line that are the same
    constexpr std::size_t kMost = 200;                      // lines that others are looked for
    std::map<std::string, std::vector<std::size_t>> added;  // by frame
    std::size_t count = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].added) added[frame_of(lines[i].text)].push_back(i);
    }
    for (std::size_t i = 0; i < lines.size() && count < kMost; ++i) {
      if (lines[i].added || worths[i] > Code::Worth::used || !says_text(lines[i].text)) continue;
      ++count;
      std::size_t best = lines.size();
      std::size_t most = 0;
      for (const std::size_t k : added[frame_of(lines[i].text)]) {
        const auto [a, b] = std::mismatch(lines[i].text.begin(), lines[i].text.end(),
                                          lines[k].text.begin(), lines[k].text.end());
        const auto same = static_cast<std::size_t>(a - lines[i].text.begin());
        const bool near = k < i + kNear && i < k + kNear;
        if ((near || same >= kBegins) && same > most) {
          best = k;
          most = same;
        }
      }
      if (best == lines.size()) continue;
      worths[i] = std::min(worths[i], Code::Worth::said);
      worths[best] = std::min(worths[best], Code::Worth::said);
    }
  }

  [[nodiscard]] bool says_text(std::string_view line) const {
    bool out = false;
    each_word(
        line, [](std::string_view) {},
        [&](std::string_view text) {
          out = out || used_.texts.contains(text) || is_path_of_used(text);
        });
    return out;
  }

  /// What a module hands out may take more than one line to say.
  static void add_handed_out(const std::vector<Line>& lines, std::vector<Code::Worth>& worths) {
    constexpr std::size_t kMostLines = 12;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool opens =
          lines[i].text.ends_with('{') && lines[i].text.find('(') == std::string::npos;
      if (worths[i] != Code::Worth::exports || !opens) continue;
      for (std::size_t k = i + 1; k < std::min(lines.size(), i + 1 + kMostLines); ++k) {
        if (lines[k].added != lines[i].added || !is_entry(lines[k].text)) break;
        worths[k] = std::min(worths[k], Code::Worth::named);
      }
    }
  }

  /// "a,", "a: b", "a: require('./b'),"
  static bool is_entry(std::string_view line) {
    std::size_t end = 0;
    while (end < line.size() && (is_word_char(line[end]) || line[end] == '\'')) ++end;
    if (end == 0) return false;
    return end == line.size() || line[end] == ',' || line[end] == ':' || line[end] == ' ';
  }

  [[nodiscard]] bool is_used(std::string_view word) const {
    constexpr std::size_t kShort = 2;  // letters
    if (word.size() <= kShort) return false;
    return used_.members.contains(word) ||
           std::any_of(used_.paths.begin(), used_.paths.end(),
                       [&](const auto& path) { return path.second.contains(word); });
  }

  /// Words of a line that are used, and strings that our sources say, too.
  [[nodiscard]] std::set<std::string_view> used_words(std::string_view line) const {
    std::set<std::string_view> out;
    each_word(
        line,
        [&](std::string_view word) {
          if (is_used(word) || (is_code(word) && used_.texts.contains(word))) out.insert(word);
        },
        [&](std::string_view text) {
          if (used_.texts.contains(text) || is_path_of_used(text)) out.insert(text);
        });
    return out;
  }

  /// "string.empty", where our sources say both.
  [[nodiscard]] bool is_path_of_used(std::string_view text) const {
    if (text.find('.') == text.npos) return false;
    for (const std::string_view part : split(text, '.')) {
      if (!is_used(part)) return false;
    }
    return true;
  }

  /// "ES256", "E_GONE": no word of a sentence.
  [[nodiscard]] static bool is_code(std::string_view word) {
    return word.size() > 2 && std::any_of(word.begin() + 1, word.end(), [](char c) {
             return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
           });
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
