#include <algorithm>

#include "base/base/text.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/audit/verification.h"

namespace cg::audit {

void Verification::judge_claims() {
  const std::string file = path(kSpanningDir + "/" + kAppendFile);
  for (const Claim& claim : claims_) {
    if (!claim.found_head) {
      add(broken(ErrorCode::audit_truncated, "entries are missing from the end", file,
                 grouped(claim.size) + " (" + claim.source + ")", grouped(report_.entries)));
    } else if (*claim.found_head != claim.head ||
               (claim.root && *claim.root != *claim.found_root)) {
      add(broken(claim.if_other,
                 std::string(row(claim.if_other).title) + ": other entries were there at " +
                     grouped(claim.size),
                 claim.source, "head " + abbreviated(claim.head),
                 "head " + abbreviated(*claim.found_head)));
    }
  }
  const std::uint64_t size = report_.checkpoint ? report_.checkpoint->size : 0;
  if (seen_ && report_.checkpoint && seen_->checkpoint > size) {
    add(broken(ErrorCode::audit_checkpoint, "checkpoint is older than one that was seen",
               path(kTilesDir + "/" + kCheckpointFile),
               counted(seen_->checkpoint, "entry", "entries"), grouped(size)));
  }
}

/// A full tile must be there once the checkpoint covers it, and right in any case.
void Verification::compare_tile(const record::Tile& tile) {
  const std::string name =
      kTilesDir + "/" + record::tile_path(tile.level, tile.index, tile.hashes.size());
  const auto bytes = events_.read(name, kMaxSmallFile);
  const bool needed = report_.checkpoint && tree_.size() <= report_.checkpoint->size;
  const bool missing = !bytes && bytes.error().kind == os::Error::Kind::not_found;
  if (missing && !needed) return;
  if (bytes && *bytes == record::tile_bytes(tile)) return;
  add(broken(ErrorCode::audit_tile,
             missing ? "tile is missing" : "tile does not hold the hashes of the entries",
             path(name)));
}

void Verification::judge_tiles() {
  for (const record::Tile& tile : partials_) {
    const std::string name =
        kTilesDir + "/" + record::tile_path(tile.level, tile.index, tile.hashes.size());
    const auto bytes = events_.read(name, kMaxSmallFile);
    if (bytes && *bytes == record::tile_bytes(tile)) continue;
    add(broken(
        ErrorCode::audit_tile,
        bytes ? "tile does not hold the hashes of the entries" : "tile is missing or unreadable",
        path(name)));
  }
}

void Verification::judge_state() {
  if (!kept_state_) return;
  const std::string file = path(kStateFile);
  const std::uint64_t kept = kept_state_->entries;
  if (kept > report_.entries) {
    add(broken(ErrorCode::audit_truncated, "entries are missing from the end", file,
               grouped(kept) + " by the derived state", grouped(report_.entries)));
  } else if (!state_follows_) {
    add(broken(ErrorCode::audit_state, "derived state does not follow from the log", file));
  }
  if (report_.checkpoint && kept > report_.checkpoint->size) {
    add(broken(ErrorCode::audit_checkpoint, "checkpoint is older than the derived state",
               path(kTilesDir + "/" + kCheckpointFile), counted(kept, "entry", "entries"),
               grouped(report_.checkpoint->size)));
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
  report_.workflows = workflows_.size();
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
    return add(
        broken(ErrorCode::audit_workflow, "workflow stream is not the one that ended", file,
               grouped(seen.ended->count) + " entries, head " + abbreviated(seen.ended->head),
               grouped(walker.entries()) + " entries, head " + abbreviated(walker.head())));
  }
  if (guard && (guard->entries > walker.entries() || at_guard != guard->head)) {
    return add(broken(ErrorCode::audit_truncated, "workflow stream is not as it was last seen",
                      file, grouped(guard->entries) + " entries, head " + abbreviated(guard->head),
                      counted(walker.entries(), "entry", "entries")));
  }
  if (!seen.ended) {
    ++report_.open_workflows;
    report_.gaps.push_back("workflow " + id + " has not ended");
  }
}

void Verification::judge_tail() {
  const std::uint64_t size = report_.checkpoint ? report_.checkpoint->size : 0;
  const std::uint64_t above = report_.entries > size ? report_.entries - size : 0;
  if (above > 0) {
    report_.tail = Tail::open;
    report_.gaps.push_back(counted(above, "entry", "entries") + " above the last checkpoint");
  }
  if (torn_bytes_ > 0) {
    report_.tail = Tail::torn;
    report_.gaps.push_back("a write of " + grouped(torn_bytes_) +
                           " bytes never finished; the next append cuts it off and says so");
  }
  if (!seen_)
    report_.gaps.emplace_back("never seen on this machine: a rollback would go unnoticed");
}

void Verification::judge_anchors() {
  for (const AnchorStatus& anchor : report_.anchors) {
    if (anchor.vouched == Vouched::by_stranger) {
      report_.gaps.push_back("anchor " + anchor.file + " is signed by " + anchor.signer +
                             ", who is not in allowed_signers");
    }
    if (anchor.vouched == Vouched::by_nobody) {
      report_.gaps.push_back("anchor " + anchor.file + " is not signed");
    }
  }
  report_.unanchored = report_.entries - std::min(report_.entries, anchored_);
  if (report_.unanchored == 0) report_.unanchored_since.reset();
}

}  // namespace cg::audit
