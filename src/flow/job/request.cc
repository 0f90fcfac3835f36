#include "flow/job/request.h"

#include <map>

#include "base/base/text.h"
#include "base/yaml/yaml.h"
#include "fetch/gitrepo/names.h"
#include "fix/plugin/capability.h"
#include "flow/workspace/access.h"
#include "prove/gate/attempts.h"

namespace cg::job {

namespace {

using json::Value;

constexpr std::size_t kMaxJobBytes = 1U << 20U;
constexpr std::size_t kMaxAdvisories = 1000;
constexpr std::uint64_t kMaxJobs = 64;
constexpr std::string_view kJobSchema = "codegenie/job/v1";

Problem usage(const std::string& what) { return bad_value(what, "codegenie remediate --help"); }

Result<plan::Prefer, Problem> prefer_of(const std::string& word) {
  if (word == "lowest") return plan::Prefer::lowest;
  if (word == "highest") return plan::Prefer::highest;
  return fail(usage("a strategy is lowest or highest, not " + word));
}

Result<Grouping, Problem> grouping_of(const std::string& word) {
  if (word == "safe") return Grouping::safe;
  if (word == "each") return Grouping::each;
  if (word == "one") return Grouping::one;
  return fail(usage("a group is safe, each or one, not " + word));
}

Result<IfUnproven, Problem> unproven_of(const std::string& word) {
  if (word == "drop") return IfUnproven::drop;
  if (word == "keep") return IfUnproven::keep;
  return fail(usage("what is unproven is kept or dropped: keep or drop, not " + word));
}

Result<Place, Problem> place_of(const std::string& word) {
  if (word == "userns") return Place::userns;
  if (word == "microvm") return Place::microvm;
  return fail(usage("an isolation is userns or microvm, not " + word));
}

Result<unsigned, Problem> attempts_of(const std::string& word) {
  const auto number = parse_u64(word);
  if (number && *number >= 1 && *number <= gate::kMaxAttempts) {
    return static_cast<unsigned>(*number);
  }
  return fail(usage("attempts are a number from 1 to 3"));
}

/// "90s", "20m", "2h": from a second to a week.
Result<std::chrono::seconds, Problem> duration_of(const std::string& word) {
  static const std::map<char, std::uint64_t> kUnits{{'s', 1}, {'m', 60}, {'h', 3600}};
  const auto unit = word.empty() ? kUnits.end() : kUnits.find(word.back());
  const auto number = unit == kUnits.end()
                          ? std::nullopt
                          : parse_u64(std::string_view(word).substr(0, word.size() - 1));
  constexpr std::uint64_t kWeek = 7 * 24 * 3600;
  if (number && *number >= 1 && *number <= kWeek && *number * unit->second <= kWeek) {
    return std::chrono::seconds(*number * unit->second);
  }
  return fail(
      usage("a time limit is a number with s, m or h behind it, such as 20m; a week at most"));
}

Result<unsigned, Problem> jobs_of(const std::string& word) {
  const auto number = parse_u64(word);
  if (number && *number >= 1 && *number <= kMaxJobs) return static_cast<unsigned>(*number);
  return fail(usage("jobs are a number from 1 to " + std::to_string(kMaxJobs)));
}

Result<Tier, Problem> tier_of(const std::string& word) {
  if (const auto tier = parse_tier(word)) return *tier;
  return fail(usage("a tier is recipe, rag or llm, not " + word));
}

/// The flags of `remediate`. A command that takes fewer of them was given none of the others.
class Flags {
 public:
  explicit Flags(const cli::Invocation& invocation) : invocation_(invocation) {}

  [[nodiscard]] bool has(std::string_view name) const { return !values(name).empty(); }
  [[nodiscard]] std::optional<std::string> value(std::string_view name) const {
    auto all = values(name);
    return all.empty() ? std::nullopt : std::optional(std::move(all.back()));
  }
  [[nodiscard]] std::vector<std::string> values(std::string_view name) const {
    if (cli::find_flag(invocation_.command, name) == nullptr) return {};
    return invocation_.values(name);
  }

