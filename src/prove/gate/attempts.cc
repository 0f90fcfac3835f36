#include "prove/gate/attempts.h"

#include <algorithm>

namespace cg::gate {

namespace {

/// Failures that another plan of the same kind must not be allowed to probe.
bool is_final(const std::string& signal) {
  return signal == "trace" || signal == "lockfile_policy" || signal == kIsolation ||
         signal == kForged || signal == kWeak || signal == kBase;
}

/// How many of the last attempts failed in the same signals.
std::size_t same_at_end(const std::vector<AttemptSummary>& history) {
  std::size_t count = 0;
  for (auto it = history.rbegin(); it != history.rend(); ++it) {
    if (it->failing != history.back().failing) break;
    ++count;
  }
  return count;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

AttemptSummary summarise(unsigned number, const Failed& failed, std::vector<std::string> tried) {
  AttemptSummary out;
  out.number = number;
  out.failing = failed.failing;
  out.tried = std::move(tried);
  const bool at_base = is_unprovable(failed);
  if (failed.signals.empty() || at_base) out.errors = failed.summary;
  for (const Signal& signal : failed.signals) {
    if (!signal.blocks() || at_base) continue;
    for (const std::string& test : signal.failing_tests) {
      if (out.failing_tests.size() < kMaxAttemptTests) out.failing_tests.push_back(test);
    }
    out.errors += signal.name + ":\n" + signal.said;
    for (const std::string& reason : signal.reasons) out.errors += "  " + reason + "\n";
  }
  if (out.errors.size() > kMaxAttemptErrors) {
    out.errors.resize(out.errors.rfind('\n', kMaxAttemptErrors - 1) + 1);
  }
  return out;
}

Next next(const std::vector<AttemptSummary>& history) {
  if (history.empty()) return Retry{1};
  const AttemptSummary& last = history.back();
  auto found = std::find_if(last.failing.begin(), last.failing.end(), is_final);
  if (found != last.failing.end() && *found == kWeak) {
    return Final{"all gates passed, but they show less than policy asks for (gates.weak_tests)"};
  }
  // What else is in the way says more.
  if (found != last.failing.end() && *found == kBase && last.failing.size() > 1) ++found;
  if (found != last.failing.end() && *found == kBase) {
    return Final{"nothing can be proven here" + (last.errors.empty() ? "" : ": " + last.errors)};
  }
  if (found != last.failing.end()) return Final{*found + " failed, which is not tried again"};
  if (same_at_end(history) >= kMaxAttempts) {
    return Final{"the same failed three times: " + joined(last.failing)};
  }
  if (history.size() >= kMaxAttempts) return Final{"all three attempts failed"};
  return Retry{static_cast<unsigned>(history.size()) + 1};
}

}  // namespace cg::gate
