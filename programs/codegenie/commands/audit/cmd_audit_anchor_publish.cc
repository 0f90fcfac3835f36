// codegenie audit anchor publish
#include "access.h"
#include "base/base/text.h"
#include "commands.h"
#include "signing.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"

namespace cg::program {

namespace {

using json::Value;

struct Published {
  std::string path;
  record::TreeHead head;
  Signed by;
};

Report report_of(const Published& p) {
  Report report = json_report(Value::Object{{"schema", "codegenie/audit-anchor/v1"},
                                            {"file", printable(p.path)},
                                            {"size", number(p.head.size)},
                                            {"root", "sha256:" + to_hex(p.head.root)},
                                            {"head", blake3_name(p.head.head)},
                                            {"method", p.by.method},
                                            {"signer", p.by.signer}},
                              [p](const cli::Style&) {
                                return "Anchored " + counted(p.head.size, "entry", "entries") +
                                       ": " + printable(p.path) + "\nSigned by " +
                                       (p.by.signer.empty() ? "nobody" : p.by.signer) + "\n";
                              });
  if (p.by.method == "unsigned") {
    report.hints.push_back("sign it: ssh-keygen -Y sign -n " +
                           std::string(audit::kAnchorNamespace) + " -f KEY " + printable(p.path));
  } else {
    report.hints.push_back(
        "copy it to where the log is not, for example commit it to a repository");
  }
  return report;
}

Result<Report, Problem> run_anchor_publish(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(Access access, open_workspace(session));
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  if (const auto dir = invocation.value("anchor-dir")) access.anchor_dir = *dir;
  std::string how = invocation.value("sign").value_or(settings.get(cli::Key::audit_sign));
  if (how == "none") how.clear();
  if (how.empty() != invocation.has("unsigned")) {
    return fail(bad_value(
        how.empty() ? "name a key, or say --unsigned" : "--sign and --unsigned exclude each other",
        "codegenie audit anchor publish --sign ssh:KEYFILE"));
  }
  // Nobody should put a name to a log that does not hold.
  CG_TRY_ASSIGN(const audit::LogReport found, verify_log(access, invocation, session));
  if (!found.breaks.empty()) return fail(found.breaks.front());

  os::SystemClock clock;
  CG_TRY_ASSIGN(audit::Log log, open_log(access, clock));
  CG_TRY_ASSIGN(const record::TreeHead head, log.checkpoint());
  const std::string path = audit::kTilesDir + "/" + audit::kCheckpointFile;
  const auto note = log.events_dir().read(path, audit::kMaxSmallFile);
  if (!note) return fail(audit::reading(note.error()));
  Signed by{"unsigned", "", {}};
  if (!how.empty()) {
    CG_TRY_ASSIGN(by, sign_anchor(how, *note));
  }
  CG_TRY_ASSIGN(const std::string file,
                audit::publish_anchor(access.anchor_dir, log.id(), to_date(clock.now()), *note,
                                      by.signature));
  CG_TRY(log.append({record::AnchorPublished{file, by.method, head.root, by.signer, head.size}}));
  CG_TRY(log.checkpoint());
  return report_of({access.anchor_dir + "/" + log.id() + "/" + file, head, by});
}

}  // namespace

Entry audit_anchor_publish_command() {
  return {
      {.path = {"audit", "anchor", "publish"},
       .summary = "Sign the head of the log",
       .about =
           {"Checks the whole log, then writes its checkpoint as DIR/<log>/<date>.note with the "
            "operator's signature beside it. An anchor that lies elsewhere, in a repository for "
            "example, shows any later change of what it covers, even by somebody who can write to "
            "this machine.",
            "ssh:KEYFILE signs here with an Ed25519 key without passphrase; other keys can sign an "
            "--unsigned anchor with `ssh-keygen -Y sign -n codegenie-anchor`. gpg:KEYID runs gpg."},
       .flags = {{.name = "sign",
                  .value_name = "METHOD:KEY",
                  .help = "ssh:KEYFILE or gpg:KEYID; default: audit.sign",
                  .touch = cli::Touch::reads_key},
                 {.name = "unsigned", .help = "write the anchor without a signature"},
                 {.name = "anchor-dir",
                  .value_name = "DIR",
                  .help = "where the anchors are",
                  .touch = cli::Touch::writes_folder}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie audit anchor publish --sign ssh:operator_ed25519",
                     "sign today's head"}}},
      run_anchor_publish,
      Sealing::sealed,
      {Reach::anchors}};
}

}  // namespace cg::program
