#include "access.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/base/text.h"
#include "base/domain/tool.h"
#include "flow/history/origin.h"
#include "flow/supplies/npm_config.h"
#include "progress.h"
#include "prove/evidence/verify.h"

namespace cg::program {

Result<Access, Problem> open_workspace(const Session& session) {
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  return supplies::open_workspace(settings);
}

Result<workspace::Workspace, Problem> make_workspace(const Session& session,
                                                     const std::string& home,
                                                     workspace::Preset preset) {
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  os::SystemClock clock;
  os::SystemRandom random;
  CG_TRY_ASSIGN(workspace::Workspace made, workspace::init(home, settings.get(cli::Key::guard_dir),
                                                           preset, tool_name(), clock, random));
  CG_TRY(
      supplies::keep_public_registry(made, supplies::learn_public_registry(session.environment)));
  return made;
}

Result<Access, Problem> open_first_workspace(const Session& session, std::string& made) {
  auto opened = open_workspace(session);
  if (opened || opened.error().code != ErrorCode::home_missing) return opened;
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  const std::string& home = settings.get(cli::Key::home);
  const auto guard = os::Dir::open(settings.get(cli::Key::guard_dir));
  bool unknown = !guard && guard.error().kind == os::Error::Kind::not_found;
  if (guard) {
    const auto known = guard->list(".", 1);
    unknown = known && known->empty();
  }
  struct stat status {};
  const bool free = lstat(home.c_str(), &status) != 0 && errno == ENOENT;
  const bool default_place = settings.at(cli::Key::home).origin.layer == cli::Layer::built_in;
  if (!unknown || !free || !default_place) return opened;
  CG_TRY_ASSIGN(const workspace::Workspace fresh,
                make_workspace(session, home, workspace::Preset::standard));
  made = printable(fresh.path);
  return open_workspace(session);
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
