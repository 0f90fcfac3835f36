#include "prove/gate/run_trial.h"

#include <algorithm>
#include <iterator>

#include "base/base/match.h"
#include "base/base/text.h"
#include "jail/sandbox/places.h"
#include "prove/gate/comparison.h"
#include "prove/gate/error_lines.h"
#include "prove/gate/judges.h"
#include "prove/runners/runner.h"
#include "prove/runners/shown.h"

namespace cg::gate {

namespace {

using sandbox::Step;

constexpr std::uint64_t kWideOutput = 8U << 20U;
constexpr std::string_view kTypecheck = "typecheck.typescript";
// Whether there are more than are read could not be told otherwise.
static_assert(runners::kMaxReportFiles <= sandbox::kMaxListed);

std::optional<int> exit_of(const sandbox::Ending& ending) {
  return match(
      ending, [](const sandbox::Exited& e) { return std::optional<int>(e.code); },
      [](const sandbox::Signalled&) { return std::optional<int>(); },
      [](const sandbox::Capped&) { return std::optional<int>(); });
}

void set_variable(std::vector<std::string>& env, const std::string& variable) {
  const std::string name = variable.substr(0, variable.find('=') + 1);
  const auto found = std::find_if(env.begin(), env.end(),
                                  [&](const std::string& v) { return v.starts_with(name); });
  if (found == env.end()) {
    env.push_back(variable);
  } else {
    *found = variable;
  }
}

StepLog log_of(const sandbox::Output& output) {
  const std::string& kept = output.kept;
  if (kept.size() <= 2 * kMaxLogBytes) return {kept, output.bytes == kept.size()};
  return {kept.substr(0, kMaxLogBytes) + "\n[more was written]\n" +
              kept.substr(kept.size() - kMaxLogBytes),
          false};
}

StepRun step_run(const Step& step, const sandbox::Ran& ran) {
  StepRun out;
  out.name = step.name;
  out.command = runners::command_line(step.argv);
  out.facts = {describe(ran.ending, step.limits), exit_of(ran.ending), ran.wall, ran.out.digest,
               ran.err.digest};
  out.success = is_success(ran.ending);
  out.out_log = log_of(ran.out);
  out.err_log = log_of(ran.err);
  out.trace = ran.trace;
  out.own_tree = ran.own_tree;
  out.no_git = ran.no_git;
  out.altered = ran.altered;
  out.cpu = ran.cpu;
  out.peak_memory = ran.peak_memory;
  // Half for each stream, and what one leaves free for the other.
  const std::string err = runners::tail(ran.err.kept, kMaxExcerptBytes / 2);
  const std::string printed = runners::tail(ran.out.kept, kMaxExcerptBytes - err.size() - 1);
  out.excerpt = printed;
  if (!out.excerpt.empty() && !out.excerpt.ends_with('\n')) out.excerpt += '\n';
  out.excerpt += err;
  out.errors = error_lines(runners::tail(ran.err.kept, 64U << 10U));
  if (out.errors.empty()) out.errors = error_lines(runners::tail(ran.out.kept, 64U << 10U));
  return out;
}

bool is_cut(const sandbox::Output& output) { return output.bytes > output.kept.size(); }

runners::TestRun read_tests(const Setup& setup, const sandbox::Ran& ran) {
  std::map<std::string, std::string> files;
  for (const auto& [path, text] : ran.collected) files[path.substr(path.rfind('/') + 1)] = text;
  runners::TestRun out = runners::read_reports(files, setup.folder);
  if (out.asked) return out;
  runners::TestRun summary = runners::read_summary(ran.out.kept + "\n" + ran.err.kept);
  summary.why_not = out.why_not;
  return summary;
}

class TrialRun {
 public:
  TrialRun(sandbox::Chamber& chamber, const Setup& setup, const OnProgress& on_progress,
           const sandbox::OnOutput& on_output)
      : chamber_(chamber), setup_(setup), on_progress_(on_progress), on_output_(on_output) {}

