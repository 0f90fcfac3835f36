// A step as it ran, as bytes: what jail and orchestrator say to each other anyway, packed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/base/time.h"
#include "jail/sandbox/chamber.h"

namespace cg::recall {

struct Kept {
  std::string workflow;  // that ran it: a WorkflowId
  Time at{};
  sandbox::InForce in_force;  // while it ran
  sandbox::Ran ran;
};

inline constexpr std::size_t kMaxKeptBytes = 32U << 20U;  // packed

/// Nothing if it is more than is kept.
[[nodiscard]] std::optional<std::string> write_kept(const Kept& kept);
/// Nothing if it is not what write_kept() writes.
[[nodiscard]] std::optional<Kept> read_kept(std::string_view bytes);

}  // namespace cg::recall
