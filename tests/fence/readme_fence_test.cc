// What the documents tell a reader to type and to open is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "fence.h"
#include "support/support.h"

namespace cg::fence {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsSupersetOf;
using Words = std::vector<std::string>;

struct Command {
  std::size_t line;
  Words words;  // lower-case words after `codegenie`: the command, perhaps its arguments
  Words flags;  // "--fail-on", "-o"
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

/// Flags in a text, without their values; what stands behind a # is a remark.
Words flags_in(const std::string& text) {
  static const std::regex flag("(--?[a-z][a-z-]*)(=.*)?");
  Words flags;
  std::smatch found;
  for (const std::string& word : words_of(text)) {
    if (word.starts_with('#')) break;
    if (std::regex_match(word, found, flag)) flags.push_back(found[1]);
  }
  return flags;
}

/// The commands in code blocks and in code within a line. Where a block begins
/// with a prompt, its lines without one are output; blocks of a format are bytes.
std::vector<Command> commands_in(const Source& source) {
  static const std::regex in_block(R"((?:^\s*(?:\$ )?|[|;&(] ?|=\S* )codegenie(?=\s|$)([^|;&]*))");
  static const std::regex in_line("`codegenie(?=[ `])([^`]*)`");
  std::vector<Command> found;
  const std::vector<std::string> lines = lines_of(source.text);
  bool block = false;
  bool prompts = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.starts_with("```")) {
      block = !block;
      prompts = i + 1 < lines.size() && lines[i + 1].starts_with("$ ");
    } else if (block && source.path.starts_with("doc/format/")) {
      continue;
    } else if (!block || !prompts || line.starts_with("$ ")) {
      const std::regex& pattern = block ? in_block : in_line;
      for (std::sregex_iterator it(line.begin(), line.end(), pattern), end; it != end; ++it) {
        found.push_back({i + 1, command_words((*it)[1]), flags_in((*it)[1])});
      }
    }
  }
  return found;
}

/// What the program says of some words.
struct Known {
  enum class Kind { no, group, command } kind = Kind::no;
  std::set<std::string> flags = {};  // of a command, its own
};
using Kind = Known::Kind;
using Ask = std::function<Known(const Words&)>;

std::string spoken(const Words& words) {
  std::string text = "codegenie";
  for (const std::string& word : words) text += " " + word;
  return text;
}

/// Words after a command are its arguments; a word after a group that is not in it is a
/// mistake. `common` are the flags of every command.
Complaints check_commands(const Source& source, const Ask& ask,
                          const std::set<std::string>& common) {
  Complaints out;
  for (const auto& [line, all, flags] : commands_in(source)) {
    Words words = all;
    while (!words.empty() && ask(words).kind == Kind::no) words.pop_back();
    const Known known = words.empty() ? Known{} : ask(words);
    if (words.size() != all.size() && known.kind != Kind::command) {
      out.push_back(at(source, line) + "no command " + spoken(all));
      continue;
    }
    for (const std::string& flag : flags) {
      if (known.flags.contains(flag) || common.contains(flag)) continue;
      out.push_back(at(source, line) + "no flag " + flag + " of " + spoken(words));
    }
  }
  return out;
}

/// Flags without their command, `--offline` for one: some command has each.
Complaints check_loose_flags(const Source& source, const std::set<std::string>& known) {
  static const std::regex in_line("`(--[^`]*)`");
  Complaints out;
  std::size_t number = 0;
  for (const std::string& line : lines_of(source.text)) {
    ++number;
    for (std::sregex_iterator it(line.begin(), line.end(), in_line), end; it != end; ++it) {
      for (const std::string& flag : flags_in((*it)[1])) {
        if (!known.contains(flag)) out.push_back(at(source, number) + "no command has " + flag);
      }
    }
  }
  return out;
}

/// Links to files, by where the document is.
Complaints check_links(const Source& source, const std::function<bool(const fs::path&)>& exists) {
  static const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  Complaints out;
  std::size_t number = 0;
  for (const std::string& line : lines_of(source.text)) {
    ++number;
    for (std::sregex_iterator it(line.begin(), line.end(), link), end; it != end; ++it) {
      const fs::path to = fs::path(source.path).parent_path() / (*it)[1].str();
      if (!exists(to.lexically_normal()))
        out.push_back(at(source, number) + "no file " + to.string());
    }
  }
  return out;
}

