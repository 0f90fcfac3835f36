// How much of what a careful engineer would look up is in the question: real breaking upgrades,
// each with facts that were written down from the packages before anything here read them.
//
// A folder of ./upgrades is one: sources of ours that use the old version, and facts.tsv, whose
// lines are a kind, a text as it stands in the package, and where. A fact is there if its text
// stands in the question as a word of its own. Packages come from npm; those of ./own are ours.
// Those of ./later were written down when the reader was there, and before they were asked about.
//
// Of a fact that is missing it is said why: `cut` for want of room, `not taken` though a file of
// the package says it, `not in the package`.
//
// Then what each question takes of a call, in bytes by where they are from: before there was
// anything but the advisory and the sources in it, and now.
//
//   CG_TOKENS_TREE=DIR CG_TOKENS_PACKAGE=NAME   of a package in the sources of any repository too
//
//   CG_FACTS=all   all of them (./check --long); a few otherwise
//   CG_FACTS=DIR   those of another folder
//   CG_FACTS_KEEP=DIR   writes each question there, and what there was to say
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

/// A question as it is sent, and how many bytes of it are from where.
struct Asked {
  std::string body;
  std::map<std::string, std::uint64_t> bytes;  // by kind; "ours" is all else
  std::size_t all = 0;                         // of the request
  std::string uncut;                           // what there was to say
};

std::size_t most_per_call() {
  return budget::most_bytes(budget::Caps{}.tokens_per_call, leaf::kMaxTokens);
}

Asked ask(const Upgrade& upgrade, const propose::Part& part, std::size_t elsewhere,
          const std::vector<tiers::Text>& texts) {
  static const auto plugins = plugin::Plugins::load(std::string(CG_SOURCE_DIR) + "/plugins");
  const auto* skill =
      plugins->find("vulnerability-remediation--node--npm")->find_skill("breaking-change");
  prompt::SeededNonces nonces({});
  prompt::PromptBuilder builder(*skill, nonces);
  prompt::Task task{.advisory = "GHSA-aaaa-bbbb-cccc",
                    .package = upgrade.package,
                    .installed = upgrade.from,
                    .target = upgrade.to,
                    .manifest = "package.json",
                    .files = {},
                    .elsewhere = elsewhere,
                    .published = {upgrade.to}};
  for (const auto& [path, text] : part.texts) task.files.push_back(path);
  const auto request = [&](std::string_view body) {
    return leaf::write_question(net::Wire::messages,
                                {"model", builder.system().text(), body, leaf::kMaxTokens})
        .size();
  };
  const std::size_t rest = request("");
  builder.task(task).fit(most_per_call() - rest);
  for (const auto* list : {&texts, &part.snippets}) {
    for (const tiers::Text& text : *list) {
      builder.add(text.kind, text.payload, text.label, text.line, text.shorter);
    }
  }
  const std::string system = builder.system().text();
  const prompt::Prompt prompt = std::move(builder).build();
  Asked out;
  out.body = prompt.body.text();
  out.all = leaf::write_question(net::Wire::messages, {"model", system, out.body, leaf::kMaxTokens})
                .size();
  EXPECT_LE(out.all, most_per_call()) << upgrade.folder;
  std::uint64_t theirs = 0;
  for (const record::Event& event : prompt.events) {
    if (const auto* fenced = event.as<record::FenceCreated>()) {
      out.bytes[fenced->kind] += fenced->bytes;
      theirs += fenced->bytes;
    }
  }
  out.bytes["ours"] = out.all - theirs;
  return out;
}

Asked question(const Upgrade& upgrade, const propose::Published& before,
               const propose::Published& after) {
  const propose::Sources sources = propose::sources_among(upgrade.sources, upgrade.package);
  EXPECT_EQ(sources.files(), upgrade.sources.size()) << upgrade.folder;
  EXPECT_EQ(sources.parts.size(), 1U) << upgrade.folder;
  // As much as an advisory and a failure may take.
  std::vector<tiers::Text> texts = {{SourceKind::cve_description, std::string(1000, 'a'), ""},
                                    {SourceKind::sandbox_stderr, std::string(2000, 'e'), ""}};
  for (tiers::Text& text :
       propose::read_about(upgrade.package, before, after, sources.used).texts) {
    texts.push_back(std::move(text));
  }
  Asked out = ask(upgrade, sources.parts.front(), 0, texts);
  constexpr propose::Room kAll = {std::size_t{4} << 20U, std::size_t{4} << 20U};
  for (const tiers::Text& text :
       propose::read_about(upgrade.package, before, after, sources.used, kAll).texts) {
    out.uncut += text.payload + "\n";
  }
  return out;
}

