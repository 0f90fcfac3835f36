// ProcessLeaf: the Leaf that codegenie uses. It opens no socket and never sees the key.
//
// Every try is a set of processes of its own: codegenie-broker to dial, codegenie-key to fetch
// the key, codegenie-leaf to ask; they end with the answer.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "base/os/ports.h"
#include "model/leaf/conversation.h"
#include "model/leaf/leaf.h"
#include "model/leaf/retry.h"
#include "trust/hash/digest.h"

namespace cg::leaf {

/// Recorded exchanges: where they are found, and where new ones go.
class Tape {
 public:
  virtual ~Tape() = default;
  /// The answer to a request with this body; nothing if none was recorded.
  [[nodiscard]] virtual std::optional<net::Play> find(std::string_view request) = 0;
  /// False if it could not be kept; the answer counts all the same.
  virtual bool keep(const net::Recorded& exchange) = 0;
};

/// Not for several threads at once.
class ProcessLeaf final : public Leaf {
 public:
  /// `tape` is needed for replay and for recording, and may be null otherwise. All must live
  /// as long as this.
  ProcessLeaf(Programs programs, Settings settings, os::Random& random, Pause& pause,
              Tape* tape = nullptr)
      : programs_(std::move(programs)),
        settings_(std::move(settings)),
        random_(random),
        pause_(pause),
        tape_(tape) {}

  [[nodiscard]] Reply invoke(const Call& call, budget::Token token) override;
  /// How often the last call was tried again.
  [[nodiscard]] unsigned retries() const { return retries_; }

 private:
  [[nodiscard]] Answer attempt(const Question& question);
  [[nodiscard]] Answer judge(Outcome outcome, const hash::Digest& request) const;

  Programs programs_;
  Settings settings_;
  os::Random& random_;
  Pause& pause_;
  Tape* tape_;
  unsigned retries_ = 0;
};

}  // namespace cg::leaf
