// codegenie vuln-index verify
#include "base/base/text.h"
#include "commands.h"
#include "flow/scan/index.h"
#include "text/audit_text.h"

namespace cg::program {

namespace {

/// The digest that the log recorded last; nothing if it never did.
Result<std::optional<std::string>, Problem> recorded_digest(const Access& access) {
  std::optional<std::string> digest;
  CG_TRY_ASSIGN(const auto problem, for_each_entry(access, [&](const audit::Held& held) {
                  if (const auto* event = held.event.as<record::AdvisoryIndexReplaced>()) {
                    digest = blake3_name(event->digest);
                  }
                }));
  if (problem) return fail(*problem);
  return digest;
}

Result<Report, Problem> run_vuln_index_verify(const cli::Invocation&, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(vulnindex::Index index, scan::open_any_index(access));
  if (const auto sound = index.verify(); !sound) return fail(scan::problem_of(sound.error()));
  CG_TRY_ASSIGN(const auto recorded, recorded_digest(access));
  if (recorded != index.summary().digest) {
    return fail(Problem{ErrorCode::data_corrupt,
                        "the index is not the one that the audit log recorded",
                        {{"expected", recorded.value_or("an event that records an index")},
                         {"found", index.summary().digest}},
                        "nothing was changed",
                        {"codegenie vuln-index refresh"}});
  }
  const vulnindex::Summary summary = index.summary();
  return json_report(json::Value::Object{{"schema", "codegenie/vuln-index-verify/v1"},
                                         {"facts", facts_json(summary)},
                                         {"recorded", true}},
                     [summary](const cli::Style& style) {
                       return std::string(style.glyph(cli::Glyph::ok)) + " " +
                              counted(summary.advisories, "advisory", "advisories") +
                              ", every record, rule and checksum as written\n" +
                              std::string(style.glyph(cli::Glyph::ok)) + " " + summary.digest +
                              " is what the audit log recorded\n";
                     });
}

}  // namespace

Entry vuln_index_verify_command() {
  return {
      {.path = {"vuln-index", "verify"},
       .summary = "Read all of the index and compare it with the log",
       .about = {"Checks SQLite's pages, every checksum, the digest over all records, that the "
                 "tables are those that follow from the records, and that the audit log recorded "
                 "this very digest when the index was put in place."},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard,
                 ExitCode::stale_data},
       .examples = {{"codegenie vuln-index verify", "is it what was put in place?"}}},
      run_vuln_index_verify};
}

}  // namespace cg::program
