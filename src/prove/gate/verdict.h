// Verdict: whether a fix may leave.
//
// Strict AND: every required signal passed, in an isolation that was really in force, and shows as
// much as policy asks for. A
// Passed is made by judge() and nowhere else (tests/compile_fail), is moved and never copied,
// and is not read back from anywhere: who lost it judges again. Not claimed: that code in
// this process which corrupts memory could not fake one.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "jail/sandbox/chamber.h"
#include "prove/gate/comparison.h"
#include "prove/gate/signal.h"
#include "prove/gate/trial.h"

namespace cg::gate {

/// An isolation that is not none. Of two trials it is the weaker one's.
class Isolated {
 public:
  /// Nothing if either is none, or a mandatory layer of it was not held.
  [[nodiscard]] static std::optional<Isolated> of(const sandbox::InForce& base,
                                                  const sandbox::InForce& fix);
  [[nodiscard]] sandbox::Isolation isolation() const { return isolation_; }

 private:
  explicit Isolated(sandbox::Isolation isolation) : isolation_(isolation) {}
  sandbox::Isolation isolation_;
};

class Passed;
/// Some required signal is not passed, or nothing kept the steps apart from the host.
struct Failed {
  /// Names of signals, sorted; kIsolation if that was lacking, kForged beside one that was forged,
  /// kWeak alone if all passed and policy does not take what they show; kBase if there is
  /// nothing to compare with, and then only gates that need no run beside it.
  std::vector<std::string> failing;
  std::string summary;          // one line: "tests: 2 that passed fail now; trace: …"
  std::vector<Signal> signals;  // all, in the order of the table
  sandbox::Isolation isolation = sandbox::Isolation::none;
  bool for_a_person = false;  // nothing is wrong with it that we know of
};
inline constexpr std::string_view kIsolation = "isolation";
inline constexpr std::string_view kForged = "forged";
inline constexpr std::string_view kWeak = "weak";
inline constexpr std::string_view kBase = "base";

using Verdict = std::variant<Passed, Failed>;
[[nodiscard]] Verdict judge(const Trial& base, const Trial& fix, const Comparison& comparison);

/// Why no fix can be compared with this base, in words for people; empty if one can. Nobody needs
/// to run a fix then.
[[nodiscard]] std::string why_unprovable(const Trial& base, const Checks& checks);
/// The verdict on a fix that was not run for that reason. What needs no run is judged all the same,
/// and stands beside kBase where it is in the way.
[[nodiscard]] Verdict unprovable(const Trial& base, std::string why, const Comparison& comparison);

class Passed {
 public:
  Passed(Passed&&) noexcept = default;
  Passed& operator=(Passed&&) noexcept = default;
  Passed(const Passed&) = delete;
  Passed& operator=(const Passed&) = delete;
  ~Passed() = default;

  [[nodiscard]] const std::vector<Signal>& signals() const { return signals_; }
  /// Whether some signal says little (Signal::weak): passed, and not proven.
  [[nodiscard]] bool weak() const;
  [[nodiscard]] sandbox::Isolation isolation() const { return isolated_.isolation(); }

 private:
  friend Verdict judge(const Trial& base, const Trial& fix, const Comparison& comparison);
  Passed(std::vector<Signal> signals, Isolated isolated)
      : signals_(std::move(signals)), isolated_(isolated) {}

  std::vector<Signal> signals_;
  Isolated isolated_;
};

/// Whether nothing else is in the way than that there is nothing to compare with.
[[nodiscard]] bool is_unprovable(const Failed& failed);

/// Of either.
[[nodiscard]] const std::vector<Signal>& signals_of(const Verdict& verdict);
[[nodiscard]] sandbox::Isolation isolation_of(const Verdict& verdict);

}  // namespace cg::gate
