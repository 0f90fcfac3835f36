// codegenie version
#include <openssl/crypto.h>
#include <zstd.h>

#include "commands.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_version(const cli::Invocation&, Session&) {
  using json::Value;
  const cli::CommandTable& table = command_table();
  const std::pair<std::string_view, std::string_view> libraries[] = {
      // Asked at run time: it is a shared library, and updated without us.
      {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
      {"zstd", ZSTD_versionString()},
  };
  std::vector<std::vector<cli::Cell>> rows = {
      {{std::string(table.program)}, {std::string(table.version)}},
      {{"build"}, {CG_BUILD_TYPE}},
  };
  Value::Array list;
  for (const auto& [name, version] : libraries) {
    rows.push_back({{std::string(name)}, {std::string(version)}});
    list.emplace_back(Value::Object{{"name", name}, {"version", version}});
  }
  return json_report(Value::Object{{"schema", "codegenie/version/v1"},
                                   {"program", table.program},
                                   {"version", table.version},
                                   {"build_type", CG_BUILD_TYPE},
                                   {"libraries", std::move(list)}},
                     [rows = std::move(rows)](const cli::Style& style) {
                       return cli::layout({{}, {}}, rows, style);
                     });
}

}  // namespace

Entry version_command() {
  return {{.path = {"version"},
           .group = cli::Group::more,
           .summary = "Show the version, the build and the libraries used",
           .about = {"Says nothing about the machine or the user, so the output may be pasted into "
                     "a ticket. `codegenie --version` prints the version alone."},
           .formats = {cli::Format::table, cli::Format::json},
           .examples = {{"codegenie version --json", "the same for a program"}}},
          run_version,
          Sealing::reads_nothing};
}

}  // namespace cg::program