Complaints check_paths(const Source& source, const std::function<bool(const fs::path&)>& exists) {
  static const std::regex quoted(
      "`((?:src|doc|tests|perf|fuzz|tools|programs|examples|plugins)/[^`\\s]*)[^`]*`");
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

std::vector<Source> documents() {
  std::vector<Source> found;
  for (Source& source : files_in("doc")) {
    if (source.path.ends_with(".md")) found.push_back(std::move(source));
  }
  for (const char* name :
       {"README.md", "ASSURANCE.md", "ARCHITECTURE.md", "HACKING.md", "CHANGELOG.md"}) {
    const fs::path file = source_dir() / name;
    if (fs::exists(file)) found.push_back({name, test::read(file)});
  }
  return found;
}

TEST(ReadmeFence, FindsCommands) {
  const Source source{
      "README.md",
      "codegenie outside, `codegenie explain CODE` and `codegenie schema x`\n"
      "```sh\n"
      "codegenie audit verify --json && codegenie version\n"
      "CODEGENIE_HOME=x codegenie init\n"
      "cat x | codegenie --quiet audit anchor verify NOTE -o json=x   # not --this\n"
      "sudo apt install codegenie-extra\n"
      "codegenie\n"
      "```\n"
      "```\n"
      "$ codegenie version\n"
      "codegenie 0.1.0\n"
      "```\n"};
  std::vector<Words> words;
  std::vector<Words> flags;
  for (const Command& command : commands_in(source)) {
    words.push_back(command.words);
    if (!command.flags.empty()) flags.push_back(command.flags);
  }
  EXPECT_THAT(flags, ElementsAre(Words{"--json"}, Words{"--quiet", "-o"}));
  EXPECT_THAT(words, ElementsAre(Words{"explain"}, Words{"schema", "x"}, Words{"audit", "verify"},
                                 Words{"version"}, Words{"init"},
                                 Words{"audit", "anchor", "verify"}, Words{}, Words{"version"}));
}

TEST(ReadmeFence, SeesCommandsThatDoNotExist) {
  const std::map<Words, Known> known = {{{"audit"}, {Kind::group}},
                                        {{"audit", "verify"}, {Kind::command, {"--strict"}}},
                                        {{"completion"}, {Kind::command}}};
  const auto ask = [&](const Words& w) { return known.contains(w) ? known.at(w) : Known{}; };
  const struct {
    std::string line;
    bool good;
  } cases[] = {
      {"codegenie audit verify", true},
      {"codegenie completion bash", true},
      {"codegenie audit", true},
      {"codegenie --version", true},
      {"codegenie audit verfy", false},
      {"codegenie audti verify", false},
      {"codegenie audit verify --strict -o json=x", true},
      {"codegenie completion bash --strict", false},
      {"codegenie audit verify --strct", false},
  };
  const std::set<std::string> common = {"--version", "-o"};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.line);
    const Source source{"README.md", "```\n" + c.line + "\n```\n"};
    EXPECT_EQ(check_commands(source, ask, common).empty(), c.good);
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
      {"`src/base/base/text.h`", true},
      {"`src/base/base/*.h`", true},
      {"`src/base/base/text.h:12`", true},
      {"`tools/tidy --fix`", true},
      {"`other/x`", true},
      {"src/gone.h without ticks", true},
      {"`src/gone.h`", false},
      {"`src/gone/*.h`", false},
      {"`src/base/base/text.h` `doc/x`", false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(check_paths({"README.md", c.text + "\n"}, exists).empty(), c.good);
  }
}

TEST(ReadmeFence, SeesFlagsThatNoCommandHas) {
  const std::set<std::string> known = {"--a-b", "--c"};
  EXPECT_TRUE(check_loose_flags({"README.md", "`--a-b FILE --c`, `x --d`, --e\n"}, known).empty());
  EXPECT_FALSE(check_loose_flags({"README.md", "`--a-b FILE --d`\n"}, known).empty());
}

