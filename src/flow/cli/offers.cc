#include "flow/cli/offers.h"

#include <algorithm>

#include "base/domain/error.h"
#include "flow/cli/tokens.h"
#include "flow/cli/topics.h"

namespace cg::cli {

namespace {

using Offers = std::vector<Offer>;
using Words = std::vector<std::string_view>;

std::string summary_of(const CommandTable& table, const Words& words) {
  if (const Command* command = find_command(table, words)) return std::string(command->summary);
  const Noun* noun = find_noun(table, words.back());
  return noun == nullptr || words.size() > 1 ? "" : std::string(noun->summary);
}

void offer_values(const CommandTable& table, const Argument& argument, Offers& offers) {
  for (const std::string_view choice : argument.choices)
    offers.push_back({std::string(choice), ""});
  if (argument.name == "TOPIC") {
    for (const Topic& t : topics()) offers.push_back({std::string(t.name), std::string(t.summary)});
    for (const Noun& w : first_words(table))
      offers.push_back({std::string(w.word), std::string(w.summary)});
  }
  if (argument.name == "CODE") {
    for (const ErrorCodeRow& r : error_code_table())
      offers.push_back({std::string(r.code), std::string(r.title)});
  }
}

std::vector<std::string> format_names(const Command& command) {
  std::vector<std::string> names;
  for (const Format format : command.formats) names.emplace_back(name(format));
  return names;
}

}  // namespace

std::vector<Words> places(const CommandTable& table) {
  std::vector<Words> all = {{}};
  for (const Command& command : table.commands) {
    for (std::size_t n = 1; n <= command.path.size(); ++n) {
      const Words words(command.path.begin(),
                        command.path.begin() + static_cast<std::ptrdiff_t>(n));
      if (std::find(all.begin(), all.end(), words) == all.end()) all.push_back(words);
    }
  }
  return all;
}

Offers offers_at(const CommandTable& table, const Words& words) {
  Offers offers;
  for (const std::string_view next : next_words(table, words)) {
    Words longer = words;
    longer.push_back(next);
    offers.push_back({std::string(next), summary_of(table, longer)});
  }
  const Command* command = words.empty() ? nullptr : find_command(table, words);
  if (command == nullptr) return offers;
  for (const Argument& argument : command->arguments) offer_values(table, argument, offers);
  return offers;
}

PathKind argument_kind(const CommandTable& table, const Words& words) {
  const Command* command = words.empty() ? nullptr : find_command(table, words);
  if (command == nullptr || command->arguments.empty()) return PathKind::none;
  return path_kind(command->arguments.front().name);
}

std::vector<std::string> spellings(const Flag& flag) {
  std::vector<std::string> all = {dashed(flag)};
  if (flag.short_name != '\0') all.push_back({'-', flag.short_name});
  return all;
}

std::vector<std::string> value_flags(const CommandTable& table) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<Flag>& flags) {
    for (const Flag& flag : flags) {
      if (flag.value_name.empty()) continue;
      for (const std::string& name : spellings(flag)) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
  };
  add(global_flags());
  for (const Command& command : table.commands) add(command.flags);
  return names;
}

bool is_output(const Flag& flag) { return flag.value_name == "FORMAT=FILE"; }

std::vector<std::string> choices_of(const Flag& flag, const Command* command) {
  if (command != nullptr && (flag.name == "format" || is_output(flag)))
    return format_names(*command);
  if (is_output(flag)) {
    return {"table", "json", "jsonl", "markdown"};
  }
  return {flag.choices.begin(), flag.choices.end()};
}

}  // namespace cg::cli
