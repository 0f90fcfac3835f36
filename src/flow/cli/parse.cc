#include "flow/cli/parse.h"

#include <algorithm>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "flow/cli/tokens.h"

namespace cg::cli {

namespace {

using Parsed = Result<Done, Problem>;

std::string did_you_mean(std::string_view text) { return "did you mean " + quoted(text) + "?"; }

Parsed check_bounds(const Args& args) {
  if (args.size() > kMaxArguments) {
    return fail(
        Problem{ErrorCode::cli_arguments,
                "too many words: " + grouped(args.size()) + ", at most " + grouped(kMaxArguments),
                {},
                {},
                {}});
  }
  for (const std::string& arg : args) {
    if (arg.size() <= kMaxArgumentBytes) continue;
    return fail(Problem{
        ErrorCode::cli_arguments,
        "a word of " + grouped(arg.size()) + " bytes, at most " + grouped(kMaxArgumentBytes),
        {{"word", shown(arg)}},
        {},
        {}});
  }
  return Done{};
}

Problem unknown_command(const CommandTable& table, const std::vector<std::string_view>& known,
                        std::string_view word) {
  const std::string prefix = known.empty() ? "" : joined(known) + " ";
  Problem problem{ErrorCode::cli_unknown_command,
                  "unknown command " + shown(prefix + std::string(word)),
                  {},
                  {},
                  {}};
  std::vector<std::string> candidates;
  for (const std::string_view next : next_words(table, known)) candidates.emplace_back(next);
  if (known.empty()) {
    for (const Noun& first : first_words(table)) {
      if (!first.alias.empty()) candidates.emplace_back(first.alias);
    }
    // A verb alone: `verify` for `audit verify`.
    for (const Command& command : table.commands) {
      if (command.path.size() > 1 && command.path.back() == word) {
        problem.help = {did_you_mean(joined(command.path))};
        return problem;
      }
    }
  }
  if (const auto near = closest(word, candidates)) {
    problem.help = {did_you_mean(prefix + *near)};
  } else {
    problem.help = {std::string(table.program) + " " + prefix + "--help"};
  }
  return problem;
}

Problem needs_subcommand(const CommandTable& table, const std::vector<std::string_view>& known) {
  const std::string subject = known.empty() ? std::string(table.program) : joined(known);
  Problem problem{ErrorCode::cli_arguments, quoted(subject) + " needs a subcommand", {}, {}, {}};
  if (known.empty()) {
    problem.what = quoted(subject) + " needs a command";
    problem.help = {std::string(table.program) + " --help"};
    return problem;
  }
  std::size_t width = 0;
  const auto commands = commands_under(table, known);
  for (const Command* command : commands) width = std::max(width, joined(command->path).size());
  for (const Command* command : commands) {
    std::string line = std::string(table.program) + " " + joined(command->path);
    line.append(width - joined(command->path).size() + 2, ' ');
    problem.help.push_back(line + std::string(command->summary));
  }
  return problem;
}

/// Finds the command that the words begin with and leaves the rest as arguments.
Parsed resolve(const CommandTable& table, const Tokens& tokens, Invocation& out) {
  std::size_t used = 0;
  for (; used < tokens.words.size(); ++used) {
    auto longer = out.words;
    longer.push_back(tokens.words[used]);
    const auto under = commands_under(table, longer);
    if (under.empty()) break;
    const auto& path = under[0]->path;
    out.words.assign(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(longer.size()));
  }
  out.command = find_command(table, out.words);
  if (out.command == nullptr) {
    if (used < tokens.words.size()) {
      return fail(unknown_command(table, out.words, tokens.words[used]));
    }
    return Done{};
  }
  for (; used < tokens.words.size(); ++used) out.arguments.emplace_back(tokens.words[used]);
  return Done{};
}

Problem unknown_flag(const CommandTable& table, const Invocation& in, const Token& token) {
  const std::string spelled = shown(token.spelled);
  if (token.flag != nullptr) {
    return {ErrorCode::cli_unknown_flag,
            quoted(joined(in.words)) + " does not take " + spelled,
            {},
            {},
            {std::string(table.program) + " " + joined(in.words) + " --help"}};
  }
  Problem problem{ErrorCode::cli_unknown_flag, "unknown flag " + spelled, {}, {}, {}};
  std::vector<std::string> candidates;
  for (const Flag& flag : global_flags()) candidates.push_back(dashed(flag));
  for (const Command& command : table.commands) {
    if (in.command != nullptr && in.command != &command) continue;
    for (const Flag& flag : command.flags) candidates.push_back(dashed(flag));
  }
  const std::string words = in.words.empty() ? "" : " " + joined(in.words);
  if (const auto near = closest(token.spelled, candidates)) {
    problem.help = {did_you_mean(*near)};
  } else {
    problem.help = {std::string(table.program) + words + " --help"};
  }
  return problem;
}

std::vector<std::string> as_strings(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

Parsed check_text(const std::string& label, std::string_view value_name, const std::string& value) {
  if (path_kind(value_name) != PathKind::none || is_utf8(value)) return Done{};
  return fail(Problem{
      ErrorCode::cli_bad_value, label + " is not UTF-8", {{"value", shown(value)}}, {}, {}});
}

Parsed take_flags(const CommandTable& table, const Tokens& tokens, Invocation& out) {
  for (const Token& token : tokens.flags) {
    const Flag* flag = token.flag == nullptr ? nullptr : find_flag(out.command, token.flag->name);
    if (flag == nullptr) return fail(unknown_flag(table, out, token));
    const bool again = std::any_of(out.flags.begin(), out.flags.end(),
                                   [&](const GivenFlag& g) { return g.name == flag->name; });
    if (again && !flag->repeatable) {
      return fail(
          Problem{ErrorCode::cli_arguments, shown(token.spelled) + " is given twice", {}, {}, {}});
    }
    CG_TRY(check_text(shown(token.spelled), flag->value_name, token.value));
    const auto& choices = flag->choices;
    if (!choices.empty() &&
        std::find(choices.begin(), choices.end(), token.value) == choices.end()) {
      return fail(bad_choice("bad value " + shown(token.value) + " for " + dashed(*flag),
                             token.value, as_strings(choices)));
    }
    out.flags.push_back({flag->name, token.value});
  }
  return Done{};
}

Parsed check_arguments(const CommandTable& table, const Invocation& in) {
  const Command& command = *in.command;
  const auto& expected = command.arguments;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].presence == Presence::required && i >= in.arguments.size()) {
      return fail(Problem{ErrorCode::cli_arguments,
                          quoted(joined(command.path)) + " needs " + std::string(expected[i].name),
                          {},
                          {},
                          {usage(table, command)}});
    }
  }
  for (std::size_t i = 0; i < in.arguments.size(); ++i) {
    const bool repeats = !expected.empty() && expected.back().presence == Presence::any_number;
    if (i >= expected.size() && !repeats) {
      return fail(Problem{ErrorCode::cli_arguments,
                          quoted(joined(command.path)) + " does not take " + shown(in.arguments[i]),
                          {},
                          {},
                          {usage(table, command)}});
    }
    const Argument& argument = expected[std::min(i, expected.size() - 1)];
    const std::string& word = in.arguments[i];
    CG_TRY(check_text(std::string(argument.name), argument.name, word));
    const auto& choices = argument.choices;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end()) {
      return fail(bad_choice("bad value " + shown(word) + " for " + std::string(argument.name),
                             word, as_strings(choices)));
    }
  }
  return Done{};
}

