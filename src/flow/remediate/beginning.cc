#include "flow/remediate/beginning.h"

#include "base/base/text.h"
#include "fetch/gitrepo/error.h"
#include "fetch/gitrepo/locate.h"

namespace cg::remediate {

Result<Done, Problem> check_owner(const job::Request& request, const std::string& repo) {
  if (request.extent != job::Extent::branch) return Done{};
  const auto location = gitrepo::locate(repo);
  if (!location) return Done{};  // opening it says why
  const auto writable = gitrepo::check_writable(*location);
  if (writable) return Done{};
  Problem problem = gitrepo::to_problem(writable.error(), request.repo);
  problem.effect = "nothing was done";
  problem.help = {"run it as the user whose repository it is"};
  return fail(std::move(problem));
}

Result<Done, Problem> check_log(const workspace::Access& access, supplies::Watcher& watcher) {
  const auto verdict = workspace::verify_log(access, [&](std::uint64_t entries) {
    watcher.busy("verifying the audit log: " + counted(entries, "entry", "entries"));
  });
  watcher.done();
  if (!verdict) return fail(verdict.error());
  if (verdict->breaks.empty()) return Done{};
  return fail(verdict->breaks.front());
}

}  // namespace cg::remediate
