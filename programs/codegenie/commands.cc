#include "commands.h"

#include <algorithm>

#include "base/base/assert.h"

namespace cg::program {

namespace {

std::vector<cli::Noun> nouns() {
  return {
      {.word = "audit",
       .group = cli::Group::trust,
       .summary = "Verify, search, prove and anchor the audit log"},
      {.word = "cassette",
       .group = cli::Group::trust,
       .summary = "Check recorded exchanges with a model"},
      {.word = "config",
       .group = cli::Group::set_up,
       .summary = "Show effective settings and where each came from"},
      {.word = "embeddings",
       .group = cli::Group::data,
       .summary = "Bootstrap and check the local embedding model"},
      {.word = "fence",
       .group = cli::Group::trust,
       .summary = "Show what is taken out of texts before a model reads them"},
      {.word = "key",
       .group = cli::Group::set_up,
       .summary = "Store, check, rotate or delete the model's key, and pin its server"},
      {.word = "plugins", .group = cli::Group::data, .summary = "List and verify plugins"},
      {.word = "prompt",
       .group = cli::Group::trust,
       .summary = "Show what a model would be asked, and was"},
      {.word = "rag",
       .group = cli::Group::data,
       .summary = "Verify, rescan, rebuild, list and quarantine solved examples"},
      {.word = "registry",
       .group = cli::Group::data,
       .summary = "Show, export and import the cached metadata of packages"},
      {.word = "sandbox",
       .group = cli::Group::trust,
       .summary = "Prepare, show and explain where a repository's code is run"},
      {.word = "vuln-index",
       .group = cli::Group::data,
       .summary = "Refresh, import, export, search and check the advisory index"},
      {.word = "workflow",
       .alias = "wf",
       .group = cli::Group::everyday,
       .summary = "List and show workflows, their entries and their patches"},
  };
}

}  // namespace

bool Entry::reaches(Reach what) const {
  return std::find(reach.begin(), reach.end(), what) != reach.end();
}

CommandSet make_command_set(cli::CommandTable table, std::vector<Entry> entries) {
  CommandSet set{std::move(table), std::move(entries)};
  for (const Entry& entry : set.entries) set.table.commands.push_back(entry.command);
  return set;
}

const CommandSet& commands() {
  static const CommandSet set =
      make_command_set({.program = "codegenie",
                        .version = CG_VERSION,
                        .summary = "fix known vulnerabilities in npm repositories, with evidence",
                        .nouns = nouns(),
                        .commands = {}},
                       {
#define CG_COMMAND(name) name##_command(),
#include "commands.def"
#undef CG_COMMAND
                       });
  return set;
}

const cli::CommandTable& command_table() { return commands().table; }

const Entry& entry_of(const CommandSet& set, const cli::Command& command) {
  const auto index = static_cast<std::size_t>(&command - set.table.commands.data());
  CG_ASSERT(index < set.entries.size());
  return set.entries[index];
}

}  // namespace cg::program
