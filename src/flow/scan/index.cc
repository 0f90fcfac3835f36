#include "flow/scan/index.h"

#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/os/ports.h"
#include "flow/cli/tokens.h"
#include "vuln/advisory/osv.h"

namespace cg::scan {

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::size_t kMaxNear = 5;

std::vector<std::string> refresh_help() {
  return {"codegenie vuln-index refresh",
          "codegenie vuln-index refresh --from FILE    (no network)"};
}

}  // namespace

Problem problem_of(const vulnindex::Error& error) {
  using Kind = vulnindex::Error::Kind;
  const std::vector<std::pair<std::string, std::string>> where = {{"file", error.path},
                                                                  {"found", error.what}};
  switch (error.kind) {
    case Kind::missing:
      return {ErrorCode::data_missing,
              "there is no advisory index yet",
              {{"file", error.path}},
              "nothing was done (exit 9)",
              refresh_help()};
    case Kind::version:
      return {ErrorCode::data_version, "the advisory index has another layout", where,
              "nothing was done (exit 9)", refresh_help()};
    case Kind::shrank:
      return {ErrorCode::data_shrank,
              "the new feed lost records",
              where,
              "the index is as it was",
              {"codegenie explain CG-DATA-004    (what to do if the loss is right)"}};
    case Kind::unreadable:
    case Kind::empty:
      return {ErrorCode::data_feed, "the feed cannot be read", where, "the index is as it was", {}};
    case Kind::no_space:
      return {
          ErrorCode::home_no_space, "no space for the index", where, "the index is as it was", {}};
    case Kind::busy:
    case Kind::io:
      return {ErrorCode::home_io,
              "the index cannot be read or written",
              where,
              "the index is as it was",
              {}};
    case Kind::corrupt:
      break;
  }
  return {ErrorCode::data_corrupt,
          "the advisory index is damaged",
          where,
          "nothing was done",
          {"codegenie vuln-index verify", "codegenie vuln-index refresh"}};
}

Result<vulnindex::Index, Problem> open_any_index(const workspace::Access& access) {
  auto index = vulnindex::open_index(access.workspace.home);
  if (!index) return fail(problem_of(index.error()));
  return *std::move(index);
}

int age_days(Time built, Time now) { return static_cast<int>((now.ms - built.ms) / kDayMs); }

std::string age_text(Time built, Time now) {
  const int days = age_days(built, now);
  if (days < 1) return "built today";
  return counted(static_cast<std::uint64_t>(days), "day", "days") + " old";
}

Result<vulnindex::Index, Problem> open_fresh_index(const workspace::Access& access,
                                                   const workspace::Policy& policy, Time now) {
  CG_TRY_ASSIGN(vulnindex::Index index, open_any_index(access));
  const int days = age_days(index.summary().built, now);
  if (days <= policy.index_max_age_days) return index;
  return fail(Problem{ErrorCode::data_stale,
                      "the advisory index is " + std::to_string(days) +
                          " days old, policy allows " + std::to_string(policy.index_max_age_days),
                      {{"built", to_date(index.summary().built)}},
                      "nothing was scanned (exit 9)",
                      refresh_help()});
}

namespace {

/// `group` is of another ecosystem.
Problem elsewhere(vulnindex::Index& index, const std::string& id, const std::string& group) {
  std::string about;
  const auto records = index.records(group);
  if (!records) return problem_of(records.error());
  for (const vulnindex::Record& record : *records) {
    const auto parsed = advisory::parse_osv(record.text);
    const auto* other = parsed ? std::get_if<advisory::OtherEcosystem>(&*parsed) : nullptr;
    if (other == nullptr) continue;
    for (const std::string& package : other->packages) {
      about += (about.empty() ? "" : ", ") + printable(package);
    }
  }
  return {ErrorCode::data_elsewhere,
          cli::shown(id) + " is about " + about + ", not about npm packages",
          {{"record", group}},
          "nothing was done",
          {"ask whoever looks after that part of the repository or of its image"}};
}

}  // namespace

Result<std::string, Problem> find_group(vulnindex::Index& index, const std::string& id) {
  const auto groups = index.groups_of(id);
  if (!groups) return fail(problem_of(groups.error()));
  for (const std::string& group : *groups) {
    const auto brief = index.brief(group);
    if (!brief) return fail(problem_of(brief.error()));
    if (*brief) return group;
  }
  if (!groups->empty()) return fail(elsewhere(index, id, groups->front()));
  Problem problem{ErrorCode::data_unknown_id,
                  "no advisory " + cli::shown(id) + " in the index",
                  {{"index", "built " + to_date(index.summary().built)}},
                  "nothing was done",
                  {}};
  const auto near = index.search(id.substr(0, id.rfind('-')), kMaxNear);
  if (near && !near->empty() && id.find('-') != std::string::npos) {
    std::string ids;
    for (const advisory::Brief& brief : *near) ids += (ids.empty() ? "" : ", ") + brief.id;
    problem.help.push_back("near: " + ids);
  }
  problem.help.push_back("codegenie vuln-index search TEXT");
  return fail(std::move(problem));
}

Result<Done, Problem> record_replacement(const workspace::Access& access,
                                         const vulnindex::Summary& summary,
                                         const std::string& origin) {
  constexpr std::string_view kPrefix = "blake3:";
  constexpr std::size_t kMaxOrigin = 256;
  const auto digest = hash::parse_digest(std::string_view(summary.digest).substr(kPrefix.size()));
  CG_ASSERT(digest.has_value());
  os::SystemClock clock;
  CG_TRY_ASSIGN(audit::Log log, workspace::open_log(access, clock));
  CG_TRY(log.append({record::AdvisoryIndexReplaced{
      summary.advisories, *digest, std::string(cut_utf8(printable(origin), kMaxOrigin)),
      summary.rejected}}));
  CG_TRY(log.checkpoint());
  return Done{};
}

}  // namespace cg::scan
