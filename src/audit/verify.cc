#include "audit/verify.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "audit/guard.h"
#include "audit/key.h"
#include "audit/layout.h"
#include "audit/problems.h"
#include "audit/walk.h"
#include "base/text.h"
#include "hash/merkle.h"
#include "record/frame.h"
#include "record/tile.h"

namespace cg::audit {

namespace {

constexpr std::uint64_t kProgressEvery = 1U << 16U;

/// Something that claims to know the log at a certain size.
struct Claim {
  std::string source;  // file, for messages
  std::uint64_t size = 0;
  hash::Digest head{};
  std::optional<hash::Digest> root;  // the guard and the derived state know only the head
  ErrorCode if_other;                // what it means when the entries say otherwise
  std::optional<hash::Digest> found_head;
  std::optional<hash::Digest> found_root;
};

struct WorkflowSeen {
  bool started = false;
  std::optional<record::WorkflowEnded> ended;
};

/// One run of the verifier, in the order of the member functions.
class Verification {
 public:
  Verification(const os::Dir& home, const os::Dir& events, const VerifyOptions& options,
               const Progress& progress)
      : home_(home), events_(events), options_(options), progress_(progress) {}

  Result<Verdict, Problem> run() {
    CG_TRY(read_guard());
    read_key();
    if (key_) {
      CG_TRY(read_heads());
      CG_TRY(read_all_anchors());
    }
    walk();
    if (walked_) {
      judge_claims();
      judge_tiles();
      judge_state();
      judge_workflows();
      judge_tail();
    }
    judge_anchors();
    return std::move(verdict_);
  }

 private:
  void add(Problem problem) { verdict_.breaks.push_back(std::move(problem)); }
  [[nodiscard]] std::string path(const std::string& name) const { return events_.path_of(name); }

  Result<Done, Problem> read_guard();
  void read_key();
  Result<Done, Problem> read_heads();
  Result<Done, Problem> read_all_anchors();
  void walk();
  void take(const Held& held);
  void note_claims();
  void compare_tile(const record::Tile& tile);
  void judge_claims();
  void judge_tiles();
  void judge_state();
  void judge_workflows();
  void judge_workflow(const std::string& id, const WorkflowSeen& seen);
  void judge_tail();
  void judge_anchors();

