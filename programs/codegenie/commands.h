// The commands: what each takes and who runs it.
//
// To add one: a line in commands.def, and commands/cmd_<name>.cc with its Entry. A first
// word that several commands share is described once, in commands.cc.
#pragma once

#include "base/base/result.h"
#include "base/domain/error.h"
#include "flow/cli/command.h"
#include "flow/cli/parse.h"
#include "report.h"
#include "session.h"

namespace cg::program {

/// Does the work and returns what to print. Prints nothing itself.
using Handler = Result<Report, Problem> (*)(const cli::Invocation&, Session&);

/// Whether a command is run sealed (sealing/seal.h). Only one that prints what is built in,
/// and reads nothing at all, may do without.
enum class Sealing { sealed, reads_nothing };

/// What a command reaches beside the paths of its command line and the settings.
enum class Reach {
  current_folder,    // unless --repo names another
  new_workspace,     // the folder that the workspace is made in
  first_workspace,   // what making one takes, as long as there is none in the default place
  anchors,           // writes them
  plugins,           // reads ours
  npm_settings,      // npm's configuration
  npm_itself,        // what an installed npm knows of itself
  repository,        // that a request names, and its git folder
  package_managers,  // node and what is beside it, to prove fixes with
  machine,           // reads anything: an image is packed of what is installed
};

struct Entry {
  cli::Command command;
  Handler run;
  Sealing sealing = Sealing::sealed;
  std::vector<Reach> reach = {};

  [[nodiscard]] bool reaches(Reach what) const;
};

#define CG_COMMAND(name) [[nodiscard]] Entry name##_command();
#include "commands.def"
#undef CG_COMMAND

/// A table and, at the same index, the whole entry of each command.
struct CommandSet {
  cli::CommandTable table;
  std::vector<Entry> entries;
};

[[nodiscard]] CommandSet make_command_set(cli::CommandTable table, std::vector<Entry> entries);

/// The commands of codegenie.
[[nodiscard]] const CommandSet& commands();
[[nodiscard]] const cli::CommandTable& command_table();

/// `command` must be one of the set's table.
[[nodiscard]] const Entry& entry_of(const CommandSet& set, const cli::Command& command);

}  // namespace cg::program
