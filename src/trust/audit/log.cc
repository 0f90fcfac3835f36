#include "trust/audit/log.h"

#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/hash/blake3.h"

namespace cg::audit {

namespace {

constexpr std::uint64_t kCheckpointEvery = 4096;             // entries
constexpr std::uint64_t kCheckpointBytes = 8 * 1024 * 1024;  // of the open file

}  // namespace

Result<Receipt, Problem> Log::append(const record::Events& events) {
  const auto lock = os::Lock::hold(events_->fd(), os::Lock::Mode::exclusive, events_->path());
  if (!lock) return fail(reading(lock.error()));
  CG_TRY(refresh());
  record::Events all;
  if (file_->is_torn()) {
    CG_TRY_ASSIGN(const std::string torn, file_->drop_torn());
    all.emplace_back(record::TailRepaired{hash::blake3(as_bytes(torn)), torn.size()});
  }
  const std::uint64_t repairs = all.size();
  all.insert(all.end(), events.begin(), events.end());
  const std::uint64_t before = file_->standing().entries;
  CG_TRY(file_->append(all, clock_->now(), [this](const Written& e) { take(e); }));
  if (guard_) CG_TRY(guard_->note({state_.log, state_.entries, state_.head, signed_.size}));
  const Receipt receipt{before + repairs, events.size(), state_.head};
  if (state_.entries - signed_.size >= kCheckpointEvery || file_->end() >= kCheckpointBytes) {
    CG_TRY(checkpoint_locked());
  }
  return receipt;
}

Result<record::TreeHead, Problem> Log::checkpoint() {
  const auto lock = os::Lock::hold(events_->fd(), os::Lock::Mode::exclusive, events_->path());
  if (!lock) return fail(reading(lock.error()));
  CG_TRY(refresh());
  return checkpoint_locked();
}

Result<Done, Problem> create_log(const os::Dir& home, const std::string& tool, os::Clock& clock,
                                 os::Random& random) {
  const LogId id = LogId::from_random(random.bytes<16>());
  const LogKey key = make_log_key(id.str(), random.bytes<32>());
  const std::string spanning = kEvents + "/" + kSpanningDir;
  for (const std::string& dir :
       {std::string("keys"), spanning, kEvents + "/" + kWorkflowDir, kEvents + "/" + kTilesDir}) {
    const auto made = home.make_dir(dir);
    if (!made) return fail(writing(made.error()));
  }
  auto written = home.write_new(kKeyFile, write_log_key(key));
  if (written) written = home.write_new(spanning + "/" + kAppendFile, "");
  if (!written) return fail(writing(written.error()));
  auto events = home.open_dir(kEvents);
  if (!events) return fail(writing(events.error()));

  Log log(std::make_unique<os::Dir>(*std::move(events)), key, {}, clock);
  log.state_.log = id.str();
  log.signed_.log = id.str();
  CG_TRY(log.open_folders());
  CG_TRY(log.open_append_file());
  CG_TRY(log.append({record::LogCreated{key.verifier.str(), tool}}));
  CG_TRY(log.checkpoint());
  return Done{};
}

}  // namespace cg::audit
