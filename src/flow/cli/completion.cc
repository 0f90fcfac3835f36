#include "flow/cli/completion.h"

#include "base/base/assert.h"
#include "flow/cli/offers.h"
#include "flow/cli/tokens.h"

namespace cg::cli {

namespace {

using Words = std::vector<std::string_view>;

std::string spaced(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

/// One arm of the shell's `case` over "command words:flag" for each flag value.
using ValueArm = std::string (*)(const Flag& flag, const std::vector<std::string>& choices);

std::string value_arms(const CommandTable& table, ValueArm arm) {
  std::string out;
  const auto add = [&](const std::string& at, const Flag& flag, const Command* command) {
    if (flag.value_name.empty()) return;
    std::string pattern;
    for (const std::string& name : spellings(flag))
      pattern += (pattern.empty() ? "" : "|") + at + ":" + name;
    const std::string action = arm(flag, choices_of(flag, command));
    if (!action.empty()) out += "      " + pattern + ") " + action + " ;;\n";
  };
  for (const Command& command : table.commands) {
    const std::string at = "'" + joined(command.path) + "'";
    for (const Flag& flag : command.flags) add(at, flag, &command);
    for (const Flag& flag : global_flags()) {
      if (flag.name == "format" || is_output(flag)) add(at, flag, &command);
    }
  }
  for (const Flag& flag : global_flags()) add("*", flag, nullptr);
  return out;
}

/// The words a command line is known by, as arms that extend the variable `at`.
std::string place_arms(const CommandTable& table) {
  std::string out;
  for (const Words& words : places(table)) {
    if (!words.empty()) out += "          '" + joined(words) + "') at='" + joined(words) + "' ;;\n";
  }
  for (const Noun& first : first_words(table)) {
    if (first.alias.empty()) continue;
    out +=
        "          '" + std::string(first.alias) + "') at='" + std::string(first.word) + "' ;;\n";
  }
  return out;
}

void replace(std::string& text, std::string_view mark, const std::string& with) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + with.size())) {
    text.replace(at, mark.size(), with);
  }
}

constexpr std::string_view kBash =
    R"(# bash completion for @PROGRAM@, made by `@PROGRAM@ completion bash`; do not edit.
_@PROGRAM@() {
  local cur=${COMP_WORDS[COMP_CWORD]} at='' expect='' offer='' word i
  COMPREPLY=()
  # bash splits words at "=", so --flag=value arrives as three words.
  for (( i = 1; i < COMP_CWORD; i++ )); do
    word=${COMP_WORDS[i]}
    case $expect in
      '') ;;
      -o|--output) [[ $word == = ]] || expect='='; continue ;;
      '=') if [[ $word == = ]]; then expect=FILE; continue; fi; expect='' ;;
      *) [[ $word == = ]] || expect=''; continue ;;
    esac
    case $word in
      @VALUE_FLAGS@) expect=$word ;;
      -*|=) ;;
      *)
        case "${at:+$at }$word" in
@PLACES@        esac ;;
    esac
  done
  if [[ $cur == = ]]; then
    cur=''
    if [[ $expect == '=' ]]; then expect=FILE; fi
  fi
  if [[ $expect == '=' ]]; then expect=''; fi
  if [[ -n $expect ]]; then
    case "$at:$expect" in
@VALUES@      *:FILE) offer=@files ;;
    esac
  elif [[ $cur == -* ]]; then
    offer='@GLOBAL@'
    case $at in
@FLAGS@    esac
  else
    case $at in
@WORDS@    esac
  fi
  case $offer in
    @files|@dirs)
      compopt -o filenames 2>/dev/null
      if [[ $offer == @files ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      else
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
      fi ;;
    *=) compopt -o nospace 2>/dev/null; mapfile -t COMPREPLY < <(compgen -W "$offer" -- "$cur") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$offer" -- "$cur") ;;
  esac
}
complete -F _@PROGRAM@ @PROGRAM@
)";

std::string bash_value(const Flag& flag, const std::vector<std::string>& choices) {
  if (is_output(flag)) {
    return "offer='" + spaced(choices, "= ") + "='";
  }
  if (!choices.empty()) return "offer='" + spaced(choices) + "'";
  if (path_kind(flag.value_name) == PathKind::file) return "offer=@files";
  if (path_kind(flag.value_name) == PathKind::directory) return "offer=@dirs";
  return "";
}

std::string bash_words(const CommandTable& table) {
  std::string out;
  for (const Words& words : places(table)) {
    std::vector<std::string> list;
    for (const Offer& offer : offers_at(table, words)) list.push_back(offer.word);
    const PathKind kind = argument_kind(table, words);
    std::string action = "offer='" + spaced(list) + "'";
    if (kind == PathKind::file) action = "offer=@files";
    if (kind == PathKind::directory) action = "offer=@dirs";
    out += "      '" + joined(words) + "') " + action + " ;;\n";
  }
  return out;
}

