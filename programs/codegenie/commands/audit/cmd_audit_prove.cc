// codegenie audit prove
#include "base/base/text.h"
#include "text/audit_text.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/hash/merkle.h"
#include "trust/record/proof.h"

namespace cg::program {

namespace {

using json::Value;

Result<Report, Problem> run_audit_prove(const cli::Invocation& invocation, Session& session) {
  const auto seq = parse_u64(invocation.arguments.at(0));
  if (!seq) return fail(bad_value("not the number of an entry", "codegenie audit log"));
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const sign::NoteKey key, log_verifier(access));
  const std::string path = audit::kEvents + "/" + audit::kTilesDir + "/" + audit::kCheckpointFile;
  const auto checkpoint = access.workspace.home.read(path, audit::kMaxSmallFile);
  if (!checkpoint) return fail(audit::reading(checkpoint.error()));
  const auto head = record::open_checkpoint(*checkpoint, key);
  if (!head) {
    return fail(audit::broken(ErrorCode::audit_checkpoint,
                              "checkpoint " + record::describe(head.error()),
                              access.workspace.home.path_of(path)));
  }
  std::vector<hash::Digest> leaves;
  std::string line;
  CG_TRY_ASSIGN(const auto problem, for_each_entry(access, [&](const audit::Held& held) {
                  if (leaves.size() < head->size)
                    leaves.push_back(hash::leaf_hash(as_bytes(held.line)));
                  if (held.entry.seq == *seq) line = held.line;
                }));
  if (problem) return fail(*problem);
  if (*seq >= head->size) {
    return fail(Problem{ErrorCode::audit_no_entry,
                        "no entry " + grouped(*seq) + " beneath the checkpoint",
                        {},
                        "nothing was done",
                        {"codegenie audit log"}});
  }
  const record::Proof proof{*seq, hash::inclusion_path(leaves, *seq), *checkpoint};
  if (!record::check_proof(proof, line, key)) {
    return fail(audit::broken(ErrorCode::audit_checkpoint,
                              "the checkpoint was made of other entries",
                              access.workspace.home.path_of(path)));
  }
  Value::Array hashes;
  for (const hash::Digest& h : proof.path) hashes.emplace_back(to_base64(h));
  return json_report(Value::Object{{"schema", "codegenie/audit-proof/v1"},
                                   {"index", number(*seq)},
                                   {"size", number(head->size)},
                                   {"entry", line},
                                   {"hashes", hashes},
                                   {"checkpoint", *checkpoint},
                                   {"key", key.str()}},
                     [proof](const cli::Style&) { return record::write_proof(proof); });
}

}  // namespace

Entry audit_prove_command() {
  return {
      {.path = {"audit", "prove"},
       .summary = "Print a proof that an entry is in the log",
       .about = {"The proof is a C2SP tlog-proof: the path from the entry to the signed "
                 "checkpoint. Whoever "
                 "has it, the entry's exact bytes (`audit export --entry N`) and the log's key can "
                 "check it "
                 "without the log."},
       .arguments = {{.name = "N", .help = "the number of the entry"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie audit prove 12 > 12.proof", "make a proof"},
                    {"codegenie audit export --entry 12 > 12.json", "and the entry it is about"}}},
      run_audit_prove};
}

}  // namespace cg::program
