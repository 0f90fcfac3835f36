// Completion scripts for bash, zsh and fish, made from the command table.
//
// Each script holds all it needs: it never runs codegenie and needs no helper
// package. Offered are commands, flags, choices, topics, error codes, and files or
// folders where a value name says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "flow/cli/command.h"

namespace cg::cli {

enum class Shell { bash, zsh, fish };
[[nodiscard]] std::optional<Shell> parse_shell(std::string_view text);

/// To be sourced (bash, fish), or saved as `_codegenie` in a folder of $fpath (zsh).
[[nodiscard]] std::string completion_script(const CommandTable& table, Shell shell);

}  // namespace cg::cli
