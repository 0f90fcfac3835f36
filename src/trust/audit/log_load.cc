#include <fcntl.h>

#include <optional>

#include "base/base/text.h"
#include "trust/audit/layout.h"
#include "trust/audit/log.h"
#include "trust/audit/problems.h"
#include "trust/hash/merkle.h"
#include "trust/record/frame.h"

namespace cg::audit {

namespace {

std::string spanning(const std::string& name) { return kSpanningDir + "/" + name; }
const std::string kCheckpointPath = kTilesDir + "/" + kCheckpointFile;

std::string log_named_by(const LogKey& key) {
  return key.verifier.name().substr(record::origin_of("").size());
}

/// True if the workspace at `path` is there and holds the log of `key`. Something that is
/// there and may not be read, as from a sealed process, could be it.
bool lives_at(const std::string& path, const LogKey& key) {
  const auto home = os::Dir::open(path);
  if (!home) return home.error().kind == os::Error::Kind::denied;
  const auto other = read_log_key(*home);
  return other && other->verifier == key.verifier;
}

/// Heads that were promised at certain sizes, and what the entries gave there.
struct Promise {
  std::uint64_t size;
  hash::Digest promised;
  std::optional<hash::Digest> found;

  void see(std::uint64_t entries, const hash::Digest& head) {
    if (entries == size) found = head;
  }
  [[nodiscard]] bool is_kept() const { return found && *found == promised; }
};

}  // namespace

Result<Log, Problem> Log::open(const os::Dir& home, const Place& place, os::Clock& clock) {
  CG_TRY_ASSIGN(LogKey key, read_log_key(home));
  auto events = home.open_dir(kEvents);
  if (!events) return fail(reading(events.error()));
  Log log(std::make_unique<os::Dir>(*std::move(events)), std::move(key), place, clock);
  const auto lock =
      os::Lock::hold(log.events_->fd(), os::Lock::Mode::exclusive, log.events_->path());
  if (!lock) return fail(reading(lock.error()));
  CG_TRY(log.open_folders());
  CG_TRY(log.open_guard());
  CG_TRY(log.load());
  if (!log.guard_->seen()) {  // trusted on first sight
    CG_TRY(
        log.guard_->note({log.state_.log, log.state_.entries, log.state_.head, log.signed_.size}));
  }
  return log;
}

Result<Done, Problem> Log::open_folders() {
  for (auto& [folder, name] :
       {std::pair(&spanning_, kSpanningDir), std::pair(&tiles_, kTilesDir)}) {
    auto opened = events_->open_dir(name);
    if (!opened) return fail(reading(opened.error()));
    *folder = std::make_unique<os::Dir>(*std::move(opened));
  }
  return Done{};
}

/// Refuses a workspace whose log was swapped, and a log that lives elsewhere too.
Result<Done, Problem> Log::open_guard() {
  const std::string log = log_named_by(key_);
  CG_TRY_ASSIGN(const GuardReader reader, GuardReader::open(place_.guard_dir));
  CG_TRY_ASSIGN(const std::optional<std::string> here, reader.log_at(place_.home_path));
  CG_TRY_ASSIGN(const std::optional<std::string> home, reader.home_of(log));
  if (here && *here != log) {
    return fail(broken(ErrorCode::audit_replaced, "not the log that was seen before",
                       events_->path(), *here, log));
  }
  if (home && *home != place_.home_path && lives_at(*home, key_)) {
    return fail(Problem{ErrorCode::audit_two_homes,
                        "this log lives in two homes",
                        {{"here", printable(place_.home_path)}, {"also at", printable(*home)}},
                        "nothing was written",
                        {"write in one of them only; remove or rename the other",
                         "codegenie help audit-recovery"}});
  }
  CG_TRY_ASSIGN(Guard guard, Guard::open(place_.guard_dir, log));
  guard_ = std::make_unique<Guard>(std::move(guard));
  if (here && home && *home == place_.home_path) return Done{};
  return claim_home(place_.guard_dir, log, place_.home_path);
}

/// Reads the checkpoint if another process has replaced it. Its file is kept open,
/// as otherwise a later checkpoint could get the same inode number and be missed.
Result<Done, Problem> Log::read_checkpoint() {
  const auto found = tiles_->stat(kCheckpointFile);
  if (!found) return fail(reading(found.error()));
  if (found->inode == checkpoint_inode_) return Done{};
  auto fd = tiles_->open_file(kCheckpointFile, O_RDONLY);
  if (!fd) return fail(reading(fd.error()));
  const std::string path = events_->path_of(kCheckpointPath);
  const auto note = os::read_from(*fd, 0, kMaxSmallFile, path);
  if (!note) return fail(reading(note.error()));
  const auto head = record::open_checkpoint(*note, key_.verifier);
  if (!head) {
    return fail(
        broken(ErrorCode::audit_checkpoint, "checkpoint " + record::describe(head.error()), path));
  }
  signed_ = *head;
  checkpoint_inode_ = found->inode;
  checkpoint_fd_ = *std::move(fd);
  return Done{};
}

/// Reads checkpoint, derived state and the right edge of the tree.
Result<Done, Problem> Log::read_heads() {
  CG_TRY(read_checkpoint());
  const auto bytes = events_->read(kStateFile, kMaxSmallFile);
  if (!bytes) return fail(reading(bytes.error()));
  auto state = record::parse_state(*bytes);
  if (!state || state->log != signed_.log || state->entries > signed_.size) {
    return fail(broken(ErrorCode::audit_state, "derived state does not belong to the checkpoint",
                       events_->path_of(kStateFile)));
  }
  std::vector<std::string> partials;
  for (const record::TilePlace& tile : record::partial_tiles(signed_.size)) {
    auto hashes = events_->read(
        kTilesDir + "/" + record::tile_path(tile.level, tile.index, tile.width), kMaxSmallFile);
    if (!hashes) return fail(reading(hashes.error()));
    partials.push_back(*std::move(hashes));
  }
  auto tree = record::TileTree::resume(signed_.size, partials);
  if (!tree || tree->root() != signed_.root) {
    return fail(broken(ErrorCode::audit_tile, "tiles do not give the root of the checkpoint",
                       events_->path_of(kTilesDir)));
  }
  state_ = *std::move(state);
  tree_ = *std::move(tree);
  full_.clear();
  return Done{};
}

Result<Done, Problem> Log::open_append_file() {
  auto fd = events_->open_file(spanning(kAppendFile), O_RDWR);
  if (!fd) return fail(writing(fd.error()));
  const std::string path = events_->path_of(spanning(kAppendFile));
  const auto found = os::info(*fd, path);
  if (!found) return fail(reading(found.error()));
  inode_ = found->inode;
  file_ = std::make_unique<StreamFile>(*std::move(fd), path, state_.log,
                                       std::string(record::kSpanning));
  return Done{};
}

/// Where the sealed part ends. The open file is set to where its last segment
/// begins, for finish_interrupted_seal().
Result<Standing, Problem> Log::enter_sealed_part() {
  const auto names = events_->list(kSpanningDir, kMaxFiles);
  if (!names) return fail(reading(names.error()));
  std::string last;
  for (const std::string& name : *names) {
    if (record::is_segment_name(name)) last = name;
    // Of a process that died while writing; we hold the lock, so it is over.
    if (os::is_leftover(name)) static_cast<void>(events_->remove(spanning(name)).has_value());
  }
  if (last.empty()) return Standing{};
  const std::string path = events_->path_of(spanning(last));
  const auto fd = events_->open_file(spanning(last), O_RDONLY);
  if (!fd) return fail(reading(fd.error()));
  const auto bytes = os::read_at(*fd, 0, record::kSegmentHeaderBytes, path);
  if (!bytes) return fail(reading(bytes.error()));
  const auto header = record::parse_segment_header(*bytes);
  if (!header || record::segment_name(header->first) != last) {
    return fail(broken(ErrorCode::audit_container, "damaged segment", path));
  }
  file_->set_standing({header->first, header->prev, {}});
  return Standing{header->first + header->count, header->head, {}};
}

/// A process that died between sealing and emptying the open file left the same
/// entries in both. They are compared by their head, and emptied now.
Result<Done, Problem> Log::finish_interrupted_seal(const Standing& sealed) {
  const auto bytes =
      os::read_at(file_->fd(), 0, record::kStoredHeader + record::kMaxFrameContent, file_->path());
  if (!bytes) return fail(reading(bytes.error()));
  const auto frame = record::parse_stored_frame(*bytes);
  if (!frame) return Done{};
  const auto entry = record::parse_entry(split(frame->content, '\n')[0]);
  if (!entry || sealed.entries == 0 || entry->seq != file_->standing().entries) return Done{};
  CG_TRY(file_->catch_up([](const Written&) {}));
  if (file_->standing().entries != sealed.entries || file_->standing().head != sealed.head) {
    return fail(
        broken(ErrorCode::audit_container, "segment and open file disagree", file_->path()));
  }
  const auto emptied = events_->write_atomic(spanning(kAppendFile), "");
  if (!emptied) return fail(writing(emptied.error()));
  return open_append_file();
}

Result<Done, Problem> Log::load() {
  CG_TRY(read_heads());
  CG_TRY(open_append_file());
  CG_TRY_ASSIGN(const Standing sealed, enter_sealed_part());
  if (sealed.entries > state_.entries) {
    return fail(broken(ErrorCode::audit_checkpoint, "checkpoint is older than the sealed entries",
                       events_->path_of(kCheckpointPath),
                       std::to_string(sealed.entries) + " or more", std::to_string(signed_.size)));
  }
  CG_TRY(finish_interrupted_seal(sealed));

  Promise checkpoint{signed_.size, signed_.head, {}};
  Promise state{state_.entries, state_.head, {}};
  const Seen seen = guard_ && guard_->seen() ? *guard_->seen() : Seen{};
  Promise guard{seen.entries, seen.head, {}};
  const auto see = [&](std::uint64_t entries, const hash::Digest& head) {
    for (Promise* p : {&checkpoint, &state, &guard}) p->see(entries, head);
  };
  see(sealed.entries, sealed.head);
  file_->set_standing(sealed);
  CG_TRY(file_->catch_up([&](const Written& e) {
    see(e.seq + 1, e.head);
    take(e);
  }));

  const std::uint64_t entries = file_->standing().entries;
  for (const auto& [size, who] : {std::pair(signed_.size, " by the checkpoint"),
                                  std::pair(seen.entries, " when last seen")}) {
    if (entries >= size) continue;
    return fail(broken(ErrorCode::audit_truncated, "entries are missing from the end",
                       file_->path(), std::to_string(size) + who, std::to_string(entries)));
  }
  const bool guard_broken = guard.found && !guard.is_kept() && seen.entries > 0;
  if (!checkpoint.is_kept() || !state.is_kept() || guard_broken) {
    return fail(
        broken(ErrorCode::audit_replaced, "not the entries that were seen before", file_->path()));
  }
  if (seen.checkpoint > signed_.size) {
    return fail(broken(ErrorCode::audit_checkpoint, "checkpoint is older than one that was seen",
                       events_->path_of(kCheckpointPath),
                       std::to_string(seen.checkpoint) + " entries", std::to_string(signed_.size)));
  }
  return Done{};
}

/// Catches up with what other processes did since we last looked.
Result<Done, Problem> Log::refresh() {
  if (checkpoint_inode_ != 0) CG_TRY(read_checkpoint());  // a new log has none yet
  const auto found = spanning_->stat(kAppendFile);
  if (!found) return fail(reading(found.error()));
  if (found->inode != inode_ || found->size < file_->end()) return load();
  if (found->size == file_->end()) return Done{};
  return file_->catch_up([this](const Written& e) { take(e); });
}

void Log::take(const Written& entry) {
  if (entry.seq >= tree_.size()) tree_.push(hash::leaf_hash(as_bytes(entry.line)), &full_);
  if (entry.seq >= state_.entries) record::apply(state_, entry.event, entry.head);
}

}  // namespace cg::audit
