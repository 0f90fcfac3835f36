// What README.md and doc/guide/*.md show is what the program does today.
//
//     <!-- transcript: fix -->              compared with what the commands say now
//     ```
//     $ codegenie remediate shop --all
//     Workflow 01…
//     (exit 7)
//     ```
//
//     ```                                   run; it ends with 0, or with what the line says
//     codegenie scan . --fail-on high       # (exit 1)
//     ```
//
//     <!-- policy -->                       put in place of the workspace's policy
//     <!-- not run: needs a network -->     left out and counted
//
// A block runs if its commands have a prompt, or if one of them is codegenie. All blocks of a page
// run in one world and in their order: a folder with examples/shop as the git repository `shop`,
// recorded answers in `cassettes`, and in the home folder a feed and a key. Lines with a prompt run
// in that folder, lines without one inside of the repository. A block that shows `codegenie init`
// has a world of its own, in which nobody has. Of a transcript, ids, dates and ports are compared
// as such, not by their value; CG_ACCEPT=1 rewrites it, and fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>

#include "base/base/text.h"
#include "support/support.h"
#include "traps/expect.h"
#include "traps/registry_process.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::StartsWith;

/// As many blocks as may go unrun on all pages together.
constexpr std::size_t kMaxNotRun = 4;

bool accepts() {
  const char* accept = std::getenv("CG_ACCEPT");
  return accept != nullptr && std::string(accept) == "1";
}

