// What test runners and compilers write, and scripts that call them.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/text.h"
#include "prove/runners/runner.h"
#include "prove/runners/shown.h"
#include "prove/runners/tsconfig.h"
#include "prove/runners/type_errors.h"

namespace {

void check(const cg::runners::TestRun& run) {
  using cg::runners::Outcome;
  cg::runners::Totals counted;
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    const cg::runners::TestCase& c = run.cases[i];
    if (i > 0 && c < run.cases[i - 1]) std::abort();
    if (c.id.size() > cg::runners::kMaxIdBytes || cg::printable(c.id) != c.id) std::abort();
    if (c.outcome == Outcome::passed) ++counted.passed;
    if (c.outcome == Outcome::failed) ++counted.failed;
    if (c.outcome == Outcome::skipped) ++counted.skipped;
  }
  if (counted != run.totals && run.detail == cg::runners::Detail::cases) std::abort();
  if (run.complete != run.why_not.empty() && run.detail == cg::runners::Detail::cases) std::abort();
  if (!cg::runners::compare(run, run).is_clean()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using cg::runners::Runner;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Runner runner :
       {Runner::jest, Runner::mocha, Runner::node_test, Runner::tap, Runner::ava}) {
    check(cg::runners::read_report(runner, text, "/r"));
  }
  check(cg::runners::read_summary(text));
  const cg::runners::TypeErrors errors = cg::runners::read_type_errors(text);
  if (errors.count < errors.lines.size()) std::abort();
  const auto projects = cg::runners::projects_of(
      [&](const std::string&) { return std::optional(std::string(text)); });
  if (!projects || projects->size() > cg::runners::kMaxProjects) std::abort();
  check(cg::runners::read_reports({{"1.jest", ""},
                                   {"1.jest.report", std::string(text)},
                                   {"2.tap", ""},
                                   {"2.tap.report", std::string(text)}},
                                  "/r"));
  const std::string shown = cg::runners::tail(text, 64);
  if (shown.size() > 64 || !cg::is_utf8(shown)) std::abort();
  return 0;
}
