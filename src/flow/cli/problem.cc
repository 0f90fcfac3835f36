#include "flow/cli/problem.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::cli {

namespace {

constexpr std::string_view kDidYouMean = "did you mean ";

bool is_short(const Problem& problem) {
  return problem.where.empty() && problem.effect.empty() && !problem.help.empty() &&
         std::all_of(problem.help.begin(), problem.help.end(),
                     [](const std::string& line) { return line.starts_with(kDidYouMean); });
}

std::string utf8(const std::string& text) { return is_utf8(text) ? text : printable(text); }

}  // namespace

std::string render_problem(const Problem& problem, const Style& style, Hints hints) {
  const std::string code(row(problem.code).code);
  std::string out = style.paint(Role::error, "error[" + code + "]") + ": " +
                    style.paint(Role::heading, printable(problem.what)) + "\n";
  if (is_short(problem)) {
    if (hints == Hints::hide) return out;
    for (const std::string& line : problem.help) {
      out += "\n" + style.paint(Role::code, "hint") + ": " + printable(line) + "\n";
    }
    return out;
  }
  std::vector<std::pair<std::string, std::string>> rows = problem.where;
  if (!problem.effect.empty()) rows.emplace_back("effect", problem.effect);
  for (std::size_t i = 0; i < problem.help.size(); ++i) {
    rows.emplace_back(i == 0 ? "help" : "", problem.help[i]);
  }
  std::size_t labels = 8;
  for (const auto& [label, value] : rows) labels = std::max(labels, width(printable(label)));
  for (const auto& [label, value] : rows) {
    const std::string text = printable(label);
    out += "  " + style.paint(Role::faint, text) + std::string(labels - width(text) + 1, ' ') +
           printable(value) + "\n";
  }
  return out;
}

json::Value problem_json(const Problem& problem) {
  using json::Value;
  Value::Object where;
  for (const auto& [label, value] : problem.where) {
    const std::string key = utf8(label);
    const auto known = std::find_if(where.begin(), where.end(),
                                    [&](const Value::Member& m) { return m.first == key; });
    if (known == where.end()) {
      where.emplace_back(key, Value(utf8(value)));
    } else {
      known->second = Value(*known->second.as_string() + ", " + utf8(value));
    }
  }
  Value::Array help;
  for (const std::string& line : problem.help) help.emplace_back(utf8(line));
  return Value::Object{
      {"schema", "codegenie/error/v1"},
      {"error", Value::Object{{"code", row(problem.code).code},
                              {"what", utf8(problem.what)},
                              {"where", std::move(where)},
                              {"effect", utf8(problem.effect)},
                              {"help", std::move(help)}}},
      {"exit", static_cast<int>(problem.exit())},
  };
}

}  // namespace cg::cli
