#include <algorithm>
#include <array>
#include <optional>

#include "base/base/text.h"
#include "fix/report/document.h"
#include "fix/report/report.h"
#include "fix/report/review.h"

namespace cg::report {

namespace {

using plan::Blocker;

/// What somebody, or the next tier, would need in order to go on.
std::string need_of(const Copy& copy) {
  switch (copy.blocker) {
    case Blocker::range:
      return "a release of the dependent that allows a fixed version, or an override";
    case Blocker::override_rule:
      return "a decision whether the override in the root manifest may change";
    case Blocker::bundled:
      return "a release of the package that bundles this copy, or its replacement";
    case Blocker::shrinkwrap:
      return "a release of the package whose shrinkwrap names this copy";
    case Blocker::peer:
      return "a version that satisfies the peer range, or moving the peer as well";
    case Blocker::engine:
      return "a newer node in `engines` and wherever the project runs";
    case Blocker::policy:
      return "waiting until policy allows the version, or an operator who changes policy";
    case Blocker::source:
      return "a fixed commit or tarball of this source, chosen by its owner";
    case Blocker::no_version:
      return "a fixed release; until then removing the package, replacing it, or an ignore with a "
             "reason";
    case Blocker::major:
      return "moving to another major version and changing the calls that break";
    case Blocker::malware:
      return "removing the package and treating what it could reach as exposed";
    case Blocker::unsupported:
      return "an edit by the package manager itself: this lockfile cannot be edited like that";
    case Blocker::registry:
      return "the registry's answer about the package";
    case Blocker::ignored:
      return "nothing while the ignore holds";
    case Blocker::gates:
      return "a look at the gates that turned it down: a change of the calls, or another version";
    case Blocker::unproven:
      return "a repository whose own install and tests run in the sandbox; or, where other checks "
             "are the proof, a branch of what is planned (--unproven keep)";
    case Blocker::none:
      break;
  }
  return "a person who decides";
}

std::vector<std::string> commands_for(const Case& c, const Copy& copy) {
  std::vector<std::string> out;
  const std::string package = package_word(copy.package);
  const std::string repo = path_word(c.repo).empty() ? "REPO" : path_word(c.repo);
  const std::string id = version_word(label(c, copy.advisory));
  if (!id.empty()) out.push_back("codegenie explain " + id + " --repo " + repo);
  if (package.empty()) return out;
  out.push_back("npm explain " + package);
  if (copy.blocker == Blocker::malware) {
    out.push_back("npm uninstall " + package);
  } else if (copy.blocker == Blocker::major) {
    out.push_back("npm install --ignore-scripts " + package + "@VERSION");
  } else if (copy.blocker == Blocker::range || copy.blocker == Blocker::shrinkwrap ||
             copy.blocker == Blocker::bundled) {
    out.push_back("npm view " + package + " versions");
  }
  if (!id.empty()) out.push_back("codegenie remediate " + repo + " --cve " + id);
  return out;
}

Section section_for(const Case& c, const Copy& copy) {
  Section out;
  out.title = {words(label(c, copy.advisory)),
               ours(" in "),
               words(copy.package),
               ours(" "),
               words(copy.from),
               ours(" (" + std::string(advisory::name(copy.level)) + ")")};
  out.commands = commands_for(c, copy);
  out.lines = {{ours("Where: "), code(copy.lockfile), ours(" "), code(copy.location)},
               {ours("Result: " + spoken(plan::name(copy.fate)))},
               {ours("Why: "), copy.reason.empty() ? ours("not known") : words(copy.reason)},
               {ours("Needs: " + need_of(copy))}};
  out.table.head = {"Way", "Target", "Answer"};
  for (const plan::Considered& way : copy.considered) {
    out.table.rows.push_back({{ours(spoken(plan::name(way.strategy)))},
                              {way.target.empty() ? ours("–") : code(way.target)},
                              {words(way.answer)}});
  }
  return out;
}

/// The name of a gate as it can stand in a command; empty if it is none that there is.
std::string gate_word(std::string_view signal) {
  static constexpr std::array<std::string_view, 8> kGates = {
      "install", "load",  "typecheck.typescript", "build",
      "tests",   "trace", "lockfile_policy",      "cve_delta"};
  const std::string_view name = signal.substr(signal.rfind(' ') + 1);
  return std::find(kGates.begin(), kGates.end(), name) == kGates.end() ? "" : std::string(name);
}

/// What to do about a gate that is in the way.
std::string next_of(const Gate& gate) {
  if (gate.side == "base") {
    return gate.signal.ends_with("install")
               ? "make the repository's own packages installable as it is, then run this again"
               : "make this step of the repository itself succeed in the sandbox, or name its "
                 "tests, "
                 "then run this again";
  }
  if (gate.signal.ends_with("tests") || gate.signal.ends_with("typecheck.typescript")) {
    return "look whether the code relies on what changed, or whether the check itself does";
  }
  return "look at what it printed, and decide";
}

/// A branch that gates turned down, or that could not be judged: at the base or with the fix, which
/// step, which test, what to do. Nothing if none did.
std::optional<Section> stopped_section(const Case& c, const std::string& branch) {
  Section out;
  out.title = {ours("What stopped "), code(branch.empty() ? "the fix" : branch)};
  for (const Gate& gate : c.gates) {
    if (gate.branch != branch || gate.passed || !gate.required || gate.side.empty()) continue;
    Line line = {words(gate.signal),
                 ours(gate.side == "base" ? ", at the base" : ", with the fix")};
    if (!gate.test.empty()) line += {ours(", first test "), code(gate.test)};
    if (!gate.reasons.empty()) line += {ours(": "), words(gate.reasons.front())};
    out.lines.push_back(std::move(line));
    out.lines.push_back({ours("Next: " + next_of(gate))});
    const std::string name = gate_word(gate.signal);
    if (path_word(c.workflow).empty() || name.empty()) continue;
    add_once(out.commands, "codegenie workflow show " + c.workflow + " --gate " + name);
  }
  if (out.lines.empty()) return std::nullopt;
  return out;
}

void add_stopped(const Case& c, Document& out) {
  std::vector<std::string> seen;
  for (const Gate& gate : c.gates) {
    if (std::find(seen.begin(), seen.end(), gate.branch) != seen.end()) continue;
    seen.push_back(gate.branch);
    if (auto section = stopped_section(c, gate.branch)) out.sections.push_back(*std::move(section));
  }
}

std::vector<std::pair<std::string, Line>> facts_of(const Case& c) {
  std::vector<std::pair<std::string, Line>> out = {
      {"Repository",
       {code(c.repo), ours(" at "), c.base.empty() ? ours("no commit") : code(c.base)}},
      {"Workflow", {words(c.workflow.empty() ? "none recorded" : c.workflow)}},
      {"Outcome", {ours(spoken(name(c.outcome)))}}};
  if (c.index.digest.empty()) return out;  // it was never come to
  out.push_back(
      {"Advisory index", {code(c.index.digest), ours(", built " + to_date(c.index.built))}});
  return out;
}

}  // namespace

std::string handoff(const Case& c) {
  const std::vector<const Copy*> open = open_copies(c);
  const bool all = c.outcome == Outcome::refused;
  if (open.empty() && !all) return "";
  Document out;
  out.title = {ours("Left for a person: " + (all ? "all of it" : counted_copies(open)))};
  out.facts = facts_of(c);
  if (all) {
    Section why{{ours("Why nothing was planned")}, {}, {}, {}};
    for (const std::string& one : c.not_checked) why.lines.push_back({words(one)});
    out.sections.push_back(std::move(why));
    return write_markdown(out);
  }
  if (!c.unproven.empty()) out.facts.insert(out.facts.begin(), {"Unproven", unproven_fact(c)});
  const Review look = review(c);
  out.notes = review_notes(look);
  if (!look.said.empty()) out.sections.push_back(said_section(look));
  add_stopped(c, out);
  if (Section refused = refusals_section(c); !refused.table.rows.empty()) {
    out.sections.push_back(std::move(refused));
  }
  for (const Copy* copy : open) out.sections.push_back(section_for(c, *copy));
  return write_markdown(out);
}

}  // namespace cg::report
