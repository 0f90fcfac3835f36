// codegenie help
#include "commands.h"
#include "flow/cli/help.h"
#include "flow/cli/man.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_man(const std::string& name) {
  const cli::CommandTable& table = command_table();
  if (auto page = cli::man_page(table, name)) return text_report(*std::move(page));
  return fail(
      cli::bad_choice("no manual page " + cli::shown(name), name, cli::man_page_names(table)));
}

Result<Report, Problem> run_help(const cli::Invocation& invocation, Session& session) {
  if (const auto page = invocation.value("man")) return run_man(*page);
  const std::vector<std::string_view> words(invocation.arguments.begin(),
                                            invocation.arguments.end());
  CG_TRY_ASSIGN(std::string text, cli::help_on(command_table(), words, session.out_style));
  return text_report(std::move(text));
}

}  // namespace

Entry help_command() {
  return {{.path = {"help"},
           .group = cli::Group::more,
           .summary = "Show help on a command or a topic",
           .about = {"Without TOPIC it lists the commands and the topics. `codegenie help audit "
                     "verify` shows the same as `codegenie audit verify --help`."},
           .arguments = {{.name = "TOPIC",
                          .help = "the words of a command, or a topic such as exit-codes",
                          .presence = cli::Presence::any_number}},
           .flags = {{.name = "man",
                      .value_name = "PAGE",
                      .help = "print the roff source of a manual page, such as codegenie-config"}},
           .examples = {{"codegenie help exit-codes", "what each exit code means"},
                        {"codegenie help config show", "help on one command"}}},
          run_help,
          Sealing::reads_nothing};
}

}  // namespace cg::program
