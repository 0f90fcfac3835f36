#include "model/proposal/tripwire.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/base/text.h"

namespace cg::proposal {

namespace {

/// In lower case, as the type checker does not mind for some of them.
constexpr std::string_view kSilencers[] = {"@ts-ignore", "@ts-nocheck", "@ts-expect-error"};
constexpr std::string_view kWatcher = "@ts-check";

constexpr std::string_view kPowers[] = {
    "child_process",
    "worker_threads",
    "eval(",
    "function(\"",
    "function('",
    "function(`",
    "node:vm",
    "\"vm\"",
    "'vm'",
    "node:inspector",
    "node:cluster",
    "process.binding",
    "process.dlopen",
    "module._load",
    "require.cache",
    "require.extensions",
    "node_options",
    "ld_preload",
    "import(\"data:",
    "import('data:",
    "import(\"http",
    "import('http",
    "runinthiscontext",
    "runinnewcontext",
};

bool in_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/// How often `word` starts a word in `text`: retrieval() is no eval().
std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + word.size())) {
    const bool inside = in_identifier(word.front()) && at > 0 && in_identifier(text[at - 1]);
    if (!inside) ++found;
  }
  return found;
}

/// "run.js" and "run" name lib/run.js, "./lib/run.js" too.
bool is_name_of(std::string_view word, std::string_view path) {
  while (word.starts_with("./")) word.remove_prefix(2);
  if (word.empty()) return false;
  const std::string_view bare = path.substr(0, path.rfind('.'));
  const auto ends = [&](std::string_view whole) {
    if (!whole.ends_with(word)) return false;
    return whole.size() == word.size() || whole[whole.size() - word.size() - 1] == '/';
  };
  const bool has_folder = word.find('/') != std::string_view::npos;
  const bool has_ending = word.find('.') != std::string_view::npos;
  // A single word is more often a program or a script than a file without its ending.
  return ends(path) || ((has_folder || has_ending) && ends(bare));
}

std::vector<std::string_view> words_of(std::string_view command) {
  constexpr std::string_view kBetween = " \t\r\n\"'`;&|()<>=,";
  std::vector<std::string_view> words;
  while (!command.empty()) {
    const std::size_t end = std::min(command.find_first_of(kBetween), command.size());
    if (end > 0) words.push_back(command.substr(0, end));
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  return words;
}

}  // namespace

bool silences_checks(std::string_view before, std::string_view after) {
  const std::string old_text = lower_ascii(before);
  const std::string new_text = lower_ascii(after);
  if (count(new_text, kWatcher) < count(old_text, kWatcher)) return true;
  return std::any_of(std::begin(kSilencers), std::end(kSilencers), [&](std::string_view word) {
    return count(new_text, word) > count(old_text, word);
  });
}

bool gains_power(std::string_view before, std::string_view after) {
  const std::string old_text = lower_ascii(before);
  const std::string new_text = lower_ascii(after);
  return std::any_of(std::begin(kPowers), std::end(kPowers), [&](std::string_view word) {
    return count(new_text, word) > count(old_text, word);
  });
}

bool names_file(const std::vector<std::string>& commands, std::string_view path) {
  return std::any_of(commands.begin(), commands.end(), [&](const std::string& command) {
    const std::vector<std::string_view> words = words_of(command);
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return is_name_of(word, path); });
  });
}

std::vector<std::string> gate_commands(const npm::Manifest& manifest) {
  std::set<std::string, std::less<>> names = {"test", "pretest", "posttest"};
  std::vector<std::string> commands;
  std::set<std::string, std::less<>> taken;
  // Every round takes a script at least, or is the last.
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, command] : manifest.scripts) {
      if (!names.contains(name) || !taken.insert(name).second) continue;
      more = true;
      commands.push_back(command);
      for (const std::string_view word : words_of(command)) {
        names.emplace(word);
        names.emplace("pre" + std::string(word));
        names.emplace("post" + std::string(word));
      }
    }
  }
  return commands;
}

}  // namespace cg::proposal
