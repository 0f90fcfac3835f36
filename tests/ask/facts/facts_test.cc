// How much of what a careful engineer would look up is in the question: real breaking upgrades,
// each with facts that were written down from the packages before anything here read them.
//
// A folder of ./upgrades is one: sources of ours that use the old version, and facts.tsv, whose
// lines are a kind, a text as it stands in the package, and where. A fact is there if its text
// stands in the question as a word of its own. Packages come from npm; those of ./own are ours.
// Those of ./later were written down when the reader was there, and before they were asked about.
//
//   CG_FACTS=all   all of them (./check --long); a few otherwise
//   CG_FACTS=DIR   those of another folder
//   CG_FACTS_KEEP=DIR   writes each question there
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/archive/stream.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "fix/plugin/load.h"
#include "flow/propose/reading.h"
#include "flow/propose/sources.h"
#include "model/budget/budget.h"
#include "model/leaf/wire.h"
#include "model/prompt/builder.h"
#include "model/prompt/nonces.h"
#include "npm/notes/notes.h"
#include "support/support.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFew[] = {"js-yaml", "nanoid", "uuid"};
constexpr double kBar = 0.95;

struct Fact {
  std::string kind, text, where;
};

struct Upgrade {
  std::string folder, package, from, to, types;
  std::map<std::string, std::string> sources;
  std::vector<Fact> facts;
};

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::map<std::string, std::string> files_below(const fs::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      out[fs::relative(entry.path(), folder).string()] = read(entry.path().string());
    }
  }
  return out;
}

Upgrade read_upgrade(const fs::path& folder) {
  Upgrade out;
  out.folder = folder.filename().string();
  for (auto& [path, text] : files_below(folder)) {
    if (path == "upgrade.json") {
      const auto about = json::parse_json(text);
      EXPECT_TRUE(about) << folder;
      out.package = about->text("package");
      out.from = about->text("from");
      out.to = about->text("to");
      out.types = about->text("types");
    } else if (path == "facts.tsv") {
      for (const std::string_view line : split(std::string_view(text), '\n')) {
        const auto columns = split(line, '\t');
        if (line.empty() || line.starts_with('#')) continue;
        EXPECT_EQ(columns.size(), 3U) << folder << ": " << line;
        if (columns.size() != 3) continue;
        out.facts.push_back(
            {std::string(columns[0]), std::string(columns[1]), std::string(columns[2])});
      }
    } else if (!path.starts_with("before/") && !path.starts_with("after/")) {
      out.sources[path] = std::move(text);
    }
  }
  EXPECT_FALSE(out.facts.empty()) << folder;
  EXPECT_FALSE(out.sources.empty()) << folder;
  return out;
}

std::vector<Upgrade> upgrades_in(const fs::path& folder, bool all) {
  std::vector<Upgrade> out;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    const bool is_one_of_few = std::any_of(std::begin(kFew), std::end(kFew), [&](const char* few) {
      return name.starts_with(std::string(few) + "-");
    });
    if (all || is_one_of_few) out.push_back(read_upgrade(path));
  }
  return out;
}

/// As npm calls the file of a package.
std::string file_of(std::string spec) {
  if (spec.starts_with('@')) spec.erase(0, 1);
  std::replace(spec.begin(), spec.end(), '/', '-');
  std::replace(spec.begin(), spec.end(), '@', '-');
  return spec + ".tgz";
}

/// False if npm cannot fetch them.
bool fetch(const std::vector<Upgrade>& upgrades) {
  fs::create_directories(CG_FACTS_PACKS);
  std::vector<std::string> words = {"npm", "pack", "--silent", "--pack-destination",
                                    CG_FACTS_PACKS};
  const std::size_t none = words.size();
  for (const Upgrade& one : upgrades) {
    for (const std::string& spec :
         {one.package + "@" + one.from, one.package + "@" + one.to, one.types}) {
      if (!spec.empty() && !fs::exists(fs::path(CG_FACTS_PACKS) / file_of(spec))) {
        words.push_back(spec);
      }
    }
  }
  return words.size() == none || run(words).exit == 0;
}

std::optional<exports::Unpacked> unpacked(const std::string& spec) {
  const std::string tarball = read((fs::path(CG_FACTS_PACKS) / file_of(spec)).string());
  auto out = exports::unpack(tarball, {}, notes::is_document);
  EXPECT_TRUE(out) << spec;
  if (!out) return std::nullopt;
  return *std::move(out);
}

/// A package that lies in a folder.
exports::Unpacked package_in(const fs::path& folder) {
  exports::Unpacked out;
  for (auto& [path, text] : files_below(folder)) {
    out.all[path] = {text.size(), false};
    if (notes::is_document(path)) out.others[path] = text;
    out.sources[path] = std::move(text);
  }
  return out;
}

semver::Version version(const std::string& text) { return semver::Version::parse(text).value(); }