std::vector<std::string> pages() {
  std::vector<std::string> out = {"README.md"};
  for (const auto& entry : fs::directory_iterator(source_dir() / "doc/guide")) {
    out.push_back("doc/guide/" + entry.path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The lines between two fences, and the comment right above them.
struct Block {
  std::size_t begin;
  std::size_t end;
  std::string mark;  // "transcript: fix"; empty if there is none
};

std::string mark_in(std::string_view line) {
  constexpr std::string_view kOpen = "<!-- ";
  constexpr std::string_view kClose = " -->";
  if (!line.starts_with(kOpen) || !line.ends_with(kClose)) return "";
  line.remove_prefix(kOpen.size());
  return std::string(line.substr(0, line.size() - kClose.size()));
}

std::vector<Block> blocks_of(const std::string& text) {
  std::vector<Block> out;
  std::string before;
  std::optional<Block> open;
  std::size_t at = 0;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t next = at + line.size() + 1;
    if (!line.starts_with("```")) {
      before = line;
    } else if (open) {
      open->end = at;
      out.push_back(*open);
      open.reset();
    } else {
      open = Block{next, next, mark_in(before)};
    }
    at = next;
  }
  return out;
}

struct Command {
  std::string line;
  int exit = 0;  // that the page states
  friend bool operator==(const Command&, const Command&) = default;
};

enum class Where { beside, inside };  // of the repository

struct Script {
  Where where = Where::inside;
  std::vector<Command> commands;  // none: the block shows something else
};

int stated_exit(std::string_view line) {
  static const std::regex pattern(R"(\(exit ([0-9]+)\))");
  std::match_results<std::string_view::const_iterator> found;
  const bool states = std::regex_search(line.begin(), line.end(), found, pattern);
  return states ? std::stoi(found[1].str()) : 0;
}

Script script_of(std::string_view block) {
  Script out;
  bool has_program = false;
  for (std::string_view line : split(block, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    const bool prompt = line.starts_with("$ ");
    if (prompt && out.where == Where::inside) out = {Where::beside, {}};
    if (prompt) line.remove_prefix(2);
    has_program = has_program || line.starts_with("codegenie ");
    if (prompt || out.where == Where::inside) {
      out.commands.push_back({std::string(line), stated_exit(line)});
    } else if (const int exit = stated_exit(line); line.starts_with("(exit ")) {
      out.commands.back().exit = exit;
    }
  }
  if (out.where == Where::inside && !has_program) out.commands.clear();
  return out;
}

bool makes_workspace(const Script& script) {
  return std::any_of(script.commands.begin(), script.commands.end(), [](const Command& command) {
    return command.line.starts_with("codegenie init");
  });
}

/// The text with what differs from run to run named instead.
std::string comparable(std::string text) {
  static const std::pair<std::regex, const char*> rules[] = {
      {std::regex(R"(\b01[0-9A-HJKMNP-TV-Z]{7,24}\b)"), "01…"},
      {std::regex(R"(\b[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+Z)?)"), "<date>"},
      {std::regex(R"(\b[0-9a-f]{7,64}\b)"), "<id>"},
      {std::regex(R"(127\.0\.0\.1:[0-9]+)"), "127.0.0.1:<port>"},
  };
  for (const auto& [pattern, name] : rules) text = std::regex_replace(text, pattern, name);
  return text;
}

enum class Start { with_workspace, with_nothing };

class World {
 public:
  explicit World(Start start) : registry_(source_dir() / "examples/registry/serve.mjs") {
    for (const char* name : {"home", "home/.ssh"}) fs::create_directory(scratch_ / name);
    for (const char* name : {"shop", "cassettes"}) {
      fs::copy(source_dir() / "examples" / name, scratch_ / name, fs::copy_options::recursive);
    }
    const std::string feed = source_dir() / "examples/advisories/shop.jsonl";
    const Ran made = bash(
        "set -e\n"
        "python3 -m zipfile -c home/all.zip '" +
            feed +
            "'\n"
            "ssh-keygen -q -t ed25519 -N '' -C operator -f home/.ssh/id_ed25519\n"
            "git init -q -b main shop\n"
            "git -C shop add -A\n"
            "export GIT_AUTHOR_DATE=2026-11-02T09:00:00Z GIT_COMMITTER_DATE=2026-11-02T09:00:00Z\n"
            "git -C shop -c user.name=operator -c user.email=operator@example commit -q -m 'The "
            "shop'\n",
        Where::beside);
    EXPECT_EQ(made.exit, 0) << made.out;
    if (start == Start::with_nothing) return;
    const Ran ready =
        bash("codegenie init && codegenie vuln-index refresh --from ~/all.zip", Where::beside);
    EXPECT_EQ(ready.exit, 0) << ready.out;
  }

  /// Both outputs in `out`.
  [[nodiscard]] Ran bash(const std::string& script, Where where) const {
    const std::string programs = fs::path(CG_BINARY).parent_path();
    const std::string folder = scratch_ / (where == Where::beside ? "." : "shop");
    return run({"env", "-i", "-C", folder, "CODEGENIE_PROGRESS=none",
                "PATH=" + programs + ":/usr/bin:/bin", "HOME=" + (scratch_ / "home"),
                "LANG=C.UTF-8", "TERM=xterm", "GIT_CONFIG_NOSYSTEM=1",
                "npm_config_registry=" + registry_.url(), "bash", "--norc", "--noprofile", "-c",
                "exec 2>&1\n" + script});
  }

  /// The transcript as it would be written now.
  [[nodiscard]] std::string transcript(const Script& script) const {
    std::string out;
    for (const Command& command : script.commands) {
      const Ran ran = bash(command.line, script.where);
      out += (out.empty() ? "$ " : "\n$ ") + command.line + "\n" + ran.out;
      if (ran.exit != 0) out += "(exit " + std::to_string(ran.exit) + ")\n";
    }
    return out;
  }

  void expect_exits(const Script& script) const {
    for (const Command& command : script.commands) {
      const Ran ran = bash(command.line, script.where);
      EXPECT_EQ(ran.exit, command.exit) << command.line << "\n" << ran.out;
    }
  }

  /// The program has to take it.
  void set_policy(const std::string& text) const {
    write(scratch_ / "home/.local/state/codegenie/policy/policy.yaml",
          "schema: codegenie/policy/v1\n" + text);
    const Ran ran = bash("codegenie scan shop", Where::beside);
    EXPECT_EQ(ran.exit, 0) << text << "\n" << ran.out;
  }

 private:
  ScratchDir scratch_;
  RegistryProcess registry_;
};

TEST(Comparable, IdsDatesAndPortsAreNamedAndNothingElse) {
  EXPECT_EQ(comparable("Workflow 01M7FMDQ2C  shop @ 68131c7"), "Workflow 01…  shop @ <id>");
  EXPECT_EQ(comparable("handoff/01M7FMDQ2CBM04DDS2NN0EFGVT.md"), "handoff/01….md");
  EXPECT_EQ(comparable("osv 2026-11-15, 2026-11-15T12:57:40.557Z"), "osv <date>, <date>");
  EXPECT_EQ(comparable("http://127.0.0.1:36801/a"), "http://127.0.0.1:<port>/a");
  const std::string plain = "cgex-2026-0001-tinyshop-text-1.0.3 1.4.0 -> 1.4.2, 10 -> 2";
  EXPECT_EQ(comparable(plain), plain);
}

TEST(GuideBlocks, AreFoundWithTheirMarks) {
  const std::string text =
      "<!-- transcript: a -->\n```\n$ codegenie x\n```\n\nText\n```yaml\nk: v\n```\n"
      "<!-- not run: needs a network -->\n\n```\ncodegenie y\n```\n";
  std::vector<std::string> seen;
  for (const Block& block : blocks_of(text)) {
    seen.push_back(block.mark + "|" + text.substr(block.begin, block.end - block.begin));
  }
  EXPECT_THAT(seen, ElementsAre("transcript: a|$ codegenie x\n", "|k: v\n", "|codegenie y\n"));
}

TEST(GuideBlocks, AreRunIfTheyShowTheProgram) {
  const Script lines = script_of("codegenie a    # it is so: (exit 1)\n\n# b\ncp x y\n");
  EXPECT_EQ(lines.where, Where::inside);
  EXPECT_THAT(lines.commands,
              ElementsAre(Command{"codegenie a    # it is so: (exit 1)", 1}, Command{"cp x y", 0}));
  const Script prompts = script_of("$ codegenie a\nsays (exit 3)\n(exit 7)\n\n$ git b\nx\n");
  EXPECT_EQ(prompts.where, Where::beside);
  EXPECT_THAT(prompts.commands, ElementsAre(Command{"codegenie a", 7}, Command{"git b", 0}));
  EXPECT_THAT(script_of("$ git b\n").commands, ElementsAre(Command{"git b", 0}));
  EXPECT_THAT(script_of("model:\n  max_tier: llm\n").commands, ElementsAre());
  EXPECT_THAT(script_of("./demo\n").commands, ElementsAre());
}

TEST(GuideBlocks, AHandfulIsNotRunEachForAReason) {
  std::size_t count = 0;
  for (const std::string& page : pages()) {
    for (const Block& block : blocks_of(read(source_dir() / page))) {
      if (!block.mark.starts_with("not run")) continue;
      EXPECT_THAT(block.mark, StartsWith("not run: needs ")) << page;
      ++count;
    }
  }
  EXPECT_LE(count, kMaxNotRun);
}

class Guide : public testing::TestWithParam<std::string> {};

TEST_P(Guide, ShowsWhatTheProgramDoes) {
  const fs::path file = source_dir() / GetParam();
  std::string text = read(file);
  std::optional<World> world;
  bool changed = false;
  for (std::size_t i = 0; i < blocks_of(text).size(); ++i) {
    const Block block = blocks_of(text)[i];
    const std::string written = text.substr(block.begin, block.end - block.begin);
    const Script script = script_of(written);
    if (block.mark.starts_with("not run: ")) continue;
    if (makes_workspace(script)) {
      World(Start::with_nothing).expect_exits(script);
      continue;
    }
    const bool is_policy = block.mark == "policy";
    if (script.commands.empty() && !is_policy) continue;
    if (!world) world.emplace(Start::with_workspace);
    if (is_policy) {
      world->set_policy(written);
    } else if (!block.mark.starts_with("transcript: ")) {
      world->expect_exits(script);
    } else {
      const std::string now = world->transcript(script);
      if (comparable(now) == comparable(written)) continue;
      if (!accepts()) {
        EXPECT_EQ(comparable(written), comparable(now));
      }
      text.replace(block.begin, block.end - block.begin, now);
      changed = true;
    }
  }
  if (changed && accepts()) {
    write(file, text);
    FAIL() << "rewritten, run again: " << file;
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return fs::path(info.param).stem();
}
INSTANTIATE_TEST_SUITE_P(Pages, Guide, testing::ValuesIn(pages()), test_name);

}  // namespace
}  // namespace cg::test