std::string flag_names(const std::vector<Flag>& flags) {
  std::vector<std::string> names;
  for (const Flag& flag : flags) {
    for (const std::string& name : spellings(flag)) names.push_back(name);
  }
  return spaced(names);
}

std::string bash_script(const CommandTable& table) {
  std::string flags;
  for (const Command& command : table.commands) {
    if (command.flags.empty()) continue;
    flags +=
        "      '" + joined(command.path) + "') offer+=' " + flag_names(command.flags) + "' ;;\n";
  }
  std::string script(kBash);
  replace(script, "@VALUE_FLAGS@", spaced(value_flags(table), "|"));
  replace(script, "@PLACES@", place_arms(table));
  replace(script, "@VALUES@", value_arms(table, bash_value));
  replace(script, "@GLOBAL@", flag_names(global_flags()));
  replace(script, "@FLAGS@", flags);
  replace(script, "@WORDS@", bash_words(table));
  replace(script, "@PROGRAM@", std::string(table.program));
  return script;
}

constexpr std::string_view kZsh = R"(#compdef @PROGRAM@
# zsh completion for @PROGRAM@, made by `@PROGRAM@ completion zsh`; do not edit.
_@PROGRAM@() {
  local at='' expect='' word
  local -i i
  local -a list
  for (( i = 2; i < CURRENT; i++ )); do
    word=${words[i]}
    if [[ -n $expect ]]; then
      expect=''
      continue
    fi
    case $word in
      @VALUE_FLAGS@) expect=$word ;;
      -*) ;;
      *)
        case "${at:+$at }$word" in
@PLACES@        esac ;;
    esac
  done
  if [[ -z $expect && $PREFIX == --*=* ]]; then
    expect=${PREFIX%%=*}
    compset -P 1 '*='
  fi
  if [[ -n $expect ]]; then
    case "$at:$expect" in
@VALUES@    esac
    return
  fi
  if [[ $PREFIX == -* ]]; then
    list=(@GLOBAL@)
    case $at in
@FLAGS@    esac
    _describe -o flag list
    return
  fi
  case $at in
@WORDS@  esac
}
if [[ ${funcstack[1]} == _@PROGRAM@ ]]; then
  _@PROGRAM@ "$@"
elif (( $+functions[compdef] )); then
  compdef _@PROGRAM@ @PROGRAM@
fi
)";

/// 'word:help', safe between single quotes and for _describe.
std::string zsh_item(const std::string& word, const std::string& help) {
  std::string text = help;
  replace(text, "'", "'\\''");
  return help.empty() ? "'" + word + "'" : "'" + word + ":" + text + "'";
}

std::string zsh_value(const Flag& flag, const std::vector<std::string>& choices) {
  if (is_output(flag)) {
    return "if compset -P 1 '*='; then _files; else compadd -S '' -- " + spaced(choices, "= ") +
           "=; fi";
  }
  if (!choices.empty()) return "compadd -- " + spaced(choices);
  if (path_kind(flag.value_name) == PathKind::file) return "_files";
  if (path_kind(flag.value_name) == PathKind::directory) return "_files -/";
  return "";
}

std::string zsh_flags(const std::vector<Flag>& flags) {
  std::vector<std::string> items;
  for (const Flag& flag : flags) {
    for (const std::string& name : spellings(flag))
      items.push_back(zsh_item(name, std::string(flag.help)));
  }
  return spaced(items);
}

std::string zsh_script(const CommandTable& table) {
  std::string flags;
  for (const Command& command : table.commands) {
    if (command.flags.empty()) continue;
    flags += "      '" + joined(command.path) + "') list+=(" + zsh_flags(command.flags) + ") ;;\n";
  }
  std::string words;
  for (const Words& place : places(table)) {
    std::vector<std::string> items;
    for (const Offer& offer : offers_at(table, place))
      items.push_back(zsh_item(offer.word, offer.help));
    const PathKind kind = argument_kind(table, place);
    std::string action = "list=(" + spaced(items) + "); _describe word list";
    if (kind == PathKind::file) action = "_files";
    if (kind == PathKind::directory) action = "_files -/";
    if (items.empty() && kind == PathKind::none) continue;
    words += "    '" + joined(place) + "') " + action + " ;;\n";
  }
  std::string script(kZsh);
  replace(script, "@VALUE_FLAGS@", spaced(value_flags(table), "|"));
  replace(script, "@PLACES@", place_arms(table));
  replace(script, "@VALUES@", value_arms(table, zsh_value));
  replace(script, "@GLOBAL@", zsh_flags(global_flags()));
  replace(script, "@FLAGS@", flags);
  replace(script, "@WORDS@", words);
  replace(script, "@PROGRAM@", std::string(table.program));
  return script;
}