Result<Format, Problem> format_for(const Command& command, std::string_view text) {
  std::vector<std::string> names;
  for (const Format format : command.formats) {
    if (name(format) == text) return format;
    names.emplace_back(name(format));
  }
  return fail(
      bad_choice(quoted(joined(command.path)) + " has no format " + shown(text), text, names));
}

Parsed take_formats(Invocation& out) {
  const Command& command = *out.command;
  out.format = command.formats.front();
  const auto asked = out.value("format");
  if (asked && out.has("json") && *asked != "json") {
    return fail(Problem{ErrorCode::cli_arguments,
                        "`--json` and `--format " + *asked + "` contradict each other",
                        {},
                        {},
                        {}});
  }
  if (asked || out.has("json")) {
    CG_TRY_ASSIGN(out.format, format_for(command, asked.value_or("json")));
  }
  for (const std::string& given : out.values("output")) {
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos || equals + 1 == given.size()) {
      return fail(Problem{ErrorCode::cli_bad_value,
                          "bad value " + shown(given) + " for --output",
                          {},
                          {},
                          {"-o FORMAT=FILE, for example -o json=result.json"}});
    }
    std::string file = given.substr(equals + 1);
    if (file == "-") {
      return fail(Problem{ErrorCode::cli_bad_value,
                          "`-o` writes files; standard output has the result",
                          {},
                          {},
                          {"--format " + given.substr(0, equals)}});
    }
    CG_TRY_ASSIGN(const Format format, format_for(command, given.substr(0, equals)));
    out.outputs.push_back({format, std::move(file)});
  }
  return Done{};
}

}  // namespace

