// codegenie rag export
#include <algorithm>

#include "base/base/text.h"
#include "commands.h"
#include "commands/rag/rag_words.h"
#include "learn/rag/problems.h"
#include "output.h"
#include "signing.h"
#include "trust/audit/layout.h"

namespace cg::program {

namespace {

/// The newest anchor that somebody signed whom we know.
Result<rag::SignedHead, Problem> published_head(const Access& access, const rag::Ledger& ledger) {
  CG_TRY_ASSIGN(const sign::AllowedSigners signers,
                audit::read_allowed_signers(access.workspace.home));
  CG_TRY_ASSIGN(const audit::Anchors anchors,
                audit::read_anchors(access.anchor_dir, *ledger.key, signers));
  const auto found = std::find_if(
      anchors.anchors.rbegin(), anchors.anchors.rend(),
      [](const audit::AnchorStatus& a) { return a.vouched == audit::Vouched::by_signer; });
  if (found == anchors.anchors.rend()) {
    return fail(bad_value("no anchor of this log is signed by somebody you trust",
                          "codegenie rag export FILE --sign ssh:KEYFILE"));
  }
  CG_TRY_ASSIGN(std::string signature, read_user_file(found->path + ".sig", audit::kMaxSmallFile));
  return rag::SignedHead{found->bytes, std::move(signature)};
}

Result<Report, Problem> run_rag_export(const cli::Invocation& invocation, Session& session) {
  const std::string file = invocation.arguments.at(0);
  const auto how = invocation.value("sign");
  if (how && !how->starts_with("ssh:")) {
    return fail(bad_value("--sign takes ssh:KEYFILE", "codegenie rag export --help"));
  }
  CG_TRY_ASSIGN(const StoreAccess store, open_store(invocation, session));
  CG_TRY_ASSIGN(PendingFile out, PendingFile::open(file));
  CG_TRY_ASSIGN(const rag::Ledger ledger,
                rag::read_ledger(store.access->workspace.home, rag::Lines::keep));
  rag::SignedHead head;
  if (how) {
    CG_TRY_ASSIGN(const Signed by, sign_anchor(*how, ledger.checkpoint));
    head = {ledger.checkpoint, by.signature->bytes};
  } else {
    CG_TRY_ASSIGN(head, published_head(*store.access, ledger));
  }
  CG_TRY_ASSIGN(const rag::Exported made, rag::export_bundle(ledger, head));
  CG_TRY(out.commit(made.bytes));
  const std::string digest = blake3_name(hash::blake3(as_bytes(made.bytes)));
  return json_report(json::Value::Object{{"schema", "codegenie/rag-export/v1"},
                                         {"file", printable(file)},
                                         {"records", number(made.records)},
                                         {"left_out", number(made.left_out)},
                                         {"bytes", number(made.bytes.size())},
                                         {"digest", digest}},
                     [file, made, digest](const cli::Style&) {
                       return "Wrote " + printable(file) + ", " +
                              counted(made.records, "record", "records") + ", " +
                              grouped(made.left_out) + " left out\n" + digest + "\n";
                     });
}

}  // namespace

Entry rag_export_command() {
  return {
      {.path = {"rag", "export"},
       .summary = "Write solved examples as one file that proves itself",
       .about = {"Each record comes with its entries of the audit log and the proofs that they lie "
                 "beneath the log's head, which somebody signed: the newest anchor of `audit "
                 "anchor publish`, or with --sign the head of now. Records in quarantine, imported "
                 "ones and those that the signed head does not cover are left out."},
       .arguments = {{.name = "FILE",
                      .help = "the file to write",
                      .touch = cli::Touch::writes_file}},
       .flags = {{.name = "sign",
                  .value_name = "METHOD:KEY",
                  .help = "ssh:KEYFILE signs the head of now",
                  .touch = cli::Touch::reads_key}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie rag export examples.json --sign ssh:operator_ed25519",
                     "carry them to another machine"}}},
      run_rag_export};
}

}  // namespace cg::program
