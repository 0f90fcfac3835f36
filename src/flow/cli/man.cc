#include "flow/cli/man.h"

#include <algorithm>
#include <charconv>

#include "base/base/text.h"
#include "flow/cli/help.h"
#include "flow/cli/parse.h"
#include "flow/cli/tokens.h"
#include "flow/cli/topics.h"

namespace cg::cli {

namespace {

/// The code point of one well-formed sequence of two bytes or more, as \[u2014].
std::string named_character(std::string_view sequence) {
  std::uint32_t point = static_cast<unsigned char>(sequence[0]) & (0xFFU >> (sequence.size() + 1));
  for (const char c : sequence.substr(1))
    point = point << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  char digits[8];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), point, 16);
  std::string hex(std::begin(digits), end.ptr);
  std::transform(hex.begin(), hex.end(), hex.begin(),
                 [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; });
  return "\\[u" + std::string(hex.size() < 4 ? 4 - hex.size() : 0, '0') + hex + "]";
}

/// Text that roff prints as it stands: no request, no escape, plain hyphens.
std::string plain(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_sequence(text));
    if (length > 1) {
      out += named_character(text.substr(0, length));
    } else if (text[0] == '\\') {
      out += "\\e";
    } else if (text[0] == '-') {
      out += "\\-";
    } else if (text[0] == '"') {
      out += "\\(dq";
    } else if (text[0] == '`') {
      out += "\\(ga";
    } else if (text[0] == '\'') {
      out += "\\(aq";
    } else if (text[0] == '~') {
      out += "\\(ti";
    } else {
      out += text[0];
    }
    text.remove_prefix(length);
  }
  return out;
}

/// Prose in which `code` between backquotes becomes bold.
std::string prose(std::string_view text) {
  std::string out;
  const auto parts = split(text, '`');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool code = i % 2 == 1 && i + 1 < parts.size();
    out += code ? "\\fB" + plain(parts[i]) + "\\fR" : plain(parts[i]);
  }
  return out;
}

std::string section(std::string_view name) { return ".SH " + std::string(name) + "\n"; }

