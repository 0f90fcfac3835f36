// codegenie cassette check
#include <algorithm>

#include "access.h"
#include "base/base/text.h"
#include "commands.h"
#include "model/cassette/folder.h"

namespace cg::program {

namespace {

using json::Value;

Value to_json(const cassette::Checked& checked) {
  Value::Array rows;
  for (const cassette::Row& row : checked.rows) {
    rows.push_back(Value::Object{{"file", printable(row.file)},
                                 {"state", cassette::name(row.state)},
                                 {"exchanges", number(row.exchanges)},
                                 {"detail", printable(row.detail)}});
  }
  return Value::Object{
      {"schema", "codegenie/cassettes/v1"}, {"good", checked.good()}, {"cassettes", rows}};
}

std::string table_text(const cassette::Checked& checked, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  for (const cassette::Row& row : checked.rows) {
    const bool good = row.state == cassette::Row::State::good;
    rows.push_back(
        {{std::string(style.glyph(good ? cli::Glyph::ok : cli::Glyph::fail)),
          good ? cli::Role::good : cli::Role::warning},
         {printable(row.file)},
         {std::string(cassette::name(row.state))},
         {good ? counted(row.exchanges, "exchange", "exchanges") : printable(row.detail)}});
  }
  if (rows.empty()) return "no cassettes\n";
  return cli::layout({{}, {}, {}, {.max_width = 80}}, rows, style, 0);
}

Result<Report, Problem> run_cassette_check(const cli::Invocation& invocation, Session&) {
  const std::string path = invocation.argument(0).value_or(".");
  const auto broken = [&](std::string what) {
    return Problem{ErrorCode::model_cassette,
                   std::move(what),
                   {{"path", path}},
                   "cassettes that do not hold are not played",
                   {"codegenie explain CG-MODEL-004"}};
  };
  const auto dir = os::Dir::open(path);
  if (!dir) return fail(broken(os::describe(dir.error())));
  const auto checked = cassette::check_folder(*dir);
  if (!checked) return fail(broken(checked.error().what));
  Report report = json_report(to_json(*checked), [checked = *checked](const cli::Style& style) {
    return table_text(checked, style);
  });
  if (checked->good()) return report;
  report.exit = ExitCode::integrity;
  const auto bad = std::count_if(checked->rows.begin(), checked->rows.end(), [](const auto& row) {
    return row.state != cassette::Row::State::good;
  });
  report.problem =
      broken(counted(static_cast<std::uint64_t>(bad), "file does", "files do") + " not hold");
  return report;
}

}  // namespace

Entry cassette_check_command() {
  return {{.path = {"cassette", "check"},
           .summary = "Check recorded exchanges and their lock",
           .about = {"Reads every cassette of a folder: whether cassettes.lock pins it with this "
                     "digest, whether it is in the form that codegenie writes, and whether nothing "
                     "in it looks like a key, a cookie or a token. Made for CI.",
                     "Cassettes are recorded with `remediate --cassette FILE --unsafe-record`, and "
                     "never where CI is set."},
           .arguments = {{.name = "DIR",
                          .help = "the folder; the current one without it",
                          .presence = cli::Presence::optional}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity},
           .examples = {{"codegenie cassette check tests/cassettes", "before a commit"}}},
          run_cassette_check};
}

}  // namespace cg::program
