// Nothing in the tree that must not be in any tree.
//
// What is looked for is put together from pieces, so that this file passes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <memory>

#include "base/base/text.h"
#include "fence.h"
#include "support/support.h"

namespace cg::fence {
namespace {

namespace fs = std::filesystem;

/// RE2, as std::regex takes half a minute for the whole tree.
using Pattern = std::shared_ptr<const RE2>;
Pattern pattern(const std::string& text) { return std::make_shared<const RE2>(text); }

struct Rule {
  Pattern pattern;
  std::string why;
  std::string_view folders = {};  // the beginning of paths, one of them; empty: everywhere
};

const std::vector<Rule>& rules() {
  const auto any_word = [](const std::string& words) { return R"(\b()" + words + R"()\b)"; };
  static const std::vector<Rule> all = {
      {pattern(std::string("registry\\.npm") + "js|npm" + "js\\.org|deb\\.deb" + "ian\\.org"),
       "names a package registry; tests run offline and data is neutral"},
      {pattern(any_word(std::string("TO") + "DO|FIX" + "ME|X" + "XX")),
       "promises work; do it or write it down elsewhere"},
      {pattern(std::string("GTEST_") + "SKIP\\(\\)\\s*;|\\bDISABLED" + "_"),
       "turns a test off without saying why", "src/ tests/"},
      {pattern(std::string("(^|[^A-Za-z0-9_.}-])/(wo") + "rk|ro" + "ot)/"),
       "is a path of somebody's machine"},
  };
  return all;
}

bool is_in(std::string_view folders, std::string_view path) {
  if (folders.empty()) return true;
  for (const std::string_view folder : split(folders, ' ')) {
    if (path.starts_with(folder)) return true;
  }
  return false;
}

Complaints check_lines(const Source& source) {
  Complaints out;
  std::vector<const Rule*> of_path;
  for (const Rule& rule : rules()) {
    if (is_in(rule.folders, source.path)) of_path.push_back(&rule);
  }
  std::size_t number = 0;
  for (const std::string& line : lines_of(source.text)) {
    ++number;
    for (const Rule* rule : of_path) {
      if (RE2::PartialMatch(line, *rule->pattern)) out.push_back(at(source, number) + rule->why);
    }
    if (!is_cpp(source.path)) continue;
    if (line.find('\t') != std::string::npos) out.push_back(at(source, number) + "tab");
    if (line.ends_with(' ') || line.ends_with('\r')) {
      out.push_back(at(source, number) + "space at the end");
    }
  }
  if (is_cpp(source.path) && !source.text.ends_with('\n')) {
    out.push_back(source.path + ": no newline at the end");
  }
  return out;
}

/// What git tracks, and what it would track.
std::vector<Source> tree() {
  std::string names = output_of(
      {"git", "-C", source_dir(), "ls-files", "--cached", "--others", "--exclude-standard", "-z"});
  std::replace(names.begin(), names.end(), '\0', '\n');
  std::vector<Source> found;
  for (const std::string& name : lines_of(names)) {
    const fs::path file = source_dir() / name;
    if (fs::is_regular_file(file)) found.push_back({name, test::read(file)});
  }
  return found;
}

TEST(HygieneFence, SeesEachKind) {
  const struct {
    std::string path;
    std::string text;
    bool good;
  } cases[] = {
      {"src/a.cc", "int a;\n", true},
      {"src/a.cc", "int a;", false},
      {"src/a.cc", "", false},
      {"src/a.cc", "\tint a;\n", false},
      {"src/a.cc", "int a; \n", false},
      {"src/a.cc", "int a;\r\n", false},
      {"doc/a.txt", "\ta; ", true},
      {"doc/a.txt", std::string("https://registry.npm") + "js.org/a", false},
      {"doc/a.txt", std::string("http://deb.deb") + "ian.org/a", false},
      {"doc/a.txt", std::string("// TO") + "DO later", false},
      {"doc/a.txt", std::string("FIX") + "ME: later", false},
      {"doc/a.txt", std::string("X") + "XX", false},
      {"doc/a.txt", std::string("cg-test-XX") + "XXXX", true},
      {"src/a.cc", std::string("GTEST_") + "SKIP();\n", false},
      {"src/a.cc", std::string("GTEST_") + "SKIP() << kWhy;\n", true},
      {"src/a.cc", std::string("TEST(A, DISABLED") + "_B)\n", false},
      {"doc/a.txt", std::string("GTEST_") + "SKIP();\n", true},
      {"doc/a.txt", std::string("cd /wo") + "rk/main", false},
      {"doc/a.txt", std::string("\"/ro") + "ot/.ssh\"", false},
      {"doc/a.txt", std::string("tests/wo") + "rk/main", true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.path + ": " + c.text);
    EXPECT_EQ(check_lines({c.path, c.text}).empty(), c.good);
  }
}

TEST(HygieneFence, Holds) {
  Complaints complaints;
  const std::vector<Source> all = tree();
  EXPECT_GE(all.size(), 50U) << "saw too few files";
  for (const Source& source : all) {
    for (auto& c : check_lines(source)) complaints.push_back(c);
  }
  EXPECT_EQ(joined(complaints), "");
}

}  // namespace
}  // namespace cg::fence
