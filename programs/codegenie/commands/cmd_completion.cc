// codegenie completion
#include "base/base/assert.h"
#include "commands.h"
#include "flow/cli/completion.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_completion(const cli::Invocation& invocation, Session&) {
  const auto shell = cli::parse_shell(invocation.arguments.at(0));
  CG_ASSERT(shell.has_value());  // the table lists exactly these
  return text_report(cli::completion_script(command_table(), *shell));
}

}  // namespace

Entry completion_command() {
  return {{.path = {"completion"},
           .group = cli::Group::more,
           .summary = "Print a completion script for a shell",
           .about = {"The script holds all it needs and never runs codegenie."},
           .arguments = {{.name = "SHELL",
                          .help = "bash, zsh or fish",
                          .choices = {"bash", "zsh", "fish"}}},
           .examples = {{"source <(codegenie completion bash)", "for this bash"},
                        {"codegenie completion zsh > ~/.zfunc/_codegenie",
                         "for zsh, with ~/.zfunc in $fpath"},
                        {"codegenie completion fish > ~/.config/fish/completions/codegenie.fish",
                         "for fish, from now on"}}},
          run_completion,
          Sealing::reads_nothing};
}

}  // namespace cg::program
