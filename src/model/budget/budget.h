// Budget: what a workflow may spend on a model, as a right that is used up.
//
// precharge() sets aside what a call may cost at most and mints the token that
// leaf::Leaf::invoke() takes; reconcile() puts what it cost in its place, once. Money is
// decimal (base/domain/money.h). The ledger is a value with a stored form: whoever is killed
// between the two finds the full charge still set aside.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/result.h"
#include "base/domain/money.h"

namespace cg::budget {

using cg::Price;  // from policy; no price, no call

struct Caps {
  std::uint64_t tokens = 250'000;  // of a workflow, in and out
  Money usd = Money::parse_or_die("1.50");
  std::uint64_t tokens_per_call = 32'000;
};

inline constexpr std::uint64_t kMaxCalls = 1000;                 // of a workflow
inline constexpr std::uint64_t kMostTokens = 1'000'000'000'000;  // more is beyond every cap
struct Usage {                                                   // as the server counts
  std::uint64_t input = 0, output = 0, cache_write = 0, cache_read = 0;
  [[nodiscard]] std::uint64_t tokens() const;
  friend bool operator==(const Usage&, const Usage&) = default;
};
[[nodiscard]] Money cost(const Usage& usage, const Price& price);  // rounded up
/// The largest request that `tokens` pay for beside an answer of `max_output`: see precharge().
[[nodiscard]] std::uint64_t most_bytes(std::uint64_t tokens, std::uint64_t max_output);

/// The right to one call. Moved, never copied; only a Ledger makes one.
class Token {
 public:
  Token(Token&& other) noexcept
      : call_(std::exchange(other.call_, 0)), max_output_(other.max_output_) {}
  Token& operator=(Token&&) = delete;
  Token(const Token&) = delete;
  Token& operator=(const Token&) = delete;
  ~Token() = default;
  [[nodiscard]] std::uint64_t call() const { return call_; }
  [[nodiscard]] std::uint64_t max_output() const { return max_output_; }

 private:
  friend class Ledger;
  friend class Receipt;
  Token(std::uint64_t call, std::uint64_t max_output) : call_(call), max_output_(max_output) {}
  std::uint64_t call_;  // 0: handed on
  std::uint64_t max_output_;
};

/// That a token was used: what a call gives back, and what settles it. Once.
class Receipt {
 public:
  explicit Receipt(Token&& used) : call_(std::exchange(used.call_, 0)) {}
  Receipt(Receipt&& other) noexcept : call_(std::exchange(other.call_, 0)) {}
  Receipt& operator=(Receipt&&) = delete;
  Receipt(const Receipt&) = delete;
  Receipt& operator=(const Receipt&) = delete;
  ~Receipt() = default;
  [[nodiscard]] std::uint64_t call() const { return call_; }

 private:
  friend class Ledger;
  std::uint64_t call_;
};

struct Spent {
  std::uint64_t tokens = 0;  // settled, and what is set aside
  Money usd;
  std::uint64_t calls = 0;
  friend bool operator==(const Spent&, const Spent&) = default;
};

struct Refusal {
  /// `overshoot`: a call used more than was set aside, so estimates are no bound any more.
  enum class Cap { tokens, usd, per_call, no_price, overshoot, calls } cap;
  std::string what;  // one sentence with the numbers
};
[[nodiscard]] std::string_view name(Refusal::Cap cap);  // "per_call"

/// One call, in the ledger and as the audit log tells it.
struct Call {
  enum class State : std::uint8_t { open, settled, forfeited };
  std::uint64_t id = 0;  // 1, 2, 3 …
  std::uint64_t reserved_tokens = 0;
  Money reserved_usd;
  State state = State::open;
  Usage usage;  // of a settled call, likewise usd
  Money usd;
  [[nodiscard]] bool is_over() const;  // it used more than was set aside
  friend bool operator==(const Call&, const Call&) = default;
};
/// What precharge() would set aside for this call.
[[nodiscard]] Call most_for(std::uint64_t prompt_bytes, std::uint64_t max_output,
                            const Price& price);

class Ledger {
 public:
  Ledger(Caps caps, std::optional<Price> price) : caps_(caps), price_(std::move(price)) {}

  /// `prompt_bytes`, of the whole request body, are counted as tokens on the safe side: one
  /// for every two bytes and 64 more, at the dearest of the input prices.
  [[nodiscard]] Result<Token, Refusal> precharge(std::uint64_t prompt_bytes,
                                                 std::uint64_t max_output);
  /// Settles a call. What was set aside and not used comes back; more than was set aside
  /// counts in full, and no further call is allowed.
  void reconcile(Receipt&& receipt, const Usage& usage);
  /// A call of which nobody knows what it cost keeps all that was set aside.
  void forfeit(Receipt&& receipt);

  [[nodiscard]] Spent spent() const;
  [[nodiscard]] Spent spent(std::size_t first, std::size_t end) const;  // of these in calls()
  [[nodiscard]] bool overshot() const;
  [[nodiscard]] const Caps& caps() const { return caps_; }
  [[nodiscard]] const auto& price() const { return price_; }
  /// In the order of their ids; call N is at N - 1.
  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
  [[nodiscard]] bool take_warning();  // 80 % of a cap is gone, told once

  /// The ledger as text: a line of canonical JSON, and a line with its BLAKE3 digest.
  [[nodiscard]] std::string write() const;
  /// Takes exactly what write() makes. Who recomputes the digest is found by check().
  [[nodiscard]] static Result<Ledger, std::string> read(std::string_view text, Caps caps,
                                                        std::optional<Price> price);

 private:
  friend Result<Ledger, std::string> check(Ledger, const std::vector<Call>&);
  [[nodiscard]] Call& open_call(std::uint64_t id);
  Caps caps_;
  std::optional<Price> price_;
  std::vector<Call> calls_;
  bool warned_ = false;
};

/// The ledger, if the workflow's events tell the same calls: the log is the witness of a file
/// that anybody can write. A step is logged before the file is written, so a killed process
/// leaves the file one step behind, and that step is taken from the log. Anything else is an error.
[[nodiscard]] Result<Ledger, std::string> check(Ledger ledger, const std::vector<Call>& logged);

}  // namespace cg::budget
