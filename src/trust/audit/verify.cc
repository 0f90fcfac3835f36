#include "trust/audit/verify.h"

#include <algorithm>
#include <cstdlib>

#include "base/base/text.h"
#include "trust/audit/key.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/audit/verification.h"
#include "trust/hash/merkle.h"
#include "trust/record/frame.h"

namespace cg::audit {

namespace {
constexpr std::uint64_t kProgressEvery = 1U << 16U;
}  // namespace

Result<LogReport, Problem> Verification::run() {
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
  return std::move(report_);
}

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
    const auto* created = held.event.as<record::LogCreated>();
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
    add(broken(ErrorCode::audit_key, "the first entry does not name the key of the log",
               path(open)));
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
    report_.checkpoint = *head;
    claims_.push_back({path(checkpoint),
                       head->size,
                       head->head,
                       head->root,
                       ErrorCode::audit_checkpoint,
                       {},
                       {}});
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
    claims_.push_back(
        {"when last seen", seen_->entries, seen_->head, {}, ErrorCode::audit_replaced, {}, {}});
  }
  return Done{};
}

Result<Done, Problem> Verification::read_all_anchors() {
  CG_TRY_ASSIGN(const sign::AllowedSigners signers, read_allowed_signers(home_));
  CG_TRY_ASSIGN(Anchors anchors, read_anchors(options_.anchor_dir, *key_, signers));
  for (Problem& problem : anchors.problems) add(std::move(problem));
  for (const AnchorStatus& anchor : anchors.anchors) {
    claims_.push_back({anchor.path,
                       anchor.head.size,
                       anchor.head.head,
                       anchor.head.root,
                       ErrorCode::audit_anchor,
                       {},
                       {}});
    if (anchor.vouched == Vouched::by_signer) anchored_ = std::max(anchored_, anchor.head.size);
  }
  report_.anchors = std::move(anchors.anchors);
  return Done{};
}

void Verification::walk() {
  std::stable_sort(claims_.begin(), claims_.end(),
                   [](const Claim& a, const Claim& b) { return a.size < b.size; });
  note_claims();
  Walker walker("", std::string(record::kSpanning), record::Home::spanning,
                [this](const Held& held) { take(held); });
  const auto walked = walk_spanning(events_, walker);
  report_.entries = walker.entries();
  report_.head = walker.head();
  if (!walked) {
    const ErrorCode code = walked.error().code;
    if (row(code).exit == ExitCode::integrity) report_.first_bad = walker.entries();
    report_.breaks.insert(report_.breaks.begin(), walked.error());
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
    report_.first_time = held.entry.t;
    report_.state.log = held.entry.log;
  }
  report_.last_time = held.entry.t;
  report_.bytes += held.line.size() + 1;
  if (held.entry.seq == anchored_) report_.unanchored_since = held.entry.t;
  record::apply(report_.state, held.event, held.head);
  tree_.push(hash::leaf_hash(as_bytes(held.line)), &full_);
  for (const record::Tile& tile : full_) compare_tile(tile);
  full_.clear();
  report_.head = held.head;
  note_claims();
  if (const auto* started = held.event.as<record::WorkflowStarted>()) {
    workflows_[started->workflow].started = true;
  }
  if (const auto* ended = held.event.as<record::WorkflowEnded>()) {
    workflows_[ended->workflow].ended = *ended;
  }
  if (progress_ && tree_.size() % kProgressEvery == 0) progress_(tree_.size());
}

/// Keeps what the entries say at the sizes that somebody made a claim about.
void Verification::note_claims() {
  while (next_claim_ < claims_.size() && claims_[next_claim_].size == tree_.size()) {
    Claim& claim = claims_[next_claim_++];
    claim.found_head = report_.head;
    claim.found_root = tree_.root();
  }
  if (report_.checkpoint && report_.checkpoint->size == tree_.size()) {
    partials_ = tree_.partials();
    report_.signed_state = report_.state;
  }
  if (kept_state_ && kept_state_->entries == tree_.size()) {
    state_follows_ = *kept_state_ == report_.state;
  }
}

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

Result<LogReport, Problem> verify(const os::Dir& home, const VerifyOptions& options,
                                  const Progress& progress) {
  auto events = home.open_dir(kEvents);
  if (!events) return fail(reading(events.error()));
  const auto lock = os::Lock::hold(events->fd(), os::Lock::Mode::shared, events->path());
  if (!lock) return fail(reading(lock.error()));
  return Verification(home, *events, options, progress).run();
}

}  // namespace cg::audit
