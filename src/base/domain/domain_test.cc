#include <gtest/gtest.h>

#include <set>

#include "base/domain/error.h"
#include "base/domain/exit_code.h"
#include "base/domain/ids.h"

namespace cg {
namespace {

TEST(LogId, ParseTakesThirtyTwoLowerCaseDigitsOnly) {
  EXPECT_TRUE(LogId::parse("0123456789abcdef0123456789abcdef"));
  EXPECT_FALSE(LogId::parse("0123456789ABCDEF0123456789abcdef"));
  EXPECT_FALSE(LogId::parse("../etc/passwd"));
  EXPECT_FALSE(LogId::parse(""));
}

TEST(WorkflowId, IsAUlid) {
  const auto id = WorkflowId::make(Time{1469918176385}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(id.str().substr(0, 10), "01ARYZ6S41");  // the time digits of the ULID document
  EXPECT_EQ(id.str(), "01ARYZ6S41000G40R40M30E209");
  EXPECT_EQ(WorkflowId::parse(id.str()), id);
  EXPECT_FALSE(WorkflowId::parse("01aryz6s41000g40r40m30e209"));
  EXPECT_FALSE(WorkflowId::parse("81ARYZ6S41000G40R40M30E209"));
  EXPECT_FALSE(WorkflowId::parse("01ARYZ6S41000G40R40M30E20/"));
}

TEST(ErrorCodes, AreUniqueAndEachHasWords) {
  std::set<std::string_view> seen;
  for (const ErrorCodeRow& r : error_code_table()) {
    EXPECT_TRUE(seen.insert(r.code).second) << r.code;
    EXPECT_TRUE(r.code.starts_with("CG-")) << r.code;
    EXPECT_FALSE(r.title.empty());
    EXPECT_GT(r.explanation.size(), 40U) << r.code;
    EXPECT_EQ(parse_error_code(r.code), r.id);
    EXPECT_EQ(row(r.id).code, r.code);
  }
}

TEST(ExitCodes, AreUnique) {
  std::set<int> seen;
  for (const ExitCodeRow& r : exit_code_table()) EXPECT_TRUE(seen.insert(r.number).second);
}

}  // namespace
}  // namespace cg