Problem bad_choice(const std::string& what, std::string_view word,
                   const std::vector<std::string>& choices) {
  Problem problem{ErrorCode::cli_bad_value, what, {}, {}, {}};
  if (const auto near = closest(word, choices)) {
    problem.help = {did_you_mean(*near)};
    return problem;
  }
  std::string list;
  for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
  problem.help = {"one of " + list};
  return problem;
}

Result<Invocation, Problem> parse(const CommandTable& table, const Args& args) {
  CG_TRY(check_bounds(args));
  CG_TRY_ASSIGN(const Tokens tokens, tokenize(table, args));
  Invocation out;
  auto resolved = resolve(table, tokens, out);
  // An unknown flag may have been meant to take the word that is no command, so
  // it is the better thing to point at.
  CG_TRY(take_flags(table, tokens, out));
  CG_TRY(std::move(resolved));
  if (out.has("help")) {
    out.mode = Mode::help;
    return out;
  }
  if (out.has("version")) {
    out.mode = Mode::version;
    return out;
  }
  if (out.command == nullptr) return fail(needs_subcommand(table, out.words));
  CG_TRY(check_arguments(table, out));
  CG_TRY(take_formats(out));
  return out;
}

Wish peek(const Args& args) {
  Wish wish;
  // A program that asked for JSON anywhere must get it, even if the line also
  // says something else.
  const auto want = [&](std::string_view format) {
    const auto parsed = parse_format(format);
    if (parsed == Format::json || parsed == Format::jsonl) wish.format = *parsed;
  };
  for (std::size_t i = 0; i < args.size() && args[i] != "--"; ++i) {
    const std::string_view arg = args[i];
    const std::string_view next = i + 1 < args.size() ? std::string_view(args[i + 1]) : "";
    if (arg == "--json") want("json");
    if (arg == "--format") want(next);
    if (arg.starts_with("--format=")) want(arg.substr(9));
    if (arg == "--color") wish.color = next;
    if (arg.starts_with("--color=")) wish.color = arg.substr(8);
    if (arg == "-q" || arg == "--quiet") wish.quiet = true;
  }
  return wish;
}

std::size_t Invocation::count(std::string_view flag) const {
  CG_ASSERT(find_flag(command, flag) != nullptr);
  return static_cast<std::size_t>(std::count_if(
      flags.begin(), flags.end(), [&](const GivenFlag& g) { return g.name == flag; }));
}

std::vector<std::string> Invocation::values(std::string_view flag) const {
  CG_ASSERT(find_flag(command, flag) != nullptr);
  std::vector<std::string> found;
  for (const GivenFlag& given : flags) {
    if (given.name == flag) found.push_back(given.value);
  }
  return found;
}

std::optional<std::string> Invocation::value(std::string_view flag) const {
  auto found = values(flag);
  if (found.empty()) return std::nullopt;
  return std::move(found.back());
}

std::optional<std::string> Invocation::argument(std::size_t n) const {
  if (n >= arguments.size()) return std::nullopt;
  return arguments[n];
}

}  // namespace cg::cli
