#include "model/leaf/leaf.h"

#include <cstdlib>

#include "base/base/assert.h"

namespace cg::leaf {

std::string_view name(FailureKind kind) {
  switch (kind) {
    case FailureKind::no_key:
      return "no_key";
    case FailureKind::no_pin:
      return "no_pin";
    case FailureKind::pin_mismatch:
      return "pin_mismatch";
    case FailureKind::tls:
      return "tls";
    case FailureKind::unresolved:
      return "unresolved";
    case FailureKind::unreachable:
      return "unreachable";
    case FailureKind::timeout:
      return "timeout";
    case FailureKind::rate_limited:
      return "rate_limited";
    case FailureKind::server:
      return "server";
    case FailureKind::refused:
      return "refused";
    case FailureKind::protocol:
      return "protocol";
    case FailureKind::setup:
      return "setup";
    case FailureKind::unexpected:
      return "unexpected";
    case FailureKind::not_recorded:
      return "not_recorded";
  }
  std::abort();
}

const Trace& trace_of(const Answer& answer) {
  const auto* proposed = std::get_if<Proposed>(&answer);
  if (proposed != nullptr) return proposed->trace;
  const auto* violated = std::get_if<Violated>(&answer);
  CG_ASSERT(violated != nullptr);
  return violated->trace;
}

}  // namespace cg::leaf
