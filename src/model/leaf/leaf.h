// Leaf: the port to a model. One call takes a prompt that only the builder can make and a
// token that only the budget can mint, and gives back a typed plan or why there is none.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "model/budget/budget.h"
#include "model/prompt/builder.h"
#include "model/proposal/proposal.h"
#include "trust/hash/digest.h"

namespace cg::leaf {

struct Call {
  const prompt::TrustedPrompt& system;
  const prompt::FencedPromptBody& body;
  std::string model;
};

/// Of the bytes that went out and came in: BLAKE3. What was asked is kept (tiers::Journal), what
/// was answered nowhere.
struct Trace {
  hash::Digest request{};
  hash::Digest response{};
  std::string model;  // as the server called itself
  budget::Usage usage;
  bool usage_known = true;  // false: the server did not count
  std::string key_source;   // secret-service, kernel, systemd, env_ci_explicit, none
  std::string key_memory;   // memfd_secret, locked, none
  std::string isolation;    // seal::describe() of the process
};

struct Proposed {
  proposal::Proposal plan;
  Trace trace;
};
/// The model said something that is no plan.
struct Violated {
  proposal::Violation violation;
  Trace trace;
};
enum class FailureKind {
  no_key,        // locked, empty or missing store
  no_pin,        // no pin is set, or all have run out
  pin_mismatch,  // a trusted chain with another key
  tls,           // handshake, certificate, no h2
  unresolved,
  unreachable,
  timeout,
  rate_limited,  // 429
  server,        // 5xx
  refused,       // another status: redirects, 4xx
  protocol,      // not HTTP/2 as we read it, too large, cut off
  setup,         // could not be sealed, or a program is missing
  unexpected,    // the process said what it must not: it was ended
  not_recorded,  // replay: there is no such exchange
};
[[nodiscard]] std::string_view name(FailureKind kind);
struct Failure {
  FailureKind kind;
  std::string detail;  // short, printable, without anything from the key
  std::uint16_t status = 0;
  std::optional<std::uint32_t> retry_after_s;
  bool sent = false;  // a request went out: it may have cost something
};
using Answer = std::variant<Proposed, Violated, Failure>;

/// Of an answer that came; a Failure has none, and asking for it is a mistake.
[[nodiscard]] const Trace& trace_of(const Answer& answer);

struct Reply {
  Answer answer;
  budget::Receipt receipt;  // for the ledger, whatever the answer is
  unsigned retries = 0;     // that it took: the server was busy or broken
};

class Leaf {
 public:
  virtual ~Leaf() = default;
  [[nodiscard]] virtual Reply invoke(const Call& call, budget::Token token) = 0;
};

}  // namespace cg::leaf
