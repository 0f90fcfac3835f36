// Events of what a model costs; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct BudgetPrecharged {
  static constexpr std::string_view kKind = "budget_precharged";
  static constexpr std::string_view kSays = "What a call may cost at most was set aside";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t call = 0;  // from 1
  std::string model;
  std::uint64_t tokens = 0;
  std::string usd;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("call", self.call, 0);
    f("model", self.model, 64);
    f("tokens", self.tokens, 0);
    f("usd", self.usd, 24);
  }
  friend bool operator==(const BudgetPrecharged&, const BudgetPrecharged&) = default;
};

struct BudgetReconciled {
  static constexpr std::string_view kKind = "budget_reconciled";
  static constexpr std::string_view kSays =
      "What a call did cost stands in place of what was set aside";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t cache_read = 0;
  std::uint64_t cache_write = 0;
  std::uint64_t call = 0;
  std::uint64_t input = 0;
  std::string known;  // no: all that was set aside counts
  std::uint64_t output = 0;
  std::string usd;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("cache_read", self.cache_read, 0);
    f("cache_write", self.cache_write, 0);
    f("call", self.call, 0);
    f("input", self.input, 0);
    f("known", self.known, 3);
    f("output", self.output, 0);
    f("usd", self.usd, 24);
  }
  friend bool operator==(const BudgetReconciled&, const BudgetReconciled&) = default;
};

struct BudgetReconciledOver {
  static constexpr std::string_view kKind = "budget_reconciled_over";
  static constexpr std::string_view kSays =
      "A call used more than was set aside for it: no further call is made";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::uint64_t call = 0;
  std::uint64_t set_aside_tokens = 0;
  std::string set_aside_usd;
  std::uint64_t tokens = 0;
  std::string usd;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("call", self.call, 0);
    f("set_aside_tokens", self.set_aside_tokens, 0);
    f("set_aside_usd", self.set_aside_usd, 24);
    f("tokens", self.tokens, 0);
    f("usd", self.usd, 24);
  }
  friend bool operator==(const BudgetReconciledOver&, const BudgetReconciledOver&) = default;
};

struct BudgetWarned {
  static constexpr std::string_view kKind = "budget_warned";
  static constexpr std::string_view kSays = "Most of the budget is spent";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::uint64_t cap_tokens = 0;
  std::string cap_usd;
  std::uint64_t tokens = 0;
  std::string usd;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("cap_tokens", self.cap_tokens, 0);
    f("cap_usd", self.cap_usd, 24);
    f("tokens", self.tokens, 0);
    f("usd", self.usd, 24);
  }
  friend bool operator==(const BudgetWarned&, const BudgetWarned&) = default;
};

struct BudgetExceeded {
  static constexpr std::string_view kKind = "budget_exceeded";
  static constexpr std::string_view kSays = "A call was not made: it could cost more than is left";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::string cap;  // tokens, usd, per_call or no_price
  std::string detail;
  std::uint64_t tokens = 0;  // spent so far
  std::string usd;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("cap", self.cap, 16);
    f("detail", self.detail, 256);
    f("tokens", self.tokens, 0);
    f("usd", self.usd, 24);
  }
  friend bool operator==(const BudgetExceeded&, const BudgetExceeded&) = default;
};

struct BudgetOverrideGranted {
  static constexpr std::string_view kKind = "budget_override_granted";
  static constexpr std::string_view kSays =
      "An operator raised the budget of one workflow, and signed for it";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::string signer;        // fingerprint of the key
  hash::Digest statement{};  // SHA-256 of what was signed
  std::uint64_t tokens = 0;  // cap from now on
  std::string usd;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("signer", self.signer, 128);
    f("statement", self.statement, 64);
    f("tokens", self.tokens, 0);
    f("usd", self.usd, 24);
  }
  friend bool operator==(const BudgetOverrideGranted&, const BudgetOverrideGranted&) = default;
};

}  // namespace cg::record
