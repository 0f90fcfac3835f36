#include "flow/supplies/surroundings.h"

namespace cg::supplies {

Result<workspace::Access, Problem> open_workspace(const cli::Settings& settings) {
  CG_TRY_ASSIGN(workspace::Workspace opened, workspace::open(settings.get(cli::Key::home)));
  return workspace::Access{std::move(opened), settings.get(cli::Key::guard_dir),
                           settings.get(cli::Key::audit_anchor_dir)};
}

}  // namespace cg::supplies
