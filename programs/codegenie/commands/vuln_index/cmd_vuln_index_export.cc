// codegenie vuln-index export
#include "base/base/text.h"
#include "commands.h"
#include "flow/scan/index.h"
#include "output.h"
#include "trust/hash/sha256.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_export(const cli::Invocation& invocation, Session& session) {
  const auto file = invocation.value("out");
  if (!file)
    return fail(bad_value("--out names the file to write", "codegenie vuln-index export --help"));
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(vulnindex::Index index, scan::open_any_index(access));
  CG_TRY_ASSIGN(PendingFile out, PendingFile::open(*file));
  const auto draft = index.draft();
  if (!draft) return fail(scan::problem_of(draft.error()));
  const std::string bytes = vulnindex::make_bundle(*draft, index.summary());
  CG_TRY(out.commit(bytes));
  const std::string sha256 = to_hex(hash::sha256(as_bytes(bytes)));
  const std::string digest = index.summary().digest;
  return json_report(json::Value::Object{{"schema", "codegenie/vuln-index-export/v1"},
                                         {"file", printable(*file)},
                                         {"bytes", number(bytes.size())},
                                         {"sha256", sha256},
                                         {"digest", digest}},
                     [file = *file, sha256, size = bytes.size()](const cli::Style&) {
                       return "Wrote " + printable(file) + ", " + grouped(size) +
                              " bytes\nsha256 " + sha256 + "\n";
                     });
}

}  // namespace

Entry vuln_index_export_command() {
  return {
      {.path = {"vuln-index", "export"},
       .summary = "Write the index as one file for another machine",
       .about = {"A tar of its records, packed with zstd. The same index gives the same bytes."},
       .flags = {{.name = "out",
                  .value_name = "BUNDLE_FILE",
                  .help = "the file to write",
                  .touch = cli::Touch::writes_file}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard,
                 ExitCode::stale_data},
       .examples = {{"codegenie vuln-index export --out advisories.tar.zst", "carry it away"}}},
      run_export};
}

}  // namespace cg::program
