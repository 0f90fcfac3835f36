// Parsing: command-line words into one checked Invocation.
//
// Flags stand anywhere, before or after the command words, as `--flag value` or
// `--flag=value`; short switches may be joined (-vv); `--` ends the flags. There
// are no abbreviations: a script must not change its meaning when a flag is
// added. A value that begins with a dash needs the `=` form.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "flow/cli/command.h"
#include "flow/cli/tokens.h"

namespace cg::cli {

inline constexpr std::size_t kMaxArguments = 4096;
inline constexpr std::size_t kMaxArgumentBytes = 64 * 1024;

/// A flag as it was given; `value` is empty for a switch.
struct GivenFlag {
  std::string_view name;
  std::string value;
};

/// One `-o FORMAT=FILE`.
struct Output {
  Format format;
  std::string file;
};

enum class Mode { run, help, version };

/// A command line that passed every check which the table allows to make. The
/// table must outlive it.
class Invocation {
 public:
  Mode mode = Mode::run;
  /// The words that named the command, aliases resolved. Under Mode::help they may
  /// name a noun or be empty.
  std::vector<std::string_view> words;
  /// Set in Mode::run; may be null otherwise.
  const Command* command = nullptr;
  std::vector<std::string> arguments;
  std::vector<GivenFlag> flags;
  Format format = Format::table;
  std::vector<Output> outputs;

  /// These end the program if the command does not take `flag`: a mistyped name
  /// in a handler must not read as "not given".
  [[nodiscard]] bool has(std::string_view flag) const { return count(flag) > 0; }
  [[nodiscard]] std::size_t count(std::string_view flag) const;
  [[nodiscard]] std::optional<std::string> value(std::string_view flag) const;
  [[nodiscard]] std::vector<std::string> values(std::string_view flag) const;

  /// The n-th argument, if it was given.
  [[nodiscard]] std::optional<std::string> argument(std::size_t n) const;
};

/// `args` are the words after the program name. At most 4096 of at most 64 KiB
/// each; all but paths must be UTF-8.
[[nodiscard]] Result<Invocation, Problem> parse(const CommandTable& table, const Args& args);

/// What a command line that does not parse still says about how to tell so.
struct Wish {
  Format format = Format::table;
  std::optional<std::string> color;
  bool quiet = false;
};
[[nodiscard]] Wish peek(const Args& args);

/// The problem for a `word` outside `choices`, with the nearest one as a hint.
[[nodiscard]] Problem bad_choice(const std::string& what, std::string_view word,
                                 const std::vector<std::string>& choices);

}  // namespace cg::cli
