// codegenie plugins list
#include "base/base/text.h"
#include "commands.h"
#include "text/plugins_json.h"

namespace cg::program {

namespace {

using Rows = std::vector<std::vector<cli::Cell>>;

std::string locks_text(const recipe::Recipe& recipe) {
  std::string out;
  for (const npm::LockKind kind : recipe.locks) {
    (out += out.empty() ? "" : ", ") += npm::name(kind);
  }
  return out;
}

std::string list_text(const plugin::Plugins& plugins, const cli::Style& style) {
  std::string out;
  for (const plugin::Plugin& plugin : plugins.all()) {
    out += (out.empty() ? "" : "\n") + plugin.manifest.name + "@" +
           std::to_string(plugin.manifest.version) + "\n" + plugin.manifest.summary + "\n";
    Rows rows;
    for (const recipe::Recipe& recipe : plugin.recipes.all()) {
      rows.push_back({{"  " + recipe.label(), cli::Role::code},
                      {std::to_string(recipe.precedence)},
                      {recipe.strategy},
                      {locks_text(recipe)}});
    }
    if (rows.empty()) continue;
    out += cli::layout({{.title = "  RECIPE"},
                        {.title = "TURN", .align = cli::Align::right},
                        {.title = "STRATEGY"},
                        {.title = "LOCKFILES"}},
                       rows, style);
  }
  return out;
}

Result<Report, Problem> run_plugins_list(const cli::Invocation&, Session&) {
  CG_TRY_ASSIGN(const plugin::Plugins plugins, plugin::load_installed());
  return json_report(plugins_json(plugins),
                     [plugins](const cli::Style& style) { return list_text(plugins, style); });
}

}  // namespace

Entry plugins_list_command() {
  return {{.path = {"plugins", "list"},
           .summary = "List plugins and their recipes",
           .about = {"A plugin is data: which of the built-in ways to fix a copy are tried, in "
                     "which order, within which limits, and what the run may do. It is listed only "
                     "if it has the digest that PLUGINS.lock gives."},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity},
           .examples = {{"codegenie plugins list", "what would be tried, in its order"}}},
          run_plugins_list,
          Sealing::sealed,
          {Reach::plugins}};
}

}  // namespace cg::program
