#include "fix/report/document.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/base/text.h"
#include "fix/report/report.h"
#include "fix/report/review.h"

namespace cg::report {

namespace {

using advisory::Level;

int weight(Level level) { return level == Level::unknown ? 0 : static_cast<int>(level); }

Level worst(const std::vector<const Copy*>& copies) {
  Level out = Level::unknown;
  for (const Copy* copy : copies) {
    if (weight(copy->level) > weight(out)) out = copy->level;
  }
  return out;
}

/// The one value that all have; empty if they differ.
template <class F>
std::string common(const std::vector<const Copy*>& copies, F&& of) {
  std::set<std::string> values;
  for (const Copy* copy : copies) values.insert(of(*copy));
  return values.size() == 1 ? *values.begin() : "";
}

/// "CVE-1 in `qs`", "3 advisories in 2 packages".
Line subject_of(const Case& c, const std::vector<const Copy*>& copies) {
  std::set<std::string> labels, packages;
  for (const Copy* copy : copies) {
    labels.insert(label(c, copy->advisory));
    packages.insert(copy->package);
  }
  Line out;
  out.push_back(labels.size() == 1 ? words(*labels.begin())
                                   : ours(counted(labels.size(), "advisory", "advisories")));
  out.push_back(ours(" in "));
  out.push_back(packages.size() == 1 ? words(*packages.begin())
                                     : ours(counted(packages.size(), "package", "packages")));
  out.push_back(ours(" (" + std::string(advisory::name(worst(copies))) + ")"));
  return out;
}

Line title(const Case& c) {
  const std::vector<const Copy*> fixed = fixed_copies(c);
  const std::vector<const Copy*> open = open_copies(c);
  if (fixed.empty() && open.empty()) return {ours("Nothing to fix")};
  if (fixed.empty()) {
    Line out = {ours(c.outcome == Outcome::unproven ? "Unproven, not fixed: " : "Not fixed: ")};
    return out += subject_of(c, open);
  }
  Line out = {ours(c.outcome == Outcome::planned ? "Would fix "
                   : c.outcome == Outcome::weak  ? "Weak, not proven: fixes "
                                                 : "Fixes ")};
  out += subject_of(c, fixed);
  const std::string from = common(fixed, [](const Copy& copy) { return copy.from; });
  const std::string to = common(fixed, [](const Copy& copy) { return copy.to; });
  const bool one = !common(fixed, [](const Copy& copy) { return copy.package; }).empty();
  if (one && !from.empty() && !to.empty()) {
    out += {ours(" — "), words(from), ours(" → "), words(to)};
  }
  return out;
}

Line change_fact(const Case& c) {
  if (c.changes.empty()) return {ours("none")};
  Line out = counted_files(review(c).files());
  if (c.moved.size() == 1) {
    out += {ours("; only "), code(c.moved.front().package), ours(" moves")};
  } else if (!c.moved.empty()) {
    out.push_back(ours("; " + counted(c.moved.size(), "package", "packages") + " move"));
  }
  return out;
}

std::string listed(const std::vector<std::string>& kinds) {
  std::string out;
  for (const std::string& kind : kinds) out += (out.empty() ? "" : ", ") + spoken(kind);
  return out;
}

/// What was paid; recorded answers are not, whatever they had cost.
Line price_fact(const Case& c) {
  if (c.spend.replayed.tokens == 0) return {words("$" + c.spend.usd)};
  return {words("$" + c.spend.usd), ours(" spent, recorded answers replayed (they had cost "),
          words("$" + c.spend.replayed.usd), ours(")")};
}

Line model_fact(const Case& c) {
  std::uint64_t attempts = 1;
  for (const Branch& branch : c.branches) attempts = std::max(attempts, branch.attempts);
  std::vector<std::string> kinds;
  for (const Review::Said& said : review(c).said) add_once(kinds, said.kind);
  Line out = {ours("model plan ("), words(listed(kinds)),
              ours("), attempt " + std::to_string(attempts) + " of 3, ")};
  out += price_fact(c);
  out.push_back(ours(" — read the diff"));
  return out;
}

Line how_fact(const Case& c) {
  switch (c.tier) {
    case Tier::recipe: {
      Line out = {ours(recipes(c).size() > 1 ? "recipes " : "recipe ")};
      out += codes(recipes(c), 4);
      out += {ours(" ("), words(listed(review(c).kinds)), ours(") — deterministic, no model used")};
      return out;
    }
    case Tier::rag:
      return {ours("carried over from a solved example, no model asked — read the diff")};
    case Tier::llm:
      return model_fact(c);
    case Tier::none:
      break;
  }
  return {ours("no fix was made")};
}

Line advisories_fact(const Case& c) {
  std::string out = grouped(c.findings.before) + " → " + grouped(c.findings.after) + " findings, ";
  out += c.findings.introduced == 0 ? "none" : grouped(c.findings.introduced);
  return {ours(out + " introduced")};
}

/// Of all branches together: a gate that some branch did not pass is not passed, and numbers
/// are told only where they are those of every branch.
Line gates_fact(const Case& c) {
  if (c.gates.empty()) return {ours("not run: neither install nor build nor tests were tried")};
  std::vector<std::string> order;
  std::map<std::string, const Gate*> worst;
  std::map<std::string, std::set<std::string>> said;
  for (const Gate& gate : c.gates) {
    said[gate.signal].insert(gate.words);
    const Gate*& one = worst[gate.signal];
    if (one == nullptr) order.push_back(gate.signal);
    const bool less =
        gate.passed ? !gate.weak.empty() && one != nullptr && one->passed : gate.required;
    if (one == nullptr || less) one = &gate;
  }
  Line out;
  for (const std::string& signal : order) {
    const Gate& gate = *worst[signal];
    if (!out.empty()) out.push_back(ours(" · "));
    out.push_back(words(signal));
    out.push_back(ours(gate.passed ? " ✓" : gate.required ? " ✗" : " –"));
    if (gate.passed && !gate.weak.empty()) out.push_back(ours(" weak"));
    if (!gate.words.empty() && said[signal].size() == 1)
      out += {ours(" ("), words(gate.words), ours(")")};
  }
  out += {ours(" · isolation "), words(c.isolation_class)};
  return out;
}

/// The first few, and how many more there are.
Line some_of(const std::vector<std::string>& lines) {
  constexpr std::size_t kShown = 8;
  Line out;
  for (std::size_t i = 0; i < std::min(lines.size(), kShown); ++i) {
    if (i > 0) out.push_back(ours("; "));
    out.push_back(words(lines[i]));
  }
  if (lines.size() > kShown) {
    out.push_back(ours("; and " + std::to_string(lines.size() - kShown) + " more"));
  }
  return out;
}

Line copy_words(const plan::Copy& copy) { return {code(copy.package), ours(" "), code(copy.from)}; }

Line fate_words(const Copy& copy) {
  if (copy.fate == plan::Fate::fixed) {
    Line out = {ours("fixed: ")};
    if (copy.to.empty()) {
      out.push_back(ours("gone"));
    } else {
      out.push_back(code(copy.to));
    }
    if (copy.strategy) out.push_back(ours(" by " + spoken(plan::name(*copy.strategy))));
    return out;
  }
  Line out = {ours(spoken(plan::name(copy.fate)))};
  if (copy.blocker != plan::Blocker::none)
    out.push_back(ours(" (" + spoken(plan::name(copy.blocker)) + ")"));
  if (!copy.reason.empty()) out += {ours(": "), words(copy.reason)};
  return out;
}

Section advisory_section(const Case& c) {
  Section out{{ours("Advisories (quoted, untrusted text)")}, {}, {}, {}};
  out.table.head = {"Advisory", "Severity", "Summary"};
  for (const Advisory& a : c.advisories) {
    Line id = {words(label(c, a.id))};
    if (label(c, a.id) != a.id) id += {ours(" ("), words(a.id), ours(")")};
    out.table.rows.push_back(
        {id, {ours(std::string(advisory::name(a.level)))}, {words(a.summary)}});
  }
  return out;
}

Section copies_section(const Case& c) {
  Section out{{ours("Every copy, before and after")}, {}, {}, {}};
  out.table.head = {"Advisory", "Copy", "Where", "Result"};
  for (const Copy& copy : c.copies) {
    out.table.rows.push_back({{words(label(c, copy.advisory))},
                              copy_words(copy),
                              {code(copy.lockfile), ours(" "), code(copy.location)},
                              fate_words(copy)});
  }
  return out;
}

Section fixes_section(const Case& c) {
  Section out{{ours("Steps")}, {}, {}, {}};
  out.table.head = {"Step", "Package", "Recipe", "Why", "Touches"};
  for (const Fix& fix : c.fixes) {
    Line package = {code(fix.package), ours(" "), code(fix.from), ours(" → ")};
    package.push_back(fix.to.empty() ? ours("gone") : code(fix.to));
    out.table.rows.push_back({{ours(spoken(plan::name(fix.strategy)))},
                              package,
                              {code(fix.recipe)},
                              {words(fix.why)},
                              codes(fix.touched, 4)});
  }
  return out;
}

Section overrides_section(const Case& c) {
  Section out{{ours("Overrides that are added, and why")}, {}, {}, {}};
  out.table.head = {"Path", "Value", "Reason"};
  for (const plan::OverrideNote& note : c.overrides) {
    std::string path;
    for (const std::string& key : note.path) (path += path.empty() ? "" : " > ") += key;
    out.table.rows.push_back({{code(path)}, {code(note.value)}, {words(note.reason)}});
  }
  return out;
}

Section considered_section(const Case& c) {
  Section out{{ours("What was considered")}, {}, {}, {}};
  out.table.head = {"Copy", "Where", "Way", "Target", "Answer"};
  for (const Copy& copy : c.copies) {
    for (const plan::Considered& way : copy.considered) {
      Line answer = {ours(way.chosen ? "chosen: " : "not taken: "), words(way.answer)};
      out.table.rows.push_back({copy_words(copy),
                                {code(copy.location)},
                                {ours(spoken(plan::name(way.strategy)))},
                                {way.target.empty() ? ours("–") : code(way.target)},
                                answer});
    }
  }
  return out;
}

Section evidence_section(const Case& c) {
  Section out{
      {ours("Evidence: "), words(c.workflow.empty() ? "none recorded" : c.workflow)}, {}, {}, {}};
  if (!c.evidence.empty() && !path_word(c.workflow).empty()) {
    out.commands = {"codegenie report " + c.workflow,
                    "codegenie verify " + c.workflow + ".tar.zst --allowed-signers FILE"};
  }
  out.lines.push_back({ours("Repository "), code(c.repo), ours(" at "),
                       c.base.empty() ? ours("no commit") : code(c.base)});
  constexpr std::size_t kMostBranches = 20;  // each costs a digest over its plan
  for (std::size_t i = 0; i < std::min(c.branches.size(), kMostBranches); ++i) {
    const Branch& branch = c.branches[i];
    Line line = {ours("Branch "), code(branch.name)};
    if (!branch.commit.empty()) line += {ours(", commit "), code(branch.commit)};
    line += {ours(", plan "), code(plan_digest(c, branch))};
    out.lines.push_back(line);
  }
  if (c.branches.size() > kMostBranches) {
    out.lines.push_back(
        {ours("And " + grouped(c.branches.size() - kMostBranches) + " branches more")});
  }
  out.lines.push_back({ours("Advisory index "), code(c.index.digest),
                       ours(", built " + to_date(c.index.built) + ", " +
                            grouped(c.index.advisories) + " advisories")});
  out.lines.push_back({ours("Made by "), words(c.tool), ours(" on " + to_iso(c.ended))});
  return out;
}

void add_section(Document& document, Section section) {
  if (!section.table.rows.empty()) document.sections.push_back(std::move(section));
}

}  // namespace

Line unproven_fact(const Case& c) {
  std::vector<std::string> lines;
  for (const Unprovable& one : c.unproven) lines.push_back(one.lockfile + ": " + one.cause);
  Line out = some_of(lines);
  std::vector<std::string> kept;
  for (const Branch& branch : c.branches) {
    if (branch.outcome == kUnproven) kept.push_back(branch.name);
  }
  if (kept.empty()) return out;
  out.push_back(ours(". Nothing was shown of "));
  out += codes(kept, 8);
  return out;
}

Section refusals_section(const Case& c) {
  Section out;
  out.title = {ours("Not passed")};
  out.table.head = {"Gate", "Why"};
  std::set<std::pair<std::string, std::string>> told;
  for (const Gate& gate : c.gates) {
    // What only waits for another gate has nothing to say of its own.
    const bool waits = gate.side.empty() && !c.unproven.empty();
    if (gate.passed || !gate.required || waits) continue;
    for (const std::string& reason : gate.reasons) {
      if (!told.emplace(gate.signal, reason).second) continue;
      out.table.rows.push_back({{words(gate.signal)}, {words(reason)}});
    }
  }
  return out;
}

Document document(const Case& c, Depth depth) {
  Document out;
  out.title = title(c);
  if (!c.unproven.empty()) out.facts.push_back({"Unproven", unproven_fact(c)});
  const std::pair<std::string, Line> facts[] = {{"Change", change_fact(c)},
                                                {"How", how_fact(c)},
                                                {"Checked in a sandbox", gates_fact(c)},
                                                {"Advisories", advisories_fact(c)},
                                                {"Supply chain", supply_fact(c)}};
  out.facts.insert(out.facts.end(), std::begin(facts), std::end(facts));
  const std::vector<const Copy*> left = open_copies(c);
  if (!left.empty()) {
    out.facts.push_back({"Left for a person", {ours(counted_copies(left) + ", below")}});
  }
  if (!c.not_checked.empty()) out.facts.push_back({"Not checked", some_of(c.not_checked)});
  if (!c.skipped.empty()) out.facts.push_back({"Lockfiles not read", some_of(c.skipped)});
  if (!c.withheld.empty()) out.facts.push_back({"Kept from the model", some_of(c.withheld)});
  const Review look = review(c);
  out.notes = review_notes(look);
  add_section(out, said_section(look));
  add_section(out, refusals_section(c));
  add_section(out, advisory_section(c));
  add_section(out, copies_section(c));
  add_section(out, fixes_section(c));
  add_section(out, overrides_section(c));
  add_section(out, moved_section(c));
  add_section(out, news_section(c));
  if (depth == Depth::all) add_section(out, considered_section(c));
  out.sections.push_back(evidence_section(c));
  out.closing = "A person merges this. codegenie cannot push, approve or merge.";
  return out;
}

}  // namespace cg::report
