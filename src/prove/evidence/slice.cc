#include "prove/evidence/slice.h"

#include <optional>
#include <vector>

#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/audit/walk.h"
#include "trust/hash/merkle.h"
#include "trust/record/checkpoint.h"
#include "trust/record/proof.h"
#include "trust/sign/note.h"

namespace cg::evidence {

namespace {

/// What the spanning stream knows of a workflow, and the leaves to prove it with.
struct Spanning {
  std::vector<hash::Digest> leaves;
  std::optional<sign::NoteKey> key;
  std::string entry;
  std::uint64_t seq = 0;
};

Result<Spanning, Problem> read_spanning(const os::Dir& events, const std::string& workflow) {
  Spanning out;
  audit::Walker walker("", std::string(record::kSpanning), record::Home::spanning,
                       [&](const audit::Held& held) {
                         out.leaves.push_back(hash::leaf_hash(as_bytes(held.line)));
                         if (const auto* created = held.event.as<record::LogCreated>()) {
                           if (held.entry.seq == 0) out.key = sign::NoteKey::parse(created->key);
                         }
                         const auto* ended = held.event.as<record::WorkflowEnded>();
                         if (ended == nullptr || ended->workflow != workflow) return;
                         out.entry = held.line;
                         out.seq = held.entry.seq;
                       });
  CG_TRY(audit::walk_spanning(events, walker));
  if (!out.key) {
    return fail(audit::broken(ErrorCode::audit_key,
                              "the first entry does not name the key of the log", events.path()));
  }
  return out;
}

}  // namespace

Result<Slice, Problem> read_slice(const os::Dir& home, const std::string& workflow) {
  const auto events = home.open_dir(audit::kEvents);
  if (!events) return fail(audit::reading(events.error()));
  Slice out;
  audit::Walker walker("", workflow, record::Home::workflow,
                       [&](const audit::Held& held) { (out.lines += held.line) += '\n'; });
  CG_TRY(audit::walk_workflow(*events, workflow, walker));
  CG_TRY_ASSIGN(const Spanning spanning, read_spanning(*events, workflow));
  out.key = spanning.key->str() + "\n";
  out.entry = spanning.entry;
  const std::string path = audit::kTilesDir + "/" + audit::kCheckpointFile;
  const auto checkpoint = events->read(path, audit::kMaxSmallFile);
  if (!checkpoint) return fail(audit::reading(checkpoint.error()));
  const auto head = record::open_checkpoint(*checkpoint, *spanning.key);
  if (!head) {
    return fail(audit::broken(ErrorCode::audit_checkpoint,
                              "checkpoint " + record::describe(head.error()),
                              events->path_of(path)));
  }
  if (spanning.entry.empty() || spanning.seq >= head->size) return out;
  std::vector<hash::Digest> leaves = spanning.leaves;
  if (leaves.size() < head->size) {
    return fail(audit::broken(ErrorCode::audit_truncated, "entries are missing from the end",
                              events->path()));
  }
  leaves.resize(head->size);
  const record::Proof proof{spanning.seq, hash::inclusion_path(leaves, spanning.seq), *checkpoint};
  if (!record::check_proof(proof, spanning.entry, *spanning.key)) {
    return fail(audit::broken(ErrorCode::audit_checkpoint,
                              "the checkpoint was made of other entries", events->path_of(path)));
  }
  out.proof = record::write_proof(proof);
  return out;
}

}  // namespace cg::evidence
