#include "model/proposal/scripts.h"

#include <algorithm>
#include <iterator>

#include "base/base/text.h"

namespace cg::proposal {

namespace {

/// Programs that take a file without its ending. Their own names are no files.
constexpr std::string_view kRunners[] = {
    "node", "nodejs",  "ts-node", "tsx",     "tsm",      "esno",       "bun",      "deno",
    "npx",  "nodemon", "pm2",     "forever", "electron", "babel-node", "esmo",     "swc-node",
    "nyc",  "c8",      "mocha",   "jasmine", "tap",      "ava",        "cross-env"};

bool is_runner(std::string_view word) {
  return std::find(std::begin(kRunners), std::end(kRunners), word) != std::end(kRunners);
}

/// `whole` is `word`, or ends with it after a slash.
bool ends_with_path(std::string_view whole, std::string_view word) {
  if (!whole.ends_with(word)) return false;
  return whole.size() == word.size() || whole[whole.size() - word.size() - 1] == '/';
}

/// "scripts\\build.js" and "../scripts/./x/../build.js" to "scripts/build.js".
std::string plain_path(std::string_view word) {
  std::string slashes(word);
  std::replace(slashes.begin(), slashes.end(), '\\', '/');
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(slashes, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string out;
  for (const std::string_view part : parts) {
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

/// "run.js" names lib/run.js; "lib/run" does, and "run" where `bare` names count.
bool is_name_of(std::string_view word, std::string_view path, bool bare) {
  const std::string name = plain_path(word);
  if (name.empty()) return false;
  if (ends_with_path(path, name)) return true;
  const bool has_folder = word.find_first_of("/\\") != std::string_view::npos;
  const bool has_ending = name.find('.') != std::string::npos;
  // A single word is more often a program or a script than a file without its ending.
  if (!has_folder && !has_ending && !bare) return false;
  const std::string_view stem = path.substr(0, path.rfind('.'));
  return ends_with_path(stem, name) || ends_with_path(stem, name + "/index");
}

std::vector<std::string_view> words_of(std::string_view command) {
  constexpr std::string_view kBetween = " \t\r\n\"'`;&|()<>=,{}";
  std::vector<std::string_view> words;
  while (!command.empty()) {
    const std::size_t end = std::min(command.find_first_of(kBetween), command.size());
    if (end > 0) words.push_back(command.substr(0, end));
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  return words;
}

bool command_names(std::string_view command, std::string_view path) {
  const std::vector<std::string_view> words = words_of(command);
  const bool runs = std::any_of(words.begin(), words.end(), is_runner);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return is_name_of(word, path, runs && !is_runner(word));
  });
}

}  // namespace

bool names_file(const std::vector<std::string>& commands, std::string_view path) {
  return std::any_of(commands.begin(), commands.end(),
                     [&](const std::string& command) { return command_names(command, path); });
}

std::vector<std::string> script_commands(const npm::Manifest& manifest) {
  std::vector<std::string> commands;
  const std::string main = manifest.main.empty() ? "./index.js" : "./" + manifest.main;
  bool starts = false;
  for (const auto& [name, command] : manifest.scripts) {
    starts = starts || name == "start";
    commands.push_back(command);
    for (const std::string_view word : words_of(command)) {
      if (word == "." || word == "./") commands.push_back("node " + main);
    }
  }
  if (!starts) commands.emplace_back("node ./server.js");
  return commands;
}

}  // namespace cg::proposal