 private:
  const cli::Invocation& invocation_;
};

/// What a model may cost, and where its answers come from.
Result<Done, Problem> read_asking(const Flags& flags, Request& out) {
  if (const auto tier = flags.value("max-tier")) {
    CG_TRY_ASSIGN(out.max_tier, tier_of(*tier));
  }
  if (const auto tokens = flags.value("budget-tokens")) {
    out.budget_tokens = parse_u64(*tokens);
    if (!out.budget_tokens) return fail(usage("--budget-tokens takes a number"));
  }
  if (const auto usd = flags.value("budget-usd")) {
    out.budget_usd = Money::parse(*usd);
    if (!out.budget_usd) return fail(usage("--budget-usd takes an amount such as 0.50"));
  }
  out.overrun = flags.value("operator-ack").value_or("");
  if (flags.has("allow-overrun") == out.overrun.empty()) {
    return fail(usage("--allow-overrun and --operator-ack FILE go together"));
  }
  out.cassette = flags.value("cassette").value_or("");
  out.record = flags.has("unsafe-record");
  if (out.record && out.cassette.empty()) {
    return fail(usage("--unsafe-record takes --cassette FILE, where exchanges are kept"));
  }
  return Done{};
}

constexpr const char* kPrefixRule =
    "the beginning of a branch's name, and its end is a slash, not `-unproven/`";

/// That of unproven branches is never the one of others.
bool is_prefix(const std::string& text) {
  return text.ends_with('/') && !text.ends_with(plugin::kUnprovenEnd) &&
         gitrepo::is_ref_name(text + "x");
}

/// One key of a job. The last ones are answered by what the flags would do.
class Job {
 public:
  Job(std::string file, Request& out) : file_(std::move(file)), out_(out) {}

  Result<Done, Problem> take(const std::string& key, const Value& value) {
    if (key == "schema") return same(value, kJobSchema);
    if (key == "repo") return text(value, out_.repo);
    if (key == "base") return text(value, out_.base);
    if (key == "branch_prefix") return prefix(value);
    if (key == "registry") return text(value, out_.registry);
    if (key == "sign") return text(value, out_.sign);
    if (key == "worktree") return text(value, out_.worktree);
    if (key == "sbom") return text(value, out_.sbom);
    if (key == "max_tier") return tier(value);
    if (key == "all") return flag(value, all_);
    if (key == "offline") return flag(value, out_.offline);
    if (key == "prod") return flag(value, out_.production_only);
    if (key == "dry_run") return flag(value, dry_run_);
    if (key == "diff") return flag(value, out_.diff);
    if (key == "fresh") return flag(value, out_.fresh);
    if (key == "time_limit") return time_limit(value);
    if (key == "plan_only") return flag(value, plan_only_);
    if (key == "advisories") return advisories(value);
    if (key == "strategy" || key == "group" || key == "unproven" || key == "isolation") {
      return choice(key, value);
    }
    if (key == "attempts") return attempts(value);
    if (key == "jobs") return jobs(value);
    return wrong("unknown key `" + printable(cut_utf8(key, 40)) + "`", value);
  }

  Result<Done, Problem> finish(const Value& document) {
    if (out_.repo.empty()) return wrong("`repo` is missing", document);
    if (all_ == !out_.advisories.empty())
      return wrong("one of `all` and `advisories` must be there", document);
    if (dry_run_ && plan_only_)
      return wrong("`dry_run` and `plan_only` exclude each other", document);
    if (!out_.worktree.empty() && !plan_only_)
      return wrong("`worktree` goes with `plan_only`", *document.find("worktree"));
    if (out_.diff && !dry_run_) return wrong("`diff` goes with `dry_run`", *document.find("diff"));
    out_.extent = dry_run_ ? Extent::preview : plan_only_ ? Extent::plan : Extent::branch;
    return Done{};
  }

