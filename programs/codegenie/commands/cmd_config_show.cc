// codegenie config show
#include "commands.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_config_show(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  std::vector<std::vector<cli::Cell>> rows;
  for (const cli::Setting& setting : settings.all()) {
    const cli::SettingRow& row = cli::setting_table()[static_cast<std::size_t>(setting.key)];
    rows.push_back({{std::string(row.name), cli::Role::code}, {setting.value}});
    if (invocation.has("origin")) {
      rows.back().push_back({cli::describe(setting.origin), cli::Role::faint});
    }
  }
  return json_report(cli::settings_json(settings),
                     [rows = std::move(rows)](const cli::Style& style) {
                       return cli::layout({{}, {}, {}}, rows, style);
                     });
}

}  // namespace

Entry config_show_command() {
  return {{.path = {"config", "show"},
           .summary = "Show effective settings and where each came from",
           .about = {"A flag wins over a CODEGENIE_* variable, a variable over `--config FILE`, "
                     "that over $XDG_CONFIG_HOME/codegenie/config.yaml, that over "
                     "/etc/codegenie/config.yaml, that over what is built in.",
                     "Files are strict YAML. A key that does not exist is an error, so that a "
                     "mistyped setting cannot pass unnoticed."},
           .flags = {{.name = "origin", .help = "also show the layer of each value"}},
           .formats = {cli::Format::table, cli::Format::json},
           .examples = {{"codegenie config show --origin", "which file or variable set what"}}},
          run_config_show};
}

}  // namespace cg::program
