// codegenie init
#include "access.h"
#include "base/base/text.h"
#include "commands.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_init(const cli::Invocation& invocation, Session& session) {
  const workspace::Preset preset = invocation.value("policy").value_or("standard") == "strict"
                                       ? workspace::Preset::strict
                                       : workspace::Preset::standard;
  if (invocation.has("print")) return text_report(workspace::policy_text(preset));
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  const std::string home = invocation.argument(0).value_or(settings.get(cli::Key::home));
  CG_TRY_ASSIGN(const workspace::Workspace made, make_workspace(session, home, preset));
  CG_TRY_ASSIGN(const audit::LogKey key, audit::read_log_key(made.home));
  const std::string log = key.verifier.name().substr(record::origin_of("").size());
  Report report = json_report(json::Value::Object{{"schema", "codegenie/init/v1"},
                                                  {"home", printable(made.path)},
                                                  {"log", log},
                                                  {"key", key.verifier.str()}},
                              [path = printable(made.path), log](const cli::Style&) {
                                return "Workspace " + path + "\nAudit log " + log + ", 1 entry\n";
                              });
  report.hints.push_back(
      "keep it outside the repositories you fix; sign and copy out its head with "
      "`codegenie audit anchor publish --sign ssh:KEY`");
  return report;
}

}  // namespace

Entry init_command() {
  return {
      {.path = {"init"},
       .group = cli::Group::set_up,
       .summary = "Create a workspace and a starter policy",
       .about = {"Makes a private folder with a new audit log, the key that signs the log's "
                 "checkpoints, and a policy file. It is made whole or not at all, and never where "
                 "something is already.",
                 "Where npm is installed, the public registry that it knows is read from its files "
                 "and kept in policy/registry.yaml; npm is not run.",
                 "Without DIR the workspace is made where --home, CODEGENIE_HOME or the default "
                 "says."},
       .arguments = {{.name = "DIR",
                      .help = "where",
                      .presence = cli::Presence::optional,
                      .touch = cli::Touch::makes_folder}},
       .flags = {{.name = "policy",
                  .value_name = "PRESET",
                  .choices = {"standard", "strict"},
                  .help = "how strict the starter policy is"},
                 {.name = "print", .help = "print the starter policy and make nothing"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::guard},
       .examples = {{"codegenie init", "make the default workspace"},
                    {"codegenie init --policy strict /srv/codegenie", "a strict one elsewhere"}}},
      run_init,
      Sealing::sealed,
      {Reach::new_workspace, Reach::npm_itself}};
}

}  // namespace cg::program
