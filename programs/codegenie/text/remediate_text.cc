#include "text/remediate_text.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/base/text.h"
#include "fix/report/report.h"
#include "fix/report/review.h"
#include "text/gate_text.h"
#include "text/prompt_text.h"
#include "text/remembered_text.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxLeft = 20;       // copies that are left, told one by one
constexpr std::size_t kMaxObstacles = 12;  // that share what to do, told one by one

std::string strategy_word(plan::Strategy strategy) {
  switch (strategy) {
    case plan::Strategy::relock:
      return "relock";
    case plan::Strategy::direct_bump:
      return "direct bump";
    case plan::Strategy::parent_bump:
      return "parent bump";
    case plan::Strategy::override_rule:
      return "override";
    case plan::Strategy::callsite_rewrite:
      break;
  }
  return "rewrite";
}

/// "CVE-2021-44906, CVE-2020-7598 and 2 more".
std::string fixes(const report::Case& c, const std::vector<std::size_t>& fixes) {
  std::set<std::string> ids;
  for (const report::Copy& copy : c.copies) {
    if (copy.fate == plan::Fate::fixed &&
        std::find(fixes.begin(), fixes.end(), copy.fix) != fixes.end()) {
      ids.insert(report::label(c, copy.advisory));
    }
  }
  std::string out;
  std::size_t told = 0;
  for (const std::string& id : ids) {
    if (++told > 2) break;
    out += (out.empty() ? "" : ", ") + id;
  }
  if (ids.size() > 2) out += " and " + std::to_string(ids.size() - 2) + " more";
  return out.empty() ? "what hangs on it" : out;
}

std::string how(const report::Case& c, const std::vector<std::size_t>& fixes) {
  std::set<plan::Strategy> words;
  for (const std::size_t fix : fixes) words.insert(c.fixes[fix - 1].strategy);
  std::string out;
  for (const plan::Strategy strategy : words)
    out += (out.empty() ? "" : ", ") + strategy_word(strategy);
  return out;
}

std::string branch_table(const report::Case& c, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  for (const report::Branch& branch : c.branches) {
    rows.push_back({{printable(branch.name)},
                    {printable(fixes(c, branch.fixes))},
                    {how(c, branch.fixes)},
                    {branch.commit.substr(0, 10)}});
  }
  return cli::layout(
      {{.title = "BRANCH"}, {.title = "FIXES"}, {.title = "HOW"}, {.title = "COMMIT"}}, rows, style,
      2);
}

std::string step_table(const report::Case& c, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  for (const report::Fix& fix : c.fixes) {
    const std::string move =
        fix.package + " " + fix.from + (fix.to.empty() ? " goes away" : " -> " + fix.to);
    rows.push_back({{std::string(style.glyph(cli::Glyph::ok)), cli::Role::good},
                    {printable(move)},
                    {strategy_word(fix.strategy)},
                    {printable(fix.why)}});
  }
  return cli::layout({{}, {}, {}, {.max_width = 80}}, rows, style, 2);
}

std::string left_table(const report::Case& c, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  std::size_t more = 0;
  std::set<std::pair<std::string, std::string>> seen;
  for (const report::Copy& copy : c.copies) {
    if (copy.fate == plan::Fate::fixed ||
        !seen.emplace(copy.lockfile + copy.location, copy.reason).second)
      continue;
    if (rows.size() == kMaxLeft) {
      ++more;
      continue;
    }
    const bool human = copy.fate == plan::Fate::handed_on;
    rows.push_back({{std::string(style.glyph(human ? cli::Glyph::warn : cli::Glyph::fail)),
                     cli::Role::warning},
                    {printable(copy.package + " " + copy.from)},
                    {std::string(plan::name(copy.blocker))},
                    {printable(copy.reason)}});
  }
  std::string out = cli::layout({{}, {}, {}, {.max_width = 100}}, rows, style, 2);
  if (more > 0) out += "  and " + std::to_string(more) + " more\n";
  return out;
}

/// Of each severity but notes, those together that one thing helps against.
std::string preflight_text(const remediate::Remediation& done, const cli::Style& style) {
  using preflight::Severity;
  std::string out;
  std::size_t notes = 0;
  const std::vector<preflight::Obstacle>& all = done.preflight;
  for (std::size_t i = 0; i < all.size();) {
    const preflight::Obstacle& first = all[i];
    std::size_t end = i;
    std::vector<std::vector<cli::Cell>> rows;
    const bool blocks = first.severity == Severity::blocks;
    for (; end < all.size() && all[end].severity == first.severity && all[end].next == first.next;
         ++end) {
      if (rows.size() == kMaxObstacles) continue;
      rows.push_back({{std::string(style.glyph(blocks ? cli::Glyph::fail : cli::Glyph::warn)),
                       cli::Role::warning},
                      {printable(all[end].where)},
                      {printable(all[end].what)}});
    }
    if (first.severity == Severity::note) {
      notes += end - i;
    } else {
      out += cli::layout({{}, {}, {.max_width = 110}}, rows, style, 2);
      if (end - i > rows.size())
        out += "    and " + std::to_string(end - i - rows.size()) + " more\n";
      if (!first.next.empty()) out += "    to do: " + printable(first.next) + "\n";
    }
    i = end;
  }
  if (out.empty()) return out;
  if (notes > 0) out += "  and " + counted(notes, "note", "notes") + ", in JSON\n";
  return "Preflight\n" + out + "\n";
}

