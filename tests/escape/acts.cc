#include "acts.h"

#include <csignal>
#include <cstring>
#include <ostream>
#include <stdexcept>

#include "base/base/match.h"
#include "base/base/text.h"

namespace cg::escape {

namespace {

constexpr int kKept = 42;

std::string signal_word(int signal) {
  const char* short_name = sigabbrev_np(signal);
  return short_name == nullptr ? "signal " + std::to_string(signal)
                               : "SIG" + std::string(short_name);
}

bool starts(const Act& act, std::string_view prefix) { return act.name.starts_with(prefix); }

}  // namespace

void PrintTo(const Act& act, std::ostream* out) { *out << act.name; }

const std::vector<Act>& acts() {
  static const std::vector<Act> all = {
#define CG_ACT(name, tries, jail, microvm, control) {#name, tries, jail, microvm, control},
#include "acts.def"
#undef CG_ACT
  };
  return all;
}

const Act& act(std::string_view name) {
  for (const Act& a : acts()) {
    if (a.name == name) return a;
  }
  throw std::runtime_error("no act " + std::string(name));
}

std::string program_of(const std::string& name) { return CG_ACTS_DIR "/" + name; }

std::string outcome(int exit_code, std::string_view printed) {
  if (exit_code == 0) return "did";
  const std::string_view text = trim(printed);
  const std::size_t last = text.rfind(": ");
  if (exit_code != kKept || last == std::string_view::npos) {
    return "broken: exit " + std::to_string(exit_code) + " " + printable(text.substr(0, 200));
  }
  return std::string(text.substr(last + 2));
}

std::string outcome(const sandbox::Ran& ran) {
  return match(
      ran.ending,
      [&](const sandbox::Exited& e) { return outcome(e.code, ran.out.kept + ran.err.kept); },
      [](const sandbox::Signalled& s) { return signal_word(s.signal); },
      [](const sandbox::Capped& c) {
        return std::string(c.cap == sandbox::Cap::wall ? "wall" : "memory");
      });
}

bool is_one_of(std::string_view outcome, std::string_view expected) {
  constexpr std::string_view kOr = " or ";
  while (true) {
    const std::size_t end = expected.find(kOr);
    if (outcome == expected.substr(0, end)) return true;
    if (end == std::string_view::npos) return false;
    expected.remove_prefix(end + kOr.size());
  }
}

sandbox::Step step_of(const Act& act, const std::vector<std::string>& env) {
  sandbox::Step step;
  step.name = act.name;
  step.argv = {"./" + act.name};
  step.argv[0] = step.folder + "/" + act.name;
  step.env = env;
  step.limits.wall = std::chrono::seconds(30);
  step.limits.output = 64U << 10U;
  if (starts(act, "hang") || act.name == "flood_output") {
    step.limits.wall = std::chrono::seconds(1);
  }
  if (starts(act, "memory_bomb")) step.limits.memory = 256U << 20U;
  if (act.name == "fork_bomb") step.limits.processes = 64;
  if (starts(act, "big_file") || act.name == "raise_limits") {
    step.limits.file_bytes = 8U << 20U;
  }
  if (starts(act, "collect"))
    step.collect = {step.folder + "/result", step.folder + "/results/secret"};
  return step;
}

sandbox::Scene scene_of(const std::string& tree, const std::string& visible) {
  sandbox::Scene scene;
  scene.tree = tree;
  scene.readable = {visible};
  scene.scratch_bytes = 96U << 20U;
  return scene;
}

}  // namespace cg::escape
