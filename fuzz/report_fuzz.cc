// What test runners and compilers write, and scripts that call them.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/base/text.h"
#include "prove/gate/runner.h"
#include "prove/gate/shown.h"
#include "prove/gate/trial.h"

namespace {

void check(const cg::gate::TestRun& run) {
  using cg::gate::Outcome;
  cg::gate::Totals counted;
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    const cg::gate::TestCase& c = run.cases[i];
    if (i > 0 && c < run.cases[i - 1]) std::abort();
    if (c.id.size() > cg::gate::kMaxIdBytes || cg::printable(c.id) != c.id) std::abort();
    if (c.outcome == Outcome::passed) ++counted.passed;
    if (c.outcome == Outcome::failed) ++counted.failed;
    if (c.outcome == Outcome::skipped) ++counted.skipped;
  }
  if (counted != run.totals && run.detail == cg::gate::Detail::cases) std::abort();
  if (run.complete != run.why_not.empty() && run.detail == cg::gate::Detail::cases) std::abort();
  if (!cg::gate::compare(run, run).is_clean()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using cg::gate::Runner;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Runner runner :
       {Runner::jest, Runner::mocha, Runner::node_test, Runner::tap, Runner::ava}) {
    check(cg::gate::read_report(runner, text, "/r"));
  }
  check(cg::gate::read_summary(text));
  const cg::gate::TypeErrors errors = cg::gate::read_type_errors(text);
  if (errors.count < errors.lines.size()) std::abort();
  static_cast<void>(cg::gate::detect(text));
  const std::string shown = cg::gate::tail(text, 64);
  if (shown.size() > 64 || !cg::is_utf8(shown)) std::abort();
  return 0;
}
