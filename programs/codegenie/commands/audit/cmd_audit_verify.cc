// codegenie audit verify
#include <algorithm>

#include "access.h"
#include "base/base/text.h"
#include "base/os/dir.h"
#include "commands.h"
#include "text/audit_text.h"
#include "trust/audit/layout.h"

namespace cg::program {

namespace {

using json::Value;

Value problem_rows(const std::vector<Problem>& problems) {
  Value::Array rows;
  for (const Problem& p : problems) {
    Value::Object where;
    for (const auto& [label, value] : p.where) where.emplace_back(label, value);
    rows.push_back(Value::Object{{"code", row(p.code).code}, {"what", p.what}, {"where", where}});
  }
  return rows;
}

Value report_json(const audit::LogReport& v, ExitCode exit) {
  Value::Array gaps;
  for (const std::string& gap : v.gaps) gaps.emplace_back(gap);
  return Value::Object{{"schema", "codegenie/audit-verify/v1"},
                       {"integrity", v.breaks.empty() ? "ok" : "broken"},
                       {"completeness", v.gaps.empty() ? "ok" : "gaps"},
                       {"entries", number(v.entries)},
                       {"unanchored", number(v.unanchored)},
                       {"first_bad", v.first_bad ? number(*v.first_bad) : Value()},
                       {"head", blake3_name(v.head)},
                       {"log", v.state.log.empty() ? Value() : Value(v.state.log)},
                       {"tail", audit::describe(v.tail)},
                       {"checkpoint", v.checkpoint ? number(v.checkpoint->size) : Value()},
                       {"workflows", number(v.workflows)},
                       {"open_workflows", number(v.open_workflows)},
                       {"anchors", number(v.anchors.size())},
                       {"gaps", gaps},
                       {"problems", problem_rows(v.breaks)},
                       {"exit", static_cast<int>(exit)}};
}

std::string report_text(const audit::LogReport& v, const cli::Style& style) {
  using cli::Role;
  const bool broken = !v.breaks.empty();
  const auto is_of_workflow = [](const Problem& p) {
    return !p.where.empty() &&
           p.where.front().second.find(audit::kWorkflowDir) != std::string::npos;
  };
  const bool workflows_broken = std::any_of(v.breaks.begin(), v.breaks.end(), is_of_workflow);
  const bool spanning_broken = !std::all_of(v.breaks.begin(), v.breaks.end(), is_of_workflow);
  const auto mark = [&](bool ok) {
    return cli::Cell{ok ? "ok" : "broken", ok ? Role::good : Role::error};
  };
  const std::string span = v.first_time && v.last_time
                               ? to_date(*v.first_time) + style.words(" … ") + to_date(*v.last_time)
                               : "";
  std::size_t known = 0;
  std::string signer;
  for (const audit::AnchorStatus& a : v.anchors) {
    if (a.vouched != audit::Vouched::by_signer) continue;
    ++known;
    signer = a.signer;
  }
  std::vector<std::vector<cli::Cell>> rows = {
      {{"spanning"}, {counted(v.entries, "entry", "entries")}, {span}, mark(!spanning_broken)}};
  if (!v.first_bad) {
    rows.push_back({{"workflows"},
                    {counted(v.workflows, "stream", "streams")},
                    {grouped(v.workflows - v.open_workflows) + " sealed"},
                    mark(!workflows_broken)});
    rows.push_back({{"anchors"},
                    {grouped(v.anchors.size()) + " published"},
                    {known > 0 ? "last signed by " + signer : "none signed by a known key"},
                    {known > 0 ? "ok" : "-", known > 0 ? Role::good : Role::faint}});
  }
  std::string out = cli::layout({{}, {.align = cli::Align::right}, {}, {}}, rows, style);
  if (broken) return out + "Log broken.\n";
  out += "Chain intact. Head " + blake3_name(v.head).substr(0, 23) + std::string(style.ellipsis()) +
         "\n";
  out += v.gaps.empty() ? "Complete" : "Gaps:";
  for (const std::string& gap : v.gaps)
    out += "\n  " + std::string(style.glyph(cli::Glyph::warn)) + " " + gap;
  if (v.gaps.empty() && v.unanchored > 0)
    out += ", " + counted(v.unanchored, "entry", "entries") + " not anchored yet";
  return out + "\n";
}

/// What policy demands beyond what the log itself can know.
Result<Done, Problem> add_policy_gaps(const Access& access, audit::LogReport& v) {
  CG_TRY_ASSIGN(const workspace::Policy policy, workspace::read_policy(access.workspace));
  if (!v.unanchored_since) return Done{};
  const std::int64_t days = (os::SystemClock().now().ms - v.unanchored_since->ms) / 86'400'000;
  if (days >= policy.anchor_within_days) {
    v.gaps.push_back("entries of " + to_date(*v.unanchored_since) +
                     " have no anchor; policy allows " + std::to_string(policy.anchor_within_days) +
                     " days");
  }
  return Done{};
}

Problem incomplete(const audit::LogReport& v) {
  return {
      ErrorCode::audit_gaps,
      v.gaps.empty() ? counted(v.unanchored, "entry", "entries") + " not anchored" : v.gaps.front(),
      {},
      "nothing was changed",
      {"codegenie audit anchor publish --sign ssh:KEY", "codegenie help audit-recovery"}};
}

Result<Report, Problem> verify_whole(const Access& access, const cli::Invocation& invocation,
                                     Session& session) {
  CG_TRY_ASSIGN(audit::LogReport v, verify_log(access, invocation, session));
  CG_TRY(add_policy_gaps(access, v));
  std::optional<Problem> problem;
  if (!v.breaks.empty()) {
    problem = v.breaks.front();
    std::erase(problem->help, "codegenie audit verify");  // that is what was just run
    if (v.first_bad) {
      problem->help.insert(problem->help.begin(),
                           "codegenie audit verify --explain " + std::to_string(*v.first_bad));
    }
  } else if (invocation.has("strict") && (!v.gaps.empty() || v.unanchored > 0)) {
    problem = incomplete(v);
  }
  const ExitCode exit = problem ? problem->exit() : ExitCode::ok;
  Report report = json_report(
      report_json(v, exit), [v](const cli::Style& style) { return report_text(v, style); }, exit);
  report.problem = std::move(problem);
  return report;
}

Result<Report, Problem> run_audit_verify(const cli::Invocation& invocation, Session& session) {
  if (invocation.value("proof")) return check_proof_file(invocation, session);
  if (invocation.value("entry") || invocation.value("key")) {
    return fail(bad_value("--entry and --key go with --proof", "codegenie audit verify --help"));
  }
  CG_TRY_ASSIGN(Access access, open_workspace(session));
  if (const auto dir = invocation.value("anchor-dir")) access.anchor_dir = *dir;
  if (invocation.has("no-guard")) access.guard_dir.clear();
  if (const auto text = invocation.value("explain")) {
    const auto seq = parse_u64(*text);
    if (!seq)
      return fail(
          bad_value("--explain takes the number of an entry", "codegenie audit verify --help"));
    return explain_entry(access, *seq);
  }
  return verify_whole(access, invocation, session);
}

}  // namespace

Entry audit_verify_command() {
  return {
      {.path = {"audit", "verify"},
       .summary = "Check all of the log, and whether all is there",
       .about = {"Reads the whole log with a reader of its own and gives two verdicts. Integrity: "
                 "is what is "
                 "there what was written. Completeness: is all of it there and vouched for from "
                 "outside, "
                 "with the count of entries that no anchor covers. Nothing is changed or repaired.",
                 "With --proof, checks an inclusion proof of `audit prove` instead; no workspace "
                 "is needed "
                 "if --key is given."},
       .flags =
           {{.name = "strict", .help = "gaps and unanchored entries are failures too"},
            {.name = "explain",
             .value_name = "N",
             .help = "show entry N and why it does or does not hold"},
            {.name = "anchor-dir", .value_name = "DIR", .help = "where the anchors are"},
            {.name = "no-guard", .help = "judge a copy on its own, without the last-seen guard"},
            {.name = "proof", .value_name = "FILE", .help = "check this proof"},
            {.name = "entry", .value_name = "FILE", .help = "the entry that --proof is about"},
            {.name = "key", .value_name = "VKEY", .help = "the log's verifier key, for --proof"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie audit verify", "check the log of the default workspace"},
                    {"codegenie audit verify --strict --json", "for a nightly job"},
                    {"codegenie audit verify --proof 12.proof --entry 12.json", "check a proof"}}},
      run_audit_verify};
}

}  // namespace cg::program