constexpr std::string_view kFish =
    R"(# fish completion for @PROGRAM@, made by `@PROGRAM@ completion fish`; do not edit.
function __@PROGRAM@_at
    set -l at ''
    set -l expect 0
    for word in (commandline -opc)[2..-1]
        if test $expect = 1
            set expect 0
            continue
        end
        switch $word
            case @VALUE_FLAGS@
                set expect 1
            case '-*'
            case '*'
                switch (string trim -- "$at $word")
@PLACES@                end
        end
    end
    echo -- $at
end
function __@PROGRAM@_is
    test (__@PROGRAM@_at) = "$argv"
end
complete -c @PROGRAM@ -f
)";

std::string fish_quoted(std::string text) {
  replace(text, "\\", "\\\\");
  replace(text, "'", "\\'");
  return "'" + text + "'";
}

/// One `complete` line for a flag at a place; an empty place means everywhere.
std::string fish_flag(const CommandTable& table, const Flag& flag, const Command* command) {
  std::string line = "complete -c " + std::string(table.program);
  if (command != nullptr) {
    line += " -n '__" + std::string(table.program) + "_is " + joined(command->path) + "'";
  }
  line += " -l " + std::string(flag.name);
  if (flag.short_name != '\0') line += std::string(" -s ") + flag.short_name;
  auto choices = choices_of(flag, command);
  if (is_output(flag)) {
    for (std::string& choice : choices) choice += '=';
  }
  const PathKind kind = path_kind(flag.value_name);
  if (!choices.empty()) {
    line += " -x -a " + fish_quoted(spaced(choices));
  } else if (kind == PathKind::file) {
    line += " -r -F";
  } else if (kind == PathKind::directory) {
    line += " -x -a '(__fish_complete_directories)'";
  } else if (!flag.value_name.empty()) {
    line += " -x";
  }
  return line + " -d " + fish_quoted(std::string(flag.help)) + "\n";
}

std::string fish_words(const CommandTable& table, const Words& words) {
  const std::string program(table.program);
  const std::string head = "complete -c " + program + " -n '__" + program + "_is" +
                           (words.empty() ? "" : " " + joined(words)) + "'";
  std::string out;
  for (const Offer& offer : offers_at(table, words)) {
    out += head + " -a " + offer.word;
    if (!offer.help.empty()) out += " -d " + fish_quoted(offer.help);
    out += "\n";
  }
  const PathKind kind = argument_kind(table, words);
  if (kind == PathKind::file) out += head + " -F\n";
  if (kind == PathKind::directory) out += head + " -a '(__fish_complete_directories)'\n";
  return out;
}

std::string fish_script(const CommandTable& table) {
  std::string arms;
  const auto arm = [&](const std::string& seen, const std::string& at) {
    arms +=
        "                    case '" + seen + "'\n                        set at '" + at + "'\n";
  };
  for (const Words& words : places(table)) {
    if (!words.empty()) arm(joined(words), joined(words));
  }
  for (const Noun& first : first_words(table)) {
    if (!first.alias.empty()) arm(std::string(first.alias), std::string(first.word));
  }
  std::string script(kFish);
  replace(script, "@VALUE_FLAGS@", spaced(value_flags(table)));
  replace(script, "@PLACES@", arms);
  replace(script, "@PROGRAM@", std::string(table.program));
  for (const Words& words : places(table)) script += fish_words(table, words);
  for (const Command& command : table.commands) {
    for (const Flag& flag : command.flags) script += fish_flag(table, flag, &command);
    script += fish_flag(table, *find_flag(nullptr, "format"), &command);
    script += fish_flag(table, *find_flag(nullptr, "output"), &command);
  }
  for (const Flag& flag : global_flags()) {
    if (flag.name != "format" && !is_output(flag)) script += fish_flag(table, flag, nullptr);
  }
  return script;
}

}  // namespace

std::optional<Shell> parse_shell(std::string_view text) {
  if (text == "bash") return Shell::bash;
  if (text == "zsh") return Shell::zsh;
  if (text == "fish") return Shell::fish;
  return std::nullopt;
}

std::string completion_script(const CommandTable& table, Shell shell) {
  switch (shell) {
    case Shell::bash:
      return bash_script(table);
    case Shell::zsh:
      return zsh_script(table);
    case Shell::fish:
      return fish_script(table);
  }
  CG_ASSERT(false);
}

}  // namespace cg::cli
