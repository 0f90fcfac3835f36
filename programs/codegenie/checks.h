// The checks of self-check: what is true of this machine and this workspace.
#pragma once

#include <string>
#include <vector>

#include "access.h"
#include "jail/spawn/protocol.h"

namespace cg::program {

enum class Status { ok, warn, fail };
[[nodiscard]] std::string_view name(Status status);

struct Finding {
  std::string check;  // modes, clock, log, kernel, egress, sandbox, keyring, model
  std::string what;
  Status status;
  std::string detail;
};

[[nodiscard]] std::vector<Finding> check_modes(const Access& access);
[[nodiscard]] std::vector<Finding> check_clock(const Access& access);
[[nodiscard]] std::vector<Finding> check_log(const Access& access);
/// Needs no workspace. Probes by trying, never by version; what a sealed process cannot try,
/// `grants` of the spawner tell.
[[nodiscard]] std::vector<Finding> check_kernel(const spawn::KernelGrants& grants);

}  // namespace cg::program
