// codegenie explain
#include <algorithm>

#include "commands.h"
#include "text/explain_advisory.h"

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

Result<Report, Problem> explain_code(const std::string& given, const std::string& word) {
  const auto code = parse_error_code(word);
  if (!code) {
    std::vector<std::string> codes;
    for (const ErrorCodeRow& row : error_code_table()) codes.emplace_back(row.code);
    return fail(cli::bad_choice("no error code " + cli::shown(given), word, codes));
  }
  const ErrorCodeRow& error = row(*code);
  return json_report(json::Value::Object{{"schema", "codegenie/explain/v1"},
                                         {"code", error.code},
                                         {"title", error.title},
                                         {"exit", static_cast<int>(error.exit)},
                                         {"exit_name", exit_row(error.exit).name},
                                         {"explanation", error.explanation}},
                     [&error](const cli::Style& style) { return explanation(error, style); });
}

Result<Report, Problem> run_explain(const cli::Invocation& invocation, Session& session) {
  const std::string given = invocation.arguments.at(0);
  std::string word = given;
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  if (word.starts_with("CG-")) return explain_code(given, word);
  return explain_advisory(given, invocation.value("repo").value_or("."), session);
}

}  // namespace

Entry explain_command() {
  return {
      {.path = {"explain"},
       .group = cli::Group::everyday,
       .summary = "Explain one advisory here, or an error code",
       .about =
           {"For an advisory: every copy in the repository that it affects, through whom it came, "
            "which range it lies in, what could be done and what stands in the way. Exit 3 if the "
            "repository is not affected.",
            "For the code of an error message: what it means and what to do."},
       .arguments = {{.name = "ID",
                      .help = "an advisory (CVE, GHSA, MAL) or a code such as CG-CLI-003"}},
       .flags = {{.name = "repo",
                  .value_name = "REPO_DIR",
                  .help = "the repository; the current folder if none is given"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::not_applicable, ExitCode::integrity,
                 ExitCode::guard, ExitCode::needs_human, ExitCode::stale_data},
       .examples = {{"codegenie explain CVE-2021-44906 --repo shop", "is it here, and what now?"},
                    {"codegenie explain CG-CONFIG-001", "why a configuration was refused"}}},
      run_explain,
      Sealing::sealed,
      {Reach::current_folder}};
}

}  // namespace cg::program