  const os::Dir& home_;
  const os::Dir& events_;
  const VerifyOptions& options_;
  const Progress& progress_;
  Verdict verdict_;
  std::optional<GuardReader> guard_;
  std::optional<Seen> seen_;
  std::optional<sign::NoteKey> key_;
  std::string log_;
  std::optional<record::State> kept_state_;
  bool state_follows_ = false;
  std::vector<Claim> claims_;  // sorted by size
  std::size_t next_claim_ = 0;
  record::TileTree tree_;
  std::vector<record::Tile> full_;
  std::vector<record::Tile> partials_;  // at the size of the checkpoint
  std::map<std::string, WorkflowSeen> workflows_;
  std::uint64_t torn_bytes_ = 0;
  std::uint64_t anchored_ = 0;
  bool walked_ = false;
};

/// The guard is read first: a writer moves the log on before it moves the guard.
Result<Done, Problem> Verification::read_guard() {
  if (options_.guard_dir.empty()) return Done{};
  CG_TRY_ASSIGN(GuardReader reader, GuardReader::open(options_.guard_dir));
  guard_ = std::move(reader);
  return Done{};
}

/// The key and the id of the log are what its first entry says.
void Verification::read_key() {
  const auto first = [&](const Held& held) {
    const auto* created = std::get_if<record::LogCreated>(&held.event);
    if (created != nullptr && held.entry.seq == 0) key_ = sign::NoteKey::parse(created->key);
    log_ = held.entry.log;
  };
  // Only the first segment, or the open file if there is none, is looked at here.
  const std::string sealed = kSpanningDir + "/" + record::segment_name(0);
  const std::string open = kSpanningDir + "/" + kAppendFile;
  const auto segment_bytes = events_.read(sealed, record::kMaxSegmentFile);
  std::string lines;
  if (segment_bytes) {
    auto segment = record::open_segment(*segment_bytes);
    if (segment) lines = std::move(segment->content);
  } else if (const auto bytes = events_.read(open, kMaxOpenFile)) {
    auto opened = open_lines(*bytes, path(open));
    if (opened) lines = std::move(opened->lines);
  }
  if (lines.empty()) return;  // walk() says what is wrong
  Walker walker("", std::string(record::kSpanning), record::Home::spanning, first);
  const auto held = walker.feed(lines.substr(0, lines.find('\n')), path(open));
  if (!held) return;
  if (!key_ || key_->name() != record::origin_of(log_)) {
    key_.reset();
    add(broken(ErrorCode::audit_key, "the first entry does not name the key of the log", path(open)));
  }
  const auto own = home_.read(kKeyFile, kMaxSmallFile);
  if (!own || !key_) return;  // a copy without the private key can be verified too
  const auto log_key = read_log_key(home_);
  if (!log_key || log_key->verifier != *key_) {
    add(broken(ErrorCode::audit_key, "the key of the log is not the one its first entry names",
               home_.path_of(kKeyFile)));
  }
}

Result<Done, Problem> Verification::read_heads() {
  const std::string checkpoint = kTilesDir + "/" + kCheckpointFile;
  const auto note = events_.read(checkpoint, kMaxSmallFile);
  if (!note) {
    add(reading(note.error()));
  } else if (const auto head = record::open_checkpoint(*note, *key_)) {
    verdict_.checkpoint = *head;
    claims_.push_back({path(checkpoint), head->size, head->head, head->root,
                       ErrorCode::audit_checkpoint, {}, {}});
  } else {
    add(broken(ErrorCode::audit_checkpoint, "checkpoint " + record::describe(head.error()),
               path(checkpoint)));
  }
  const auto state = events_.read(kStateFile, kMaxSmallFile);
  if (!state) add(reading(state.error()));
  if (state) kept_state_ = record::parse_state(*state);
  if (state && !kept_state_) {
    add(broken(ErrorCode::audit_state, "derived state is damaged", path(kStateFile)));
  }
  if (!guard_) return Done{};
  CG_TRY_ASSIGN(const auto here, guard_->log_at(options_.home_path));
  if (here && *here != log_) {
    add(broken(ErrorCode::audit_replaced, "not the log that was seen here before", events_.path(),
               "log " + *here, "log " + log_));
  }
  auto seen = guard_->seen(log_);
  if (!seen) {
    add(seen.error());
    return Done{};
  }
  seen_ = *seen;
  if (seen_) {
    claims_.push_back({"when last seen", seen_->entries, seen_->head, {}, ErrorCode::audit_replaced, {}, {}});
  }
  return Done{};
}

Result<Done, Problem> Verification::read_all_anchors() {
  CG_TRY_ASSIGN(const sign::AllowedSigners signers, read_allowed_signers(home_));
  CG_TRY_ASSIGN(Anchors anchors, read_anchors(options_.anchor_dir, *key_, signers));
  for (Problem& problem : anchors.problems) add(std::move(problem));
  for (const AnchorStatus& anchor : anchors.anchors) {
    claims_.push_back({anchor.path, anchor.head.size, anchor.head.head, anchor.head.root,
                       ErrorCode::audit_anchor, {}, {}});
    if (anchor.vouched == Vouched::by_signer) anchored_ = std::max(anchored_, anchor.head.size);
  }
  verdict_.anchors = std::move(anchors.anchors);
  return Done{};
}

void Verification::walk() {
  std::stable_sort(claims_.begin(), claims_.end(),
                   [](const Claim& a, const Claim& b) { return a.size < b.size; });
  note_claims();
  Walker walker("", std::string(record::kSpanning), record::Home::spanning,
                [this](const Held& held) { take(held); });
  const auto walked = walk_spanning(events_, walker);
  verdict_.entries = walker.entries();
  verdict_.head = walker.head();
  if (!walked) {
    const ErrorCode code = walked.error().code;
    if (row(code).exit == ExitCode::integrity) verdict_.first_bad = walker.entries();
    verdict_.breaks.insert(verdict_.breaks.begin(), walked.error());
    return;
  }
  torn_bytes_ = *walked;
  walked_ = true;
  if (walker.entries() == 0) {  // a log is never without its first entry
    add(broken(ErrorCode::audit_truncated, "entries are missing from the end: there is none",
               path(kSpanningDir + "/" + kAppendFile)));
  }
}

void Verification::take(const Held& held) {
  if (held.entry.seq == 0) {
    verdict_.first_time = held.entry.t;
    verdict_.state.log = held.entry.log;
  }
  verdict_.last_time = held.entry.t;
  verdict_.bytes += held.line.size() + 1;
  if (held.entry.seq == anchored_) verdict_.unanchored_since = held.entry.t;
  record::apply(verdict_.state, held.event, held.head);
  tree_.push(hash::leaf_hash(as_bytes(held.line)), &full_);
  for (const record::Tile& tile : full_) compare_tile(tile);
  full_.clear();
  verdict_.head = held.head;
  note_claims();
  if (const auto* started = std::get_if<record::WorkflowStarted>(&held.event)) {
    workflows_[started->workflow].started = true;
  }
  if (const auto* ended = std::get_if<record::WorkflowEnded>(&held.event)) {
    workflows_[ended->workflow].ended = *ended;
  }
  if (progress_ && tree_.size() % kProgressEvery == 0) progress_(tree_.size());
}

/// Keeps what the entries say at the sizes that somebody made a claim about.
void Verification::note_claims() {
  while (next_claim_ < claims_.size() && claims_[next_claim_].size == tree_.size()) {
    Claim& claim = claims_[next_claim_++];
    claim.found_head = verdict_.head;
    claim.found_root = tree_.root();
  }
  if (verdict_.checkpoint && verdict_.checkpoint->size == tree_.size()) {
    partials_ = tree_.partials();
    verdict_.signed_state = verdict_.state;
  }
  if (kept_state_ && kept_state_->entries == tree_.size()) {
    state_follows_ = *kept_state_ == verdict_.state;
  }
}

void Verification::judge_claims() {
  const std::string file = path(kSpanningDir + "/" + kAppendFile);
  for (const Claim& claim : claims_) {
    if (!claim.found_head) {
      add(broken(ErrorCode::audit_truncated, "entries are missing from the end", file,
                 grouped(claim.size) + " (" + claim.source + ")", grouped(verdict_.entries)));
    } else if (*claim.found_head != claim.head || (claim.root && *claim.root != *claim.found_root)) {
      add(broken(claim.if_other,
                 std::string(row(claim.if_other).title) + ": other entries were there at " +
                     grouped(claim.size),
                 claim.source, "head " + abbreviated(claim.head),
                 "head " + abbreviated(*claim.found_head)));
    }
  }
  const std::uint64_t size = verdict_.checkpoint ? verdict_.checkpoint->size : 0;
  if (seen_ && verdict_.checkpoint && seen_->checkpoint > size) {
    add(broken(ErrorCode::audit_checkpoint, "checkpoint is older than one that was seen",
               path(kTilesDir + "/" + kCheckpointFile), grouped(seen_->checkpoint) + " entries",
               grouped(size)));
  }
}

/// A full tile must be there once the checkpoint covers it, and right in any case.
void Verification::compare_tile(const record::Tile& tile) {
  const std::string name =
      kTilesDir + "/" + record::tile_path(tile.level, tile.index, tile.hashes.size());
  const auto bytes = events_.read(name, kMaxSmallFile);
  const bool needed = verdict_.checkpoint && tree_.size() <= verdict_.checkpoint->size;
  const bool missing = !bytes && bytes.error().kind == os::Error::Kind::not_found;
  if (missing && !needed) return;
  if (bytes && *bytes == record::tile_bytes(tile)) return;
  add(broken(ErrorCode::audit_tile, missing ? "tile is missing" : "tile does not hold the hashes of the entries",
             path(name)));
}

void Verification::judge_tiles() {
  for (const record::Tile& tile : partials_) {
    const std::string name =
        kTilesDir + "/" + record::tile_path(tile.level, tile.index, tile.hashes.size());
    const auto bytes = events_.read(name, kMaxSmallFile);
    if (bytes && *bytes == record::tile_bytes(tile)) continue;
    add(broken(ErrorCode::audit_tile,
               bytes ? "tile does not hold the hashes of the entries" : "tile is missing or unreadable",
               path(name)));
  }
}

void Verification::judge_state() {
  if (!kept_state_) return;
  const std::string file = path(kStateFile);
  const std::uint64_t kept = kept_state_->entries;
  if (kept > verdict_.entries) {
    add(broken(ErrorCode::audit_truncated, "entries are missing from the end", file,
               grouped(kept) + " by the derived state", grouped(verdict_.entries)));
  } else if (!state_follows_) {
    add(broken(ErrorCode::audit_state, "derived state does not follow from the log", file));
  }
  if (verdict_.checkpoint && kept > verdict_.checkpoint->size) {
    add(broken(ErrorCode::audit_checkpoint, "checkpoint is older than the derived state",
               path(kTilesDir + "/" + kCheckpointFile), grouped(kept) + " entries",
               grouped(verdict_.checkpoint->size)));
  }
}

void Verification::judge_workflows() {
  const auto names = events_.list(kWorkflowDir, kMaxFiles);
  if (!names) {
    add(reading(names.error()));
    return;
  }
  for (const std::string& name : *names) {
    if (os::is_leftover(name)) continue;
    const std::string id = name.substr(0, name.find('.'));
    if (workflow_file(id) != name || !workflows_.contains(id)) {
      add(broken(ErrorCode::audit_workflow, "a workflow stream that was never started",
                 path(kWorkflowDir + "/" + name)));
    }
  }
  for (const auto& [id, seen] : workflows_) judge_workflow(id, seen);
  verdict_.workflows = workflows_.size();
}

void Verification::judge_workflow(const std::string& id, const WorkflowSeen& seen) {
  const std::string file = path(kWorkflowDir + "/" + workflow_file(id));
  std::optional<Seen> guard;
  if (guard_ && !seen.ended) {
    auto found = guard_->seen(log_ + "." + id);
    if (!found) return add(found.error());
    guard = *found;
  }
  hash::Digest at_guard = record::kGenesis;
  Walker walker(log_, id, record::Home::workflow, [&](const Held& held) {
    if (guard && held.entry.seq + 1 == guard->entries) at_guard = held.head;
  });
  const auto walked = walk_workflow(events_, id, walker);
  const bool missing = !walked && walked.error().code == ErrorCode::audit_missing;
  if (!walked && !(missing && !seen.ended && !guard)) return add(walked.error());
  if (!seen.started) {
    return add(broken(ErrorCode::audit_workflow, "a workflow ended that never started", file));
  }
  if (seen.ended && (walker.entries() != seen.ended->count || walker.head() != seen.ended->head ||
                     (walked->sealed != (seen.ended->count > 0)))) {
    return add(broken(ErrorCode::audit_workflow, "workflow stream is not the one that ended", file,
                      grouped(seen.ended->count) + " entries, head " + abbreviated(seen.ended->head),
                      grouped(walker.entries()) + " entries, head " + abbreviated(walker.head())));
  }
  if (guard && (guard->entries > walker.entries() || at_guard != guard->head)) {
    return add(broken(ErrorCode::audit_truncated, "workflow stream is not as it was last seen", file,
                      grouped(guard->entries) + " entries, head " + abbreviated(guard->head),
                      grouped(walker.entries()) + " entries"));
  }
  if (!seen.ended) {
    ++verdict_.open_workflows;
    verdict_.gaps.push_back("workflow " + id + " has not ended");
  }
}

void Verification::judge_tail() {
  const std::uint64_t size = verdict_.checkpoint ? verdict_.checkpoint->size : 0;
  const std::uint64_t above = verdict_.entries > size ? verdict_.entries - size : 0;
  if (above > 0) {
    verdict_.tail = Tail::open;
    verdict_.gaps.push_back(grouped(above) + " entries lie above the last checkpoint");
  }
  if (torn_bytes_ > 0) {
    verdict_.tail = Tail::torn;
    verdict_.gaps.push_back("a write of " + grouped(torn_bytes_) +
                            " bytes never finished; the next append cuts it off and says so");
  }
  if (!seen_) verdict_.gaps.emplace_back("never seen on this machine: a rollback would go unnoticed");
}

void Verification::judge_anchors() {
  for (const AnchorStatus& anchor : verdict_.anchors) {
    if (anchor.vouched == Vouched::by_stranger) {
      verdict_.gaps.push_back("anchor " + anchor.file + " is signed by " + anchor.signer +
                              ", who is not in allowed_signers");
    }
    if (anchor.vouched == Vouched::by_nobody) {
      verdict_.gaps.push_back("anchor " + anchor.file + " is not signed");
    }
  }
  verdict_.unanchored = verdict_.entries - std::min(verdict_.entries, anchored_);
  if (verdict_.unanchored == 0) verdict_.unanchored_since.reset();
}

}  // namespace

std::string describe(Tail tail) {
  switch (tail) {
    case Tail::signed_:
      return "signed";
    case Tail::open:
      return "open";
    case Tail::torn:
      return "torn";
  }
  std::abort();
}

Result<Verdict, Problem> verify(const os::Dir& home, const VerifyOptions& options,
                                const Progress& progress) {
  auto events = home.open_dir(kEvents);
  if (!events) return fail(reading(events.error()));
  const auto lock = os::Lock::hold(events->fd(), os::Lock::Mode::shared, events->path());
  if (!lock) return fail(reading(lock.error()));
  return Verification(home, *events, options, progress).run();
}

}  // namespace cg::audit
