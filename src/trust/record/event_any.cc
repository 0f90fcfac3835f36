#include "trust/record/event_any.h"

#include <utility>

namespace cg::record {

#define CG_EVENT(E) \
  Event::Event(E event) : any_(std::make_shared<const Any>(Any{AnyEvent(std::move(event))})) {}
#include "trust/record/events.def"
#undef CG_EVENT

template <class E>
const E* Event::as() const {
  return std::get_if<E>(&any_->value);
}
#define CG_EVENT(E) template const E* Event::as<E>() const;
#include "trust/record/events.def"
#undef CG_EVENT

bool operator==(const Event& a, const Event& b) { return a.any_->value == b.any_->value; }

}  // namespace cg::record
