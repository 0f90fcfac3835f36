#include "prove/gate/signal.h"

#include "base/base/assert.h"
#include "base/base/text.h"
#include "prove/runners/shown.h"

namespace cg::gate {

std::string_view name(State state) {
  switch (state) {
    case State::passed:
      return "passed";
    case State::failed:
      return "failed";
    case State::missing:
      return "missing";
    case State::forged:
      return "forged";
    case State::absent:
      return "absent";
  }
  CG_ASSERT(false);
}

std::string_view Signal::side() const {
  if (!blocks()) return "";
  if (blame == Blame::other) return "";
  return blame == Blame::base ? "base" : "fix";
}

void Reasons::add(std::string_view reason) {
  if (++count_ <= kMaxReasons) out_.push_back(runners::one_line(reason, kMaxReasonBytes));
}

Reasons::~Reasons() {
  if (count_ > kMaxReasons) out_.push_back("and " + grouped(count_ - kMaxReasons) + " more");
}

}  // namespace cg::gate
