// The command table: what each command is called, takes, prints and exits with.
//
// One table is the only source for parsing, help, man pages and completions, so
// that none of them can tell something else than the others. Pure data: names
// are views of literals, and building the table costs a few small allocations.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/domain/exit_code.h"

namespace cg::cli {

/// The headings of the top-level help, in its order.
enum class Group { everyday, set_up, data, trust, more };
inline constexpr Group kGroups[] = {Group::everyday, Group::set_up, Group::data, Group::trust,
                                    Group::more};
[[nodiscard]] std::string_view name(Group group);

/// How a result is written. `table` is text for people; its layout is no contract.
enum class Format {
  table,
  json,
  jsonl,
  markdown,
  html,
  sarif,
  cyclonedx,
  openvex,
  gh_annotations,
  pr_body,
  commit_message
};
[[nodiscard]] std::string_view name(Format format);
[[nodiscard]] std::optional<Format> parse_format(std::string_view text);
/// What `codegenie help formats` says about it.
[[nodiscard]] std::string_view describe(Format format);
inline constexpr Format kFormats[] = {
    Format::table,          Format::json,    Format::jsonl,         Format::markdown,
    Format::html,           Format::sarif,   Format::cyclonedx,     Format::openvex,
    Format::gh_annotations, Format::pr_body, Format::commit_message};

/// What a command does with a path that it is given; by_name: reads it, if its name says that it is
/// one. With --unsafe-record a tape is written too.
enum class Touch {
  by_name,
  reads,
  reads_signed,
  reads_key,
  reads_tape,
  writes_file,
  writes_folder,
  makes_folder
};

/// A flag. A value name that ends in FILE or DIR is a path: it may hold any
/// bytes, and completions offer files or folders for it.
struct Flag {
  std::string_view name;                       // without the dashes
  char short_name = '\0';                      // '\0': none
  std::string_view value_name = {};            // empty: a switch
  std::vector<std::string_view> choices = {};  // empty: any value
  std::string_view help = {};
  bool repeatable = false;
  Touch touch = Touch::by_name;
};

enum class Presence { required, optional, any_number };

/// A word after the command words. FILE and DIR names mean paths, as for flags.
struct Argument {
  std::string_view name;
  std::string_view help = {};
  Presence presence = Presence::required;
  std::vector<std::string_view> choices = {};
  Touch touch = Touch::by_name;
};

struct Example {
  std::string_view line;
  std::string_view meaning;
};

struct Command {
  std::vector<std::string_view> path;        // {"audit", "anchor", "publish"}
  std::string_view alias = {};               // another first word; only if `path` is one word
  Group group = Group::more;                 // of the first word; a Noun, if there is one, decides
  std::string_view summary = {};             // one line, capital first, no full stop
  std::vector<std::string_view> about = {};  // paragraphs
  std::vector<Argument> arguments = {};
  std::vector<Flag> flags = {};
  std::vector<Format> formats = {Format::table};  // the first is the default
  std::vector<ExitCode> exits = {ExitCode::ok, ExitCode::usage};
  std::vector<Example> examples = {};
};

/// A first word, of one command or shared by several.
struct Noun {
  std::string_view word;
  std::string_view alias = {};
  Group group = Group::more;
  std::string_view summary = {};
};

struct CommandTable {
  std::string_view program;  // codegenie
  std::string_view version;
  std::string_view summary;
  std::vector<Noun> nouns;
  std::vector<Command> commands;
};

/// The flags that every command takes.
[[nodiscard]] const std::vector<Flag>& global_flags();

/// "audit anchor publish"
[[nodiscard]] std::string joined(const std::vector<std::string_view>& words);
/// "codegenie explain CODE [FILE...]", without the flags.
[[nodiscard]] std::string usage(const CommandTable& table, const Command& command);

/// The command of exactly these words, aliases resolved; null if there is none.
[[nodiscard]] const Command* find_command(const CommandTable& table,
                                          const std::vector<std::string_view>& words);
/// The commands whose path begins with these words, in table order.
[[nodiscard]] std::vector<const Command*> commands_under(
    const CommandTable& table, const std::vector<std::string_view>& words);
[[nodiscard]] const Noun* find_noun(const CommandTable& table, std::string_view word);

/// The flag `command` (null: none yet) takes under this name, or the global one.
[[nodiscard]] const Flag* find_flag(const Command* command, std::string_view flag);
/// The word that may follow `words`, each once, in table order: {"anchor", "log"}.
[[nodiscard]] std::vector<std::string_view> next_words(const CommandTable& table,
                                                       const std::vector<std::string_view>& words);

/// The first words of command lines, as the top-level help and the man pages list them.
[[nodiscard]] std::vector<Noun> first_words(const CommandTable& table);

enum class PathKind { none, file, directory };
/// What a value or argument name says about the value.
[[nodiscard]] PathKind path_kind(std::string_view value_name);

/// What is wrong with a table; empty for a sound one. Most important: a flag name
/// takes a value everywhere or nowhere, as parsing relies on it to tell values
/// from words before it knows the command.
[[nodiscard]] std::vector<std::string> table_faults(const CommandTable& table);

}  // namespace cg::cli
