// codegenie audit anchor verify
#include "access.h"
#include "base/base/text.h"
#include "commands.h"
#include "signing.h"
#include "trust/audit/problems.h"

namespace cg::program {

namespace {

using json::Value;

struct Row {
  std::string file;
  std::uint64_t size;
  std::string signer;
  std::string status;  // ok, unknown signer, unsigned
};

Row row_of(const audit::AnchorStatus& anchor) {
  switch (anchor.vouched) {
    case audit::Vouched::by_signer:
      return {anchor.file, anchor.head.size, anchor.signer, "ok"};
    case audit::Vouched::by_stranger:
      return {anchor.file, anchor.head.size, anchor.signer, "unknown signer"};
    case audit::Vouched::by_gpg:
      return {anchor.file, anchor.head.size, "gpg:" + anchor.signer, "ok"};
    case audit::Vouched::by_nobody:
      return {anchor.file, anchor.head.size, "", "unsigned"};
  }
  std::abort();
}

Report report_of(const std::vector<Row>& rows, std::uint64_t unanchored,
                 const std::optional<Problem>& problem, ExitCode exit) {
  Value::Array anchors;
  for (const Row& row : rows) {
    anchors.push_back(Value::Object{{"file", row.file},
                                    {"size", number(row.size)},
                                    {"signer", row.signer},
                                    {"status", row.status}});
  }
  Report report = json_report(
      Value::Object{{"schema", "codegenie/audit-anchors/v1"},
                    {"anchors", anchors},
                    {"unanchored", number(unanchored)},
                    {"exit", static_cast<int>(exit)}},
      [rows, unanchored](const cli::Style& style) {
        std::vector<std::vector<cli::Cell>> cells;
        for (const Row& row : rows) {
          cells.push_back(
              {{row.file},
               {grouped(row.size)},
               {row.signer},
               {row.status, row.status == "ok" ? cli::Role::good : cli::Role::warning}});
        }
        const std::string table = cli::layout({{.title = "ANCHOR"},
                                               {.title = "ENTRIES", .align = cli::Align::right},
                                               {.title = "SIGNED BY"},
                                               {.title = "STATUS"}},
                                              cells, style);
        return (rows.empty() ? "No anchors\n" : table) + counted(unanchored, "entry", "entries") +
               " not anchored\n";
      },
      exit);
  report.problem = problem;
  return report;
}

Result<Report, Problem> run_anchor_verify(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(Access access, open_workspace(session));
  if (const auto dir = invocation.value("anchor-dir")) access.anchor_dir = *dir;
  CG_TRY_ASSIGN(audit::LogReport found, verify_log(access, invocation, session));
  std::optional<Problem> problem;
  if (!found.breaks.empty()) problem = found.breaks.front();
  std::vector<Row> rows;
  std::uint64_t unanchored = found.unanchored;
  bool doubtful = false;
  for (audit::AnchorStatus& anchor : found.anchors) {
    if (anchor.vouched == audit::Vouched::by_gpg) {
      auto signer = gpg_signer(anchor.path, anchor.path + ".asc");
      if (!signer && !problem) {
        problem = signer.error();
        problem->code = ErrorCode::audit_anchor;
      }
      anchor.signer = signer ? *signer : "";
      if (signer) unanchored = std::min(unanchored, found.entries - anchor.head.size);
    }
    rows.push_back(row_of(anchor));
    doubtful = doubtful || rows.back().status != "ok";
  }
  ExitCode exit = problem ? problem->exit() : ExitCode::ok;
  if (!problem && invocation.has("strict") && (doubtful || rows.empty())) {
    problem = Problem{ErrorCode::audit_gaps,
                      "not every anchor is signed by a known key",
                      {},
                      "nothing was changed",
                      {"add the signer to policy/allowed_signers, or publish a signed anchor"}};
    exit = problem->exit();
  }
  return report_of(rows, unanchored, problem, exit);
}

}  // namespace

Entry audit_anchor_verify_command() {
  return {{.path = {"audit", "anchor", "verify"},
           .summary = "Check signatures and signers",
           .about = {"SSH signatures are checked here against policy/allowed_signers; GPG "
                     "signatures by the gpg "
                     "program against its own keyring. Two anchors that disagree mean that the log "
                     "was forked."},
           .flags = {{.name = "anchor-dir", .value_name = "DIR", .help = "where the anchors are"},
                     {.name = "strict",
                      .help = "unsigned anchors and unknown signers are failures too"}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard}},
          run_anchor_verify};
}

}  // namespace cg::program