std::string question(const Upgrade& upgrade, const propose::Published& before,
                     const propose::Published& after) {
  static const auto plugins = plugin::Plugins::load(std::string(CG_SOURCE_DIR) + "/plugins");
  const auto* skill =
      plugins->find("vulnerability-remediation--node--npm")->find_skill("breaking-change");
  const propose::Sources sources = propose::sources_among(upgrade.sources, upgrade.package);
  EXPECT_EQ(sources.texts.size(), upgrade.sources.size()) << upgrade.folder;
  const propose::Reading reading =
      propose::read_about(upgrade.package, before, after, sources.used);
  prompt::SeededNonces nonces({});
  prompt::PromptBuilder builder(*skill, nonces);
  prompt::Task task{
      "GHSA-aaaa-bbbb-cccc", upgrade.package, upgrade.from, upgrade.to, "package.json", {},
      {upgrade.to}};
  for (const auto& [path, text] : sources.texts) task.files.push_back(path);
  const std::size_t rest =
      leaf::write_question(net::Wire::messages,
                           {"model", builder.system().text(), "", leaf::kMaxTokens})
          .size();
  const budget::Caps caps;
  builder.task(task).fit(budget::most_bytes(caps.tokens_per_call, leaf::kMaxTokens) - rest);
  // As much as an advisory and a failure may take.
  builder.add(SourceKind::cve_description, std::string(1000, 'a'));
  builder.add(SourceKind::sandbox_stderr, std::string(2000, 'e'));
  for (const auto* list : {&sources.snippets, &reading.texts}) {
    for (const tiers::Text& text : *list) {
      builder.add(text.kind, text.payload, text.label, text.line);
    }
  }
  return std::move(builder).build().body.text();
}

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

/// As a word of its own, whatever stands around it.
bool says(std::string_view text, std::string_view fact) {
  for (std::size_t at = text.find(fact); at != text.npos; at = text.find(fact, at + 1)) {
    const bool begins = at == 0 || !is_word_char(fact.front()) || !is_word_char(text[at - 1]);
    const std::size_t end = at + fact.size();
    if (begins && (end == text.size() || !is_word_char(fact.back()) || !is_word_char(text[end]))) {
      return true;
    }
  }
  return false;
}

struct Tally {
  std::size_t facts = 0, told = 0;
  [[nodiscard]] double share() const {
    return static_cast<double>(told) / static_cast<double>(facts);
  }
};

void count(const Upgrade& upgrade, const std::string& asked, Tally& all) {
  const std::string keep = setting("CG_FACTS_KEEP");
  if (!keep.empty()) write((fs::path(keep) / (upgrade.folder + ".txt")).string(), asked);
  Tally here;
  std::string lacks;
  for (const Fact& fact : upgrade.facts) {
    ++here.facts;
    if (says(asked, fact.text)) {
      ++here.told;
    } else {
      lacks += "  " + fact.text + " (" + fact.where + ")";
    }
  }
  std::printf("%-34s %2zu of %2zu  %5zu bytes%s%s\n", upgrade.folder.c_str(), here.told, here.facts,
              asked.size(), lacks.empty() ? "" : "  lacks", lacks.c_str());
  all.facts += here.facts;
  all.told += here.told;
}

TEST(Facts, OfRealUpgradesAreInTheQuestion) {
  const std::string wanted = setting("CG_FACTS");
  const bool all = !wanted.empty();
  const fs::path folder = wanted.empty() || wanted == "all"
                              ? fs::path(CG_SOURCE_DIR) / "tests/ask/facts/upgrades"
                              : fs::path(wanted);
  const std::vector<Upgrade> upgrades = upgrades_in(folder, all);
  ASSERT_FALSE(upgrades.empty());
  if (!fetch(upgrades)) GTEST_SKIP() << kNoPackages;
  Tally tally;
  for (const Upgrade& one : upgrades) {
    propose::Published before{version(one.from), unpacked(one.package + "@" + one.from), {}};
    propose::Published after{version(one.to), unpacked(one.package + "@" + one.to), {}};
    if (!one.types.empty()) after.types = unpacked(one.types);
    count(one, question(one, before, after), tally);
  }
  std::printf("%zu of %zu facts of %zu upgrades: %.1f %%, bar %.0f %%\n", tally.told, tally.facts,
              upgrades.size(), 100 * tally.share(), 100 * kBar);
  EXPECT_GE(tally.share(), kBar);
}

TEST(Facts, OfUpgradesOfOurOwnAreInTheQuestion) {
  const fs::path folder = fs::path(CG_SOURCE_DIR) / "tests/ask/facts/own";
  Tally tally;
  for (const Upgrade& one : upgrades_in(folder, true)) {
    count(one,
          question(one, {version(one.from), package_in(folder / one.folder / "before"), {}},
                   {version(one.to), package_in(folder / one.folder / "after"), {}}),
          tally);
  }
  ASSERT_GT(tally.facts, 0U);
  EXPECT_EQ(tally.told, tally.facts);
}

}  // namespace
}  // namespace cg::test
