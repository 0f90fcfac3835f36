// codegenie schema
#include "base/json/json.h"
#include "commands.h"
#include "schemas.h"

namespace cg::program {

namespace {

std::string title_of(const Schema& schema) {
  const auto parsed = json::parse_json(schema.text);
  CG_ASSERT(parsed.has_value());
  const json::Value* title = parsed->find("title");
  return title == nullptr || !title->is_string() ? "" : *title->as_string();
}

Report list_schemas() {
  using json::Value;
  std::vector<std::vector<cli::Cell>> rows;
  Value::Array list;
  for (const Schema& schema : schemas()) {
    const std::string title = title_of(schema);
    rows.push_back({{std::string(schema.name), cli::Role::code}, {title}});
    list.emplace_back(Value::Object{{"name", schema.name}, {"title", title}});
  }
  return json_report(
      Value::Object{{"schema", "codegenie/schemas/v1"}, {"schemas", std::move(list)}},
      [rows = std::move(rows)](const cli::Style& style) {
        return cli::layout({{"NAME"}, {"TITLE"}}, rows, style);
      });
}

Result<Report, Problem> run_schema(const cli::Invocation& invocation, Session&) {
  const auto name = invocation.argument(0);
  if (!name) return list_schemas();
  for (const Schema& schema : schemas()) {
    if (schema.name == *name) return text_report(std::string(schema.text));
  }
  CG_ASSERT(false);  // the table lists exactly these
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const Schema& schema : schemas()) all.push_back(schema.name);
  return all;
}

}  // namespace

Entry schema_command() {
  return {
      {.path = {"schema"},
       .group = cli::Group::more,
       .summary = "Print the JSON Schema of a machine-readable output",
       .about = {"Every JSON document that codegenie prints names its schema. Without NAME the "
                 "schemas are listed. Later versions may add keys; none is renamed or removed."},
       .arguments = {{.name = "NAME",
                      .help = "the schema, such as error for codegenie/error/v1",
                      .presence = cli::Presence::optional,
                      .choices = names()}},
       .formats = {cli::Format::table, cli::Format::json},
       .examples = {{"codegenie schema error > error.schema.json",
                     "to check error documents with any validator"}}},
      run_schema,
      Sealing::reads_nothing};
}

}  // namespace cg::program
