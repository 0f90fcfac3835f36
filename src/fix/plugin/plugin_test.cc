#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "fix/plugin/capability.h"
#include "fix/plugin/load.h"
#include "support/support.h"

namespace cg::plugin {
namespace {

namespace fs = std::filesystem;
using npm::LockKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kNpm = "vulnerability-remediation--node--npm";

std::string shipped() { return std::string(CG_SOURCE_DIR) + "/plugins"; }

/// A copy of the shipped plugins, to be damaged.
class Copy {
 public:
  Copy() { fs::copy(shipped(), folder(), fs::copy_options::recursive); }
  [[nodiscard]] std::string folder() const { return scratch_ / "plugins"; }
  [[nodiscard]] std::string at(const std::string& path) const { return folder() + "/" + path; }
  /// Pins whatever is there now.
  void pin() const {
    std::vector<Pin> pins;
    for (const auto& entry : fs::directory_iterator(folder())) {
      if (!entry.is_directory()) continue;
      const std::string name = entry.path().filename();
      const auto files = read_tree(folder(), name);
      if (files) pins.push_back({name, tree_digest(*files)});
    }
    test::write(at("PLUGINS.lock"), write_pins(pins));
  }
  [[nodiscard]] ErrorCode error() const {
    const auto loaded = Plugins::load(folder());
    EXPECT_FALSE(loaded);
    if (loaded) std::abort();
    EXPECT_EQ(loaded.error().exit(), ExitCode::integrity);
    what_ = loaded.error().what;
    return loaded.error().code;
  }
  [[nodiscard]] const std::string& what() const { return what_; }