  using Ran = Result<sandbox::Ran, sandbox::Error>;
  using Finished = Result<Done, sandbox::Error>;

  Result<Trial, sandbox::Error> run() && {
    CG_TRY(install());
    CG_TRY(typecheck());
    CG_TRY(build());
    CG_TRY(load());
    if (const auto why = why_lost_before_tests(); !why.empty()) {
      tell("tests", Progress::State::skipped, {}, why);
    } else {
      const bool first = setup_.challenge.turn == Challenge::Turn::first;
      if (first) CG_TRY(challenge());
      CG_TRY(tests());
      if (!first && !is_base_lost()) CG_TRY(challenge());
    }
    // What is told of it does not tell when it was.
    std::stable_partition(out_.steps.begin(), out_.steps.end(),
                          [](const StepRun& step) { return step.name != "challenge"; });
    out_.in_force = chamber_.in_force();
    return std::move(out_);
  }

  /// The tests alone, where the rest of the trial was run before.
  Result<runners::TestRun, sandbox::Error> again(unsigned number) && {
    CG_TRY_ASSIGN(runners::TestRun tests,
                  run_tests("tests, again " + std::to_string(number), {}, setup_.limits.tests));
    tell_end(tests.detail == runners::Detail::none ? "" : describe(tests.totals));
    return tests;
  }

 private:
  void tell(std::string_view step, Progress::State state, std::chrono::milliseconds took,
            std::string words) const {
    if (on_progress_) on_progress_({step, state, took, std::move(words)});
  }

  void tell_end(const std::string& words) const {
    const StepRun& step = out_.steps.back();
    tell(step.name, step.success ? Progress::State::passed : Progress::State::failed,
         step.facts.wall, step.success || !words.empty() ? words : step.facts.ending);
  }

  [[nodiscard]] Step plain_step(std::string_view name, std::chrono::milliseconds wall) const {
    Step step;
    step.name = name;
    step.env = plain_environment(setup_);
    step.env.emplace_back("npm_config_offline=true");
    for (const std::string& variable : setup_.manager_env) set_variable(step.env, variable);
    step.folder = setup_.folder;
    step.limits.wall = wall;
    step.limits.memory = setup_.limits.memory;
    step.limits.processes = setup_.limits.processes;
    step.tree = sandbox::Tree::own;
    step.seen = setup_.seen;
    return step;
  }

  Ran run_step(const Step& step) {
    tell(step.name, Progress::State::running, {}, "");
    CG_TRY_ASSIGN(sandbox::Ran ran, chamber_.run(step, on_output_));
    out_.steps.push_back(step_run(step, ran));
    return ran;
  }

  /// Whether the step is to be run; if not, says why.
  bool is_due(std::string_view name, bool has_check) const {
    if (!has_check) {
      tell(name, Progress::State::skipped, {}, std::string(setup_.checks.why_absent(name)));
    } else if (!installed_) {
      tell(name, Progress::State::skipped, {}, "not run, as the install failed");
    }
    return has_check && installed_;
  }

  Finished install() {
    for (const Command& command : setup_.install) {
      Step step = plain_step("install", setup_.limits.install);
      step.env = plain_environment(setup_);
      for (const std::string& variable : command.env) set_variable(step.env, variable);
      step.argv = command.argv;
      step.shelf = sandbox::Shelf::open;
      if (command.scripts_of.empty()) {
        step.tree = sandbox::Tree::shared;
        step.seen.clear();
      } else {
        step.keep = sandbox::Keep::packages;
        step.packages = command.scripts_of;
      }
      CG_TRY(run_step(step));
      tell_end("");
      installed_ = out_.steps.back().success;
      if (!installed_) break;
    }
    return Done{};
  }

