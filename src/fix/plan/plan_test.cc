#include <gtest/gtest.h>

#include "fix/plan/spec_style.h"

namespace cg::plan {
namespace {

TEST(SpecStyle, KeepsTheUsersWay) {
  const struct {
    const char* spec;
    const char* target;
    const char* out;
  } cases[] = {
      {"^1.0.0", "1.2.6", "^1.2.6"},
      {"~1.0.0", "1.2.6", "~1.2.6"},
      {"~1.0", "1.2.6", "~1.2"},
      {"1.0.0", "1.2.6", "1.2.6"},
      {"=1.0.0", "1.2.6", "=1.2.6"},
      {"v1.0.0", "1.2.6", "v1.2.6"},
      {"1.x", "2.3.4", "2.x"},
      {"1.0.x", "1.2.6", "1.2.x"},
      {"^1", "2.3.4", "^2"},
      {">=1.0.0 <2", "2.3.4", "^2.3.4"},
      {"1 || 2", "3.0.0", "^3.0.0"},
      {"npm:a@^1.0.0", "1.2.6", "npm:a@^1.2.6"},
      {"1.0.0-rc.1", "1.0.0", "1.0.0"},
      {"^1.0.0-rc.1", "1.2.6", "^1.2.6"},
      {">=1.0.0", "2.0.0", "^2.0.0"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.spec);
    EXPECT_EQ(restyle(c.spec, *semver::Version::parse(c.target)), c.out);
  }
}

}  // namespace
}  // namespace cg::plan
