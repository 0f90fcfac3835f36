// Trial: a tree of files installed, built, tested and type-checked in a chamber, and what
// each step showed.
//
// One trial of the base and one of the fix are what judge() (verdict.h) compares.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "jail/sandbox/chamber.h"
#include "prove/gate/checks.h"
#include "prove/gate/load.h"
#include "prove/gate/signal.h"
#include "prove/runners/hook.h"
#include "prove/runners/test_run.h"
#include "prove/runners/type_errors.h"

namespace cg::gate {

/// What steps may take: how long, and the rest for all of them alike.
struct StepLimits {
  std::chrono::milliseconds install{180'000};
  std::chrono::milliseconds load{300'000};
  std::chrono::milliseconds build{300'000};
  std::chrono::milliseconds tests{300'000};  // and the challenge
  std::chrono::milliseconds typecheck{60'000};
  std::uint64_t memory = 2ULL << 30U;
  unsigned processes = 1'024;
};

/// One command of the install, as whoever furnished the chamber gives it.
struct Command {
  std::vector<std::string> argv;  // argv[0] is an absolute path inside
  std::vector<std::string> env;   // added to plain_environment(); a name that is there is replaced
  /// It runs install scripts of these packages, and may change them alone. Empty: it installs, and
  /// may change everything.
  std::vector<std::string> scripts_of = {};
};

/// What a suite and a compiler are given to find (prove/challenge): paths beneath /tree and their
/// texts. Empty: there was nothing that could be made wrong.
struct Challenge {
  enum class Turn { first, second };  // when the tests run with it, for nobody to know
  std::map<std::string, std::string> tests;
  Turn turn = Turn::second;
  std::map<std::string, std::string> types;
  std::vector<std::string> type_names;  // that the errors in `types` speak of
};

struct Setup {
  Checks checks;
  Challenge challenge;
  std::vector<Command> install;        // one after the other; each has to succeed
  std::string folder = "/tree";        // of the manifest, inside
  std::string node = "/usr/bin/node";  // inside
  std::vector<std::string> load;       // places of packages, beneath `folder`
  /// Who runs scripts, inside, with what starts it; and its part of the steps' environment.
  std::vector<std::string> manager = {"/usr/bin/npm"};
  std::vector<std::string> manager_env = {};
  /// What a command of an installed package goes behind; empty: it is in node_modules/.bin.
  std::vector<std::string> commands = {};
  std::string path = "/usr/local/bin:/usr/bin:/bin";
  std::optional<runners::Hook> hook;  // laid out beforehand; none: tests are judged by their end
  std::vector<std::string> seen;  // folders under /tmp that the install leaves and packages need
  StepLimits limits;
  /// Of a fix: what it is compared with. What can no longer change the verdict is not run then: a
  /// fix whose packages do not load is not tested.
  const struct Trial* base = nullptr;
  const Loading* loading = nullptr;  // what is known of `load`
};

/// What a step wrote to one stream, for whoever reads about it later: its start and its end, each
/// kMaxLogBytes at most.
struct StepLog {
  std::string kept;
  bool whole = true;
};
inline constexpr std::size_t kMaxLogBytes = 256U << 10U;

/// A step that was run.
struct StepRun {
  std::string name;     // "install", "load", "typecheck.typescript", "build", "tests", "challenge"
  std::string command;  // as a shell would take it
  StepFacts facts;
  bool success = false;
  std::string excerpt;  // the end of what it wrote, made safe to show; kMaxExcerptBytes
  std::string errors;   // npm's or tsc's own words about what is wrong; likewise
  StepLog out_log, err_log;
  sandbox::Trace trace;
  std::string own_tree;              // how it came to a tree of its own; empty: it had none
  std::string no_git;                // why that was no git repository; empty: it was
  std::vector<std::string> altered;  // files of the repository that it changed in its own tree
  std::chrono::milliseconds cpu{};
  std::uint64_t peak_memory = 0;
};

struct Trial {
  sandbox::InForce in_force;
  std::vector<StepRun> steps;  // that were run, in order; several may be called "install"
  std::optional<LoadRun> loads;
  std::optional<runners::TestRun> tests;
  std::optional<runners::TestRun> challenged;  // the same with Challenge::tests
  std::vector<runners::TestRun> again;         // the same once more: run_tests_again()
  std::optional<runners::TypeErrors> types;    // without those that were asked for
  std::vector<std::string> found_types;        // of Challenge::type_names

  /// The last of that name; nullptr if it was not run.
  [[nodiscard]] const StepRun* step(std::string_view name) const;
};

struct Progress {
  enum class State { running, passed, failed, skipped };
  std::string_view step;
  State state = State::running;
  std::chrono::milliseconds took{};
  std::string words;  // "184 passed", "exit 1", "no build script"
};
using OnProgress = std::function<void(const Progress&)>;

}  // namespace cg::gate
