// codegenie vuln-index search
#include "base/base/text.h"
#include "commands.h"
#include "flow/scan/index.h"
#include "text/scan_text.h"

namespace cg::program {

namespace {

constexpr std::uint64_t kMaxLimit = 100'000;

json::Value brief_json(const advisory::Brief& brief) {
  json::Value::Array aliases;
  for (const std::string& alias : brief.aliases) aliases.emplace_back(alias);
  return json::Value::Object{{"id", brief.id},
                             {"aliases", std::move(aliases)},
                             {"severity", name(brief.severity.level)},
                             {"malware", brief.malware},
                             {"modified", brief.modified},
                             {"summary", brief.summary}};
}

std::string rows_text(const std::vector<advisory::Brief>& briefs, const cli::Style& style) {
  if (briefs.empty()) return "Nothing found\n";
  std::vector<std::vector<cli::Cell>> rows;
  for (const advisory::Brief& brief : briefs) {
    rows.push_back({{brief.malware ? "malware" : std::string(name(brief.severity.level)),
                     role_of(brief.severity.level)},
                    {brief.id},
                    {brief.aliases.empty() ? "" : brief.aliases.front(), cli::Role::faint},
                    {brief.summary}});
  }
  return cli::layout({{.title = "SEVERITY"},
                      {.title = "ADVISORY"},
                      {.title = "ALIAS"},
                      {.title = "SUMMARY", .max_width = 80}},
                     rows, style);
}

Result<Report, Problem> run_search(const cli::Invocation& invocation, Session& session) {
  const auto limit = parse_u64(invocation.value("limit").value_or("50"));
  if (!limit || *limit == 0 || *limit > kMaxLimit) {
    return fail(
        bad_value("--limit takes a number from 1 to 100000", "codegenie vuln-index search --help"));
  }
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(vulnindex::Index index, scan::open_any_index(access));
  const auto found = index.search(invocation.arguments.at(0), *limit);
  if (!found) return fail(scan::problem_of(found.error()));
  json::Value::Array items;
  for (const advisory::Brief& brief : *found) items.push_back(brief_json(brief));
  return json_report(json::Value::Object{{"schema", "codegenie/vuln-index-search/v1"},
                                         {"advisories", std::move(items)}},
                     [found = *found](const cli::Style& style) { return rows_text(found, style); });
}

}  // namespace

Entry vuln_index_search_command() {
  return {
      {.path = {"vuln-index", "search"},
       .summary = "Find advisories by id, package or words",
       .about = {"Looks for the text, in any case of letters, in ids, aliases, package names and "
                 "summaries."},
       .arguments = {{.name = "TEXT", .help = "what to look for"}},
       .flags = {{.name = "limit", .value_name = "N", .help = "at most N of them; 50 by default"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard,
                 ExitCode::stale_data},
       .examples = {{"codegenie vuln-index search minimist", "by package"}}},
      run_search};
}

}  // namespace cg::program
