// codegenie registry export
#include "access.h"
#include "base/base/text.h"
#include "commands.h"
#include "fetch/catalog/bundle.h"
#include "output.h"
#include "trust/hash/sha256.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_registry_export(const cli::Invocation& invocation, Session& session) {
  const auto file = invocation.value("out");
  if (!file) {
    return fail(bad_value("--out names the file to write", "codegenie registry export --help"));
  }
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(PendingFile out, PendingFile::open(*file));
  CG_TRY_ASSIGN(const catalog::Packed packed,
                catalog::make_bundle(catalog::Cache(access.workspace.home)));
  CG_TRY(out.commit(packed.bytes));
  const std::string sha256 = to_hex(hash::sha256(as_bytes(packed.bytes)));
  return json_report(json::Value::Object{{"schema", "codegenie/registry-export/v1"},
                                         {"file", printable(*file)},
                                         {"bytes", number(packed.bytes.size())},
                                         {"packages", number(packed.packages)},
                                         {"sha256", sha256}},
                     [file = *file, sha256, size = packed.bytes.size(),
                      packages = packed.packages](const cli::Style&) {
                       return "Wrote " + printable(file) + ", " +
                              counted(packages, "package", "packages") + ", " + grouped(size) +
                              " bytes\nsha256 " + sha256 + "\n";
                     });
}

}  // namespace

Entry registry_export_command() {
  return {{.path = {"registry", "export"},
           .summary = "Write the cached metadata as one file",
           .about = {"A tar of what was fetched, packed with zstd. The same cache gives the same "
                     "bytes. It holds no token and no tarball."},
           .flags = {{.name = "out",
                      .value_name = "BUNDLE_FILE",
                      .help = "the file to write",
                      .touch = cli::Touch::writes_file}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie registry export --out registry.tar.zst", "carry it away"}}},
          run_registry_export,
          Sealing::sealed,
          {Reach::npm_settings}};
}

}  // namespace cg::program
