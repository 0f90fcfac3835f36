#include "access.h"

#include "base/base/text.h"
#include "progress.h"

namespace cg::program {

Result<Access, Problem> open_workspace(const Session& session) {
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  CG_TRY_ASSIGN(workspace::Workspace opened, workspace::open(settings.get(cli::Key::home)));
  return Access{std::move(opened), settings.get(cli::Key::guard_dir),
                settings.get(cli::Key::audit_anchor_dir)};
}

Result<audit::Log, Problem> open_log(const Access& access, os::Clock& clock) {
  return audit::Log::open(access.workspace.home, access.place(), clock);
}

Result<audit::LogReport, Problem> verify_log(const Access& access,
                                             const cli::Invocation& invocation,
                                             const Session& session) {
  ProgressLine line(invocation, session);
  return audit::verify(access.workspace.home, access.verify_options(), [&](std::uint64_t entries) {
    line.say("verifying the audit log: " + counted(entries, "entry", "entries"));
  });
}

std::string tool_name() { return std::string("codegenie ") + CG_VERSION; }

json::Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::string blake3_name(const hash::Digest& digest) { return "blake3:" + to_hex(digest); }

Problem bad_value(const std::string& what, const std::string& help) {
  return {ErrorCode::cli_bad_value, what, {}, "nothing was touched", {help}};
}

}  // namespace cg::program
