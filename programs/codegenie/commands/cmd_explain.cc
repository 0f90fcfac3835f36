// codegenie explain
#include <algorithm>

#include "commands.h"

namespace cg::program {

namespace {

const ExitCodeRow& exit_row(ExitCode exit) {
  const auto& table = exit_code_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const ExitCodeRow& row) {
    return row.number == static_cast<int>(exit);
  });
  CG_ASSERT(found != table.end());
  return *found;
}

std::string explanation(const ErrorCodeRow& error, const cli::Style& style) {
  const ExitCodeRow& exit = exit_row(error.exit);
  return style.paint(cli::Role::error, error.code) + "  " + style.words(error.title) + "\n" +
         "exit " + std::to_string(exit.number) + "      " + std::string(exit.name) + ": " +
         std::string(exit.meaning) + "\n\n" + cli::wrapped(style.words(error.explanation), 80, 0);
}

Result<Report, Problem> run_explain(const cli::Invocation& invocation, Session&) {
  std::string word = invocation.arguments.at(0);
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  const auto code = parse_error_code(word);
  if (!code) {
    std::vector<std::string> codes;
    for (const ErrorCodeRow& row : error_code_table()) codes.emplace_back(row.code);
    return fail(
        cli::bad_choice("no error code " + cli::shown(invocation.arguments.at(0)), word, codes));
  }
  const ErrorCodeRow& error = row(*code);
  return json_report(codec::Value::Object{{"schema", "codegenie/explain/v1"},
                                          {"code", error.code},
                                          {"title", error.title},
                                          {"exit", static_cast<int>(error.exit)},
                                          {"exit_name", exit_row(error.exit).name},
                                          {"explanation", error.explanation}},
                     [&error](const cli::Style& style) { return explanation(error, style); });
}

}  // namespace

Entry explain_command() {
  return {
      {.path = {"explain"},
       .group = cli::Group::everyday,
       .summary = "Explain an error code: what it means and what to do",
       .arguments = {{.name = "CODE", .help = "the code of an error message, such as CG-CLI-003"}},
       .formats = {cli::Format::table, cli::Format::json},
       .examples = {{"codegenie explain CG-CONFIG-001", "why a configuration was refused"}}},
      run_explain};
}

}  // namespace cg::program
