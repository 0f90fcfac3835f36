#include "flow/history/entries.h"

#include "trust/audit/layout.h"
#include "trust/audit/problems.h"

namespace cg::history {

namespace {

Result<os::Dir, Problem> open_events(const workspace::Access& access) {
  auto events = access.workspace.home.open_dir(audit::kEvents);
  if (!events) return fail(audit::reading(events.error()));
  return *std::move(events);
}

}  // namespace

Result<std::optional<Problem>, Problem> for_each_entry(const workspace::Access& access,
                                                       const audit::Walker::OnHeld& on_held) {
  CG_TRY_ASSIGN(const os::Dir events, open_events(access));
  const auto lock = os::Lock::hold(events.fd(), os::Lock::Mode::shared, events.path());
  if (!lock) return fail(audit::reading(lock.error()));
  audit::Walker walker("", std::string(record::kSpanning), record::Home::spanning, on_held);
  const auto walked = audit::walk_spanning(events, walker);
  return walked ? std::nullopt : std::optional(walked.error());
}

Result<std::optional<Problem>, Problem> for_each_entry_of(const workspace::Access& access,
                                                          const std::string& workflow,
                                                          const audit::Walker::OnHeld& on_held) {
  CG_TRY_ASSIGN(const os::Dir events, open_events(access));
  audit::Walker walker("", workflow, record::Home::workflow, on_held);
  const auto walked = audit::walk_workflow(events, workflow, walker);
  return walked ? std::nullopt : std::optional(walked.error());
}

}  // namespace cg::history
