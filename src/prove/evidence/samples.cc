#include "fix/report/samples.h"

#include <gtest/gtest.h>

#include <utility>

#include "fix/report/report.h"
#include "prove/evidence/samples_test.h"
#include "trust/audit/workflow_log.h"

namespace cg::evidence::test {

Bench::Bench() : about(report::test::fixed_case()) {
  EXPECT_TRUE(audit::create_log(home, "test 1", clock, random));
}

audit::Log Bench::open_log() {
  auto log = audit::Log::open(home, {home_path, scratch / "guard"}, clock);
  EXPECT_TRUE(log) << log.error().what;
  return *std::move(log);
}

Draft Bench::run(Stage stage, const std::optional<sign::Seed>& key) {
  audit::Log log = open_log();
  auto workflow = audit::WorkflowLog::start(log, "remediate", clock, random);
  EXPECT_TRUE(workflow) << workflow.error().what;
  report::Case c = about;
  c.workflow = workflow->id().str();
  c.evidence = folder_of(c.workflow);
  Made made = make(std::move(c));
  if (lie) lie(made);
  Told told = tell(made, key);
  if (last_lie) last_lie(told.events);
  EXPECT_TRUE(workflow->append(told.events));
  if (stage == Stage::running) return told.draft;
  EXPECT_TRUE(std::move(*workflow).end(log, std::string(report::name(made.c.outcome))));
  if (stage == Stage::ended) return told.draft;
  EXPECT_TRUE(log.checkpoint());
  return told.draft;
}

std::string Bench::write(const std::optional<sign::Seed>& key) {
  const auto written = write_bundle(home, run(Stage::signed_off, key), key);
  EXPECT_TRUE(written) << written.error().what;
  return home_path + "/" + written->folder;
}

}  // namespace cg::evidence::test