  Result<Done, Problem> wrong(const std::string& what, const Value& at) const {
    return fail(Problem{ErrorCode::repo_job,
                        what,
                        {{"file", file_ + ":" + std::to_string(at.position().line)}},
                        "nothing was done",
                        {"codegenie remediate --help"}});
  }

 private:
  Result<Done, Problem> text(const Value& value, std::string& out) const {
    if (!value.is_string() || value.as_string()->empty())
      return wrong("a text is needed here", value);
    out = *value.as_string();
    return Done{};
  }
  Result<Done, Problem> prefix(const Value& value) const {
    CG_TRY(text(value, out_.branch_prefix));
    if (!is_prefix(out_.branch_prefix)) return wrong(kPrefixRule, value);
    return Done{};
  }
  Result<Done, Problem> choice(const std::string& key, const Value& value) const {
    std::string word;
    CG_TRY(text(value, word));
    if (key == "strategy") return set(prefer_of(word), out_.prefer, value);
    if (key == "group") return set(grouping_of(word), out_.grouping, value);
    if (key == "unproven") return set(unproven_of(word), out_.unproven, value);
    return set(place_of(word), out_.place, value);
  }
  template <class T>
  Result<Done, Problem> set(const Result<T, Problem>& found, T& out, const Value& value) const {
    if (!found) return wrong(found.error().what, value);
    out = *found;
    return Done{};
  }
  Result<Done, Problem> tier(const Value& value) const {
    std::string word;
    CG_TRY(text(value, word));
    Tier found = Tier::recipe;
    CG_TRY(set(tier_of(word), found, value));
    out_.max_tier = found;
    return Done{};
  }
  Result<Done, Problem> attempts(const Value& value) const {
    const auto number = value.as_int();
    return set(attempts_of(number ? std::to_string(*number) : ""), out_.attempts, value);
  }
  Result<Done, Problem> jobs(const Value& value) const {
    const auto number = value.as_int();
    unsigned found = 0;
    CG_TRY(set(jobs_of(number ? std::to_string(*number) : ""), found, value));
    out_.jobs = found;
    return Done{};
  }
  Result<Done, Problem> time_limit(const Value& value) const {
    std::string word;
    CG_TRY(text(value, word));
    std::chrono::seconds found{};
    CG_TRY(set(duration_of(word), found, value));
    out_.time_limit = found;
    return Done{};
  }
  Result<Done, Problem> flag(const Value& value, bool& out) const {
    if (!value.is_bool()) return wrong("true or false is needed here", value);
    out = *value.as_bool();
    return Done{};
  }
  Result<Done, Problem> same(const Value& value, std::string_view word) const {
    if (value.is_string() && *value.as_string() == word) return Done{};
    return wrong("must be " + std::string(word), value);
  }
  Result<Done, Problem> advisories(const Value& value) const {
    if (!value.is_array() || value.as_array()->size() > kMaxAdvisories)
      return wrong("a list of ids is needed here", value);
    for (const Value& one : *value.as_array()) {
      CG_TRY(text(one, out_.advisories.emplace_back()));
    }
    return Done{};
  }