/// As the ledger reckons: what a call of so many bytes may take at most, without its answer.
std::uint64_t tokens_of(std::uint64_t bytes) { return (bytes + 1) / 2; }

void print_sizes(const std::string& name, const Asked& asked) {
  const auto of = [&](const char* kind) {
    const auto found = asked.bytes.find(kind);
    return static_cast<std::size_t>(found == asked.bytes.end() ? 0 : found->second);
  };
  const std::size_t before = of("ours") + of("cve_description") + of("source_snippet");
  std::printf("%-34s %6zu %6zu %6zu %6zu %6zu %6zu  %6zu %6zu  %6zu %6zu\n", name.c_str(),
              of("ours"), of("cve_description"), of("source_snippet"), of("package_api"),
              of("package_docs"), of("sandbox_stderr"), before,
              static_cast<std::size_t>(tokens_of(before)), asked.all,
              static_cast<std::size_t>(tokens_of(asked.all)));
}

void print_heads() {
  std::printf("\n%-34s %6s %6s %6s %6s %6s %6s  %6s %6s  %6s %6s\n", "bytes, tokens at most",
              "ours", "advis.", "source", "api", "docs", "output", "before", "tokens", "now",
              "tokens");
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

/// In any file that is read of these.
bool in_files(const std::vector<const propose::Published*>& sides, std::string_view fact) {
  const auto in = [&](const std::optional<exports::Unpacked>& package) {
    const auto has = [&](const auto& file) { return says(file.second, fact); };
    return package && (std::any_of(package->sources.begin(), package->sources.end(), has) ||
                       std::any_of(package->others.begin(), package->others.end(), has));
  };
  return std::any_of(sides.begin(), sides.end(), [&](const propose::Published* one) {
    return in(one->package) || in(one->types);
  });
}

void count(const Upgrade& upgrade, const Asked& question,
           const std::vector<const propose::Published*>& sides, Tally& all) {
  const std::string& asked = question.body;
  const std::string keep = setting("CG_FACTS_KEEP");
  if (!keep.empty()) {
    write((fs::path(keep) / (upgrade.folder + ".txt")).string(), asked);
    write((fs::path(keep) / (upgrade.folder + ".uncut.txt")).string(), question.uncut);
  }
  Tally here;
  std::string lacks;
  for (const Fact& fact : upgrade.facts) {
    ++here.facts;
    if (says(asked, fact.text)) {
      ++here.told;
    } else {
      const char* why = says(question.uncut, fact.text) ? "cut"
                        : in_files(sides, fact.text)    ? "not taken"
                                                        : "not in the package";
      lacks += "\n    " + fact.text + " (" + fact.where + "): " + why;
    }
  }
  std::printf("%-34s %2zu of %2zu  %5zu bytes%s%s\n", upgrade.folder.c_str(), here.told, here.facts,
              asked.size(), lacks.empty() ? "" : "  lacks:", lacks.c_str());
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
  std::vector<Asked> questions;
  for (const Upgrade& one : upgrades) {
    propose::Published before{version(one.from), unpacked(one.package + "@" + one.from), {}};
    propose::Published after{version(one.to), unpacked(one.package + "@" + one.to), {}};
    if (!one.types.empty()) after.types = unpacked(one.types);
    questions.push_back(question(one, before, after));
    count(one, questions.back(), {&before, &after}, tally);
  }
  std::printf("%zu of %zu facts of %zu upgrades: %.1f %%, bar %.0f %%\n", tally.told, tally.facts,
              upgrades.size(), 100 * tally.share(), 100 * kBar);
  EXPECT_GE(tally.share(), kBar);
  print_heads();
  Asked mean;
  for (std::size_t i = 0; i < upgrades.size(); ++i) {
    print_sizes(upgrades[i].folder, questions[i]);
    for (const auto& [kind, bytes] : questions[i].bytes) mean.bytes[kind] += bytes;
    mean.all += questions[i].all;
  }
  for (auto& [kind, bytes] : mean.bytes) bytes /= upgrades.size();
  mean.all /= upgrades.size();
  print_sizes("mean", mean);
}

TEST(Facts, OfUpgradesOfOurOwnAreInTheQuestion) {
  const fs::path folder = fs::path(CG_SOURCE_DIR) / "tests/ask/facts/own";
  Tally tally;
  for (const Upgrade& one : upgrades_in(folder, true)) {
    const propose::Published before{
        version(one.from), package_in(folder / one.folder / "before"), {}};
    const propose::Published after{version(one.to), package_in(folder / one.folder / "after"), {}};
    count(one, question(one, before, after), {&before, &after}, tally);
  }
  ASSERT_GT(tally.facts, 0U);
  EXPECT_EQ(tally.told, tally.facts);
}

/// All questions about `package` in these files, with everything else at its longest: sources are
/// shown as they were chosen, the rest gives way, and no call is asked for more than it may take.
void expect_within_calls(const std::string& name, const std::string& package,
                         const std::map<std::string, std::string>& files) {
  std::vector<tiers::Text> longest;
  for (const SourceKind kind :
       {SourceKind::cve_description, SourceKind::package_api, SourceKind::package_docs,
        SourceKind::sandbox_stderr, SourceKind::prior_diff, SourceKind::prior_attempt_summary}) {
    longest.push_back({kind, std::string(cap_of(kind), '"'), ""});
  }
  Upgrade upgrade{{}, package, "1.0.0", "2.0.0", {}, {}, {}};
  const propose::Sources sources = propose::sources_among(files, package);
  for (std::size_t i = 0; i < sources.parts.size(); ++i) {
    const propose::Part& part = sources.parts[i];
    upgrade.folder = name + ", part " + std::to_string(i + 1) + " of " +
                     std::to_string(sources.parts.size()) + ", " +
                     counted(part.texts.size(), "file", "files");
    const Asked asked = ask(upgrade, part, sources.files() - part.texts.size(), longest);
    print_sizes(upgrade.folder, asked);
    for (const tiers::Text& text : part.snippets) {
      EXPECT_THAT(asked.body, ::testing::HasSubstr("Source (" + text.label + ":"));
    }
  }
  for (const std::string& note : sources.notes) std::printf("  %s\n", note.c_str());
}

TEST(Tokens, NoQuestionTakesMoreThanACallMay) {
  const struct {
    const char* name;
    const char* line;  // of each function
  } rows[] = {{"plain", "  text = text.concat('a line of some length');\n"},
              {"quotes", "  text += \"\\\"\\t\\\\\\\"\" + '\"\"\"\"\"\"\"\"';\n"},
              {"tabs", "\t\t\t\t\t\t\t\t\ttext\t+=\t'\t\t\t\t\t\t\t\t\t';\r\n"},
              {"controls", "  text += '\x01\x02\x7F\xC2\x85\xC2\x9F\xE2\x80\xA8';\n"},
              {"accents", "  text += '\xC3\xA9\xC3\xA8\xE6\x9D\xB1\xF0\x9F\x98\x80';\n"}};
  print_heads();
  for (const auto& row : rows) {
    for (const int lines : {1, 12, 60, 400}) {
      std::map<std::string, std::string> files;
      for (int i = 0; i < 100; ++i) {
        std::string text = "const left = require('left');\nexports.f = (text) => {\n";
        for (int k = 0; k < lines; ++k) text += row.line;
        files["packages/some-service/src/components/file" + std::to_string(100 + i) + ".js"] =
            text + "  return left(text);\n};\n";
      }
      expect_within_calls(std::string(row.name) + " " + std::to_string(lines), "left", files);
    }
  }
  // A tree of somebody's, for who wants to know.
  const std::string tree = setting("CG_TOKENS_TREE");
  if (tree.empty()) return;
  const std::string package = setting("CG_TOKENS_PACKAGE");
  std::map<std::string, std::string> files;
  for (auto& [path, text] : files_below(tree)) {
    const bool is_source = syntax::language_of(path) || path.ends_with(".vue");
    if (is_source && path.find("node_modules/") == path.npos) files[path] = std::move(text);
  }
  expect_within_calls(package, package, files);
}

}  // namespace
}  // namespace cg::test
