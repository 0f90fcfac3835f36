// codegenie rag list
#include "base/base/text.h"
#include "commands.h"
#include "commands/rag/rag_words.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_rag_list(const cli::Invocation&, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const rag::Reader reader, rag::Reader::open(access.workspace.home));
  json::Value::Array records;
  for (const rag::Record& record : reader.records()) records.push_back(record_json(record));
  Report out = json_report(
      json::Value::Object{{"schema", "codegenie/rag-list/v1"}, {"records", std::move(records)}},
      [all = reader.records()](const cli::Style& style) -> std::string {
        if (all.empty()) return "No solved examples yet\n";
        std::vector<std::vector<cli::Cell>> rows;
        for (const rag::Record& record : all) {
          const example::Example& e = record.example;
          rows.push_back({{record.id},
                          {std::string(rag::name(record.status)),
                           record.may_count() ? cli::Role::good : cli::Role::warning},
                          {e.package + " " + e.from + " -> " + e.to},
                          {std::string(example::name(e.breaks))},
                          {e.worked ? "solved" : "failed"}});
        }
        return cli::layout({{.title = "RECORD"},
                            {.title = "STATUS"},
                            {.title = "PACKAGE"},
                            {.title = "BREAK"},
                            {.title = "OUTCOME"}},
                           rows, style);
      });
  for (const std::string& fault : reader.faults()) {
    out.warnings.push_back(fault + "; whoever writes next makes it anew from the log");
  }
  return out;
}

}  // namespace

Entry rag_list_command() {
  return {
      {.path = {"rag", "list"},
       .summary = "List solved examples, and whether each may be used",
       .about = {"Every record is compared with the audit log: verified ones are shown to a model "
                 "or tried by themselves, no other. Nothing is changed."},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie rag list", "what was learned so far"}}},
      run_rag_list};
}

}  // namespace cg::program
