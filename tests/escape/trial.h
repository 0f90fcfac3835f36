// Trial: one act in one chamber, and all that has to be true afterwards.
#pragma once

#include <memory>
#include <string>

#include "acts.h"
#include "host.h"

namespace cg::escape {

/// Jails by the programs of this build.
[[nodiscard]] std::unique_ptr<sandbox::Chambers> jails();

/// Runs the act as a step and checks with gtest that it ended as `expected`, that nothing
/// of the host was reached, and what its name asks for besides. Wall caps are divided by
/// `factor`, by which the chamber multiplies them. False: the chamber is of no use any more.
bool try_act(sandbox::Chamber& chamber, const Act& act, const std::string& expected, Host& host,
             unsigned factor = 1);

/// The chamber still does what it is told.
void expect_usable(sandbox::Chamber& chamber);

/// Runs this very test program as an ordinary user, with a filter of its own; its output if
/// it failed. For a test that is root.
[[nodiscard]] std::string failures_as_ordinary_user(const std::string& filter);

}  // namespace cg::escape
