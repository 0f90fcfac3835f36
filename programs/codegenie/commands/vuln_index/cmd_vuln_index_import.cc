// codegenie vuln-index import
#include "commands.h"
#include "flow/scan/index.h"
#include "text/audit_text.h"
#include "text/index_change.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxBundleBytes = 1U << 30U;

Result<Report, Problem> run_import(const cli::Invocation& invocation, Session& session) {
  const std::string file = invocation.arguments.at(0);
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const std::string bytes, read_user_file(file, kMaxBundleBytes));
  const auto bundle = vulnindex::read_bundle(bytes, file);
  if (!bundle) {
    return fail(Problem{ErrorCode::data_bundle,
                        "the bundle cannot be imported",
                        {{"file", file}, {"found", bundle.error().what}},
                        "the index is as it was",
                        {}});
  }
  const auto replaced = vulnindex::replace_all(access.workspace.home, bundle->draft, bundle->built);
  if (!replaced) return fail(scan::problem_of(replaced.error()));
  CG_TRY(scan::record_replacement(access, replaced->summary, "import " + file));
  return change_report({"import", file, *replaced, {}});
}

}  // namespace

Entry vuln_index_import_command() {
  return {
      {.path = {"vuln-index", "import"},
       .summary = "Put in the index of another machine",
       .about = {"Takes what `vuln-index export` wrote, if its records have the digest it names. "
                 "It keeps the age it had there: an old bundle is an old index."},
       .arguments = {{.name = "BUNDLE_FILE", .help = "what `vuln-index export` wrote"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie vuln-index import advisories.tar.zst", "on the other machine"}}},
      run_import};
}

}  // namespace cg::program
