#include "flow/cli/command.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/base/assert.h"

namespace cg::cli {

namespace {

bool begins_with(const std::vector<std::string_view>& path,
                 const std::vector<std::string_view>& words) {
  return words.size() <= path.size() && std::equal(words.begin(), words.end(), path.begin());
}

std::vector<std::string_view> without_alias(const CommandTable& table,
                                            std::vector<std::string_view> words) {
  if (words.empty()) return words;
  for (const Noun& first : first_words(table)) {
    if (!first.alias.empty() && first.alias == words[0]) words[0] = first.word;
  }
  return words;
}

}  // namespace

std::string_view name(Group group) {
  switch (group) {
    case Group::everyday:
      return "Everyday";
    case Group::set_up:
      return "Set up";
    case Group::data:
      return "Data";
    case Group::trust:
      return "Trust";
    case Group::more:
      return "More";
  }
  CG_ASSERT(false);
}

std::string_view name(Format format) {
  switch (format) {
    case Format::table:
      return "table";
    case Format::json:
      return "json";
    case Format::jsonl:
      return "jsonl";
    case Format::markdown:
      return "markdown";
    case Format::html:
      return "html";
    case Format::sarif:
      return "sarif";
    case Format::cyclonedx:
      return "cyclonedx";
    case Format::openvex:
      return "openvex";
    case Format::gh_annotations:
      return "gh-annotations";
    case Format::pr_body:
      return "pr-body";
    case Format::commit_message:
      return "commit-message";
  }
  CG_ASSERT(false);
}

std::string_view describe(Format format) {
  switch (format) {
    case Format::table:
      return "text for people; its layout may change";
    case Format::json:
      return "exactly one JSON document, also when the run fails";
    case Format::jsonl:
      return "one JSON document per line";
    case Format::markdown:
      return "for pull requests and tickets";
    case Format::html:
      return "one page without scripts";
    case Format::sarif:
      return "SARIF 2.1.0, for code scanning";
    case Format::cyclonedx:
      return "CycloneDX 1.6: bill of materials with vulnerabilities";
    case Format::openvex:
      return "OpenVEX 0.2.0: which advisories affect what, and why not";
    case Format::gh_annotations:
      return "commands that make GitHub mark lines of a pull request";
    case Format::pr_body:
      return "the text of a pull request, folded and bounded";
    case Format::commit_message:
      return "subject, body and trailers";
  }
  CG_ASSERT(false);
}

std::optional<Format> parse_format(std::string_view text) {
  for (const Format format : kFormats) {
    if (name(format) == text) return format;
  }
  return std::nullopt;
}

const std::vector<Flag>& global_flags() {
  static const std::vector<Flag> flags = {
      {.name = "quiet", .short_name = 'q', .help = "errors only; the result still prints"},
      {.name = "verbose",
       .short_name = 'v',
       .help = "decisions and timings; -vv for debugging",
       .repeatable = true},
      {.name = "color",
       .value_name = "WHEN",
       .choices = {"auto", "always", "never"},
       .help = "colour the output"},
      {.name = "progress",
       .value_name = "HOW",
       .choices = {"auto", "plain", "none"},
       .help = "show progress on standard error"},
      {.name = "format",
       .value_name = "FORMAT",
       .choices = {"table", "json", "jsonl", "markdown", "sarif", "cyclonedx", "openvex",
                   "gh-annotations", "html", "pr-body", "commit-message"},
       .help = "how to write the result; see `codegenie help formats`"},
      {.name = "json", .help = "short for --format json"},
      {.name = "output",
       .short_name = 'o',
       .value_name = "FORMAT=FILE",
       .help = "also write the result to FILE in FORMAT",
       .repeatable = true},
      {.name = "home", .value_name = "DIR", .help = "keep state in DIR"},
      {.name = "config", .value_name = "FILE", .help = "read settings from FILE"},
      {.name = "no-config", .help = "do not look for configuration files"},
      {.name = "offline", .help = "never use the network"},
      {.name = "no-input", .help = "never ask; fail instead"},
      {.name = "yes", .help = "answer yes to every question"},
      {.name = "help", .short_name = 'h', .help = "show help"},
      {.name = "version", .help = "show the version"},
  };
  return flags;
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

const Command* find_command(const CommandTable& table, const std::vector<std::string_view>& words) {
  const auto real = without_alias(table, words);
  for (const Command& command : table.commands) {
    if (command.path == real) return &command;
  }
  return nullptr;
}

std::string usage(const CommandTable& table, const Command& command) {
  std::string line = std::string(table.program) + " " + joined(command.path);
  for (const Argument& argument : command.arguments) {
    const std::string name(argument.name);
    switch (argument.presence) {
      case Presence::required:
        line += " " + name;
        break;
      case Presence::optional:
        line += " [" + name + "]";
        break;
      case Presence::any_number:
        line += " [" + name + "...]";
        break;
    }
  }
  return line;
}

std::vector<const Command*> commands_under(const CommandTable& table,
                                           const std::vector<std::string_view>& words) {
  const auto real = without_alias(table, words);
  std::vector<const Command*> found;
  for (const Command& command : table.commands) {
    if (begins_with(command.path, real)) found.push_back(&command);
  }
  return found;
}

const Noun* find_noun(const CommandTable& table, std::string_view word) {
  for (const Noun& noun : table.nouns) {
    if (noun.word == word || (!noun.alias.empty() && noun.alias == word)) return &noun;
  }
  return nullptr;
}

const Flag* find_flag(const Command* command, std::string_view flag) {
  const auto named = [&](const Flag& f) { return f.name == flag; };
  if (command != nullptr) {
    const auto own = std::find_if(command->flags.begin(), command->flags.end(), named);
    if (own != command->flags.end()) return &*own;
  }
  const auto& global = global_flags();
  const auto found = std::find_if(global.begin(), global.end(), named);
  return found == global.end() ? nullptr : &*found;
}

std::vector<std::string_view> next_words(const CommandTable& table,
                                         const std::vector<std::string_view>& words) {
  std::vector<std::string_view> next;
  for (const Command* command : commands_under(table, words)) {
    if (command->path.size() == words.size()) continue;
    const std::string_view word = command->path[words.size()];
    if (std::find(next.begin(), next.end(), word) == next.end()) next.push_back(word);
  }
  return next;
}

std::vector<Noun> first_words(const CommandTable& table) {
  std::vector<Noun> words;
  for (const Command& command : table.commands) {
    const std::string_view word = command.path[0];
    const bool seen =
        std::any_of(words.begin(), words.end(), [&](const Noun& w) { return w.word == word; });
    if (seen) continue;
    const Noun* noun = find_noun(table, word);
    if (noun != nullptr) {
      words.push_back({noun->word, noun->alias, noun->group, noun->summary});
    } else {
      words.push_back({word, command.alias, command.group, command.summary});
    }
  }
  return words;
}

PathKind path_kind(std::string_view value_name) {
  if (value_name.ends_with("FILE")) return PathKind::file;
  if (value_name.ends_with("DIR")) return PathKind::directory;
  return PathKind::none;
}

namespace {

/// Adds what is wrong with one flag, given the flags seen before it.
void check_flag(const Flag& flag, const std::string& where,
                std::map<std::string_view, const Flag*>& by_name,
                std::map<char, std::string_view>& by_letter, std::vector<std::string>& faults) {
  const std::string label = where + " --" + std::string(flag.name);
  if (flag.help.empty()) faults.push_back(label + ": no help");
  if (flag.value_name.empty() && !flag.choices.empty()) faults.push_back(label + ": no value name");
  const auto [known, fresh] = by_name.emplace(flag.name, &flag);
  if (!fresh && known->second->value_name.empty() != flag.value_name.empty()) {
    faults.push_back(label + ": takes a value in one place and none in another");
  }
  if (!fresh && known->second->short_name != flag.short_name) {
    faults.push_back(label + ": short names differ");
  }
  if (flag.short_name == '\0') return;
  const auto [letter, first] = by_letter.emplace(flag.short_name, flag.name);
  if (!first && letter->second != flag.name) {
    faults.push_back(label + ": shares its letter with --" + std::string(letter->second));
  }
}

void check_command(const CommandTable& table, const Command& command,
                   std::vector<std::string>& faults) {
  const std::string where = joined(command.path);
  if (command.path.empty()) faults.emplace_back("a command without words");
  if (command.summary.empty()) faults.push_back(where + ": no summary");
  if (command.summary.ends_with('.')) faults.push_back(where + ": summary ends in a full stop");
  if (command.formats.empty()) faults.push_back(where + ": no format");
  if (command.path.size() > 1 && !command.alias.empty()) {
    faults.push_back(where + ": only one-word commands and nouns have an alias");
  }
  if (command.path.size() > 1 && find_noun(table, command.path[0]) == nullptr) {
    faults.push_back(where + ": its noun is not described");
  }
  for (const Flag& flag : command.flags) {
    if (find_flag(nullptr, flag.name) != nullptr) {
      faults.push_back(where + " --" + std::string(flag.name) + ": hides a global flag");
    }
  }
  bool required_may_follow = true;
  for (const Argument& argument : command.arguments) {
    const bool required = argument.presence == Presence::required;
    if (required && !required_may_follow) {
      faults.push_back(where + " " + std::string(argument.name) + ": required after optional");
    }
    required_may_follow = required_may_follow && required;
    if (argument.presence == Presence::any_number && &argument != &command.arguments.back()) {
      faults.push_back(where + " " + std::string(argument.name) + ": only the last may repeat");
    }
  }
}

}  // namespace

std::vector<std::string> table_faults(const CommandTable& table) {
  std::vector<std::string> faults;
  std::map<std::string_view, const Flag*> by_name;
  std::map<char, std::string_view> by_letter;
  std::set<std::string> paths;
  for (const Flag& flag : global_flags()) check_flag(flag, "global", by_name, by_letter, faults);
  for (const Command& command : table.commands) {
    check_command(table, command, faults);
    const std::string where = joined(command.path);
    if (!paths.insert(where).second) faults.push_back(where + ": twice in the table");
    for (const Flag& flag : command.flags) check_flag(flag, where, by_name, by_letter, faults);
  }
  for (const Noun& noun : table.nouns) {
    if (commands_under(table, {noun.word}).empty()) {
      faults.push_back(std::string(noun.word) + ": a noun without commands");
    }
  }
  return faults;
}

}  // namespace cg::cli
