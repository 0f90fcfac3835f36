// A workspace of one test, for those that link the module workspace.
#pragma once

#include <gtest/gtest.h>

#include "base/os/ports.h"
#include "flow/workspace/access.h"
#include "support/support.h"

namespace cg::test {

/// In `work` of the folder; its guard and its anchors lie beside.
inline workspace::Access new_workspace(const ScratchDir& scratch) {
  os::SystemClock clock;
  os::SystemRandom random;
  auto made = workspace::init(scratch / "work", scratch / "guard", workspace::Preset::standard,
                              "test", clock, random);
  EXPECT_TRUE(made.has_value()) << made.error().what;
  return {*std::move(made), scratch / "guard", scratch / "anchors"};
}

}  // namespace cg::test
