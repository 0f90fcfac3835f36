#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "prove/gate/judges.h"
#include "prove/gate/trial.h"

namespace cg::gate {

namespace {

struct Seen {
  std::set<std::string> executed;
  std::set<std::string> connections;
};

Seen seen_in(const Trial& trial) {
  Seen out;
  for (const StepRun& step : trial.steps) {
    for (const std::string& path : step.trace.executed) out.executed.insert(normal_path(path));
    for (const std::string& to : step.trace.connections) {
      out.connections.insert(normal_connection(to));
    }
  }
  return out;
}

TraceNumbers numbers_of(const Seen& seen) {
  return {seen.executed.size(), seen.connections.size()};
}

/// Why a trial's trace cannot be used; empty if it can.
std::string why_no_trace(const Trial& trial) {
  if (trial.steps.empty()) return "nothing was run";
  for (const StepRun& step : trial.steps) {
    if (!step.trace.kept) return step.name + " could not be watched";
  }
  return {};
}

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

std::string normal_name(std::string_view name) {
  const std::size_t at = name.find_last_of("-_.");
  if (at == std::string_view::npos) return std::string(is_random(name) ? "*" : name);
  if (!is_random(name.substr(at + 1))) return std::string(name);
  return std::string(name.substr(0, at + 1)) + "*";
}

}  // namespace

std::string normal_path(std::string_view path) {
  static constexpr std::string_view kTemp = "/tmp/";
  if (!path.starts_with(kTemp)) return std::string(path);
  // Folders alone: the name of the file itself says what was executed.
  std::string out = "/tmp";
  const auto parts = split(path.substr(kTemp.size()), '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out += '/';
    out += i + 1 < parts.size() ? normal_name(parts[i]) : std::string(parts[i]);
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
  std::set<std::string> told;
  for (const StepRun& step : evidence.fix.steps) {
    if (step.trace.cut) reasons.add(step.name + " did more than its trace can hold");
    for (const std::string& path : step.trace.executed) {
      const std::string normal = normal_path(path);
      if (base.executed.contains(normal) || !told.insert("x" + normal).second) continue;
      reasons.add(step.name + " executed " + path + ", which the base does not");
    }
    for (const std::string& to : step.trace.connections) {
      const std::string normal = normal_connection(to);
      if (base.connections.contains(normal) || !told.insert("c" + normal).second) continue;
      reasons.add(step.name + " tried to reach " + to + ", which the base does not");
    }
  }
  signal.state = reasons.size() == 0 ? State::passed : State::failed;
  signal.words = counted(fix.executed.size(), "executable", "executables") + ", " +
                 counted(fix.connections.size(), "address", "addresses") +
                 (signal.passed() ? ", none new" : "");
}

}  // namespace cg::gate
