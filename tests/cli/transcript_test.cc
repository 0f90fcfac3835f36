// Transcripts: *.txt in this folder, each a list of cases.
//
//     # why
//     $ codegenie version --jsn
//     > second line of the script
//     --- stdout
//     --- stderr
//     error[CG-CLI-002]: unknown flag `--jsn`
//     --- exit 2
//
// Each case runs in a scratch folder of its own. In the expected text the folder
// is <SCRATCH>, an escape character <ESC>, a missing last newline <NO NEWLINE>.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/base/text.h"
#include "binary.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

struct Case {
  std::string comment;  // lines before the command
  std::string script;
  std::string expected;
};

std::vector<Case> read_cases(const std::string& text) {
  std::vector<Case> cases;
  std::string comment;
  std::string* into = &comment;
  auto lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const std::string_view line : lines) {
    if (line.starts_with("$ ")) {
      cases.push_back({comment, std::string(line.substr(2)) + "\n", ""});
      comment.clear();
      into = nullptr;
    } else if (into == nullptr && line.starts_with("> ")) {
      cases.back().script += std::string(line.substr(2)) + "\n";
    } else {
      if (into == nullptr) into = line == "--- stdout" ? &cases.back().expected : &comment;
      *into += std::string(line) + "\n";
      if (line.starts_with("--- exit ")) into = &comment;
    }
  }
  return cases;
}

std::string shown(std::string text, const ScratchDir& scratch) {
  replace_all(text, scratch.path(), "<SCRATCH>");
  replace_all(text, "\x1b", "<ESC>");
  if (!text.empty() && text.back() != '\n') text += "<NO NEWLINE>\n";
  return text;
}

std::string transcript(const Case& c) {
  const ScratchDir scratch;
  const Ran ran = run_script(c.script, scratch);
  return "--- stdout\n" + shown(ran.out, scratch) + "--- stderr\n" + shown(ran.err, scratch) +
         "--- exit " + std::to_string(ran.exit) + "\n";
}

std::string written(const Case& c, const std::string& outcome) {
  std::string script = "$ " + c.script.substr(0, c.script.size() - 1);
  replace_all(script, "\n", "\n> ");
  return c.comment + script + "\n" + outcome;
}

class Transcript : public ::testing::TestWithParam<std::string> {};

TEST_P(Transcript, IsAsWritten) {
  const fs::path file = source_dir() / "tests/cli" / (GetParam() + ".txt");
  const std::vector<Case> cases = read_cases(read(file));
  ASSERT_FALSE(cases.empty());
  std::string rewritten;
  for (const Case& c : cases) {
    const std::string outcome = transcript(c);
    rewritten += written(c, outcome);
    if (!accepts()) {
      EXPECT_EQ(c.expected, outcome) << "$ " << c.script;
    }
  }
  if (accepts() && rewritten != read(file)) {
    write(file, rewritten);
    FAIL() << "rewritten, run again: " << file;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(source_dir() / "tests/cli")) {
    const fs::path& path = entry.path();
    if (path.extension() == ".txt" && path.stem() != "CMakeLists") found.push_back(path.stem());
  }
  std::sort(found.begin(), found.end());
  return found;
}

INSTANTIATE_TEST_SUITE_P(Cli, Transcript, ::testing::ValuesIn(names()), [](const auto& test) {
  std::string name = test.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
});

}  // namespace
}  // namespace cg::test
