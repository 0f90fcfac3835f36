// codegenie vuln-index status
#include <sys/stat.h>

#include "base/base/text.h"
#include "commands.h"
#include "flow/scan/index.h"

namespace cg::program {

namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;

struct IndexStatus {
  vulnindex::Summary summary;
  std::string path;
  std::uint64_t bytes = 0;
  int age = 0;
  int allowed = 0;
  [[nodiscard]] bool stale() const { return age > allowed; }
};

std::string status_text(const IndexStatus& status, Time now, const cli::Style& style) {
  std::string sources;
  for (const auto& [source, count] : status.summary.sources) {
    sources += (sources.empty() ? "" : style.words(" · ")) + source + " " + grouped(count);
  }
  const std::vector<std::vector<cli::Cell>> rows = {
      {{"Path"}, {status.path + " (" + grouped(status.bytes / kMegabyte) + " MB)"}},
      {{"Built"},
       {to_iso(status.summary.built) + " (" + scan::age_text(status.summary.built, now) +
        "; policy allows " + std::to_string(status.allowed) + " days)"}},
      {{"Newest"}, {to_date(status.summary.newest) + " is the last change of a record"}},
      {{"Holds"},
       {counted(status.summary.advisories, "advisory", "advisories") + " for " +
        counted(status.summary.packages, "package", "packages") + ", " +
        grouped(status.summary.malware) + " of them malware"}},
      {{"Sources"}, {sources}},
      {{"Rejected"}, {counted(status.summary.rejected, "record", "records") + " kept out"}},
      {{"Digest"}, {status.summary.digest}},
      {{"Status"},
       {status.stale() ? "too old" : "ok", status.stale() ? cli::Role::error : cli::Role::good}}};
  return cli::layout({{}, {}}, rows, style);
}

Result<Report, Problem> run_status(const cli::Invocation&, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const workspace::Policy policy, workspace::read_policy(access.workspace));
  CG_TRY_ASSIGN(vulnindex::Index index, scan::open_any_index(access));
  const Time now = os::SystemClock().now();
  IndexStatus status{index.summary(), index.path(), 0, scan::age_days(index.summary().built, now),
                     policy.index_max_age_days};
  if (const auto info = access.workspace.home.stat(vulnindex::kFile)) status.bytes = info->size;
  json::Value json = json::Value::Object{{"schema", "codegenie/vuln-index-status/v1"},
                                         {"path", printable(status.path)},
                                         {"bytes", number(status.bytes)},
                                         {"facts", facts_json(status.summary)},
                                         {"age_days", status.age},
                                         {"max_age_days", status.allowed},
                                         {"stale", status.stale()}};
  return json_report(
      std::move(json),
      [status, now](const cli::Style& style) { return status_text(status, now, style); },
      status.stale() ? ExitCode::stale_data : ExitCode::ok);
}

}  // namespace

Entry vuln_index_status_command() {
  return {{.path = {"vuln-index", "status"},
           .summary = "Say how old the index is and what it holds",
           .about = {"Does not read all of it; `vuln-index verify` does."},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard,
                     ExitCode::stale_data},
           .examples = {{"codegenie vuln-index status", "is it time to refresh?"}}},
          run_status};
}

}  // namespace cg::program
