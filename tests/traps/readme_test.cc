// The transcripts of README.md are what the program says today.
//
//     <!-- transcript: fix -->
//     ```
//     $ codegenie remediate shop --all
//     Workflow 01…
//     (exit 7)
//     ```
//
// The commands run in a scratch folder with examples/shop as a git repository, one after
// the other. Ids, dates and ports are compared as such, not by their value. CG_ACCEPT=1
// rewrites the blocks, and fails.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "base/base/text.h"
#include "support/support.h"
#include "traps/registry_process.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMarker = "<!-- transcript: ";
constexpr std::string_view kFence = "```\n";

fs::path source_dir() { return CG_SOURCE_DIR; }

bool accepts() {
  const char* accept = std::getenv("CG_ACCEPT");
  return accept != nullptr && std::string(accept) == "1";
}

/// Where the lines between the fences are.
struct Block {
  std::size_t begin;
  std::size_t end;
};

/// The blocks that have a marker, in their order.
std::vector<Block> blocks_of(const std::string& text) {
  std::vector<Block> out;
  for (auto at = text.find(kMarker); at != std::string::npos; at = text.find(kMarker, at + 1)) {
    const auto open = text.find(kFence, at);
    if (open == std::string::npos) break;
    const auto begin = open + kFence.size();
    const auto close = text.find(kFence, begin);
    if (close != std::string::npos) out.push_back({begin, close});
  }
  return out;
}

std::vector<std::string> commands_in(std::string_view block) {
  std::vector<std::string> out;
  for (const std::string_view line : split(block, '\n')) {
    if (line.starts_with("$ ")) out.emplace_back(line.substr(2));
  }
  return out;
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

class Readme : public testing::Test {
 protected:
  Readme() : registry_(source_dir() / "examples/registry/serve.mjs") {
    fs::create_directory(scratch_ / "home");
    fs::copy(source_dir() / "examples/shop", scratch_ / "shop", fs::copy_options::recursive);
    const std::string feed = source_dir() / "examples/advisories/shop.jsonl";
    const Ran ran = bash(
        "set -e\n"
        "codegenie init\n"
        "codegenie vuln-index refresh --from '" +
        feed +
        "'\n"
        "git init -q -b main shop\n"
        "git -C shop add -A\n"
        "export GIT_AUTHOR_DATE=2026-11-02T09:00:00Z GIT_COMMITTER_DATE=2026-11-02T09:00:00Z\n"
        "git -C shop -c user.name=operator -c user.email=operator@example commit -q -m 'The "
        "shop'\n");
    EXPECT_EQ(ran.exit, 0) << ran.out;
  }

  /// Both outputs in `out`.
  [[nodiscard]] Ran bash(const std::string& script) const {
    const std::string folder = fs::path(CG_BINARY).parent_path();
    return run({"env", "-i", "-C", scratch_.path(), "CODEGENIE_PROGRESS=none",
                "PATH=" + folder + ":/usr/bin:/bin", "HOME=" + (scratch_ / "home"), "LANG=C.UTF-8",
                "TERM=xterm", "GIT_CONFIG_NOSYSTEM=1", "npm_config_registry=" + registry_.url(),
                "bash", "--norc", "--noprofile", "-c", "exec 2>&1\n" + script});
  }

  /// The block as it would be written now.
  [[nodiscard]] std::string transcript(const std::vector<std::string>& commands) const {
    std::string out;
    for (const std::string& command : commands) {
      const Ran ran = bash(command);
      out += (out.empty() ? "$ " : "\n$ ") + command + "\n" + ran.out;
      if (ran.exit != 0) out += "(exit " + std::to_string(ran.exit) + ")\n";
    }
    return out;
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

TEST_F(Readme, ShowsWhatTheProgramSays) {
  const fs::path file = source_dir() / "README.md";
  std::string text = read(file);
  ASSERT_FALSE(blocks_of(text).empty());
  bool changed = false;
  for (std::size_t i = 0; i < blocks_of(text).size(); ++i) {
    const Block block = blocks_of(text)[i];
    const std::string written = text.substr(block.begin, block.end - block.begin);
    ASSERT_FALSE(commands_in(written).empty());
    const std::string now = transcript(commands_in(written));
    if (comparable(now) == comparable(written)) continue;
    if (!accepts()) {
      EXPECT_EQ(comparable(written), comparable(now));
    }
    text.replace(block.begin, block.end - block.begin, now);
    changed = true;
  }
  if (changed && accepts()) {
    write(file, text);
    FAIL() << "rewritten, run again: " << file;
  }
}

}  // namespace
}  // namespace cg::test
