// Signals as JSON: for `remediate --format json` and for the evidence.
#pragma once

#include "base/json/value.h"
#include "jail/sandbox/chamber.h"
#include "prove/gate/signal.h"

namespace cg::gate {

/// {"signal", "state", "passed", "required", "before", "after", "reasons"}; `before` and
/// `after` are null where there are none.
[[nodiscard]] json::Value to_json(const Signal& signal);
/// All of them: the member "gates".
[[nodiscard]] json::Value to_json(const std::vector<Signal>& signals);

/// gates/NAME.json of the evidence, schema "codegenie/gate/v1": the same and the command
/// line, how each side ended, how long it took, digests of what it wrote, and how far
/// apart from the host it ran.
[[nodiscard]] json::Value gate_document(const Signal& signal, sandbox::Isolation isolation);

}  // namespace cg::gate
