// What attempts that came to nothing left, and what the steps of all of them printed.
#include <algorithm>
#include <set>

#include "base/archive/stream.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_parts.h"
#include "trust/hash/sha256.h"

namespace cg::evidence {

namespace {

using json::Value;

constexpr std::string_view kAttempts = "attempts/";
constexpr std::string_view kLogs = "logs/";
constexpr std::string_view kReports = "reports/";

bool has_step(const Tale& tale, const Value* step, std::string_view side) {
  if (step == nullptr) return false;
  if (step->is_null()) return true;
  return std::any_of(tale.steps.begin(), tale.steps.end(), [&](const record::StepRan& told) {
    return told.side == side && to_hex(told.out) == step->text("stdout_sha256") &&
           to_hex(told.err) == step->text("stderr_sha256");
  });
}

class Attempts {
 public:
  Attempts(const Files& files, const Tale& tale, BundleReport& out)
      : files_(files), tale_(tale), out_(out) {}

  void run() {
    const std::size_t before = out_.breaks.size();
    std::set<std::string> known;
    for (const auto& [path, bytes] : files_) {
      if (path.starts_with(kAttempts)) attempt(path, bytes, known);
      if (path.starts_with(kLogs)) log(path, bytes);
      if (path.starts_with(kReports)) report(path);
    }
    if (out_.breaks.size() != before || logs_ == 0) return;
    out_.checked.push_back(counted(logs_, "log", "logs") + " of steps that the events have");
  }

 private:
  void wrong(const std::string& file, std::string what) {
    out_.breaks.push_back({printable(file), std::move(what)});
  }

  /// attempts/N/attempt.json says which one it is, and the rest is what its gates said.
  void attempt(const std::string& path, const std::string& bytes, std::set<std::string>& known) {
    const std::size_t slash = path.find('/', kAttempts.size());
    if (slash == std::string::npos) return wrong(path, "is of no attempt");
    const auto head = files_.find(path.substr(0, slash) + "/attempt.json");
    const auto which = head == files_.end() ? std::nullopt : tried(head->second);
    if (!which) {
      if (known.insert(path.substr(0, slash)).second) wrong(path, "is of no attempt that failed");
      return;
    }
    if (path == head->first) return;
    const auto document = json::parse_json(bytes);
    if (!document || !has_step(tale_, document->find("base"), "base") ||
        !has_step(tale_, document->find("fix"), "fix")) {
      return wrong(path, "is not what a gate said of steps that the events have");
    }
    const auto& signals = tale_.tries[*which].signals;
    const Value* passed = document->find("passed");
    const bool contradicted =
        passed == nullptr || std::any_of(signals.begin(), signals.end(), [&](const auto& told) {
          return told.signal == document->text("signal") && signals_once(signals, told.signal) &&
                 (told.passed == "yes") != passed->as_bool().value_or(false);
        });
    if (contradicted) wrong(path, "says something else than the events");
  }

  /// With several lockfiles a name is there more than once.
  static bool signals_once(const std::vector<record::SignalJudged>& signals,
                           const std::string& name) {
    return std::count_if(signals.begin(), signals.end(),
                         [&](const auto& one) { return one.signal == name; }) == 1;
  }

  std::optional<std::size_t> tried(std::string_view text) const {
    const auto head = json::parse_json(text);
    if (!head) return std::nullopt;
    const Value* number = head->find("attempt");
    for (std::size_t i = 0; i < tale_.tries.size(); ++i) {
      const record::AttemptEnded& ended = tale_.tries[i].ended;
      if (ended.group == head->text("group") && ended.failing == head->text("failing") &&
          !ended.failing.empty() && number != nullptr &&
          number->as_int() == static_cast<std::int64_t>(ended.attempt)) {
        return i;
      }
    }
    return std::nullopt;
  }

  void log(const std::string& path, const std::string& bytes) {
    if (path == kLeftOut) return;
    const std::string digest = path.substr(kLogs.size(), 64);
    const bool printed =
        std::any_of(tale_.steps.begin(), tale_.steps.end(), [&](const record::StepRan& step) {
          return to_hex(step.out) == digest || to_hex(step.err) == digest;
        });
    if (!printed) return wrong(path, "is of no step that the events have");
    ++logs_;
    if (path.ends_with(".part.zst")) return;
    const auto text = archive::unzstd(bytes, {});
    if (!text || to_hex(hash::sha256(as_bytes(*text))) != digest) {
      wrong(path, "is not what the step printed");
    }
  }

  void report(const std::string& path) {
    const bool of_step =
        std::any_of(tale_.steps.begin(), tale_.steps.end(), [&](const record::StepRan& step) {
          return path == std::string(kReports) + step.side + "-" + to_hex(step.out) + ".json.zst";
        });
    if (!of_step) wrong(path, "is of no step that the events have");
  }

  const Files& files_;
  const Tale& tale_;
  BundleReport& out_;
  std::uint64_t logs_ = 0;
};

}  // namespace

void judge_attempts(const Files& files, const Tale& tale, BundleReport& out) {
  Attempts(files, tale, out).run();
}

}  // namespace cg::evidence
