// Nobody answers for the gate that judges it: hostile versions of a dependency in real trials, each
// beside one that only is what it is.
//
// versions.txt has the hostile ones; 0 may pass as proven. CG_FORGE_TABLE names a file for the
// table of doc/forging.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "base/base/text.h"
#include "base/os/ports.h"
#include "jail/sandbox/jail.h"
#include "projects.h"
#include "prove/challenge/challenge.h"
#include "prove/gate/run_trial.h"
#include "prove/gate/verdict.h"
#include "support/hook.h"
#include "support/support.h"

namespace cg::forge {
namespace {

namespace fs = std::filesystem;

const std::string kRunners = CG_RUNNERS;

struct Version {
  std::string name;
  std::vector<std::string> projects;
  std::string kind;
  bool looks = false;
  std::map<std::string, std::string> files;  // of the package
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) out.emplace_back(word);
  }
  return out;
}

std::vector<Version> versions_in(const std::string& file, const std::string& exports) {
  std::vector<Version> out;
  std::string* text = nullptr;
  const std::string all = test::read(fs::path(CG_SOURCE_DIR) / "tests/forge" / file);
  for (const std::string_view line : split(all, '\n')) {
    if (line.starts_with("== ")) {
      const auto parts = split(line.substr(3), '|');
      Version version{std::string(trim(parts.at(0))),
                      words_of(parts.at(1)),
                      std::string(trim(parts.at(2))),
                      parts.size() > 3,
                      {}};
      version.files["index.js"] = exports;
      out.push_back(std::move(version));
      text = &out.back().files["index.js"];
    } else if (line.starts_with("-- ") && !out.empty()) {
      text = &out.back().files[std::string(line.substr(3))];
    } else if (text != nullptr) {
      *text += std::string(line) + "\n";
    }
  }
  return out;
}

Project project_of(const std::string& name) {
  for (const Project& project : projects()) {
    if (project.name == name) return project;
  }
  throw std::runtime_error("no project " + name);
}

constexpr const char* kTypes = R"(export declare function sum(a: number, b: number): number;
export declare function name(x: string): string;
export declare function check(x: string): string;
)";

void put(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  test::write(path, text);
}

void lay_out(const fs::path& tree, const Project& project, const Version& version) {
  for (const auto& [path, text] : project.files) put(tree / path, text);
  const fs::path modules = tree / "node_modules";
  put(modules / "victim/package.json",
      R"({"name": "victim", "version": "1.0.1", "main": "index.js", "types": "index.d.ts"})");
  put(modules / "victim/index.d.ts", kTypes);
  for (const auto& [path, text] : version.files) put(modules / "victim" / path, text);
  fs::create_directories(modules / ".bin");
  if (!project.package.empty()) {
    const fs::path installed = fs::path(kRunners) / project.package;
    fs::create_directory_symlink(installed, modules / project.program);
    fs::create_symlink(installed / project.command, modules / ".bin" / project.program);
  }
  // Its programs, as a manager links them; that of another package may have had the name.
  if (!fs::exists(modules / "victim/bin")) return;
  for (const auto& entry : fs::directory_iterator(modules / "victim/bin")) {
    const fs::path link = modules / ".bin" / entry.path().filename();
    fs::permissions(entry.path(), fs::perms::owner_all | fs::perms::group_exec |
                                      fs::perms::others_exec | fs::perms::others_read);
    fs::remove(link);
    fs::create_symlink("../victim/bin" / entry.path().filename(), link);
  }
}

gate::Challenge challenge_of(const Project& project) {
  gate::Challenge out;
  const auto bytes = os::SystemRandom().bytes<8>();
  static const std::uint64_t draw = [&] {
    std::uint64_t number = 0;
    for (const std::uint8_t byte : bytes) number = number << 8U | byte;
    return number;
  }();
  std::vector<challenge::File> tests;
  std::vector<challenge::File> sources;
  for (const auto& [path, text] : project.files) {
    if (challenge::may_hold_tests(path, project.checks.test_script)) tests.push_back({path, text});
    if (project.checks.typecheck && challenge::may_hold_types(path))
      sources.push_back({path, text});
  }
  out.tests = challenge::wrong_tests(tests, draw);
  challenge::WrongTypes types = challenge::wrong_types(sources, draw);
  out.types = std::move(types.files);
  out.type_names = std::move(types.names);
  out.turn = bytes[0] % 2 == 0 ? gate::Challenge::Turn::first : gate::Challenge::Turn::second;
  return out;
}

gate::Trial trial_of(const Project& project, const Version& version) {
  const test::ScratchDir scratch;
  lay_out(scratch / "tree", project, version);
  fs::create_directories(scratch / "shelf");
  auto jails = sandbox::Jails::make(CG_JAIL, sandbox::starting_by_fork());
  if (!jails) throw std::runtime_error(sandbox::describe(jails.error()));
  // In the same place every time: a program is known by where it is.
  static const test::ScratchDir hooks;
  fs::remove_all(hooks / "hook");
  const runners::Hook hook =
      test::lay_hook(hooks / "hook", "/tmp/report-" + to_hex(os::SystemRandom().bytes<8>()));
  auto chamber =
      jails->open({scratch / "tree", scratch / "shelf", {fs::canonical(kRunners), hook.folder}});
  if (!chamber) throw std::runtime_error(sandbox::describe(chamber.error()));
  gate::Setup setup;
  setup.checks = project.checks;
  setup.challenge = challenge_of(project);
  setup.install = {{{"/usr/bin/node", "-e", "0"}, {}}};
  setup.install.push_back({{"/usr/bin/node", "-e",
                            "try { require('/tree/node_modules/victim/postinstall'); } catch (e) { "
                            "if (e.code !== 'MODULE_NOT_FOUND') throw e; }"},
                           {},
                           {"victim"}});
  setup.hook = hook;
  auto trial = gate::run_trial(**chamber, setup, {}, {});
  if (!trial) throw std::runtime_error(sandbox::describe(trial.error()));
  return *std::move(trial);
}