  Finished load() {
    // Whether there is anything to load is a question about a fix, so its absence is no news here.
    if (!setup_.checks.load || setup_.load.empty() || !is_due("load", true)) return Done{};
    Step step = plain_step("load", setup_.limits.load);
    const std::string script(kLoadScript);
    step.planted = {{script, load_script(setup_.folder, setup_.load)}};
    step.argv = {setup_.node, sandbox::Step().folder + "/" + script};
    CG_TRY_ASSIGN(const sandbox::Ran ran, run_step(step));
    out_.loads = read_loads(ran.out.kept, setup_.load.size());
    tell_end("");
    return Done{};
  }

  [[nodiscard]] std::vector<std::string> manager_with(
      std::initializer_list<const char*> words) const {
    std::vector<std::string> argv = setup_.manager;
    argv.insert(argv.end(), words.begin(), words.end());
    return argv;
  }

  Finished build() {
    if (!is_due("build", setup_.checks.build)) return Done{};
    Step step = plain_step("build", setup_.limits.build);
    step.argv = manager_with({"run", "build"});
    step.keep = sandbox::Keep::built;
    CG_TRY(run_step(step));
    tell_end("");
    return Done{};
  }

  /// What the fix brings cannot be loaded: no test makes up for that. Empty if nothing is known to
  /// be so.
  [[nodiscard]] std::string why_lost_before_tests() const {
    const bool known = setup_.base != nullptr && setup_.loading != nullptr;
    if (!known || !installed_ || !setup_.checks.tests || !setup_.checks.load) return {};
    Comparison comparison;
    comparison.loading = *setup_.loading;
    Signal signal;
    judge_load({*setup_.base, out_, comparison}, signal);
    const bool lost = signal.state == State::failed || signal.state == State::forged;
    return lost ? "not run, as load has failed" : "";
  }
  /// Of a base, whose tests always come first: they reached a limit before they had told all. Of a
  /// fix nothing may depend on which of the two was drawn to come first, least of all what the log
  /// says.
  [[nodiscard]] bool is_base_lost() const {
    const StepRun* tests = out_.step("tests");
    const bool is_ended = setup_.base == nullptr && tests != nullptr && !tests->facts.exit;
    return is_ended && !(out_.tests->detail == runners::Detail::cases && out_.tests->complete);
  }

  Finished tests() {
    if (!is_due("tests", setup_.checks.tests)) return Done{};
    CG_TRY_ASSIGN(out_.tests, run_tests("tests", {}, setup_.limits.tests));
    tell_end(out_.tests->detail == runners::Detail::none ? "" : describe(out_.tests->totals));
    return Done{};
  }

