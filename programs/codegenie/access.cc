#include "access.h"

#include "base/base/text.h"
#include "flow/history/origin.h"
#include "progress.h"
#include "prove/evidence/verify.h"

namespace cg::program {

Result<Access, Problem> open_workspace(const Session& session) {
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  return supplies::open_workspace(settings);
}

Result<audit::LogReport, Problem> verify_log(const Access& access,
                                             const cli::Invocation& invocation,
                                             const Session& session) {
  ProgressLine line(invocation, session);
  return workspace::verify_log(access, [&](std::uint64_t entries) {
    line.say("verifying the audit log: " + counted(entries, "entry", "entries"));
  });
}

Result<evidence::Witness, Problem> read_witness(const Access& access, const std::string& workflow,
                                                const cli::Invocation& invocation,
                                                const Session& session) {
  ProgressLine line(invocation, session);
  return history::sound_witness(access, workflow, [&](std::uint64_t entries) {
    line.say("verifying the audit log: " + counted(entries, "entry", "entries"));
  });
}

Result<evidence::Files, Problem> sound_evidence(const Access& access, const WorkflowId& workflow,
                                                const cli::Invocation& invocation,
                                                const Session& session) {
  const os::Dir& home = access.workspace.home;
  CG_TRY_ASSIGN(evidence::Files files, evidence::read_bundle(home, workflow));
  evidence::Trust trust;
  trust.workflow = workflow.str();
  CG_TRY_ASSIGN(trust.log, read_witness(access, trust.workflow, invocation, session));
  const evidence::BundleReport bundle = evidence::verify_bundle(files, trust);
  if (bundle.breaks.empty()) return files;
  const evidence::Break& first = bundle.breaks.front();
  const std::string place = home.path_of(evidence::folder_of(trust.workflow));
  return fail(Problem{ErrorCode::evidence_broken,
                      "evidence does not hold: " + first.file + " " + first.what,
                      {{"file", printable(place + "/" + first.file)}},
                      "nothing was rendered",
                      {"codegenie verify " + trust.workflow, "codegenie audit verify"}});
}

}  // namespace cg::program
