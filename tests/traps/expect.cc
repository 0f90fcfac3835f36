#include "traps/expect.h"

#include <algorithm>
#include <stdexcept>

#include "base/base/text.h"
#include "support/support.h"

namespace cg::test {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> out;
  for (const std::string_view cell : split(line, '\t')) out.emplace_back(cell);
  return out;
}

std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 't' ? '\t' : c == 'r' ? '\r' : c == 'n' ? '\n' : c;
  }
  return out;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// "removed added", as git counts.
std::string changed_lines(const fs::path& before, const fs::path& after) {
  const Ran ran = run({"git", "diff", "--no-index", "--numstat", "--no-textconv", before, after},
                      {"HOME=/nonexistent", "XDG_CONFIG_HOME", "GIT_CONFIG_NOSYSTEM=1"});
  const auto cells = cells_of(ran.out);
  if (ran.out.empty()) return "0 0";
  return cells.size() < 2 ? ran.out + ran.err : cells[1] + " " + cells[0];
}

}  // namespace

Expected read_expected(const fs::path& file) {
  Expected out;
  const std::string text = read(file);
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const auto cells = cells_of(line.front() == '!' ? line.substr(1) : line);
    if (line.front() != '!') {
      if (cells.size() != 5) throw std::runtime_error("not five columns: " + std::string(line));
      out.copies.push_back({cells[0], cells[1], cells[2], cells[3], cells[4]});
    } else if (cells[0] == "outcome") {
      out.outcome = cells.at(1);
    } else {
      out.checks.push_back({cells});
    }
  }
  return out;
}

bool allows(const std::string& pattern, const std::string& found) {
  const auto words = split(pattern, '|');
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return word == "*" || word == found || (word == "-" && found.empty());
  });
}

std::string complaint(const Check& check, const fs::path& before, const fs::path& after) {
  const auto& words = check.words;
  const std::string& kind = words.at(0);
  const std::string& file = words.at(1);
  if (kind == "lines") {
    const std::string changed = changed_lines(before / file, after / file);
    const std::string wanted = words.at(2) + " " + words.at(3);
    return changed == wanted ? ""
                             : file + ": lines that went and came: " + changed + ", not " + wanted;
  }
  const std::string part = unescaped(words.at(2));
  const std::size_t found = occurrences(read(after / file), part);
  const bool good = kind == "has"     ? found > 0
                    : kind == "lacks" ? found == 0
                    : kind == "count" ? std::to_string(found) == words.at(3)
                                      : throw std::runtime_error("no such check: " + kind);
  return good ? "" : file + ": " + kind + " " + words.at(2) + ": found " + std::to_string(found);
}

}  // namespace cg::test
