// Tokens: command-line words told apart into flags, their values and plain words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "flow/cli/command.h"

namespace cg::cli {

using Args = std::vector<std::string>;

struct Token {
  const Flag* flag;     // null: no command takes it
  std::string spelled;  // as typed, without a value
  std::string value;
};

struct Tokens {
  std::vector<Token> flags;
  std::vector<std::string_view> words;  // views of the args
};

/// Fails only if a value is missing or given to a switch. Whether the command
/// takes a flag is not known yet; its shape is, as table_faults() holds it to be
/// the same in all commands.
[[nodiscard]] Result<Tokens, Problem> tokenize(const CommandTable& table, const Args& args);

[[nodiscard]] std::string quoted(std::string_view text);
/// A word of the user in a message: printable, quoted, and cut if it is long.
[[nodiscard]] std::string shown(std::string_view word);
/// "--format"
[[nodiscard]] std::string dashed(const Flag& flag);

/// "-o, --output FORMAT=FILE", "--color auto|always|never"
[[nodiscard]] std::string flag_form(const Flag& flag);

}  // namespace cg::cli
