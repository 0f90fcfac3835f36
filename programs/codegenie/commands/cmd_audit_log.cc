// codegenie audit log
#include "audit_text.h"
#include "base/text.h"
#include "codec/json.h"
#include "record/event_codec.h"

namespace cg::program {

namespace {

using codec::Value;

struct Row {
  Value json;
  std::uint64_t seq;
  std::string time;
  std::string kind;
  std::string summary;
};

struct Filter {
  std::optional<std::string> kind;
  Time since{INT64_MIN};
};

std::string rows_text(const std::vector<Row>& rows, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> cells;
  for (const Row& row : rows) {
    cells.push_back({{grouped(row.seq)}, {row.time, cli::Role::faint}, {row.kind}, {row.summary}});
  }
  return cli::layout({{.title = "ENTRY", .align = cli::Align::right},
                      {.title = "TIME"},
                      {.title = "KIND"},
                      {.title = "WHAT", .max_width = 100}},
                     cells, style);
}

std::string render(const std::vector<Row>& rows, cli::Format format, const cli::Style& style) {
  if (format == cli::Format::table) return rows_text(rows, style);
  if (format == cli::Format::jsonl) {
    std::string out;
    for (const Row& row : rows) out += codec::write_json(row.json) + "\n";
    return out;
  }
  Value::Array entries;
  for (const Row& row : rows) entries.push_back(row.json);
  return json_text(Value::Object{{"schema", "codegenie/audit-log/v1"}, {"entries", entries}},
                   format);
}

Result<Filter, Problem> filter_of(const cli::Invocation& invocation) {
  Filter filter;
  filter.kind = invocation.value("kind");
  if (filter.kind) {
    std::vector<std::string> kinds;
    for (const record::EventRow& row : record::event_table()) kinds.emplace_back(row.kind);
    if (std::find(kinds.begin(), kinds.end(), *filter.kind) == kinds.end()) {
      return fail(cli::bad_choice("no event kind `" + printable(cut_utf8(*filter.kind, 40)) + "`",
                                  *filter.kind, kinds));
    }
  }
  if (const auto since = invocation.value("since")) {
    CG_TRY_ASSIGN(filter.since, parse_since(*since, os::SystemClock().now()));
  }
  return filter;
}

Result<Report, Problem> run_audit_log(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Filter filter, filter_of(invocation));
  const auto limit = parse_u64(invocation.value("limit").value_or("1000000"));
  if (!limit || *limit == 0)
    return fail(bad_value("--limit takes a number above 0", "codegenie audit log --help"));
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  std::vector<Row> rows;
  const auto take = [&](const audit::Held& held) {
    if (filter.kind && *filter.kind != held.entry.kind) return;
    if (held.entry.t < filter.since) return;
    if (rows.size() == *limit) rows.erase(rows.begin());
    rows.push_back({entry_json(held), held.entry.seq, to_iso(held.entry.t),
                    std::string(held.entry.kind), summary_of(held.event)});
  };
  const auto stream = invocation.value("workflow");
  if (stream && !WorkflowId::parse(*stream)) {
    return fail(bad_value("--workflow takes a whole workflow id",
                          "codegenie audit log --kind workflow_started"));
  }
  CG_TRY_ASSIGN(const auto problem,
                stream ? for_each_entry_of(access, *stream, take) : for_each_entry(access, take));
  Report report;
  report.exit = problem ? problem->exit() : ExitCode::ok;
  report.problem = problem;
  report.render = [rows = std::move(rows)](cli::Format format, const cli::Style& style) {
    return render(rows, format, style);
  };
  return report;
}

}  // namespace

Entry audit_log_command() {
  return {
      {.path = {"audit", "log"},
       .summary = "List entries of the log, oldest first",
       .about =
           {"Lists what holds up to the first break, and tells the break. The spanning stream by "
            "default; a workflow's own stream with --workflow."},
       .flags = {{.name = "kind", .value_name = "KIND", .help = "only events of this kind"},
                 {.name = "since",
                  .value_name = "TIME",
                  .help = "only entries from this time on: a date, 7d, 12h"},
                 {.name = "limit", .value_name = "N", .help = "only the last N of them"},
                 {.name = "workflow", .value_name = "ID", .help = "the stream of this workflow"}},
       .formats = {cli::Format::table, cli::Format::json, cli::Format::jsonl},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie audit log --since 7d", "the last week"},
                    {"codegenie audit log --kind anchor_published --format jsonl",
                     "for a script"}}},
      run_audit_log};
}

}  // namespace cg::program
