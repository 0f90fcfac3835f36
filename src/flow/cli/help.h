// Help: the texts of `codegenie --help`, `COMMAND --help` and `help TOPIC`, made
// from the command table. All end with a newline and fit 80 columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "flow/cli/command.h"
#include "flow/cli/style.h"

namespace cg::cli {

/// The commands that exist, by group, and the topics.
[[nodiscard]] std::string top_help(const CommandTable& table, const Style& style);

/// The commands that begin with `words`, one line each.
[[nodiscard]] std::string noun_help(const CommandTable& table,
                                    const std::vector<std::string_view>& words, const Style& style);

[[nodiscard]] std::string command_help(const CommandTable& table, const Command& command,
                                       const Style& style);

/// Help on a command, a noun or a topic; on the program if there are no words.
/// Fails with the nearest name if `words` are none of these.
[[nodiscard]] Result<std::string, Problem> help_on(const CommandTable& table,
                                                   const std::vector<std::string_view>& words,
                                                   const Style& style);

/// What `--format` of a command lists: "table (default), json".
[[nodiscard]] std::string format_list(const Command& command);

}  // namespace cg::cli