/// With the honest version; run once for each project.
const gate::Trial& base_of(const Project& project) {
  static std::map<std::string, gate::Trial> known;
  const auto found = known.find(project.name);
  if (found != known.end()) return found->second;
  return known
      .emplace(project.name, trial_of(project, {"", {}, "", false, {{"index.js", kHonest}}}))
      .first->second;
}

gate::Verdict judged(const Project& project, const gate::Trial& fix) {
  gate::Comparison comparison;
  comparison.checks = project.checks;
  comparison.lock_before = gate::LockSide{};
  comparison.lock_after = gate::LockSide{};
  comparison.advisories_before = {{"CGEX-2026-1", "victim", "node_modules/victim"}};
  comparison.to_fix = *comparison.advisories_before;
  comparison.advisories_after.emplace();
  return gate::judge(base_of(project), fix, comparison);
}

std::string shown(const gate::Verdict& verdict) {
  std::string out;
  for (const gate::Signal& signal : gate::signals_of(verdict)) {
    out += signal.name + " " + std::string(name(signal.state)) + " " + signal.weak + "\n";
    for (const std::string& reason : signal.reasons) out += "  " + reason + "\n";
    if (!signal.passed()) out += signal.excerpt;
  }
  return out;
}

bool is_installed() { return fs::exists(fs::path(kRunners) / "../installed"); }

/// "forged", the gates that failed, or "weak".
std::string answer(const gate::Verdict& verdict) {
  if (const auto* passed = std::get_if<gate::Passed>(&verdict)) {
    return passed->weak() ? "weak" : "PROVEN";
  }
  std::string out;
  for (const std::string& name : std::get<gate::Failed>(verdict).failing) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

class Forge : public testing::TestWithParam<std::string> {};

TEST_P(Forge, NobodyAnswersForItself) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  const Project project = project_of(GetParam());
  for (const Version& version : versions_in("versions.txt", kBroken)) {
    if (std::find(version.projects.begin(), version.projects.end(), project.name) ==
        version.projects.end()) {
      continue;
    }
    SCOPED_TRACE(version.name);
    const gate::Verdict verdict = judged(project, trial_of(project, version));
    const std::string said = answer(verdict);
    EXPECT_NE(said, "PROVEN") << shown(verdict);
    EXPECT_NE(said, "weak") << "an exit code, too, can be asked whether it was looked at\n"
                            << shown(verdict);
    if (const char* table = std::getenv("CG_FORGE_TABLE")) {
      std::ofstream(table, std::ios::app)
          << "| " << version.kind << " | " << version.name << " | " << project.name << " | "
          << (version.looks ? "yes" : "") << " | " << said << " |\n";
    }
  }
}

TEST_P(Forge, WhatIsRightPasses) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  const Project project = project_of(GetParam());
  for (const Version& version : versions_in("honest.txt", kHonest)) {
    if (std::find(version.projects.begin(), version.projects.end(), project.name) ==
        version.projects.end()) {
      continue;
    }
    SCOPED_TRACE(version.name);
    const gate::Verdict verdict = judged(project, trial_of(project, version));
    // Where no runner is known the exit code decides.
    const bool by_exit = !base_of(project).tests->asked;
    EXPECT_EQ(answer(verdict), by_exit ? "weak" : "PROVEN") << shown(verdict);
  }
}

/// The twin of every hostile version: as broken, and nothing else.
TEST_P(Forge, WhatIsBrokenFailsForItsRealReason) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  const Project project = project_of(GetParam());
  const gate::Verdict verdict =
      judged(project, trial_of(project, {"", {}, "", false, {{"index.js", kBroken}}}));
  EXPECT_EQ(answer(verdict), "tests") << shown(verdict);
}

INSTANTIATE_TEST_SUITE_P(, Forge,
                         testing::Values("jest", "snapshots", "mocha", "vitest", "node", "tap",
                                         "ava", "exit", "build", "types", "workspaces"),
                         [](const auto& one) { return one.param; });

TEST(ForgeList, HasEnoughOfEveryClass) {
  const std::vector<Version> all = versions_in("versions.txt", kBroken);
  EXPECT_GE(all.size(), 40U);
  EXPECT_GE(std::count_if(all.begin(), all.end(), [](const Version& v) { return v.looks; }), 12);
  std::set<std::string> used;
  for (const Version& version : all) {
    for (const std::string& name : version.projects) used.insert(name);
  }
  EXPECT_EQ(used.size(), projects().size());
}

}  // namespace
}  // namespace cg::forge
