#include "fix/report/samples.h"

#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <utility>

#include "base/base/bytes.h"
#include "fix/report/report.h"
#include "prove/evidence/samples_test.h"
#include "trust/audit/workflow_log.h"

namespace cg::evidence::test {

Bench::Bench() { EXPECT_TRUE(audit::create_log(home, "test 1", clock, random)); }

audit::Log Bench::open_log() {
  auto log = audit::Log::open(home, {home_path, scratch / "guard"}, clock);
  EXPECT_TRUE(log) << log.error().what;
  return *std::move(log);
}

Draft Bench::run(Stage stage) {
  audit::Log log = open_log();
  auto workflow = audit::WorkflowLog::start(log, "remediate", clock, random);
  EXPECT_TRUE(workflow) << workflow.error().what;
  report::Case c = report::test::fixed_case();
  c.workflow = workflow->id().str();
  c.evidence = folder_of(c.workflow);
  const Made made = make(std::move(c));
  Draft draft = draft_bundle(made.c, made.parts);
  record::Events events = {record::CheckRan{"plan", "made", "ok"}};
  for (const report::Branch& branch : made.c.branches) {
    events.push_back(record::BranchWritten{branch.name, branch.commit, "new"});
  }
  events.push_back(record::EvidenceWritten{draft.digest, folder_of(draft.workflow)});
  EXPECT_TRUE(workflow->append(events));
  if (stage == Stage::running) return draft;
  EXPECT_TRUE(std::move(*workflow).end(log, "fixed"));
  if (stage == Stage::ended) return draft;
  EXPECT_TRUE(log.checkpoint());
  return draft;
}

std::string Bench::write(const std::optional<sign::Seed>& key, Stage stage) {
  const auto written = write_bundle(home, run(stage), key);
  EXPECT_TRUE(written) << written.error().what;
  return home_path + "/" + written->folder;
}

std::string commit_object(const report::Case& c, const report::Branch& branch) {
  return "tree " + std::string(40, '7') + "\nparent " + c.base +
         "\nauthor codegenie <codegenie@localhost> 0 +0000\n"
         "committer operator <operator@example> 0 +0000\n\n" +
         report::commit_message(c, branch);
}

std::string commit_id(const std::string& object) {
  std::string bytes = "commit " + std::to_string(object.size());
  bytes += '\0';
  bytes += object;
  std::array<Byte, SHA_DIGEST_LENGTH> out{};
  SHA1(as_bytes(bytes).data(), bytes.size(), out.data());
  return to_hex(out);
}

Made make(report::Case c) {
  Made out{std::move(c), {}};
  const std::vector<report::Gate> gates = std::exchange(out.c.gates, {});
  for (report::Branch& branch : out.c.branches) {
    for (report::Gate gate : gates) {
      gate.branch = branch.name;
      out.c.gates.push_back(std::move(gate));
    }
    out.parts.gates.push_back({{"gates/tests.json", "{}\n"}});
    const std::string object = commit_object(out.c, branch);
    branch.commit = commit_id(object);
    out.parts.commits.push_back({object, "--- a/package.json\n+++ b/package.json\n"});
  }
  out.parts.before = report::test::before_scan();
  out.parts.after = report::test::after_scan();
  out.parts.context = "{}\n";
  out.parts.plugin = "vulnerability-remediation--node--npm";
  out.parts.plugin_digest = "sha256:" + std::string(64, '1');
  return out;
}

}  // namespace cg::evidence::test
