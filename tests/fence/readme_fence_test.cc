// What the documents at the top tell a reader to type and to open is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>

#include "fence.h"
#include "support/support.h"

namespace cg::fence {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using Words = std::vector<std::string>;

struct Command {
  std::size_t line;
  Words words;  // lower-case words after `codegenie`: the command, perhaps its arguments
};

Words command_words(const std::string& after_program) {
  static const std::regex name("[a-z][a-z-]*");
  Words words;
  for (const std::string& word : words_of(after_program)) {
    if (word.starts_with('-') && words.empty()) continue;  // a flag before the command
    if (!std::regex_match(word, name)) break;
    words.push_back(word);
  }
  return words;
}

/// The commands in code blocks and in code within a line. Where a block begins
/// with a prompt, its lines without one are output.
std::vector<Command> commands_in(const Source& source) {
  static const std::regex in_block(R"((?:^\s*(?:\$ )?|[|;&(] ?|=\S* )codegenie(?=\s|$)([^|;&]*))");
  static const std::regex in_line("`codegenie([^`]*)`");
  std::vector<Command> found;
  const std::vector<std::string> lines = lines_of(source.text);
  bool block = false;
  bool prompts = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.starts_with("```")) {
      block = !block;
      prompts = i + 1 < lines.size() && lines[i + 1].starts_with("$ ");
    } else if (!block || !prompts || line.starts_with("$ ")) {
      const std::regex& pattern = block ? in_block : in_line;
      for (std::sregex_iterator it(line.begin(), line.end(), pattern), end; it != end; ++it) {
        found.push_back({i + 1, command_words((*it)[1])});
      }
    }
  }
  return found;
}

enum class Known { no, group, command };

/// `ask` says what some words are. Words after a command are its arguments; a
/// word after a group that is not in it is a mistake.
Complaints check_commands(const Source& source, const std::function<Known(const Words&)>& ask) {
  Complaints out;
  for (const auto& [line, all] : commands_in(source)) {
    Words words = all;
    while (!words.empty() && ask(words) == Known::no) words.pop_back();
    if (words.size() == all.size() || (!words.empty() && ask(words) == Known::command)) continue;
    std::string text = "codegenie";
    for (const std::string& word : all) text += " " + word;
    out.push_back(at(source, line) + "no command " + text);
  }
  return out;
}

Complaints check_paths(const Source& source, const std::function<bool(const fs::path&)>& exists) {
  static const std::regex quoted("`((?:src|doc|tests|perf|fuzz|tools|programs)/[^`\\s]*)[^`]*`");
  Complaints out;
  std::size_t number = 0;
  for (const std::string& line : lines_of(source.text)) {
    ++number;
    for (std::sregex_iterator it(line.begin(), line.end(), quoted), end; it != end; ++it) {
      std::string path = (*it)[1];
      // A pattern such as src/<module>/*.h: as far as it is a path.
      const std::size_t pattern = path.find_first_of("<*{…");
      if (pattern != std::string::npos) path.resize(path.rfind('/', pattern));
      path = std::regex_replace(path, std::regex("(:[0-9]+|#.*)$"), "");
      if (!exists(path)) out.push_back(at(source, number) + "no file " + path);
    }
  }
  return out;
}

std::vector<Source> top_documents() {
  std::vector<Source> found;
  for (const char* name : {"README.md", "ASSURANCE.md", "ARCHITECTURE.md", "HACKING.md"}) {
    const fs::path file = source_dir() / name;
    if (fs::exists(file)) found.push_back({name, test::read(file)});
  }
  return found;
}