  std::string file_;
  Request& out_;
  bool all_ = false;
  bool dry_run_ = false;
  bool plan_only_ = false;
};

}  // namespace

std::string Request::unproven_prefix() const {
  return branch_prefix.substr(0, branch_prefix.size() - 1) + std::string(plugin::kUnprovenEnd);
}

std::string Request::what() const {
  std::string out;
  for (const std::string& id : advisories) out += (out.empty() ? "" : ", ") + id;
  return out.empty() ? "all" : out;
}

Result<Request, Problem> parse_job(const std::string& file, std::string_view text) {
  Request out;
  Job job(file, out);
  const auto document = yaml::parse_yaml(text);
  if (!document) {
    return fail(Problem{ErrorCode::repo_job,
                        json::describe(document.error()),
                        {{"file", file}},
                        "nothing was done",
                        {}});
  }
  if (!document->is_object()) return fail(job.wrong("not a mapping", *document).error());
  if (document->find("schema") == nullptr)
    return fail(job.wrong("`schema` is missing", *document).error());
  for (const auto& [key, value] : *document->as_object()) CG_TRY(job.take(key, value));
  CG_TRY(job.finish(*document));
  return out;
}

Result<Request, Problem> read_request(const cli::Invocation& invocation) {
  const Flags flags(invocation);
  const auto job = flags.value("job");
  const auto ids = flags.values("cve");
  const auto more = flags.values("advisory");
  const int ways =
      (job ? 1 : 0) + (flags.has("all") ? 1 : 0) + (ids.empty() && more.empty() ? 0 : 1);
  if (ways != 1) return fail(usage("one of --cve, --all and --job says what to fix"));
  if (job) {
    if (invocation.argument(0))
      return fail(usage("with --job the repository stands in the job file"));
    CG_TRY_ASSIGN(const std::string text, workspace::read_user_file(*job, kMaxJobBytes));
    return parse_job(*job, text);
  }
  Request out;
  if (!invocation.argument(0)) return fail(usage("which repository? `.` is the current folder"));
  out.repo = *invocation.argument(0);
  out.advisories = ids;
  out.advisories.insert(out.advisories.end(), more.begin(), more.end());
  CG_TRY_ASSIGN(out.prefer, prefer_of(flags.value("strategy").value_or("lowest")));
  CG_TRY_ASSIGN(out.grouping, grouping_of(flags.value("group").value_or("safe")));
  CG_TRY_ASSIGN(out.unproven, unproven_of(flags.value("unproven").value_or("drop")));
  if (flags.has("dry-run") && flags.has("plan-only")) {
    return fail(usage("--dry-run writes nothing, --plan-only writes files: choose one"));
  }
  if (flags.has("dry-run")) out.extent = Extent::preview;
  if (flags.has("plan-only")) out.extent = Extent::plan;
  out.diff = flags.has("diff");
  if (out.diff && out.extent != Extent::preview) return fail(usage("--diff goes with --dry-run"));
  out.worktree = flags.value("worktree").value_or("");
  if (!out.worktree.empty() && out.extent != Extent::plan) {
    return fail(usage("--worktree goes with --plan-only"));
  }
  out.production_only = flags.has("prod");
  out.base = flags.value("base").value_or("");
  out.branch_prefix = flags.value("branch-prefix").value_or(out.branch_prefix);
  if (!is_prefix(out.branch_prefix))
    return fail(usage(std::string("--branch-prefix: ") + kPrefixRule));
  out.sign = flags.value("sign").value_or("");
  out.registry = flags.value("registry").value_or("");
  out.sbom = flags.value("sbom").value_or("");
  out.offline = flags.has("offline");
  CG_TRY_ASSIGN(out.place, place_of(flags.value("isolation").value_or("userns")));
  if (flags.has("unsafe-no-sandbox")) {
    if (flags.has("isolation")) {
      return fail(usage("--unsafe-no-sandbox takes the isolation away that --isolation asks for"));
    }
    out.place = Place::host;
  }
  CG_TRY_ASSIGN(out.attempts, attempts_of(flags.value("attempts").value_or("3")));
  if (const auto limit = flags.value("time-limit")) {
    CG_TRY_ASSIGN(out.time_limit, duration_of(*limit));
  }
  out.fresh = flags.has("fresh");
  if (const auto jobs = flags.value("jobs")) {
    CG_TRY_ASSIGN(out.jobs, jobs_of(*jobs));
  }
  CG_TRY(read_asking(flags, out));
  return out;
}

}  // namespace cg::job