/// A tagged paragraph; `tag` is roff already.
std::string tagged(const std::string& tag, std::string_view text) {
  return ".TP\n" + tag + "\n" + prose(text) + "\n";
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string flag_tag(const Flag& flag) {
  std::string tag = flag.short_name == '\0' ? "" : bold(std::string{'-', flag.short_name}) + ", ";
  tag += bold(dashed(flag));
  if (flag.value_name.empty()) return tag;
  tag += ' ';
  constexpr std::size_t kMostChoices = 8;  // more do not fit a line
  if (flag.choices.empty() || flag.choices.size() > kMostChoices) {
    return tag + italic(flag.value_name);
  }
  for (const std::string_view choice : flag.choices) {
    if (choice != flag.choices.front()) tag += '|';
    tag += bold(choice);
  }
  return tag;
}

std::string usage_line(const CommandTable& table, const Command& command) {
  std::string line = bold(std::string(table.program) + " " + joined(command.path));
  for (const Argument& argument : command.arguments) {
    switch (argument.presence) {
      case Presence::required:
        line += " " + italic(argument.name);
        break;
      case Presence::optional:
        line += " [" + italic(argument.name) + "]";
        break;
      case Presence::any_number:
        line += " [" + italic(argument.name) + " ...]";
        break;
    }
  }
  return line + " [" + italic("FLAGS") + "]\n";
}

std::string title(const CommandTable& table, const std::string& page, std::string_view summary) {
  std::string upper = page;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return ".\\\" Made from the command table by `codegenie help --man`; do not edit.\n.TH " +
         plain(upper) + " 1 \"\" \"" + plain(table.program) + " " + plain(table.version) +
         "\" \"User Commands\"\n.nh\n.ad l\n" + section("NAME") + plain(page) + " \\- " +
         prose(summary) + "\n";
}

std::string exit_status(const std::vector<ExitCode>& exits) {
  std::string out = section("EXIT STATUS");
  for (const ExitCodeRow& row : exit_code_table()) {
    const auto code = static_cast<ExitCode>(row.number);
    if (std::find(exits.begin(), exits.end(), code) == exits.end()) continue;
    out += tagged(bold(std::to_string(row.number)), row.meaning);
  }
  return out;
}

std::string command_text(const Command& command) {
  std::string out;
  for (const std::string_view paragraph : command.about) out += ".PP\n" + prose(paragraph) + "\n";
  for (const Argument& argument : command.arguments)
    out += tagged(italic(argument.name), argument.help);
  for (const Flag& flag : command.flags) out += tagged(flag_tag(flag), flag.help);
  if (command.formats.size() > 1) out += ".PP\nFormats: " + plain(format_list(command)) + ".\n";
  return out;
}

std::string examples(const std::vector<const Command*>& commands) {
  std::string out;
  for (const Command* command : commands) {
    for (const Example& example : command->examples) {
      out += ".TP\n" + bold(example.line) + "\n" + prose(example.meaning) + "\n";
    }
  }
  return out.empty() ? out : section("EXAMPLES") + out;
}

std::string see_also(const CommandTable& table, std::string_view page) {
  std::string list;
  for (const std::string& other : man_page_names(table)) {
    if (other == page) continue;
    list += (list.empty() ? "" : ",\n") + bold(other) + "(1)";
  }
  return section("SEE ALSO") + list + "\n";
}

std::string word_page(const CommandTable& table, const Noun& first) {
  const std::string page = std::string(table.program) + "-" + std::string(first.word);
  const auto commands = commands_under(table, {first.word});
  std::string out = title(table, page, first.summary) + section("SYNOPSIS");
  std::vector<ExitCode> exits;
  for (const Command* command : commands) {
    if (command != commands.front()) out += ".br\n";
    out += usage_line(table, *command);
    exits.insert(exits.end(), command->exits.begin(), command->exits.end());
  }
  out += section("DESCRIPTION");
  if (commands.size() == 1 && commands[0]->path.size() == 1) {
    out += prose(first.summary) + ".\n" + command_text(*commands[0]);
  } else {
    for (const Command* command : commands) {
      out += ".SS " + plain(joined(command->path)) + "\n" + prose(command->summary) + ".\n" +
             command_text(*command);
    }
  }
  if (!first.alias.empty()) out += ".PP\nAlso called " + bold(first.alias) + ".\n";
  out += ".PP\nThe flags of every command are described in " + bold(table.program) + "(1).\n";
  return out + exit_status(exits) + examples(commands) + see_also(table, page);
}

std::string program_page(const CommandTable& table) {
  const std::string program(table.program);
  std::string out = title(table, program, table.summary) + section("SYNOPSIS") + bold(program) +
                    " " + italic("COMMAND") + " [" + italic("FLAGS") + "]\n" + section("COMMANDS");
  for (const Noun& first : first_words(table)) {
    out += tagged(bold(program + "-" + std::string(first.word)) + "(1)", first.summary);
  }
  out += section("OPTIONS") + "Every command takes these, before or after its words.\n";
  for (const Flag& flag : global_flags()) out += tagged(flag_tag(flag), flag.help);
  out += section("TOPICS") + "Shown by " + bold(program + " help") + " " + italic("TOPIC") + ".\n";
  for (const Topic& topic : topics()) out += tagged(bold(topic.name), topic.summary);
  out += section("ENVIRONMENT");
  for (const Variable& variable : environment_variables()) {
    out += tagged(bold(variable.name), variable.help);
  }
  out += section("FILES") +
         tagged(italic("$XDG_CONFIG_HOME/codegenie/config.yaml"), "Settings of the user.") +
         tagged(italic("/etc/codegenie/config.yaml"), "Settings of the machine.");
  std::vector<ExitCode> exits;
  for (const ExitCodeRow& row : exit_code_table())
    exits.push_back(static_cast<ExitCode>(row.number));
  return out + exit_status(exits) + see_also(table, program);
}

}  // namespace

std::vector<std::string> man_page_names(const CommandTable& table) {
  std::vector<std::string> names = {std::string(table.program)};
  for (const Noun& first : first_words(table)) {
    names.push_back(std::string(table.program) + "-" + std::string(first.word));
  }
  return names;
}

std::optional<std::string> man_page(const CommandTable& table, std::string_view page) {
  if (page == table.program) return program_page(table);
  for (const Noun& first : first_words(table)) {
    if (page == std::string(table.program) + "-" + std::string(first.word))
      return word_page(table, first);
  }
  return std::nullopt;
}

}  // namespace cg::cli
