#include "prove/evidence/witness.h"

#include <optional>

#include "base/domain/ids.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/audit/walk.h"
#include "trust/hash/merkle.h"
#include "trust/record/checkpoint.h"
#include "trust/record/proof.h"
#include "trust/sign/note.h"

namespace cg::evidence {

namespace {

Result<Done, Problem> read_spanning(const os::Dir& events, const std::string& workflow,
                                    Witness& out) {
  audit::Walker walker("", std::string(record::kSpanning), record::Home::spanning,
                       [&](const audit::Held& held) {
                         out.leaves.push_back(hash::leaf_hash(as_bytes(held.line)));
                         if (const auto* created = held.event.as<record::LogCreated>()) {
                           if (held.entry.seq == 0) out.key = created->key + "\n";
                         }
                         if (const auto* started = held.event.as<record::WorkflowStarted>()) {
                           out.known = out.known || started->workflow == workflow;
                         }
                         const auto* ended = held.event.as<record::WorkflowEnded>();
                         if (ended == nullptr || ended->workflow != workflow) return;
                         out.entry = held.line;
                         out.seq = held.entry.seq;
                       });
  CG_TRY(audit::walk_spanning(events, walker));
  return Done{};
}

Problem not_in_the_log(const std::string& workflow) {
  return {ErrorCode::evidence_broken,
          "the log does not have the end of the workflow beneath a signed checkpoint",
          {{"workflow", workflow}},
          "no evidence was written",
          {"codegenie audit verify"}};
}

}  // namespace

Result<Witness, Problem> read_witness(const os::Dir& home, const std::string& workflow) {
  const auto events = home.open_dir(audit::kEvents);
  if (!events) return fail(audit::reading(events.error()));
  Witness out;
  CG_TRY(read_spanning(*events, workflow, out));
  if (out.key.empty() || !sign::NoteKey::parse(out.key.substr(0, out.key.size() - 1))) {
    return fail(audit::broken(ErrorCode::audit_key,
                              "the first entry does not name the key of the log", events->path()));
  }
  // The id becomes part of a path.
  out.known = out.known && WorkflowId::parse(workflow).has_value();
  if (!out.known) return out;
  audit::Walker walker("", workflow, record::Home::workflow,
                       [&](const audit::Held& held) { (out.lines += held.line) += '\n'; });
  CG_TRY(audit::walk_workflow(*events, workflow, walker));
  return out;
}

Result<Slice, Problem> read_slice(const os::Dir& home, const std::string& workflow) {
  CG_TRY_ASSIGN(Witness witness, read_witness(home, workflow));
  const auto key = sign::NoteKey::parse(witness.key.substr(0, witness.key.size() - 1));
  const std::string path = audit::kEvents + "/" + audit::kTilesDir + "/" + audit::kCheckpointFile;
  const auto checkpoint = home.read(path, audit::kMaxSmallFile);
  if (!checkpoint) return fail(audit::reading(checkpoint.error()));
  const auto head = record::open_checkpoint(*checkpoint, *key);
  if (!head) {
    return fail(audit::broken(ErrorCode::audit_checkpoint,
                              "checkpoint " + record::describe(head.error()), home.path_of(path)));
  }
  if (witness.entry.empty() || witness.seq >= head->size) return fail(not_in_the_log(workflow));
  if (witness.leaves.size() < head->size) {
    return fail(audit::broken(ErrorCode::audit_truncated, "entries are missing from the end",
                              home.path_of(audit::kEvents)));
  }
  witness.leaves.resize(head->size);
  const record::Proof proof{witness.seq, hash::inclusion_path(witness.leaves, witness.seq),
                            *checkpoint};
  if (!record::check_proof(proof, witness.entry, *key)) {
    return fail(audit::broken(ErrorCode::audit_checkpoint,
                              "the checkpoint was made of other entries", home.path_of(path)));
  }
  return Slice{std::move(witness.lines), std::move(witness.entry), record::write_proof(proof),
               std::move(witness.key)};
}

}  // namespace cg::evidence