TEST(ReadmeFence, FindsCommands) {
  const Source source{"README.md",
                      "codegenie outside, `codegenie explain CODE` and `codegenie schema x`\n"
                      "```sh\n"
                      "codegenie audit verify --json && codegenie version\n"
                      "CODEGENIE_HOME=x codegenie init\n"
                      "cat x | codegenie --quiet audit anchor verify NOTE\n"
                      "sudo apt install codegenie-extra\n"
                      "codegenie\n"
                      "```\n"
                      "```\n"
                      "$ codegenie version\n"
                      "codegenie 0.1.0\n"
                      "```\n"};
  std::vector<Words> words;
  for (const Command& command : commands_in(source)) words.push_back(command.words);
  EXPECT_THAT(words, ElementsAre(Words{"explain"}, Words{"schema", "x"}, Words{"audit", "verify"},
                                 Words{"version"}, Words{"init"},
                                 Words{"audit", "anchor", "verify"}, Words{}, Words{"version"}));
}

TEST(ReadmeFence, SeesCommandsThatDoNotExist) {
  const std::map<Words, Known> known = {{{"audit"}, Known::group},
                                        {{"audit", "verify"}, Known::command},
                                        {{"completion"}, Known::command}};
  const auto ask = [&](const Words& w) { return known.contains(w) ? known.at(w) : Known::no; };
  const struct {
    std::string line;
    bool good;
  } cases[] = {
      {"codegenie audit verify", true}, {"codegenie completion bash", true},
      {"codegenie audit", true},        {"codegenie --version", true},
      {"codegenie audit verfy", false}, {"codegenie audti verify", false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.line);
    EXPECT_EQ(check_commands({"README.md", "```\n" + c.line + "\n```\n"}, ask).empty(), c.good);
  }
}

TEST(ReadmeFence, SeesPathsThatDoNotExist) {
  const auto exists = [](const fs::path& path) {
    return path == "src/base/base" || path == "src/base/base/text.h" || path == "tools/tidy";
  };
  const struct {
    std::string text;
    bool good;
  } cases[] = {
      {"`src/base/base/text.h`", true},  {"`src/base/base/*.h`", true},  {"`src/base/base/text.h:12`", true},
      {"`tools/tidy --fix`", true}, {"`other/x`", true},       {"src/gone.h without ticks", true},
      {"`src/gone.h`", false},      {"`src/gone/*.h`", false}, {"`src/base/base/text.h` `doc/x`", false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(check_paths({"README.md", c.text + "\n"}, exists).empty(), c.good);
  }
}

TEST(ReadmeFence, PathsExist) {
  Complaints complaints;
  for (const Source& source : top_documents()) {
    const auto exists = [](const fs::path& path) { return fs::exists(source_dir() / path); };
    for (auto& c : check_paths(source, exists)) complaints.push_back(c);
  }
  EXPECT_EQ(joined(complaints), "");
}

#ifdef CG_BINARY
/// Help has a heading Usage for a command and Commands for a group; a topic has
/// neither, and is nothing one can run.
Known ask_binary(const Words& words) {
  std::vector<std::string> argv = {CG_BINARY, "help"};
  argv.insert(argv.end(), words.begin(), words.end());
  const test::Ran ran = test::run(argv, {"NO_COLOR=1"});
  if (ran.exit != 0) return Known::no;
  if (ran.out.find("\nUsage\n") != std::string::npos) return Known::command;
  return ran.out.find("\nCommands\n") != std::string::npos ? Known::group : Known::no;
}

TEST(ReadmeFence, KnowsWhatTheProgramKnows) {
  EXPECT_EQ(ask_binary({"version"}), Known::command);
  EXPECT_EQ(ask_binary({"config"}), Known::group);
  EXPECT_EQ(ask_binary({"config", "show"}), Known::command);
  EXPECT_EQ(ask_binary({"exit-codes"}), Known::no);
  EXPECT_EQ(ask_binary({"no-such-command"}), Known::no);
}

TEST(ReadmeFence, CommandsExist) {
  Complaints complaints;
  for (const Source& source : top_documents()) {
    for (auto& c : check_commands(source, ask_binary)) complaints.push_back(c);
  }
  EXPECT_EQ(joined(complaints), "");
}
#endif

}  // namespace
}  // namespace cg::fence
