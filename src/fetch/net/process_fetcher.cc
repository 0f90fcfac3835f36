#include "fetch/net/process_fetcher.h"

#include <utility>

namespace cg::net {

namespace {
constexpr std::size_t kMaxKept = 4;
}  // namespace

ProcessFetcher::ProcessFetcher(Programs programs, std::map<Origin, Access> access)
    : programs_(std::move(programs)), access_(std::move(access)) {}

Result<Session*, Error> ProcessFetcher::session_for(const Origin& origin, Deadline deadline) {
  for (auto it = kept_.begin(); it != kept_.end(); ++it) {
    if (it->origin != origin) continue;
    kept_.splice(kept_.begin(), kept_, it);
    return &kept_.front().session;
  }
  const auto access = access_.find(origin);
  CG_TRY_ASSIGN(Session session,
                Session::start(programs_, origin,
                               access == access_.end() ? Access{} : access->second, deadline));
  kept_.push_front(Kept{origin, std::move(session)});
  if (kept_.size() > kMaxKept) kept_.pop_back();
  return &kept_.front().session;
}

void ProcessFetcher::drop_unusable() {
  kept_.remove_if([](const Kept& k) { return !k.session.is_usable() || k.session.is_exhausted(); });
}

Result<Answer, Error> ProcessFetcher::get(const Request& request, Sink& sink) {
  const Deadline deadline = deadline_in(request.limit);
  CG_TRY_ASSIGN(Session * session, session_for(request.url.origin(), deadline));
  auto answer = session->get(request, sink, deadline);
  // A broker dials a bounded number of times. Nothing was sent yet, so go on afresh.
  const bool again = !answer && session->is_exhausted();
  drop_unusable();
  if (!again) return answer;
  CG_TRY_ASSIGN(session, session_for(request.url.origin(), deadline));
  answer = session->get(request, sink, deadline);
  drop_unusable();
  return answer;
}

std::vector<ProcessFetcher::Live> ProcessFetcher::live() const {
  std::vector<Live> out;
  for (const Kept& k : kept_) {
    out.push_back({k.origin, k.session.isolation(), k.session.broker_pid(), k.session.fetch_pid()});
  }
  return out;
}

}  // namespace cg::net
