// What asking a model takes: a question, and who is asked, looked up and told on the way.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/domain/source_kind.h"
#include "fix/plugin/skill.h"
#include "model/budget/budget.h"
#include "model/leaf/leaf.h"
#include "model/prompt/builder.h"
#include "model/prompt/kept.h"
#include "trust/record/event.h"

namespace cg::tiers {

/// A text that others wrote, and what we call it.
struct Text {
  SourceKind kind = SourceKind::source_snippet;
  std::string payload;
  std::string label;
  std::size_t line = 0;  // of the file that `label` names, where it begins; 0: it is no part of one
  /// The same in less, the longest first, for where there is no room for all of it.
  std::vector<std::string> shorter = {};
};

struct Question {
  std::string group;  // which copies: see record::AttemptEnded
  prompt::Task task;
  std::vector<Text> texts;
  unsigned before = 0;  // attempts at this group that no model and no example had thought of
};

/// A fix of something alike that passed its gates.
struct Example {
  std::string record;      // its id
  std::string similarity;  // "0.87"
  bool degraded = false;   // near, not near enough to be called a hit
  std::string text;
};

/// Tier 2.
class Retrieval {
 public:
  virtual ~Retrieval() = default;
  /// The nearest first, three at most. `events` gets what was looked at for it.
  [[nodiscard]] virtual std::vector<Example> nearest(const Question& question, unsigned attempt,
                                                     record::Events& events) = 0;
};

/// Where ledger, events and questions go before a call is made and after it: they survive us.
class Journal {
 public:
  virtual ~Journal() = default;
  /// What is about to be sent; the events have its digest.
  [[nodiscard]] virtual Result<Done, Problem> keep(const prompt::Kept& prompt) = 0;
  [[nodiscard]] virtual Result<Done, Problem> keep(const budget::Ledger& ledger) = 0;
};

struct Tools {
  leaf::Leaf& leaf;
  Retrieval& retrieval;
  Journal& journal;
  const plugin::Skill& skill;
  prompt::NonceSource& nonces;
  std::string model;
  /// Who answers: somebody who is paid, or a cassette.
  enum class Answers { live, replayed } answers = Answers::live;
};

}  // namespace cg::tiers
