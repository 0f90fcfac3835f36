// codegenie registry import
#include "base/base/text.h"
#include "commands.h"
#include "fetch/catalog/bundle.h"
#include "text/audit_text.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxRegistryBundle = 1U << 30U;

Result<Report, Problem> run_registry_import(const cli::Invocation& invocation, Session& session) {
  const std::string file = invocation.arguments.at(0);
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const std::string bytes, read_user_file(file, kMaxRegistryBundle));
  const auto bundle = catalog::read_bundle(bytes);
  if (!bundle) {
    return fail(Problem{ErrorCode::registry_bundle,
                        "the bundle cannot be imported",
                        {{"file", file}, {"found", bundle.error()}},
                        "the cache is as it was",
                        {}});
  }
  CG_TRY_ASSIGN(const catalog::Imported imported,
                catalog::import_bundle(catalog::Cache(access.workspace.home), *bundle));
  return json_report(json::Value::Object{{"schema", "codegenie/registry-import/v1"},
                                         {"file", printable(file)},
                                         {"taken", number(imported.taken)},
                                         {"kept", number(imported.kept)}},
                     [imported](const cli::Style&) {
                       return "Took in " + counted(imported.taken, "package", "packages") +
                              "; of " + grouped(imported.kept) +
                              " the cache had what is as new or newer\n";
                     });
}

}  // namespace

Entry registry_import_command() {
  return {
      {.path = {"registry", "import"},
       .summary = "Put in the cached metadata of another machine",
       .about = {"Takes what `registry export` wrote, if all of it has the digests it names: all "
                 "or nothing is taken. Metadata keeps its age and the registry it came from, so "
                 "`--offline` finds it where the same registry is configured."},
       .arguments = {{.name = "BUNDLE_FILE", .help = "what `registry export` wrote"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie registry import registry.tar.zst", "on the other machine"}}},
      run_registry_import,
      Sealing::sealed,
      {Reach::npm_settings}};
}

}  // namespace cg::program
