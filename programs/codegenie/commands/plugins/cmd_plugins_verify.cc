// codegenie plugins verify
#include "base/base/text.h"
#include "commands.h"
#include "text/plugins_json.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_plugins_verify(const cli::Invocation&, Session&) {
  CG_TRY_ASSIGN(const plugin::Plugins plugins, plugin::load_installed());
  return json_report(plugins_json(plugins), [plugins](const cli::Style& style) {
    std::string out;
    for (const plugin::Plugin& plugin : plugins.all()) {
      out += std::string(style.glyph(cli::Glyph::ok)) + " " + plugin.manifest.name + ", " +
             counted(plugin.recipes.all().size(), "recipe", "recipes") +
             "\n  sha256:" + to_hex(plugin.digest) + " as pinned\n";
    }
    return out;
  });
}

}  // namespace

Entry plugins_verify_command() {
  return {{.path = {"plugins", "verify"},
           .summary = "Compare every plugin with PLUGINS.lock",
           .about = {"Reads every file of every plugin, compares the digest of its tree with the "
                     "one that PLUGINS.lock gives, and parses it. The lock finds what was damaged, "
                     "half installed or edited; it is no signature: whoever can write the plugins "
                     "can write the lock."},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity},
           .examples = {{"codegenie plugins verify", "after an installation"}}},
          run_plugins_verify,
          Sealing::sealed,
          {Reach::plugins}};
}

}  // namespace cg::program
