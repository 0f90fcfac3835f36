// Calls: a prompt to the model and what came back, set aside before, settled after, and told.
//
// Of a workflow: its ledger is in here. What may cost money is an event, and in the ledger's file,
// before it happens. A call that used more than was set aside for it is told, and is the last.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "model/budget/budget.h"
#include "model/leaf/leaf.h"
#include "model/leaf/wire.h"
#include "model/prompt/builder.h"
#include "model/tiers/ports.h"
#include "trust/record/event.h"

namespace cg::tiers {

/// What a prompt is for, and how long its answer may be.
struct About {
  std::string group;     // which copies: see record::AttemptEnded
  unsigned attempt = 1;  // from 1
  std::uint32_t max_tokens = leaf::kMaxTokens;
};
/// Whatever came of it; a failure is an answer, too.
struct Called {
  leaf::Answer answer;
  std::uint64_t call = 0;  // in the ledger
  unsigned retries = 0;
};
/// It could cost more than is left, in one sentence.
struct Unaffordable {
  std::string reason;
};

class Calls {
 public:
  Calls(leaf::Leaf& leaf, Journal& journal, std::string model, budget::Ledger ledger,
        record::Events& events)
      : leaf_(leaf),
        journal_(journal),
        model_(std::move(model)),
        ledger_(std::move(ledger)),
        events_(events) {}

  [[nodiscard]] Result<std::variant<Called, Unaffordable>, Problem> make(
      const About& about, const prompt::Prompt& prompt);
  [[nodiscard]] const budget::Ledger& ledger() const { return ledger_; }
  [[nodiscard]] const std::string& model() const { return model_; }

 private:
  void settle(budget::Receipt&& receipt, std::uint64_t call, const budget::Usage* usage);
  void tell_failure(unsigned attempt, std::uint64_t call, const leaf::Failure& failure,
                    unsigned retries);

  leaf::Leaf& leaf_;
  Journal& journal_;
  std::string model_;
  budget::Ledger ledger_;
  record::Events& events_;
};

/// What a call that is over leaves in the log: what it cost, and that this was too much.
[[nodiscard]] record::Events told(const budget::Call& call);

/// BLAKE3 of both texts, as events have it.
[[nodiscard]] hash::Digest digest_of(const prompt::Prompt& prompt);

}  // namespace cg::tiers