  /// Tests that fail leave open what they would have closed, and some runners wait for that: what
  /// the suite takes otherwise says how long there is anything to wait for.
  [[nodiscard]] std::chrono::milliseconds limit_of_challenge() const {
    constexpr std::chrono::milliseconds kLeast{60'000};
    const StepRun* known = setup_.base != nullptr ? setup_.base->step("tests") : nullptr;
    if (known == nullptr) known = out_.step("tests");
    if (known == nullptr) return setup_.limits.tests;
    return std::min(setup_.limits.tests, std::max(kLeast, 3 * known->facts.wall));
  }

  /// What it ends with is no news: it is meant to fail.
  Finished challenge() {
    if (!setup_.checks.tests || !installed_ || setup_.challenge.tests.empty()) return Done{};
    CG_TRY_ASSIGN(out_.challenged,
                  run_tests("challenge", setup_.challenge.tests, limit_of_challenge()));
    tell("challenge", Progress::State::passed, out_.steps.back().facts.wall, "");
    return Done{};
  }

  Result<runners::TestRun, sandbox::Error> run_tests(
      std::string_view name, const std::map<std::string, std::string>& planted,
      std::chrono::milliseconds limit) {
    Step step = plain_step(name, limit);
    step.planted = planted;
    step.argv = manager_with({"test"});
    if (setup_.hook) {
      const runners::Hook& hook = *setup_.hook;
      for (const std::string& variable : runners::environment_of(hook, setup_.path)) {
        set_variable(step.env, variable);
      }
      if (hook.folder.starts_with("/tmp/")) step.seen.push_back(hook.folder);
      step.collect = {hook.reports + "/"};
    }
    step.max_collected = runners::kMaxReportBytes;
    CG_TRY_ASSIGN(const sandbox::Ran ran, run_step(step));
    return read_tests(setup_, ran);
  }

  Finished typecheck() {
    if (!is_due(kTypecheck, setup_.checks.typecheck)) return Done{};
    out_.types.emplace();
    for (const std::string& project : setup_.checks.projects) {
      CG_TRY_ASSIGN(runners::TypeErrors types, typecheck(project));
      // One that is ended, or fails without a word, is no answer, whatever others said: it stays
      // the last step.
      const StepRun& step = out_.steps.back();
      if (!step.facts.exit || (types.count == 0 && !step.success)) {
        out_.types = std::move(types);
        break;
      }
      runners::add(*out_.types, std::move(types));
    }
    const bool told = out_.types->count > 0 || out_.steps.back().success;
    tell_end(told ? counted(out_.types->count, "error", "errors") : "");
    return Done{};
  }

  Result<runners::TypeErrors, sandbox::Error> typecheck(const std::string& project) {
    Step step = plain_step(kTypecheck, setup_.limits.typecheck);
    step.argv = setup_.commands;
    step.argv.push_back(setup_.commands.empty() ? setup_.folder + "/node_modules/.bin/tsc" : "tsc");
    for (const char* word : {"--noEmit", "--pretty", "false"}) step.argv.emplace_back(word);
    if (project != "tsconfig.json") step.argv.insert(step.argv.end(), {"-p", project});
    step.limits.output = kWideOutput;
    step.planted = setup_.challenge.types;
    CG_TRY_ASSIGN(const sandbox::Ran ran, run_step(step));
    runners::TypeErrors out = runners::read_type_errors(ran.out.kept);
    out.complete = !is_cut(ran.out);
    // Those that were asked for are no failure.
    const std::vector<std::string> found = runners::take_out(out, setup_.challenge.type_names);
    if (!found.empty() && out.count == 0) out_.steps.back().success = true;
    std::vector<std::string> all;
    std::set_union(out_.found_types.begin(), out_.found_types.end(), found.begin(), found.end(),
                   std::back_inserter(all));
    out_.found_types = std::move(all);
    return out;
  }

  sandbox::Chamber& chamber_;
  const Setup& setup_;
  const OnProgress& on_progress_;
  const sandbox::OnOutput& on_output_;
  Trial out_;
  bool installed_ = true;  // nothing to install is installed
};

}  // namespace

std::vector<std::string> plain_environment(const Setup& setup) {
  return {std::string("HOME=") + sandbox::kHome,
          "PATH=" + setup.path,
          "CI=1",
          "NO_COLOR=1",
          "TERM=dumb",
          "LANG=C.UTF-8",
          "TZ=UTC",
          "TMPDIR=/tmp",
          "DO_NOT_TRACK=1",
          "npm_config_audit=false",
          "npm_config_color=false",
          "npm_config_fetch_retries=0",
          "npm_config_fund=false",
          "npm_config_progress=false",
          "npm_config_update_notifier=false"};
}

Result<Trial, sandbox::Error> run_trial(sandbox::Chamber& chamber, const Setup& setup,
                                        const OnProgress& on_progress,
                                        const sandbox::OnOutput& on_output) {
  return TrialRun(chamber, setup, on_progress, on_output).run();
}

Result<runners::TestRun, sandbox::Error> run_tests_again(sandbox::Chamber& chamber,
                                                         const Setup& setup, unsigned number,
                                                         const OnProgress& on_progress,
                                                         const sandbox::OnOutput& on_output) {
  return TrialRun(chamber, setup, on_progress, on_output).again(number);
}

}  // namespace cg::gate
