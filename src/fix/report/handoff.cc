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

}  // namespace

std::string handoff(const Case& c) {
  const std::vector<const Copy*> open = open_copies(c);
  if (open.empty()) return "";
  Document out;
  out.title = {ours("Left for a person: " + counted_copies(open))};
  out.facts = {
      {"Repository",
       {code(c.repo), ours(" at "), c.base.empty() ? ours("no commit") : code(c.base)}},
      {"Workflow", {words(c.workflow.empty() ? "none recorded" : c.workflow)}},
      {"Outcome", {ours(spoken(name(c.outcome)))}},
      {"Advisory index", {code(c.index.digest), ours(", built " + to_date(c.index.built))}}};
  const Review look = review(c);
  out.notes = review_notes(look);
  if (!look.said.empty()) out.sections.push_back(said_section(look));
  if (Section refused = refusals_section(c); !refused.table.rows.empty()) {
    out.sections.push_back(std::move(refused));
  }
  for (const Copy* copy : open) out.sections.push_back(section_for(c, *copy));
  return write_markdown(out);
}

}  // namespace cg::report
