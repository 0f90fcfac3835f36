#include "text/entry_rows.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "text/audit_text.h"
#include "trust/record/event_codec.h"

namespace cg::program {

using json::Value;

Result<EntryFilter, Problem> entry_filter(const cli::Invocation& invocation,
                                          std::string_view kind_flag) {
  EntryFilter filter;
  filter.kind = invocation.value(kind_flag);
  if (filter.kind) {
    std::vector<std::string> kinds;
    for (const record::EventRow& row : record::event_table()) kinds.emplace_back(row.kind);
    if (std::find(kinds.begin(), kinds.end(), *filter.kind) == kinds.end()) {
      return fail(cli::bad_choice("no event kind `" + printable(cut_utf8(*filter.kind, 40)) + "`",
                                  *filter.kind, kinds));
    }
  }
  if (const auto least = invocation.value("severity")) {
    for (const auto one : {record::Severity::warning, record::Severity::block}) {
      if (*least == record::name(one)) filter.least = one;
    }
  }
  if (const auto since = invocation.value("since")) {
    CG_TRY_ASSIGN(filter.since, parse_since(*since, os::SystemClock().now()));
  }
  if (const auto text = invocation.value("limit")) {
    const auto limit = parse_u64(*text);
    if (!limit || *limit == 0) {
      return fail(bad_value("--limit takes a number above 0",
                            "codegenie " + cli::joined(invocation.command->path) + " --help"));
    }
    filter.limit = *limit;
  }
  return filter;
}

void EntryRows::take(const audit::Held& held) {
  if (filter_.kind && *filter_.kind != held.entry.kind) return;
  if (held.entry.t < filter_.since || record::severity_of(held.event) < filter_.least) return;
  if (rows_.size() == filter_.limit) rows_.erase(rows_.begin());
  rows_.push_back({entry_json(held), held.entry.seq, to_iso(held.entry.t),
                   std::string(held.entry.kind), summary_of(held.event)});
}

std::string EntryRows::text(const std::vector<Row>& rows, const cli::Style& style) {
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

std::string EntryRows::render(const std::vector<Row>& rows, cli::Format format,
                              const cli::Style& style) {
  if (format == cli::Format::table) return text(rows, style);
  if (format == cli::Format::jsonl) {
    std::string out;
    for (const Row& row : rows) out += json::write_json(row.json) + "\n";
    return out;
  }
  Value::Array entries;
  for (const Row& row : rows) entries.push_back(row.json);
  return json_text(Value::Object{{"schema", "codegenie/audit-log/v1"}, {"entries", entries}},
                   format);
}

Report EntryRows::report(std::optional<Problem> problem) && {
  Report report;
  report.exit = problem ? problem->exit() : ExitCode::ok;
  report.problem = std::move(problem);
  report.render = [rows = std::move(rows_)](cli::Format format, const cli::Style& style) {
    return render(rows, format, style);
  };
  return report;
}

}  // namespace cg::program
