// Each fixture of tests/fixtures/traps is remediated from the example registry and ends as
// its expect.tsv says. Then the files are judged: by a scan of our own, and by npm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/json/json.h"
#include "support/support.h"
#include "traps/expect.h"
#include "traps/registry_process.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> fixtures() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(source_dir() / "tests/fixtures/traps")) {
    if (entry.is_directory()) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The text of a member; empty if it is null or missing.
std::string text_of(const json::Value& object, const char* key) {
  const json::Value* value = object.find(key);
  const std::string* text = value == nullptr ? nullptr : value->as_string();
  return text == nullptr ? "" : *text;
}

/// 0 where there is none.
int npm_major() { return std::atoi(run({"npm", "--version"}).out.c_str()); }

class Trap : public testing::TestWithParam<fs::path> {
 protected:
  Trap() : registry_(source_dir() / "examples/registry/serve.mjs") {
    const auto options = fs::copy_options::recursive;
    fs::copy(GetParam(), before(), options);
    fs::copy(GetParam(), after(), options);
    EXPECT_EQ(codegenie({"init"}).exit, 0);
    const std::string feed = source_dir() / "examples/advisories/shop.jsonl";
    const Ran refreshed = codegenie({"vuln-index", "refresh", "--from", feed});
    EXPECT_EQ(refreshed.exit, 0) << refreshed.err;
  }

  [[nodiscard]] fs::path before() const { return scratch_ / "before"; }
  /// The fixture with what was written put over it.
  [[nodiscard]] fs::path after() const { return scratch_ / "after"; }

  [[nodiscard]] Ran codegenie(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), CG_BINARY);
    return run(arguments, {"HOME=" + scratch_.path().string(), "CI", "CODEGENIE_HOME",
                           "XDG_STATE_HOME", "XDG_CONFIG_HOME", "CODEGENIE_GUARD_DIR"});
  }

  /// Plans, and puts what it wrote into after().
  [[nodiscard]] json::Value remediate() const {
    const std::string out = scratch_ / "out";
    const Ran ran =
        codegenie({"remediate", before(), "--all", "--max-tier", "recipe", "--plan-only",
                   "--worktree", out, "--registry", registry_.url(), "--format", "json"});
    if (fs::exists(out)) {
      fs::copy(out, after(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    }
    auto parsed = json::parse_json(ran.out, {.max_bytes = ran.out.size()});
    EXPECT_TRUE(parsed.has_value()) << "exit " << ran.exit << "\n" << ran.out << ran.err;
    return parsed ? *std::move(parsed) : json::Value();
  }

  /// "location advisory" of every finding in after(), sorted.
  [[nodiscard]] std::multiset<std::string> findings_after() const {
    const Ran ran = codegenie({"scan", after(), "--format", "json", "-q"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    const auto scan = json::parse_json(ran.out, {.max_bytes = ran.out.size()});
    std::multiset<std::string> out;
    if (!scan) return out;
    for (const json::Value& finding : *scan->find("findings")->as_array()) {
      out.insert(text_of(finding, "location") + " " + text_of(finding, "advisory"));
    }
    return out;
  }

  [[nodiscard]] Ran npm(const fs::path& folder, const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv = {"env", "-C", folder, "npm"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return run(argv, {"HOME=" + scratch_.path().string(), "npm_config_registry=" + registry_.url(),
                      "npm_config_cache=" + (scratch_ / "npm"), "npm_config_audit=false",
                      "npm_config_update_notifier=false", "npm_config_ignore_scripts=true",
                      "npm_config_replace_registry_host=always"});
  }

 private:
  ScratchDir scratch_;
  RegistryProcess registry_;
};

std::string shown(const ExpectedCopy& copy) {
  return copy.location + " " + copy.advisory + " " + copy.verdict + " " + copy.how + " " + copy.to;
}

ExpectedCopy found_copy(const json::Value& copy) {
  const std::string verdict = text_of(copy, "verdict");
  return {text_of(copy, "location"), text_of(copy, "advisory"), verdict,
          text_of(copy, verdict == "fixed" ? "strategy" : "blocker"), text_of(copy, "to")};
}

bool agrees(const ExpectedCopy& expected, const ExpectedCopy& found) {
  return expected.location == found.location && expected.advisory == found.advisory &&
         allows(expected.verdict, found.verdict) && allows(expected.how, found.how) &&
         allows(expected.to, found.to);
}

void expect_copies(const std::vector<ExpectedCopy>& expected, const json::Value& result) {
  const json::Value* copies = result.find("copies");
  ASSERT_TRUE(copies != nullptr && copies->as_array() != nullptr);
  std::vector<ExpectedCopy> found;
  for (const json::Value& copy : *copies->as_array()) found.push_back(found_copy(copy));
  std::string list;
  for (const ExpectedCopy& copy : found) list += "\n  " + shown(copy);
  EXPECT_EQ(found.size(), expected.size()) << list;
  for (const ExpectedCopy& copy : expected) {
    const auto same = [&](const ExpectedCopy& other) { return agrees(copy, other); };
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), same))
        << "expected\n  " << shown(copy) << "\nfound" << list;
  }
}

/// Only what was not fixed is still there, and nothing is new.
std::multiset<std::string> left_over(const std::vector<ExpectedCopy>& copies) {
  std::multiset<std::string> out;
  for (const ExpectedCopy& copy : copies) {
    if (copy.verdict != "fixed") out.insert(copy.location + " " + copy.advisory);
  }
  return out;
}

TEST_P(Trap, EndsAsExpected) {
  const Expected expected = read_expected(GetParam() / "expect.tsv");
  const json::Value result = remediate();
  if (expected.copies.empty() && expected.outcome == "planned") {
    EXPECT_EQ(text_of(result, "outcome"), "not_applicable");
  } else {
    EXPECT_EQ(text_of(result, "outcome"), expected.outcome);
  }
  for (const Check& check : expected.checks) EXPECT_EQ(complaint(check, before(), after()), "");
  if (expected.outcome != "planned") return;
  expect_copies(expected.copies, result);
  EXPECT_THAT(findings_after(), testing::ContainerEq(left_over(expected.copies)));
  for (const auto& entry : fs::recursive_directory_iterator(after())) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(read(entry.path()).find("127.0.0.1"), std::string::npos) << entry.path();
  }
}

class PlannedTrap : public Trap {};

TEST_P(PlannedTrap, NpmAcceptsTheResult) {
  if (npm_major() == 0) {
    GTEST_SKIP() << "npm is not installed: nobody to ask";
  }
  EXPECT_EQ(text_of(remediate(), "schema"), "codegenie/remediate/v1");
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"ci"}, {"ls", "--all", "--package-lock-only"}}) {
    const Ran ran = npm(after(), arguments);
    // npm 9 takes some links for wrong that npm itself wrote: then it is asked about the lock as
    // it was found, and has to say the same.
    if (ran.exit != 0 && npm_major() < 10 && npm(before(), arguments).exit == ran.exit) continue;
    EXPECT_EQ(ran.exit, 0) << arguments.front() << "\n" << ran.out << ran.err;
  }
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.filename();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<fs::path> planned() {
  std::vector<fs::path> out = fixtures();
  std::erase_if(out, [](const fs::path& fixture) {
    return read_expected(fixture / "expect.tsv").outcome != "planned";
  });
  return out;
}

INSTANTIATE_TEST_SUITE_P(Traps, Trap, testing::ValuesIn(fixtures()), name_of);
INSTANTIATE_TEST_SUITE_P(Traps, PlannedTrap, testing::ValuesIn(planned()), name_of);

}  // namespace
}  // namespace cg::test