 private:
  test::ScratchDir scratch_;
  mutable std::string what_;
};

std::vector<std::string> ids(const std::vector<recipe::Recipe>& recipes) {
  std::vector<std::string> out;
  for (const recipe::Recipe& one : recipes) out.push_back(one.id);
  return out;
}

TEST(ShippedPlugins, HaveTheDigestsOfTheirLock) {
  std::vector<Pin> pins;
  for (const std::string& name : {std::string(kUniversal), kNpm}) {
    const auto files = read_tree(shipped(), name);
    ASSERT_TRUE(files) << files.error().what;
    pins.push_back({name, tree_digest(*files)});
  }
  const std::string lock = shipped() + "/PLUGINS.lock";
  const std::string right = write_pins(pins);
  const char* accept = std::getenv("CG_ACCEPT");
  if (accept != nullptr && std::string_view(accept) == "1" && test::read(lock) != right) {
    test::write(lock, right);
    FAIL() << "rewritten, run again: " << lock;
  }
  EXPECT_EQ(test::read(lock), right) << "CG_ACCEPT=1 rewrites it";
}

TEST(ShippedPlugins, GiveEveryLockfileItsRecipesInOrder) {
  const auto plugins = Plugins::load(shipped());
  ASSERT_TRUE(plugins) << plugins.error().what;
  const auto npm =
      ElementsAre("npm-relock", "npm-dedupe", "npm-direct-bump", "npm-parent-bump", "npm-override");
  EXPECT_THAT(ids(plugins->recipes_for(LockKind::package_lock)), npm);
  EXPECT_THAT(ids(plugins->recipes_for(LockKind::npm_shrinkwrap)), npm);
  const auto yarn = ElementsAre("yarn-relock", "yarn-direct-bump", "yarn-parent-bump");
  EXPECT_THAT(ids(plugins->recipes_for(LockKind::yarn_classic)), yarn);
  EXPECT_THAT(ids(plugins->recipes_for(LockKind::yarn_berry)), yarn);
  EXPECT_THAT(ids(plugins->recipes_for(LockKind::pnpm)),
              ElementsAre("pnpm-relock", "pnpm-direct-bump", "pnpm-parent-bump"));
  const recipe::Recipe* rule = plugins->find(kNpm)->recipes.find("npm-override");
  EXPECT_EQ(rule->limits.expiry_days, 180);
  EXPECT_EQ(rule->limits.max_moved, 40);
  EXPECT_EQ(plugins->events().size(), 2U);
}

TEST(TreeDigest, IsWhatSha256sumSaysOfWhatSha256sumSays) {
  const test::Ran ran = test::run(
      {"bash", "-c",
       "cd '" + shipped() + "/" + kNpm +
           "' && find . -type f | sed 's,^./,,' | LC_ALL=C sort | xargs sha256sum | sha256sum"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const auto files = read_tree(shipped(), kNpm);
  ASSERT_TRUE(files);
  EXPECT_EQ(ran.out.substr(0, 64), to_hex(tree_digest(*files)));
}

TEST(TreeDigest, ChangesWithNamesAndContentsAndNotWithTheOrder) {
  const std::vector<File> files = {{"a", "1"}, {"b", "2"}};
  EXPECT_EQ(tree_digest(files), tree_digest({{"b", "2"}, {"a", "1"}}));
  EXPECT_NE(tree_digest(files), tree_digest({{"a", "2"}, {"b", "1"}}));
  EXPECT_NE(tree_digest(files), tree_digest({{"a", "1"}, {"c", "2"}}));
  EXPECT_NE(tree_digest(files), tree_digest({{"a", "1"}}));
}

TEST(Pins, RoundTripAndOneSpelling) {
  const std::string text = test::read(shipped() + "/PLUGINS.lock");
  const auto pins = parse_pins(text);
  ASSERT_TRUE(pins);
  EXPECT_EQ(pins->size(), 2U);
  EXPECT_EQ(write_pins(*pins), text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto cut = parse_pins(text.substr(0, i));
    EXPECT_TRUE(!cut || *cut != *pins) << i;
    std::string bad = text;
    bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ 1U);
    const auto altered = parse_pins(bad);
    EXPECT_TRUE(!altered || *altered != *pins) << i;
  }
  EXPECT_FALSE(parse_pins(""));
  EXPECT_FALSE(parse_pins(text + "\n"));
  const std::string head = "codegenie/plugins-lock/v1\n";
  const std::string hex(64, 'a');
  EXPECT_TRUE(parse_pins(head));
  EXPECT_TRUE(parse_pins(head + hex + "  a--b--c\n"));
  EXPECT_FALSE(parse_pins(head + hex + " a--b--c\n"));
  EXPECT_FALSE(parse_pins(head + hex + "  a--b--c\n" + hex + "  a--b--c\n"));
  EXPECT_FALSE(parse_pins(head + hex + "  b--b--c\n" + hex + "  a--b--c\n"));
  EXPECT_FALSE(parse_pins(head + hex + "  ../x\n"));
  std::vector<Pin> many;
  for (std::size_t i = 0; i <= kMaxPlugins; ++i)
    many.push_back({"a--b--c" + std::to_string(i), {}});
  EXPECT_FALSE(parse_pins(write_pins(many)));
}

TEST(PluginName, HasThreeParts) {
  EXPECT_TRUE(is_plugin_name("universal--any--any"));
  EXPECT_TRUE(is_plugin_name(kNpm));
  for (const char* bad : {"", "a", "a--b", "a--b--c--d", "a---b--c", "--a--b", "a--b--", "A--b--c",
                          "a--b--c/..", "a--.--c"}) {
    EXPECT_FALSE(is_plugin_name(bad)) << bad;
  }
}

TEST(Manifest, AHandToAHumanIsAllowedNothing) {
  const auto manifest = [](const std::string& effect, const std::string& locks,
                           const std::string& powers) {
    return parse_manifest("schema: codegenie/plugin/v1\nname: a--b--c\nversion: 1\nsummary: S.\n" +
                          std::string("effect: ") + effect + "\nlocks: [" + locks +
                          "]\ncapabilities: [" + powers + "]\n");
  };
  EXPECT_TRUE(manifest("hand_to_human", "", ""));
  EXPECT_FALSE(manifest("hand_to_human", "pnpm", ""));
  EXPECT_FALSE(manifest("hand_to_human", "", "npm_install"));
  EXPECT_TRUE(manifest("fix", "pnpm", "npm_install"));
  EXPECT_TRUE(manifest("fix", "pnpm", ""));
  EXPECT_FALSE(manifest("fix", "", ""));
  EXPECT_FALSE(manifest("fix", "pnpm", "git_push"));
  EXPECT_FALSE(manifest("run", "pnpm", ""));
}

TEST(Load, FindsEveryChangedByte) {
  const std::string file = kNpm + "/recipes/npm-override.yaml";
  const std::string good = test::read(shipped() + "/" + file);
  const Copy copy;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ 1U);
    test::write(copy.at(file), bad);
    ASSERT_EQ(copy.error(), ErrorCode::plugin_pin) << i;
  }
}

TEST(Load, ModesAndTimesDoNotCount) {
  const Copy copy;
  const std::string file = copy.at(kNpm + "/plugin.yaml");
  fs::permissions(file, fs::perms::owner_all);
  fs::last_write_time(file, fs::file_time_type{});
  EXPECT_TRUE(Plugins::load(copy.folder()));
}

TEST(Load, RefusesWhatIsNotPinnedAndWhatIsNotThere) {
  {
    const Copy copy;
    fs::create_directory(copy.at("a--b--c"));
    EXPECT_EQ(copy.error(), ErrorCode::plugin_pin);
  }
  {
    const Copy copy;
    test::write(copy.at("README"), "x");
    EXPECT_EQ(copy.error(), ErrorCode::plugin_pin);
  }
  {
    const Copy copy;
    fs::remove_all(copy.at(kNpm));
    EXPECT_EQ(copy.error(), ErrorCode::plugin_missing);
  }
  {
    const Copy copy;
    fs::remove(copy.at("PLUGINS.lock"));
    EXPECT_EQ(copy.error(), ErrorCode::plugin_missing);
  }
  {
    const Copy copy;
    fs::remove_all(copy.at(std::string(kUniversal)));
    copy.pin();
    EXPECT_EQ(copy.error(), ErrorCode::plugin_missing);
  }
  {
    const Copy copy;
    test::write(copy.at("PLUGINS.lock"), "codegenie/plugins-lock/v2\n");
    EXPECT_EQ(copy.error(), ErrorCode::plugin_pin);
  }
  EXPECT_EQ(Plugins::load("/nonexistent/plugins").error().code, ErrorCode::plugin_missing);
}

/// What a wrong pin would otherwise hide: the file is refused although it is pinned.
TEST(Load, RefusesPinnedNonsense) {
  const auto with = [](const std::string& path, const std::string& text) {
    const Copy copy;
    fs::create_directories(fs::path(copy.at(path)).parent_path());
    test::write(copy.at(path), text);
    copy.pin();
    EXPECT_EQ(copy.error(), ErrorCode::plugin_bad) << path;
    return copy.what();
  };
  const std::string relock = test::read(shipped() + "/" + kNpm + "/recipes/npm-relock.yaml");
  const std::string manifest = test::read(shipped() + "/" + kNpm + "/plugin.yaml");
  EXPECT_THAT(with(kNpm + "/recipes/npm-relock.yaml", relock + "retries: 3\n"),
              HasSubstr("unknown key `retries`"));
  EXPECT_THAT(with(kNpm + "/recipes/other.yaml", relock), HasSubstr("holds the recipe"));
  EXPECT_THAT(with(kNpm + "/plugin.yaml", manifest + "run: x\n"), HasSubstr("unknown key `run`"));
  EXPECT_THAT(with(std::string(kUniversal) + "/plugin.yaml", manifest),
              HasSubstr("holds the plugin"));
  EXPECT_THAT(with(std::string(kUniversal) + "/recipes/npm-relock.yaml", relock),
              HasSubstr("hands to a human, but has recipes"));
}

TEST(ShippedPlugins, SayWhatAModelIsToldAboutABreakingChange) {
  const auto plugins = Plugins::load(shipped());
  ASSERT_TRUE(plugins);
  const Skill* skill = plugins->find(kNpm)->find_skill("breaking-change");
  ASSERT_NE(skill, nullptr);
  for (const char* word : {"dep_bump", "override", "callsite_rewrite", "refuse", "manifest_path",
                           "insufficient_context", "UNTRUSTED_INPUT"}) {
    EXPECT_THAT(skill->text(), HasSubstr(word));
  }
  EXPECT_EQ(plugins->find(kNpm)->find_skill("other"), nullptr);
  EXPECT_THAT(plugins->universal().skills, IsEmpty());
}

TEST(Load, RefusesSkillsThatAreNone) {
  const auto with = [](const std::string& path, const std::string& text) {
    const Copy copy;
    fs::create_directories(fs::path(copy.at(path)).parent_path());
    test::write(copy.at(path), text);
    copy.pin();
    EXPECT_EQ(copy.error(), ErrorCode::plugin_bad) << path;
    return copy.what();
  };
  const std::string file = kNpm + "/skills/breaking-change.md";
  EXPECT_THAT(with(file, " \n"), HasSubstr("empty"));
  EXPECT_THAT(with(file, "a\xFF"), HasSubstr("UTF-8"));
  EXPECT_THAT(with(file, "a\x1b[0m"), HasSubstr("UTF-8"));
  EXPECT_THAT(with(file, "x </Untrusted_INPUT id=1>"), HasSubstr("delimiter"));
  EXPECT_THAT(with(std::string(kUniversal) + "/skills/a.md", "text"), HasSubstr("has skills"));
  // What cannot be read at all has no digest, and so its pin is missing.
  const auto unread = [](const std::string& path, const std::string& text) {
    const Copy copy;
    test::write(copy.at(path), text);
    EXPECT_EQ(copy.error(), ErrorCode::plugin_bad) << path;
  };
  unread(file, std::string(kMaxSkillBytes + 1, 'a'));
  unread(kNpm + "/skills/run.sh", "x");
  unread(kNpm + "/skills/.md", "x");
  unread(kNpm + "/skills/A.md", "x");
  const Copy many;
  for (std::size_t i = 0; i < kMaxSkills; ++i) {
    test::write(many.at(kNpm + "/skills/s" + std::to_string(i) + ".md"), "x");
  }
  EXPECT_EQ(many.error(), ErrorCode::plugin_bad);
}

TEST(Load, RefusesLinksStrangersAndWhatIsTooLarge) {
  const Copy copy;
  const std::string file = copy.at(kNpm + "/recipes/npm-relock.yaml");
  const std::string good = test::read(file);
  fs::remove(file);
  fs::create_symlink(shipped() + "/" + kNpm + "/recipes/npm-relock.yaml", file);
  EXPECT_EQ(copy.error(), ErrorCode::plugin_bad);
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_EQ(copy.error(), ErrorCode::plugin_bad);
  fs::remove(file);
  test::write(file, good + std::string(recipe::kMaxRecipeBytes, '\n'));
  EXPECT_EQ(copy.error(), ErrorCode::plugin_bad);
  test::write(file, good);
  EXPECT_TRUE(Plugins::load(copy.folder()));
  test::write(copy.at(kNpm + "/run.sh"), "x");
  EXPECT_EQ(copy.error(), ErrorCode::plugin_bad);
  EXPECT_THAT(copy.what(), HasSubstr("no place"));
  fs::remove(copy.at(kNpm + "/run.sh"));
  test::write(copy.at(kNpm + "/recipes/.hidden.yaml"), "x");
  EXPECT_EQ(copy.error(), ErrorCode::plugin_bad);
  fs::remove(copy.at(kNpm + "/recipes/.hidden.yaml"));
  fs::rename(copy.at(kNpm), copy.at("../elsewhere"));
  fs::create_symlink(copy.at("../elsewhere"), copy.at(kNpm));
  EXPECT_EQ(copy.error(), ErrorCode::plugin_bad);
}

TEST(Load, ReadsNoMoreFilesThanItBounds) {
  const Copy copy;
  for (std::size_t i = 0; i <= recipe::kMaxRecipes + 1; ++i) {
    test::write(copy.at(kNpm + "/recipes/r" + std::to_string(i) + ".yaml"), "x");
  }
  EXPECT_EQ(copy.error(), ErrorCode::plugin_bad);
}

TEST(Universal, TakesWhatNothingElseIsFor) {
  const Copy copy;
  fs::remove_all(copy.at(kNpm));
  copy.pin();
  const auto plugins = Plugins::load(copy.folder());
  ASSERT_TRUE(plugins) << plugins.error().what;
  EXPECT_EQ(plugins->plugin_for(LockKind::package_lock).manifest.name, kUniversal);
  EXPECT_EQ(plugins->plugin_for(LockKind::package_lock).manifest.effect, Effect::hand_to_human);
  EXPECT_THAT(plugins->recipes_for(LockKind::package_lock), IsEmpty());
}

TEST(Mint, WritesDownEveryMintAndEveryUse) {
  const auto plugins = Plugins::load(shipped());
  ASSERT_TRUE(plugins);
  const Mint mint(plugins->find(kNpm)->manifest);
  record::Events events;
  const auto npm = mint.npm_install("https://user:t0ken@registry.example/npm/", events);
  const auto files = mint.fs_read_write("/srv/shop", events);
  const auto git = mint.git_local_ops({"/srv/shop", "codegenie/"}, events);
  ASSERT_TRUE(npm && files && git);
  EXPECT_EQ(npm->use("look up releases", events), "https://user:t0ken@registry.example/npm/");
  EXPECT_EQ(files->use("read lockfiles", events), "/srv/shop");
  EXPECT_EQ(git->use("write the branch", events).branch_namespace, "codegenie/");
  using record::CapabilityMinted;
  using record::CapabilityUsed;
  using record::Event;
  EXPECT_THAT(events,
              ElementsAre(Event(CapabilityMinted{"npm_install", "https://registry.example/npm/"}),
                          Event(CapabilityMinted{"fs_read_write", "/srv/shop"}),
                          Event(CapabilityMinted{"git_local_ops", "/srv/shop codegenie/"}),
                          Event(CapabilityUsed{"npm_install", "look up releases"}),
                          Event(CapabilityUsed{"fs_read_write", "read lockfiles"}),
                          Event(CapabilityUsed{"git_local_ops", "write the branch"})));
}

TEST(Mint, KeepsToWhatThePluginLists) {
  const auto plugins = Plugins::load(shipped());
  ASSERT_TRUE(plugins);
  const Mint mint(plugins->universal().manifest);
  record::Events events;
  EXPECT_FALSE(mint.npm_install("https://registry.example/", events));
  EXPECT_FALSE(mint.fs_read_write("/srv/shop", events));
  EXPECT_FALSE(mint.git_local_ops({"/srv/shop", "codegenie/"}, events));
  EXPECT_THAT(events, IsEmpty());
}

TEST(Mint, RefusesAScopeThatIsNone) {
  const auto plugins = Plugins::load(shipped());
  ASSERT_TRUE(plugins);
  const Mint mint(plugins->find(kNpm)->manifest);
  record::Events events;
  EXPECT_FALSE(mint.npm_install("file:///etc", events));
  EXPECT_FALSE(mint.fs_read_write("shop", events));
  EXPECT_FALSE(mint.git_local_ops({"/srv/shop", ""}, events));
  EXPECT_FALSE(mint.git_local_ops({"/srv/shop", "main"}, events));
  EXPECT_FALSE(mint.git_local_ops({"shop", "codegenie/"}, events));
  EXPECT_THAT(events, IsEmpty());
}

TEST(Mint, AnAtSignBehindTheHostIsNoCredential) {
  const auto plugins = Plugins::load(shipped());
  ASSERT_TRUE(plugins);
  record::Events events;
  ASSERT_TRUE(
      Mint(plugins->find(kNpm)->manifest).npm_install("https://registry.example/@scope/", events));
  EXPECT_EQ(events.at(0).as<record::CapabilityMinted>()->scope, "https://registry.example/@scope/");
}

}  // namespace
}  // namespace cg::plugin
