#include "sealing/refusals.h"

#include "access.h"
#include "sealing/seal.h"
#include "trust/record/event.h"

namespace cg::program {

namespace {

Result<Done, Problem> write_down(const Session& session, const std::vector<RefusedCall>& calls) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  os::SystemClock clock;
  CG_TRY_ASSIGN(audit::Log log, open_log(access, clock));
  record::Events events;
  for (const RefusedCall& c : calls) {
    events.emplace_back(record::EgressViolation{c.call, c.detail});
  }
  CG_TRY(log.append(events));
  CG_TRY(log.checkpoint());
  return Done{};
}

}  // namespace

std::optional<Problem> note_refusals(const Session& session) {
  if (session.seal == nullptr || !session.seal->reports) return std::nullopt;
  const auto refusals = session.seal->host->take_refusals();
  if (refusals.empty()) return std::nullopt;
  std::vector<RefusedCall> calls;
  for (const spawn::Refusal& refusal : refusals) calls.push_back(describe(refusal));
  Problem problem{ErrorCode::seal_egress,
                  "codegenie itself tried to reach the network, and was refused",
                  {{"call", calls[0].call + " " + calls[0].detail}},
                  "the result is withheld",
                  {"codegenie audit log --kind egress_violation"}};
  if (const auto written = write_down(session, calls); !written) {
    problem.where.emplace_back("not recorded", written.error().what);
  }
  return problem;
}

}  // namespace cg::program
