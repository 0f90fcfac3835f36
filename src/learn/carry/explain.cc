#include <algorithm>

#include "base/base/text.h"
#include "learn/carry/carry.h"

namespace cg::carry {

namespace {

std::string line_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t';
    if (is_space && (out.empty() || out.back() == ' ')) continue;
    out += is_space ? ' ' : c;
  }
  return "`" + printable(out) + "`";
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + printable(word);
  return out;
}

std::string taken(const Hole& hole) {
  const bool is_object = hole.member == "object";
  switch (hole.takes) {
    case Takes::name:
    case Takes::value: {
      const std::string what = hole.takes == Takes::name ? "a name of the file" : "a value";
      return what + (is_object ? " that stands for an object with the keys " + listed(hole.keys)
                               : " that stands for no object written in the file");
    }
    case Takes::own:
      return "a name that is declared right there";
    case Takes::number:
      return "a number";
    case Takes::function:
      return "a function with " + hole.member +
             " parameters, using of them no more than: " + listed(hole.keys);
    case Takes::package:
      return "what an import of " + printable(hole.source) + " gives as " + printable(hole.member);
    case Takes::made:
      return "what one of those uses gave";
    case Takes::use:
      return "another use that is carried";
  }
  return {};
}

}  // namespace

std::string describe(const Refusal& refusal) {
  const std::string why = printable(refusal.why);
  return refusal.line == 0 ? why : "line " + std::to_string(refusal.line) + ": " + why;
}

std::vector<std::string> explain(const Template& from) {
  std::vector<std::string> out;
  const bool is_about_imports =
      std::all_of(from.rules.begin(), from.rules.end(), [](const Rule& rule) {
        return rule.form == Rule::Form::import || rule.before == rule.after;
      });
  for (const Rule& rule : from.rules) {
    std::string line = line_of(rule.before);
    line += rule.before == rule.after ? " stays" : " becomes " + line_of(rule.after);
    if (!is_about_imports && !rule.places.empty())
      line += ", where its value is for: " + listed(rule.places);
    out.push_back(std::move(line));
    for (std::size_t i = 0; i < rule.holes.size(); ++i) {
      out.push_back("  $" + std::to_string(i + 1) + " is " + taken(rule.holes[i]));
    }
  }
  out.emplace_back(
      "would not match: any other use of the package, other arguments, keys or strings, names "
      "that are given other values, a comment within what changes, a name that is taken already");
  return out;
}

}  // namespace cg::carry
