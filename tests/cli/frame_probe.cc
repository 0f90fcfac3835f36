// A program with the frame of codegenie, commands that misbehave on purpose, and some that write
// the log and the evidence of a remediation, and what was learned of it, without doing it.
#include <stdexcept>

#include "access.h"
#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "fix/report/samples.h"
#include "flow/workspace/prompts.h"
#include "learn/rag/writer.h"
#include "prove/evidence/story.h"
#include "prove/gate/samples.h"
#include "start.h"
#include "support/markers.h"
#include "text/gate_display.h"
#include "trust/audit/workflow_log.h"

namespace {

using cg::ExitCode;
using cg::Problem;
using cg::Result;
using cg::cli::Command;
using cg::cli::Format;
using cg::cli::Invocation;
using cg::program::Report;
using cg::program::Session;

Result<Report, Problem> run_broken(const Invocation&, Session&) {
  Report report = cg::program::json_report(
      cg::json::Value::Object{{"integrity", "broken"}},
      [](const cg::cli::Style& style) {
        return std::string(style.glyph(cg::cli::Glyph::fail)) + " chain  broken\n";
      },
      ExitCode::integrity);
  report.problem =
      Problem{cg::ErrorCode::config_bad, "chain broken at entry 4", {{"file", "log"}}, "none", {}};
  report.warnings = {"the clock went back"};
  report.hints = {"read `codegenie help audit-recovery`"};
  return report;
}

Result<Report, Problem> run_assert(const Invocation&, Session&) {
  CG_ASSERT(1 + 1 == 3);
  return cg::program::text_report("");
}

Result<Report, Problem> run_throw(const Invocation&, Session&) {
  throw std::runtime_error("out of luck");
}

Result<Report, Problem> run_mistyped(const Invocation& invocation, Session&) {
  return cg::program::text_report(invocation.has("jsno") ? "yes\n" : "no\n");
}

cg::record::Events remediation_events() {
  using namespace cg::record;  // NOLINT(google-build-using-namespace): a list of events
  return {RemediationStarted{std::string(40, 'c'), "/srv/shop", "CVE-2000-1"},
          PluginLoaded{{}, "vulnerability-remediation--node--npm"},
          CapabilityMinted{"git_local_ops", "/srv/shop codegenie/"},
          ContextGathered{{}, 1, 12},
          RegistryConsulted{{}, 3},
          ProvenanceClassified{"GHSA-1", 2, "app_transitive", "node_modules/a"},
          RecipeAnswered{"no", "node_modules/a", "a", "no safe version is within every range",
                         "npm-relock@1"},
          RecipeAnswered{"yes", "node_modules/a", "a", "a rule can ask for a safe version",
                         "npm-override@1"},
          PlanMade{1, {}, 2, 1, 0, 0},
          OverrideAdded{"b > a", "no release of b asks for a safe version", "1.0.1"},
          EditsApplied{{}, 2},
          CapabilityUsed{"git_local_ops", "write the branch"},
          BranchWritten{"codegenie/cve-2000-1", std::string(40, 'd'), "new"},
          HandoffWritten{"evidence/handoff.md"},
          EvidenceWritten{{}, "evidence"},
          RemediationRefused{7, "one copy is bundled"}};
}

Result<Report, Problem> record_remediation(Session& session, const cg::record::Events& events,
                                           const std::string& outcome) {
  CG_TRY_ASSIGN(const cg::program::Access access, cg::program::open_workspace(session));
  cg::os::SystemClock clock;
  cg::os::SystemRandom random;
  CG_TRY_ASSIGN(cg::audit::Log log, cg::program::open_log(access, clock));
  CG_TRY_ASSIGN(cg::audit::WorkflowLog workflow,
                cg::audit::WorkflowLog::start(log, "remediate", clock, random));
  const std::string id = workflow.id().str();
  CG_TRY(workflow.append(events));
  CG_TRY(std::move(workflow).end(log, outcome));
  CG_TRY(log.checkpoint());
  return cg::program::text_report(id + "\n");
}

Result<Report, Problem> run_remediation(const Invocation&, Session& session) {
  return record_remediation(session, remediation_events(), "partly_fixed");
}

/// A question that somebody sent, and that was kept.
Result<Report, Problem> run_question(const Invocation&, Session& session) {
  using namespace cg::record;  // NOLINT(google-build-using-namespace): a list of events
  const std::string nonce(32, 'a');
  const cg::prompt::Kept kept{"what we say",
                              "# Task\n\nadvisory: GHSA-1\npackage: a\nmanifest: package.json\n"
                              "\nThe advisory (a):\n<UNTRUSTED_INPUT id=" +
                                  nonce + ">\nslow\n</UNTRUSTED_INPUT id=" + nonce + ">\n"};
  CG_TRY_ASSIGN(const cg::program::Access access, cg::program::open_workspace(session));
  CG_TRY(cg::workspace::keep_prompt(access.workspace, kept));
  return record_remediation(
      session,
      {CanaryCollision{80, "folded", 2, "cve_description", {}, 17, "override-1", "no"},
       SecretsRedacted{40, 1, "cve_description", "github"},
       PayloadTruncated{4, 9000, "cve_description"}, FenceCreated{4, {}, 9000, "cve_description"},
       SegmentDropped{900, "repo_readme", ""}, BudgetPrecharged{1, "model-1", 12'500, "0.19"},
       LeafInvoked{2, 1, cg::prompt::digest_of(kept.system, kept.user), "g", 12'000, "model-1"}},
      "not_fixed");
}

/// The same, turned down by the gates.
Result<Report, Problem> run_unfixed(const Invocation&, Session& session) {
  using namespace cg::record;  // NOLINT(google-build-using-namespace): a list of events
  return record_remediation(session,
                            {RemediationStarted{std::string(40, 'c'), "/srv/shop", "CVE-2000-1"},
                             PlanMade{1, {}, 2, 1, 0, 0}},
                            "not_fixed");
}

/// Evidence of a workflow that nobody ran, as it would be if somebody had. With a commit and a
/// tree of theirs, the branch would be one of that repository.
Result<Report, Problem> run_evidence(const Invocation& invocation, Session& session) {
  namespace sample = cg::evidence::test;
  CG_TRY_ASSIGN(const cg::program::Access access, cg::program::open_workspace(session));
  cg::os::SystemClock clock;
  cg::os::SystemRandom random;
  CG_TRY_ASSIGN(cg::audit::Log log, cg::program::open_log(access, clock));
  CG_TRY_ASSIGN(cg::audit::WorkflowLog workflow,
                cg::audit::WorkflowLog::start(log, "remediate", clock, random));
  cg::report::Case c = cg::report::test::fixed_case();
  c.workflow = workflow.id().str();
  c.evidence = cg::evidence::folder_of(c.workflow);
  const auto& given = invocation.arguments;
  if (given.size() == 2) c.base = given[0];
  sample::Made made = sample::make(c, given.size() == 2 ? given[1] : std::string(40, '7'));
  if (given.size() == 2) made.parts.commits[0].patch.clear();  // the tree is the base's
  std::optional<cg::sign::Seed> key;
  if (invocation.has("sign")) key.emplace().fill(7);
  sample::Told told = sample::tell(made, key);
  CG_TRY(workflow.append(told.events));
  CG_TRY(std::move(workflow).end(log, "fixed"));
  CG_TRY(log.checkpoint());
  CG_TRY(cg::evidence::write_bundle(access.workspace.home, std::move(told.draft), key));
  return cg::program::text_report(c.workflow + "\n");
}

Command evidence_command() {
  return {.path = {"evidence"},
          .summary = "Write evidence of nothing",
          .arguments = {{.name = "COMMIT", .presence = cg::cli::Presence::any_number}},
          .flags = {{.name = "sign", .help = "by a key that everybody knows"}}};
}

std::string all_markers() {
  std::string out;
  for (const std::string& text : cg::test::marker_texts()) out += text + "\n";
  return out;
}

/// Every output of the frame with text that nobody made harmless before.
Result<Report, Problem> run_markers(const Invocation& invocation, Session& session) {
  cg::program::GateDisplay display(invocation, session);
  cg::json::Value::Array values;
  Report report;
  for (const std::string& text : cg::test::marker_texts()) {
    values.emplace_back(cg::is_utf8(text) ? text : cg::printable(text));
    report.warnings.push_back(text);
    report.hints.push_back(text);
    display.head(text);
    display.step({text, cg::gate::Progress::State::failed, {}, text});
  }
  report.render = [values](Format format, const cg::cli::Style& style) {
    if (format == Format::jsonl) return cg::json::write_json(values) + "\n";
    const bool json = format != Format::table && format != Format::markdown &&
                      format != Format::html && format != Format::pr_body &&
                      format != Format::commit_message;
    if (json) return cg::json::write_json(values) + "\n";
    return all_markers() + style.foreign(all_markers());
  };
  report.problem = Problem{cg::ErrorCode::config_bad, all_markers(), {}, all_markers(), {}};
  for (const std::string& text : cg::test::marker_texts()) {
    report.problem->where.emplace_back(text, text);
    report.problem->help.push_back(text);
  }
  return report;
}

Result<Report, Problem> run_markers_lost(const Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Report report, run_markers(invocation, session));
  return cg::fail(*report.problem);
}

Result<Report, Problem> run_markers_thrown(const Invocation&, Session&) {
  throw std::runtime_error(all_markers());
}

Result<Report, Problem> run_markers_exact(const Invocation&, Session&) {
  Report report = cg::program::text_report(all_markers());
  report.bytes = cg::program::Bytes::exact;
  return report;
}

/// A fix that passed, remembered for the package that is named; prints the record's id.
Result<Report, Problem> run_example(const Invocation& invocation, Session& session) {
  using namespace cg::gate::test;  // NOLINT(google-build-using-namespace): samples
  CG_TRY_ASSIGN(const cg::program::Access access, cg::program::open_workspace(session));
  cg::os::SystemClock clock;
  cg::os::SystemRandom random;
  CG_TRY_ASSIGN(cg::audit::Log log, cg::program::open_log(access, clock));
  CG_TRY_ASSIGN(cg::audit::WorkflowLog workflow,
                cg::audit::WorkflowLog::start(log, "remediate", clock, random));
  cg::example::Example example;
  example.partition = {"vuln-remediation", "javascript", "npm"};
  example.advisory = "GHSA-1";
  example.package = invocation.arguments.at(0);
  example.from = "1.4.2";
  example.to = "2.0.0";
  example.breaks = cg::example::Break::name_gone;
  example.changed = {"open"};
  example.summary = "x session ids can be guessed";
  example.difference = "removed: open(id)\nadded: Session.load(id)";
  example.kind = "callsite_rewrite";
  example.plan = "--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-s.open(1)\n+s.Session.load(1)\n";
  example.sites = {{"javascript", "s.open(1)", "s.Session.load(1)"}};
  example.model = "model-1";
  example.workflow = workflow.id().str();
  const auto verdict = cg::gate::judge(trial_sample(), trial_sample(), comparison_sample());
  CG_TRY_ASSIGN(cg::rag::Writer store, cg::rag::Writer::open(access.workspace.home, log));
  cg::record::Events events;
  CG_TRY_ASSIGN(const cg::rag::Written written,
                store.write(example, std::get<cg::gate::Passed>(verdict), {}, 1, events));
  CG_TRY(workflow.append(events));
  CG_TRY(std::move(workflow).end(log, "fixed"));
  CG_TRY(log.checkpoint());
  return cg::program::text_report(written.id + "\n");
}

Command example_command() {
  Command out{.path = {"example"}, .summary = "Remember a fix"};
  out.arguments = {{.name = "PACKAGE", .help = "that it is about"}};
  return out;
}

Command command(std::string_view word) {
  return {.path = {word},
          .summary = "Misbehave",
          .formats = {Format::table, Format::json, Format::jsonl}};
}

Command markers_command(std::string_view word) {
  Command out = command(word);
  out.formats.assign(std::begin(cg::cli::kFormats), std::end(cg::cli::kFormats));
  return out;
}

const cg::program::CommandSet& probe_commands() {
  static const auto set =
      cg::program::make_command_set({.program = "frame_probe",
                                     .version = "0.0.0",
                                     .summary = "misbehave",
                                     .nouns = {},
                                     .commands = {}},
                                    {{command("broken"), run_broken},
                                     {command("assert"), run_assert},
                                     {command("throw"), run_throw},
                                     {command("mistyped"), run_mistyped},
                                     {command("remediation"), run_remediation},
                                     {command("unfixed"), run_unfixed},
                                     {command("question"), run_question},
                                     {example_command(), run_example},
                                     {markers_command("markers"), run_markers},
                                     {markers_command("markers-lost"), run_markers_lost},
                                     {command("markers-thrown"), run_markers_thrown},
                                     {command("markers-exact"), run_markers_exact},
                                     {evidence_command(), run_evidence}});
  return set;
}

}  // namespace

int main(int argc, char** argv) { return cg::program::start(probe_commands, argc, argv); }
