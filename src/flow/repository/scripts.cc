#include "flow/repository/scripts.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/base/text.h"

namespace cg::repository {

namespace {

using Purpose = Script::Purpose;

constexpr std::size_t kMaxCommand = 4'096;  // more is cut: nobody reads it

constexpr std::array<std::string_view, 8> kTesters = {"ava", "jest", "karma",  "mocha",
                                                      "tap", "tape", "vitest", "jasmine"};
constexpr std::array<std::string_view, 7> kBuilders = {"babel", "esbuild", "parcel", "rollup",
                                                       "tsup",  "vite",    "webpack"};
constexpr std::string_view kNodeTest = "node --test";
constexpr std::string_view kTypesOnly = "tsc --noEmit";

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& all, std::string_view word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// Words of a shell line; what ends a command ends a word and stands as ";".
std::vector<std::string_view> words_in(std::string_view command) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= command.size(); ++at) {
    const char c = at == command.size() ? ';' : command[at];
    const bool ends = c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '\n';
    if (!ends && c != ' ' && c != '\t' && c != '"' && c != '\'') continue;
    if (at > begin) out.push_back(command.substr(begin, at - begin));
    if (ends) out.push_back(";");
    begin = at + 1;
  }
  return out;
}

/// "jest" of "./node_modules/.bin/jest" and of "jest.js".
std::string_view tool_name(std::string_view word) {
  word = word.substr(word.rfind('/') + 1);
  if (word.ends_with(".js")) word.remove_suffix(3);
  return word;
}

bool has_option(const std::vector<std::string_view>& words, std::size_t at,
                std::string_view option) {
  for (++at; at < words.size() && words[at] != ";"; ++at) {
    if (words[at] == option) return true;
  }
  return false;
}

std::string_view known_tool(const std::vector<std::string_view>& words, std::size_t at) {
  const std::string_view tool = tool_name(words[at]);
  if (tool == "node") return has_option(words, at, "--test") ? kNodeTest : std::string_view();
  if (tool == "tsc" || tool == "vue-tsc") {
    return has_option(words, at, "--noEmit") ? kTypesOnly : std::string_view("tsc");
  }
  return is_one_of(kTesters, tool) || is_one_of(kBuilders, tool) ? tool : std::string_view();
}

bool begins_with_part(std::string_view name, std::string_view part) {
  if (!name.starts_with(part)) return false;
  return name.size() == part.size() || name[part.size()] == ':' || name[part.size()] == '-' ||
         name[part.size()] == '.';
}

std::optional<Purpose> purpose_of_name(std::string_view name) {
  for (const std::string_view part :
       {"typecheck", "type-check", "check-types", "check:types", "types", "tsc"}) {
    if (begins_with_part(name, part)) return Purpose::typecheck;
  }
  for (const std::string_view part : {"test", "tests", "unit"}) {
    if (begins_with_part(name, part)) return Purpose::test;
  }
  for (const std::string_view part : {"build", "compile", "dist", "bundle"}) {
    if (begins_with_part(name, part)) return Purpose::build;
  }
  return std::nullopt;
}

std::optional<Purpose> purpose_of_tools(const std::vector<std::string>& tools) {
  const auto any = [&](auto is) { return std::any_of(tools.begin(), tools.end(), is); };
  if (any([](const auto& tool) { return tool == kNodeTest || is_one_of(kTesters, tool); })) {
    return Purpose::test;
  }
  if (any([](const auto& tool) { return tool == "tsc" || is_one_of(kBuilders, tool); })) {
    return Purpose::build;
  }
  if (!tools.empty()) return Purpose::typecheck;
  return std::nullopt;
}

}  // namespace

std::string_view name(Script::Purpose purpose) {
  switch (purpose) {
    case Purpose::test:
      return "test";
    case Purpose::build:
      return "build";
    case Purpose::typecheck:
      return "typecheck";
  }
  std::abort();
}

std::vector<std::string> tools_of(std::string_view command) {
  std::vector<std::string> out;
  const std::vector<std::string_view> words = words_in(command);
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string_view tool = known_tool(words, at);
    if (tool.empty() || std::find(out.begin(), out.end(), tool) != out.end()) continue;
    out.emplace_back(tool);
  }
  return out;
}

std::vector<Script> scripts_of(const npm::Manifest& manifest) {
  std::vector<Script> out;
  for (const auto& [script, whole] : manifest.scripts) {
    const std::string_view command = cut_utf8(whole, kMaxCommand);
    Script found;
    found.tools = tools_of(command);
    auto purpose = purpose_of_name(script);
    if (!purpose) purpose = purpose_of_tools(found.tools);
    if (!purpose) continue;
    found.purpose = *purpose;
    found.manifest = manifest.path;
    found.name = script;
    found.command = command;
    found.no_test_specified = command.find("no test specified") != std::string_view::npos;
    out.push_back(std::move(found));
  }
  return out;
}

}  // namespace cg::repository
