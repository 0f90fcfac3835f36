#include "access.h"

#include "base/base/text.h"
#include "progress.h"

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

}  // namespace cg::program