TEST(ReadmeFence, SeesLinksThatLeadNowhere) {
  const auto exists = [](const fs::path& path) { return path == "doc/a.md" || path == "B.md"; };
  const struct {
    std::string text;
    bool good;
  } cases[] = {
      {"[a](../a.md) and [b](../../B.md#c)", true},
      {"[far](https://example.org/x)", true},
      {"[here](#c)", true},
      {"[a](a.md)", false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(check_links({"doc/guide/x.md", c.text + "\n"}, exists).empty(), c.good);
  }
}

TEST(ReadmeFence, PathsAndLinksExist) {
  Complaints complaints;
  EXPECT_GE(documents().size(), 30U);
  for (const Source& source : documents()) {
    const auto exists = [](const fs::path& path) { return fs::exists(source_dir() / path); };
    for (auto& c : check_paths(source, exists)) complaints.push_back(c);
    for (auto& c : check_links(source, exists)) complaints.push_back(c);
  }
  EXPECT_EQ(joined(complaints), "");
}

#ifdef CG_BINARY
std::string help_on(const Words& words) {
  std::vector<std::string> argv = {CG_BINARY, "help"};
  argv.insert(argv.end(), words.begin(), words.end());
  const test::Ran ran = test::run(argv, {"NO_COLOR=1"});
  return ran.exit == 0 ? ran.out : "";
}

/// Those that a help text lists, a line each: "  -o, --output FORMAT=FILE    also …".
std::set<std::string> listed_flags(const std::string& help) {
  static const std::regex row("^  (-[a-z])?(, )?(--[a-z][a-z-]*)?.*");
  std::set<std::string> flags;
  std::smatch found;
  for (const std::string& line : lines_of(help)) {
    if (!line.starts_with("  -") || !std::regex_match(line, found, row)) continue;
    for (const std::size_t part : {1U, 3U}) {
      if (found[part].matched) flags.insert(found[part]);
    }
  }
  return flags;
}

/// Help has a heading Usage for a command and Commands for a group; a topic has
/// neither, and is nothing one can run.
Known ask_binary(const Words& words) {
  static std::map<Words, Known> asked;
  if (asked.contains(words)) return asked[words];
  const std::string help = help_on(words);
  Known& known = asked[words];
  if (help.find("\nUsage\n") != std::string::npos) {
    known = {Kind::command, listed_flags(help)};
  } else if (help.find("\nCommands\n") != std::string::npos) {
    known = {Kind::group};
  }
  return known;
}

/// Those that a shell is told to offer: of all commands.
std::set<std::string> completed_flags() {
  static const std::regex flag("--[a-z][a-z-]*");
  const std::string script = output_of({CG_BINARY, "completion", "bash"});
  std::set<std::string> flags;
  for (std::sregex_iterator it(script.begin(), script.end(), flag), end; it != end; ++it) {
    flags.insert(it->str());
  }
  return flags;
}

TEST(ReadmeFence, KnowsWhatTheProgramKnows) {
  EXPECT_EQ(ask_binary({"version"}).kind, Kind::command);
  EXPECT_EQ(ask_binary({"config"}).kind, Kind::group);
  EXPECT_EQ(ask_binary({"config", "show"}).kind, Kind::command);
  EXPECT_EQ(ask_binary({"exit-codes"}).kind, Kind::no);
  EXPECT_EQ(ask_binary({"no-such-command"}).kind, Kind::no);
  EXPECT_THAT(ask_binary({"scan"}).flags, IsSupersetOf({"--fail-on", "--sbom"}));
  EXPECT_THAT(listed_flags(help_on({"flags"})), IsSupersetOf({"-o", "--output", "--json"}));
}

TEST(ReadmeFence, CommandsAndFlagsExist) {
  const std::set<std::string> common = listed_flags(help_on({"flags"}));
  const std::set<std::string> all = completed_flags();
  EXPECT_THAT(all, IsSupersetOf({"--fail-on", "--dry-run", "--json"}));
  Complaints complaints;
  for (const Source& source : documents()) {
    for (auto& c : check_commands(source, ask_binary, common)) complaints.push_back(c);
    for (auto& c : check_loose_flags(source, all)) complaints.push_back(c);
  }
  EXPECT_EQ(joined(complaints), "");
}
#endif

}  // namespace
}  // namespace cg::fence
