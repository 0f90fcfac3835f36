// What a fix does that the base does not: programs that start others, texts for shells, addresses.
//
// A program is judged with who started it: that the base runs curl somewhere does not let a package
// start it. A command of a package is judged with the package: a version that brings a `tsc` of its
// own would judge itself. A text for a shell is a program of its own, so a new one is a new
// program. Other words of a command line differ for honest reasons; a new one is told to the
// reviewer and fails nothing. What differs from run to run (random names, numbers, versions) is
// blotted out first.
#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "prove/gate/judges.h"
#include "prove/gate/trial.h"

namespace cg::gate {

namespace {

constexpr std::size_t kMaxShown = 10;  // command lines for the reviewer

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// What mkdtemp, process ids and hexadecimal names leave at the end of a name: a number, six
/// letters and digits, or eight and more hexadecimal digits, behind - _ or a dot.
bool is_random(std::string_view ending) {
  if (ending.empty()) return false;
  if (std::all_of(ending.begin(), ending.end(), is_digit)) return true;
  if (ending.size() >= 8 && std::all_of(ending.begin(), ending.end(), is_hex)) return true;
  return ending.size() == 6 && std::all_of(ending.begin(), ending.end(), is_alnum);
}

/// Several may follow each other: "yarn--1700000000000-0.123456789".
std::string normal_name(std::string_view name) {
  std::string_view rest = name;
  for (std::size_t at = rest.find_last_of("-_.");
       at != std::string_view::npos && is_random(rest.substr(at + 1));
       at = rest.find_last_of("-_.")) {
    rest = rest.substr(0, at);
  }
  if (rest.size() == name.size()) return std::string(is_random(name) ? "*" : name);
  return std::string(rest) + name[rest.size()] + "*";
}

constexpr std::string_view kTemp = "/tmp/";
enum class Last { kept, blotted };

std::string normal_temporary(std::string_view path, Last last) {
  std::string out = "/tmp";
  const auto parts = split(path.substr(kTemp.size()), '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool keep = i + 1 == parts.size() && last == Last::kept;
    out += "/" + (keep ? std::string(parts[i]) : normal_name(parts[i]));
  }
  return out;
}

/// "foo@1.2.3_react@18.0.0" of a store of packages, without its versions.
std::string without_versions(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    out += path[i];
    if (path[i] != '@' || i + 1 == path.size() || !is_digit(path[i + 1])) continue;
    while (i + 1 < path.size() && (is_alnum(path[i + 1]) || path[i + 1] == '.')) ++i;
    out += '*';
  }
  return out;
}

struct Seen {
  std::set<sandbox::Start> started;
  std::set<std::string> shell;
  std::set<std::string> commands;
  std::set<std::string> connections;
};

constexpr std::string_view kModules = "/node_modules/";

/// "typescript" of "/tree/node_modules/typescript/bin/tsc"; empty if it is in no package.
std::string_view package_of(std::string_view file) {
  const std::size_t at = file.rfind(kModules);
  if (at == std::string_view::npos) return {};
  const std::string_view inside = file.substr(at + kModules.size());
  std::size_t end = inside.find('/');
  if (inside.starts_with('@') && end != std::string_view::npos) end = inside.find('/', end + 1);
  return end == std::string_view::npos || inside.starts_with('.') ? std::string_view()
                                                                  : inside.substr(0, end);
}

/// A command of a package is its name and whose it is: the file behind it may be another in another
/// version, but `tsc` of another package is another program.
std::string normal_program(const sandbox::Start& start) {
  const std::string& called = start.as.empty() ? start.file : start.as;
  if (start.file.empty()) return "nothing at " + normal_path(called);
  const std::string_view package = package_of(start.file);
  if (package.empty()) return normal_path(start.file);
  return normal_path(called) + " of " + std::string(package);
}

sandbox::Start normal_start(const sandbox::Start& start) {
  return {normal_path(start.by), normal_program(start), ""};
}

/// For people.
std::string shown(const sandbox::Start& start) {
  const std::string& called = start.as.empty() ? start.file : start.as;
  if (start.file.empty()) return "tried to start " + called + ", where nothing is";
  return "started " + called + (start.as.empty() ? "" : " (" + start.file + ")");
}

Seen seen_in(const Trial& trial) {
  Seen out;
  for (const StepRun& step : trial.steps) {
    for (const sandbox::Start& start : step.trace.started) out.started.insert(normal_start(start));
    for (const std::string& text : step.trace.shell) out.shell.insert(normal_text(text));
    for (const std::string& line : step.trace.commands) out.commands.insert(normal_text(line));
    for (const std::string& to : step.trace.connections) {
      out.connections.insert(normal_connection(to));
    }
  }
  return out;
}

std::size_t programs_in(const Seen& seen) {
  std::set<std::string> files;
  for (const sandbox::Start& start : seen.started) {
    if (!start.file.starts_with("nothing at ")) files.insert(start.file);
  }
  return files.size();
}

TraceNumbers numbers_of(const Seen& seen) { return {programs_in(seen), seen.connections.size()}; }

/// Why a trial's trace cannot be used; empty if it can.
std::string why_no_trace(const Trial& trial) {
  if (trial.steps.empty()) return "nothing was run";
  for (const StepRun& step : trial.steps) {
    if (!step.trace.kept) return step.name + " could not be watched";
  }
  return {};
}

/// Tells of each new thing once.
class TraceJudge {
 public:
  TraceJudge(const Seen& base, Reasons& reasons) : base_(base), reasons_(reasons) {}

