// codegenie vuln-index refresh
#include <algorithm>

#include "base/base/text.h"
#include "commands.h"
#include "commands/vuln_index/feeds.h"
#include "flow/scan/index.h"
#include "text/index_change.h"

namespace cg::program {

namespace {

std::vector<std::string> sources_of(const cli::Invocation& invocation) {
  const std::string word = invocation.value("source").value_or("osv");
  if (word != "all") return {word};
  return {std::begin(vulnindex::kSources), std::end(vulnindex::kSources)};
}

Result<unsigned, Problem> max_shrink(const cli::Invocation& invocation,
                                     const workspace::Policy& policy) {
  const auto text = invocation.value("max-shrink");
  if (!text) return static_cast<unsigned>(policy.index_max_shrink_percent);
  const std::string digits = text->ends_with('%') ? text->substr(0, text->size() - 1) : *text;
  const auto percent = parse_u64(digits);
  if (!percent || *percent > 100) {
    return fail(
        bad_value("--max-shrink takes a percentage", "codegenie vuln-index refresh --help"));
  }
  // A flag may ask for less than policy allows, never for more.
  return std::min(static_cast<unsigned>(*percent),
                  static_cast<unsigned>(policy.index_max_shrink_percent));
}

/// Reads every feed into one draft.
class Reading {
 public:
  explicit Reading(IndexChange& change) : change_(change) {}

  Result<Done, Problem> file(const std::string& source, const std::string& path) {
    const auto read = vulnindex::read_feed(path, reader(source));
    return told(read, path);
  }
  Result<Done, Problem> bytes(const std::string& source, const std::string& url,
                              std::string_view bytes) {
    const auto read = vulnindex::read_feed_bytes(bytes, url, reader(source));
    return told(read, url);
  }
  [[nodiscard]] const vulnindex::Draft& draft() const { return draft_; }

 private:
  vulnindex::FeedReader reader(const std::string& source) {
    return {[this, source](const vulnindex::RawRecord& record) {
              draft_.add(source, record, change_.tally);
            },
            [this](vulnindex::Rejected row) { draft_.reject(std::move(row), change_.tally); }};
  }
  Result<Done, Problem> told(const Result<Done, vulnindex::Error>& read, const std::string& place) {
    if (!read) return fail(scan::problem_of(read.error()));
    change_.origin += (change_.origin.empty() ? "" : ", ") + place;
    return Done{};
  }

  IndexChange& change_;
  vulnindex::Draft draft_;
};

Result<Done, Problem> read_all(const cli::Invocation& invocation, const Session& session,
                               const std::vector<std::string>& sources, Reading& reading) {
  const auto files = invocation.values("from");
  if (!files.empty()) {
    for (const std::string& path : files) CG_TRY(reading.file(sources.front(), path));
    return Done{};
  }
  if (invocation.has("offline")) {
    return fail(Problem{ErrorCode::data_offline,
                        "--offline, and no --from",
                        {},
                        "the index is as it was",
                        {"codegenie vuln-index refresh --from FILE"}});
  }
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  for (const std::string& source : sources) {
    CG_TRY_ASSIGN(const auto bytes, download_feed(source, settings, invocation, session));
    if (bytes) CG_TRY(reading.bytes(source, bytes->url, bytes->body));
  }
  return Done{};
}

Result<Report, Problem> run_refresh(const cli::Invocation& invocation, Session& session) {
  std::string made;
  CG_TRY_ASSIGN(const Access access, open_first_workspace(session, made));
  CG_TRY_ASSIGN(const workspace::Policy policy, workspace::read_policy(access.workspace));
  CG_TRY_ASSIGN(const unsigned shrink, max_shrink(invocation, policy));
  const std::vector<std::string> sources = sources_of(invocation);
  if (sources.size() > 1 && invocation.has("from")) {
    return fail(bad_value("--from needs to know the source of the files",
                          "codegenie vuln-index refresh --source osv --from FILE"));
  }
  IndexChange change{"refresh", "", {}, {}};
  Reading reading(change);
  CG_TRY(read_all(invocation, session, sources, reading));
  if (reading.draft().records().empty()) {
    return fail(
        scan::problem_of({vulnindex::Error::Kind::empty, change.origin,
                          change.tally.rejected.empty() ? "no advisory in it"
                                                        : change.tally.rejected.front().reason}));
  }
  auto replaced =
      vulnindex::replace_sources(access.workspace.home, reading.draft(), sources,
                                 change.tally.rejected, {shrink, os::SystemClock().now()});
  if (!replaced) return fail(scan::problem_of(replaced.error()));
  change.replacement = *std::move(replaced);
  CG_TRY(scan::record_replacement(access, change.replacement.summary, "refresh " + change.origin));
  Report report = change_report(std::move(change));
  if (!made.empty()) report.hints.push_back("the workspace " + made + " was made");
  return report;
}

}  // namespace

Entry vuln_index_refresh_command() {
  return {
      {.path = {"vuln-index", "refresh"},
       .summary = "Read advisory feeds and put a new index in place",
       .about =
           {"Feeds are OSV or GHSA records, or pages of NVD's API 2.0: JSON, JSON lines, or a zip, "
            "tar, gzip or zstd of these, or a folder. Without --from they are downloaded from the "
            "addresses in the settings feeds.osv, feeds.ghsa and feeds.nvd, by codegenie-fetch.",
            "The records of a source replace those it had; other sources stay. A record that "
            "cannot "
            "be read is kept out and reported. A feed that lost records is refused. The old index "
            "stays in use until the new one is complete, and is kept beside it.",
            "NVD knows no npm packages: its records only add severity, weaknesses and known "
            "exploitation to advisories that name the same CVE."},
       .flags = {{.name = "source",
                  .value_name = "SOURCE",
                  .choices = {"osv", "ghsa", "nvd", "all"},
                  .help = "whose records these are; osv by default"},
                 {.name = "from",
                  .value_name = "FEED_FILE",
                  .help = "read this file or folder instead of the network",
                  .repeatable = true},
                 {.name = "max-shrink",
                  .value_name = "PERCENT",
                  .help = "what a source may lose of its records; at most what policy allows"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard,
                 ExitCode::unavailable},
       .examples = {{"codegenie vuln-index refresh", "from the network"},
                    {"codegenie vuln-index refresh --from osv-npm.zip", "from a file"}}},
      run_refresh,
      Sealing::sealed,
      {Reach::first_workspace}};
}

}  // namespace cg::program