/// What changes, in the order to look at it, and what to know before trusting it.
std::string review_text(const report::Case& c) {
  const report::Review review = report::review(c);
  std::string out;
  for (const std::string& line : report::file_lines(review)) out += "  " + line + "\n";
  for (const std::string& line : report::caution_lines(review)) out += "  " + line + "\n";
  return out;
}

std::size_t fixed_copies(const report::Case& c) {
  std::set<std::string> places;
  for (const report::Copy& copy : c.copies) {
    if (copy.fate == plan::Fate::fixed) places.insert(copy.lockfile + " " + copy.location);
  }
  return places.size();
}

std::string head(const report::Case& c) {
  std::string out = "Workflow " + c.workflow.substr(0, 10) + "  " + printable(c.repo);
  if (!c.base.empty()) out += " @ " + c.base.substr(0, 7);
  return out + "\n\n";
}

/// "install · tests (4 passed, same as before) · trace (none new)".
std::string gate_line(const remediate::Attempted& attempted) {
  std::string out;
  for (const report::Gate& gate : attempted.gates) {
    if (!gate.passed) continue;
    out += (out.empty() ? "" : " · ") + printable(gate.signal);
    if (!gate.words.empty()) out += " (" + printable(gate.words) + ")";
    if (!gate.weak.empty()) out += " weak";
  }
  return out;
}

/// What each gate said, branch by branch; of one that was turned down, what it had printed.
std::string gates_text(const remediate::Remediation& done, const cli::Style& style) {
  std::string out;
  for (const remediate::SettledGroup& group : done.groups) {
    const remediate::Attempted& attempted = group.attempted;
    if (attempted.gates.empty()) continue;
    // What no branch was named for is known by the package that was to move.
    const std::string& name = group.branch.name.empty() && group.group.handed_on
                                  ? group.group.handed_on->package
                                  : group.branch.name;
    out += std::string(remediate::standing_of(group)) + ": " + printable(name);
    if (attempted.attempts > 1) out += ", attempt " + std::to_string(attempted.attempts);
    out += ", isolation " + attempted.isolation + "\n";
    if (attempted.passed && done.groups.size() > 1) {
      out += "  " + std::string(style.glyph(cli::Glyph::ok)) + " " + gate_line(attempted) + "\n";
      continue;
    }
    out += gate_table(done.outcome.gates, group.branch.name, style);
    for (const std::string& excerpt : attempted.excerpts) {
      std::string lines;
      for (const std::string_view line : split(excerpt, '\n')) {
        lines += "    | " + printable(line) + "\n";
      }
      out += style.foreign(std::move(lines));
    }
  }
  return out.empty() ? out : out + "\n";
}

/// "Wrote 2 branches, found 1 of an earlier run".
std::string branches_line(const remediate::Remediation& done, job::Extent extent) {
  const std::size_t all = done.outcome.branches.size();
  if (extent == job::Extent::preview) return "Would write " + counted(all, "branch", "branches");
  const std::string found = counted(done.found, "branch", "branches") + " of an earlier run";
  if (done.found == all) return "Found " + found;
  std::string out = "Wrote " + counted(all - done.found, "branch", "branches");
  if (done.found > 0) out += ", found " + found;
  return out;
}

/// "Spent 26 094 tokens, $0.17 on a model".
std::string spend_line(const report::Case& c) {
  const report::Cost& before = c.spend.replayed;
  std::string out;
  if (c.spend.tokens > 0) {
    out = "Spent " + grouped(c.spend.tokens) + " tokens, $" + printable(c.spend.usd) +
          " on a model\n";
  }
  if (before.tokens > 0) {
    out += "Replayed recorded answers, ";
    if (c.spend.tokens == 0) out += "$0.00 spent; ";
    out += "when recorded they took " + grouped(before.tokens) + " tokens, $" +
           printable(before.usd) + "\n";
  }
  return out;
}

/// Said before all else: what cannot be proven and why, and what passed and shows little.
std::string cautions(const report::Case& c, const cli::Style& style) {
  std::string out;
  const auto say = [&](const std::string& word, const std::string& text) {
    out += style.paint(cli::Role::warning, word) + ": " + printable(text) + "\n";
  };
  for (const report::Unprovable& one : c.unproven) {
    say("Unproven", one.lockfile + ": " + one.cause);
  }
  std::size_t weak = 0;
  for (const report::Branch& branch : c.branches) {
    if (branch.outcome == report::kWeak) ++weak;
    if (branch.outcome == report::kUnproven) say("Not proven", branch.name + " is no fix yet");
  }
  if (weak > 0) {
    say("Weak", counted(weak, "branch", "branches") +
                    " passed by an exit code alone, or without tests: not proven");
  }
  return out.empty() ? out : out + "\n";
}