  void look_at(const StepRun& step) {
    if (step.trace.cut) bad(step.name + " did more than its trace can hold");
    for (const sandbox::Start& start : step.trace.started) {
      const sandbox::Start normal = normal_start(start);
      if (base_.started.contains(normal) || !told_starts_.insert(normal).second) continue;
      bad(step.name + ": " + (start.by.empty() ? "the step" : start.by) + " " + shown(start) +
          ", which it does not at the base");
    }
    for (const std::string& text : step.trace.shell) {
      if (is_new(base_.shell, normal_text(text))) {
        bad(step.name + " gave a shell a text that the base does not: " + text);
      }
    }
    for (const std::string& to : step.trace.connections) {
      if (is_new(base_.connections, normal_connection(to))) {
        bad(step.name + " tried to reach " + to + ", which the base does not");
      }
    }
  }

  /// Words that are new to a program that is not: no reason to fail.
  void show_commands(const StepRun& step) {
    for (const std::string& line : step.trace.commands) {
      if (!is_new(base_.commands, normal_text(line)) || ++shown_ > kMaxShown) continue;
      reasons_.add("for the reviewer: " + step.name + " ran " + line);
    }
  }

  [[nodiscard]] bool is_good() const { return is_good_; }

 private:
  void bad(const std::string& reason) {
    is_good_ = false;
    reasons_.add(reason);
  }
  bool is_new(const std::set<std::string>& base, std::string normal) {
    return !base.contains(normal) && told_.insert(std::move(normal)).second;
  }

  const Seen& base_;
  Reasons& reasons_;
  std::set<sandbox::Start> told_starts_;
  std::set<std::string> told_;
  std::size_t shown_ = 0;
  bool is_good_ = true;
};

}  // namespace

std::string normal_path(std::string_view path) {
  // The name of the file itself says what was executed.
  if (path.starts_with(kTemp)) return normal_temporary(path, Last::kept);
  return without_versions(path);
}

std::string normal_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    if (text.substr(i).starts_with(kTemp)) {
      end = std::min(text.find_first_of(" \t\n\"'`;|&()<>", i), text.size());
      out += normal_temporary(text.substr(i, end - i), Last::blotted);
      i = end;
      continue;
    }
    while (end < text.size() && is_alnum(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    const std::string_view word = text.substr(i, end - i);
    const bool numbered = std::any_of(word.begin(), word.end(), is_digit);
    // Letters alone are words of somebody; with digits among them they are a number, a version, a
    // digest or what mkdtemp made.
    out += numbered ? "#" : word;
    i = end;
  }
  return out;
}

std::string normal_connection(std::string_view connection) {
  const std::size_t space = connection.find(' ');
  if (space == std::string_view::npos) return std::string(connection);
  const std::string kind(connection.substr(0, space));
  const std::string_view to = connection.substr(space + 1);
  if (kind == "unix") return kind + " " + normal_path(to);
  const std::string_view host = to.substr(0, to.rfind(':'));
  if (host == "127.0.0.1" || host == "[::1]" || host == "::1") return kind + " loopback";
  return std::string(connection);
}

void judge_trace(const Evidence& evidence, Signal& signal) {
  const Seen base = seen_in(evidence.base);
  const Seen fix = seen_in(evidence.fix);
  const std::string base_lacks = why_no_trace(evidence.base);
  const std::string fix_lacks = why_no_trace(evidence.fix);
  Reasons reasons(signal.reasons);
  if (base_lacks.empty()) signal.before = numbers_of(base);
  if (fix_lacks.empty()) signal.after = numbers_of(fix);
  if (!base_lacks.empty() || !fix_lacks.empty()) {
    signal.state = State::missing;
    if (!base_lacks.empty()) reasons.add("at the base " + base_lacks);
    if (!fix_lacks.empty()) reasons.add("with the fix " + fix_lacks);
    return;
  }
  TraceJudge judge(base, reasons);
  for (const StepRun& step : evidence.fix.steps) judge.look_at(step);
  for (const StepRun& step : evidence.fix.steps) judge.show_commands(step);
  signal.state = judge.is_good() ? State::passed : State::failed;
  signal.words = counted(programs_in(fix), "executable", "executables") + ", " +
                 counted(fix.connections.size(), "address", "addresses") +
                 (signal.passed() ? ", none new" : "");
}

}  // namespace cg::gate
