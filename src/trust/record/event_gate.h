// Events of proving a fix: what it ran in, what the gates said; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct SandboxOpened {
  static constexpr std::string_view kKind = "sandbox_opened";
  static constexpr std::string_view kSays =
      "A place apart from the host was furnished, and what holds it shut";
  static constexpr Home kHome = Home::workflow;
  std::string isolation;
  std::string layers;  // held ones, then those that are missing
  std::string side;    // base or fix
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("isolation", self.isolation, 32);
    f("layers", self.layers, 1024);
    f("side", self.side, 8);
  }
  friend bool operator==(const SandboxOpened&, const SandboxOpened&) = default;
};

struct StepRan {
  static constexpr std::string_view kKind = "step_ran";
  static constexpr std::string_view kSays =
      "A command of the repository was run apart from the host";
  static constexpr Home kHome = Home::workflow;
  std::string ending;
  hash::Digest err{};  // SHA-256 of all it wrote there
  std::uint64_t ms = 0;
  hash::Digest out{};
  std::string side;  // base or fix
  std::string step;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("ending", self.ending, 64);
    f("err", self.err, 64);
    f("ms", self.ms, 0);
    f("out", self.out, 64);
    f("side", self.side, 8);
    f("step", self.step, 32);
  }
  friend bool operator==(const StepRan&, const StepRan&) = default;
};

struct SignalJudged {
  static constexpr std::string_view kKind = "signal_judged";
  static constexpr std::string_view kSays = "What one gate said of a fix, compared with the base";
  static constexpr Home kHome = Home::workflow;
  std::string after;
  std::uint64_t attempt = 0;  // from 1
  std::string before;
  std::string group;   // which copies: see attempt_ended
  std::string passed;  // yes or no
  std::string reason;  // the first, where it did not pass
  std::string signal;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("after", self.after, 256);
    f("attempt", self.attempt, 0);
    f("before", self.before, 256);
    f("group", self.group, 64);
    f("passed", self.passed, 3);
    f("reason", self.reason, 512);
    f("signal", self.signal, 64);
  }
  friend bool operator==(const SignalJudged&, const SignalJudged&) = default;
};

struct ProofWeak {
  static constexpr std::string_view kKind = "proof_weak";
  static constexpr std::string_view kSays = "A gate passed, and passing it says little";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::uint64_t attempt = 0;  // from 1
  std::string group;          // which copies: see attempt_ended
  std::string reason;         // "their exit code alone was judged"
  std::string signal;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, 0);
    f("group", self.group, 64);
    f("reason", self.reason, 512);
    f("signal", self.signal, 64);
  }
  friend bool operator==(const ProofWeak&, const ProofWeak&) = default;
};

struct AnswerForged {
  static constexpr std::string_view kKind = "answer_forged";
  static constexpr std::string_view kSays =
      "Whoever a gate was to judge gave the answer itself; the fix is not tried again";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::block;
  std::uint64_t attempt = 0;  // from 1
  std::string group;          // which copies: see attempt_ended
  std::string reason;         // what was put in and not found
  std::string signal;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, 0);
    f("group", self.group, 64);
    f("reason", self.reason, 512);
    f("signal", self.signal, 64);
  }
  friend bool operator==(const AnswerForged&, const AnswerForged&) = default;
};

struct AttemptEnded {
  static constexpr std::string_view kKind = "attempt_ended";
  static constexpr std::string_view kSays =
      "One try at fixing a group of copies is over: which gates turned it down, and what it had "
      "tried";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t attempt = 0;  // from 1
  std::string failing;        // names of signals; empty: it passed
  std::string group;          // BLAKE3 over the copies
  std::string isolation;
  std::string tried;  // "qs 6.7.3, express 4.18.2"
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, 0);
    f("failing", self.failing, 512);
    f("group", self.group, 64);
    f("isolation", self.isolation, 32);
    f("tried", self.tried, 2048);
  }
  friend bool operator==(const AttemptEnded&, const AttemptEnded&) = default;
};

}  // namespace cg::record
