// Events: the closed list of what the audit log can say.
//
// Every event is a plain struct with a kind, a sentence and a list of fields in
// alphabetical order; writing, reading and the table in doc/format/events.md are
// made from that list, so they cannot drift apart. Text fields hold at most their
// cap; what a person or a model wrote appears cut, or as a digest, never whole.
#pragma once

#include <memory>
#include <vector>

#include "record/event_cassette.h"
#include "record/event_data.h"
#include "record/event_deed.h"
#include "record/event_fix.h"
#include "record/event_gate.h"
#include "record/event_leaf.h"
#include "record/event_log.h"
#include "record/event_prompt.h"
#include "record/event_spend.h"
#include "record/event_tier.h"

namespace cg::record {

/// One of them. Taking it apart exhaustively needs record/event_any.h; making one and asking
/// for one kind does not, so that whoever only appends events does not pay for the list.
class Event {
 public:
#define CG_EVENT(E) Event(E event);
#include "record/events.def"
#undef CG_EVENT

  /// Null if it is another kind.
  template <class E>
  [[nodiscard]] const E* as() const;

  struct Any;  // record/event_any.h
  [[nodiscard]] const Any& any() const { return *any_; }
  friend bool operator==(const Event& a, const Event& b);

 private:
  std::shared_ptr<const Any> any_;
};
using Events = std::vector<Event>;

}  // namespace cg::record