std::string outcome_line(const remediate::Remediation& done, job::Extent extent) {
  const report::Case& c = done.outcome;
  const std::size_t fixed = fixed_copies(c);
  if (c.outcome == report::Outcome::interrupted) {
    return "Interrupted: " + counted(c.branches.size(), "branch is", "branches are") +
           " there, the rest was not settled. The same command goes on from here\n";
  }
  if (c.copies.empty()) return "Nothing to fix: no advisory asked for speaks of this repository\n";
  if (fixed == 0) {
    return c.outcome == report::Outcome::unproven ? "Unproven: nothing was fixed\n"
                                                  : "Nothing was fixed\n";
  }
  std::string out;
  switch (extent) {
    case job::Extent::preview:
      out = "Would fix ";
      break;
    case job::Extent::plan:
      out = "Planned: ";
      break;
    case job::Extent::question:
    case job::Extent::lesson:
    case job::Extent::branch:
      out = c.outcome == report::Outcome::weak ? "Fixed, weakly checked: " : "Fixed ";
      break;
  }
  out += counted(fixed, "copy", "copies") + ", findings " + std::to_string(c.findings.before) +
         " -> " + std::to_string(c.findings.after) +
         (c.findings.introduced == 0 ? ", none new"
                                     : ", " + std::to_string(c.findings.introduced) + " NEW");
  switch (extent) {
    case job::Extent::preview:
      return out + ". No file was written\n";
    case job::Extent::plan:
      return out + ". No branch was made\n";
    case job::Extent::question:
    case job::Extent::lesson:
    case job::Extent::branch:
      break;
  }
  return out + ". Your working tree was not touched\n";
}

}  // namespace

std::string remediation_text(const remediate::Remediation& done, const job::Request& request,
                             const cli::Style& style) {
  const report::Case& c = done.outcome;
  std::string out = head(c);
  if (!done.refusals.empty()) {
    out += "Refused before anything was planned; nothing was changed\n";
    for (const std::string& why : done.refusals) out += "  " + printable(why) + "\n";
    if (!done.handoff.empty()) out += "\n  handoff  " + done.handoff + " in the workspace\n";
    return out;
  }
  out += cautions(c, style);
  out += step_table(c, style);
  if (!c.fixes.empty()) out += "\n";
  const bool left = std::any_of(c.copies.begin(), c.copies.end(),
                                [](const auto& copy) { return copy.fate != plan::Fate::fixed; });
  if (left) out += "Left for a person\n" + left_table(c, style) + "\n";
  out += preflight_text(done, style);
  out += gates_text(done, style);
  if (!c.changes.empty()) out += "Changes\n" + review_text(c) + "\n";
  if (request.extent != job::Extent::plan && !c.branches.empty()) {
    out += branches_line(done, request.extent) + "\n" + branch_table(c, style) + "\n";
  }
  out += remembered_text(done);
  if (done.asking) out += asking_text(*done.asking);
  out += spend_line(c);
  out += outcome_line(done, request.extent);
  if (request.diff && !done.diff.empty()) out += "\n" + style.foreign(done.diff);
  if (request.extent != job::Extent::branch || c.evidence.empty()) return out;
  const std::string id = c.workflow.substr(0, 10);
  out += "\n";
  if (!c.branches.empty()) {
    out += "  review   git show " + printable(c.branches.front().name) + "\n";
  }
  out += "  evidence codegenie verify " + id + "\n";
  out += "  PR text  codegenie report " + id + " --format pr-body\n";
  if (!done.handoff.empty()) out += "  handoff  " + done.handoff + " in the workspace\n";
  return out;
}

json::Value remediation_json(const remediate::Remediation& done) {
  json::Value::Object members = *report::to_json(done.outcome).as_object();
  json::Value::Array obstacles;
  for (const preflight::Obstacle& one : done.preflight) {
    obstacles.emplace_back(json::Value::Object{{"kind", preflight::name(one.kind)},
                                               {"severity", preflight::name(one.severity)},
                                               {"lockfile", one.lockfile},
                                               {"where", one.where},
                                               {"what", one.what},
                                               {"next", one.next}});
  }
  members.emplace_back("preflight", std::move(obstacles));
  members.emplace_back("recalled", json::Value::Array(done.recalled.begin(), done.recalled.end()));
  members.emplace_back("learned", json::Value::Array(done.learned.begin(), done.learned.end()));
  if (done.asking) members.emplace_back("asking", asking_json(*done.asking));
  return members;
}

}  // namespace cg::program
