// Offers: what may stand at a point of a command line, for completion scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flow/cli/command.h"

namespace cg::cli {

struct Offer {
  std::string word;
  std::string help;
};

/// Every point at which words may follow: {}, {audit}, {audit anchor}, ...
[[nodiscard]] std::vector<std::vector<std::string_view>> places(const CommandTable& table);

/// Further command words, the choices of arguments, topics and error codes.
[[nodiscard]] std::vector<Offer> offers_at(const CommandTable& table,
                                           const std::vector<std::string_view>& words);

/// Whether the first argument of the command is a path.
[[nodiscard]] PathKind argument_kind(const CommandTable& table,
                                     const std::vector<std::string_view>& words);

/// The flags that take a value, in every spelling, each once.
[[nodiscard]] std::vector<std::string> value_flags(const CommandTable& table);

/// "--output", "-o"
[[nodiscard]] std::vector<std::string> spellings(const Flag& flag);

/// True for a flag whose value is FORMAT=FILE.
[[nodiscard]] bool is_output(const Flag& flag);

/// The choices of a flag; the formats of `command` (null: all) where it wants one.
[[nodiscard]] std::vector<std::string> choices_of(const Flag& flag, const Command* command);

}  // namespace cg::cli
