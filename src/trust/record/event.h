// Events: the closed list of what the audit log can say.
//
// Every event is a plain struct with a kind, a sentence and a list of fields in
// alphabetical order; writing, reading and the table in doc/format/events.md are
// made from that list, so they cannot drift apart. Text fields hold at most their
// cap; what a person or a model wrote appears cut, or as a digest, never whole.
#pragma once

#include <memory>
#include <vector>

#include "trust/record/event_alarm.h"
#include "trust/record/event_cassette.h"
#include "trust/record/event_data.h"
#include "trust/record/event_deed.h"
#include "trust/record/event_embedder.h"
#include "trust/record/event_fix.h"
#include "trust/record/event_gate.h"
#include "trust/record/event_leaf.h"
#include "trust/record/event_learn.h"
#include "trust/record/event_log.h"
#include "trust/record/event_prompt.h"
#include "trust/record/event_rag.h"
#include "trust/record/event_recall.h"
#include "trust/record/event_spend.h"
#include "trust/record/event_tier.h"
#include "trust/record/event_unproven.h"

namespace cg::record {

/// One of them. Taking it apart exhaustively needs trust/record/event_any.h; making one and asking
/// for one kind does not, so that whoever only appends events does not pay for the list.
class Event {
 public:
#define CG_EVENT(E) Event(E event);
#include "trust/record/events.def"
#undef CG_EVENT

  /// Null if it is another kind.
  template <class E>
  [[nodiscard]] const E* as() const;

  struct Any;  // trust/record/event_any.h
  [[nodiscard]] const Any& any() const { return *any_; }
  friend bool operator==(const Event& a, const Event& b);

 private:
  std::shared_ptr<const Any> any_;
};
using Events = std::vector<Event>;

}  // namespace cg::record
