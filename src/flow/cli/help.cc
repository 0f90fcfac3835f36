#include "flow/cli/help.h"

#include <algorithm>

#include "flow/cli/parse.h"
#include "flow/cli/tokens.h"
#include "flow/cli/topics.h"

namespace cg::cli {

namespace {

std::string heading(std::string_view text, const Style& style) {
  return "\n" + style.paint(Role::heading, text) + "\n";
}

std::string title(const std::string& words, std::string_view summary, const Style& style) {
  return style.paint(Role::heading, words) + style.words(" — ") + style.words(summary) + "\n";
}

std::string group_section(const std::vector<Noun>& words, Group group, const Style& style) {
  std::vector<std::vector<Cell>> rows;
  for (const Noun& first : words) {
    if (first.group != group) continue;
    std::string summary = style.words(first.summary);
    if (!first.alias.empty()) summary += "  (alias: " + std::string(first.alias) + ")";
    rows.push_back({{std::string(first.word), Role::code}, {summary}});
  }
  if (rows.empty()) return {};
  // A width of its own for each group would make the page ragged.
  std::size_t widest = 10;
  for (const Noun& first : words) widest = std::max(widest, first.word.size());
  for (auto& row : rows) row[0].text.resize(widest + 1, ' ');
  return heading(name(group), style) + layout({{}, {}}, rows, style, 2);
}

Entries flag_entries(const std::vector<Flag>& flags) {
  Entries entries;
  for (const Flag& flag : flags) {
    std::string help(flag.help);
    if (flag.repeatable) help += "; may be repeated";
    entries.emplace_back(flag_form(flag), help);
  }
  return entries;
}

Entries exit_entries(const Command& command) {
  Entries entries;
  for (const ExitCodeRow& row : exit_code_table()) {
    const auto& exits = command.exits;
    const auto code = static_cast<ExitCode>(row.number);
    if (std::find(exits.begin(), exits.end(), code) == exits.end()) continue;
    entries.emplace_back(std::to_string(row.number), row.meaning);
  }
  return entries;
}

std::string short_global_flags() {
  std::string list;
  for (const Flag& flag : global_flags()) {
    if (!list.empty()) list += ' ';
    list += flag.short_name == '\0' ? dashed(flag) : std::string{'-', flag.short_name};
  }
  return list;
}

}  // namespace

std::string format_list(const Command& command) {
  std::string list;
  for (const Format format : command.formats) {
    list +=
        list.empty() ? std::string(name(format)) + " (default)" : ", " + std::string(name(format));
  }
  return list;
}

std::string top_help(const CommandTable& table, const Style& style) {
  std::string out = title(std::string(table.program), table.summary, style);
  const auto words = first_words(table);
  std::string more;
  for (const Group group : kGroups) {
    if (group != Group::more) out += group_section(words, group, style);
  }
  for (const Noun& first : words) {
    if (first.group != Group::more || first.word == "help") continue;
    more += std::string(first.word) + ", ";
  }
  std::string list;
  for (const Topic& topic : topics()) list += (list.empty() ? "" : ", ") + std::string(topic.name);
  out += "\n" + wrapped("More: " + more + "help <topic>", kColumns, 0);
  out += wrapped("Topics: " + list, kColumns, 0);
  const std::string program(table.program);
  return out + "\n" +
         wrapped("`" + program + " COMMAND --help` tells more about one command.", kColumns, 0);
}

std::string noun_help(const CommandTable& table, const std::vector<std::string_view>& words,
                      const Style& style) {
  const std::string program(table.program);
  const Noun* noun = find_noun(table, words[0]);
  std::string out;
  if (noun != nullptr && words.size() == 1) {
    out = title(program + " " + joined(words), noun->summary, style);
  } else {
    out = style.paint(Role::heading, program + " " + joined(words)) + "\n";
  }
  Entries entries;
  for (const Command* command : commands_under(table, words)) {
    entries.emplace_back(joined(command->path), command->summary);
  }
  out += heading("Commands", style) + two_columns(entries, style);
  const std::string line = "`" + program + " " + joined(words) + " COMMAND --help` tells more.";
  return out + "\n" + wrapped(line, kColumns, 0);
}

std::string command_help(const CommandTable& table, const Command& command, const Style& style) {
  const std::string program(table.program);
  std::string out = title(program + " " + joined(command.path), command.summary, style);
  if (!command.alias.empty()) {
    out += "Alias: " + program + " " + std::string(command.alias) + "\n";
  }
  out += heading("Usage", style) + "  " + usage(table, command) + " [FLAGS]\n";
  for (const std::string_view paragraph : command.about) {
    out += "\n" + wrapped(style.words(paragraph), kColumns, 0);
  }
  Entries arguments;
  for (const Argument& argument : command.arguments) {
    arguments.emplace_back(argument.name, argument.help);
  }
  if (!arguments.empty()) out += heading("Arguments", style) + two_columns(arguments, style);
  if (!command.flags.empty()) {
    out += heading("Flags", style) + two_columns(flag_entries(command.flags), style);
  }
  out += heading("Flags of every command (codegenie help flags)", style) +
         wrapped(short_global_flags(), kColumns, 2);
  out += heading("Formats", style) + wrapped(format_list(command), kColumns, 2);
  out += heading("Exit codes", style) + two_columns(exit_entries(command), style);
  if (command.examples.empty()) return out;
  out += heading("Examples", style);
  for (const Example& example : command.examples) {
    out += "  " + style.paint(Role::code, example.line) + "\n" +
           wrapped(style.words(example.meaning), kColumns, 6);
  }
  return out;
}

Result<std::string, Problem> help_on(const CommandTable& table,
                                     const std::vector<std::string_view>& words,
                                     const Style& style) {
  if (words.empty()) return top_help(table, style);
  const auto under = commands_under(table, words);
  if (const Command* command = find_command(table, words)) {
    return command_help(table, *command, style);
  }
  if (!under.empty()) {
    const auto& path = under[0]->path;
    return noun_help(
        table, {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(words.size())}, style);
  }
  if (words.size() == 1) {
    if (auto text = topic_text(words[0], style)) return *std::move(text);
  }
  std::vector<std::string> names;
  for (const Topic& topic : topics()) names.emplace_back(topic.name);
  for (const Noun& first : first_words(table)) names.emplace_back(first.word);
  for (const Command& command : table.commands) {
    if (command.path.size() > 1) names.push_back(joined(command.path));
  }
  return fail(bad_choice("no help on " + shown(joined(words)), joined(words), names));
}

}  // namespace cg::cli
