#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "fix/report/report.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_text.h"
#include "trust/hash/blake3.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/words.h"

namespace cg::evidence {

namespace {

using json::Value;

std::string pretty(const Value& value) { return json::write_json_pretty(value); }

void add_branches(const report::Case& c, const Parts& parts, Files& files) {
  const std::size_t count = parts.commits.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string folder = branch_folder(i, count);
    files[folder + "commit.txt"] = parts.commits[i].object;
    files[folder + "patch.diff"] = parts.commits[i].patch;
    // Of one branch this is the plan, unless the branch carries out a part of it.
    files[folder + std::string(kPlan)] = report::plan_text(c, c.branches[i]);
    if (count > 1) files["patch.diff"] += parts.commits[i].patch;
    if (i >= parts.gates.size()) continue;
    for (const auto& [path, json] : parts.gates[i]) files[folder + path] = json;
  }
}

void add_attempts(const Parts& parts, Files& files) {
  for (std::size_t i = 0; i < parts.attempts.size(); ++i) {
    const FailedAttempt& one = parts.attempts[i];
    const std::string folder = "attempts/" + std::to_string(i + 1) + "/";
    files[folder + "attempt.json"] =
        pretty(Value::Object{{"schema", "codegenie/attempt/v1"},
                             {"group", one.group},
                             {"attempt", static_cast<std::int64_t>(one.attempt)},
                             {"failing", one.failing}});
    for (const auto& [path, json] : one.gates) files[folder + path] = json;
  }
  for (const auto& [path, bytes] : parts.kept) files[path] = bytes;
  if (parts.left_out > 0) {
    files[std::string(kLeftOut)] =
        counted(parts.left_out, "log or report", "logs and reports") + " did not fit\n";
  }
}

}  // namespace

std::string tier_text(const report::Case& c, const std::string& plugin, const std::string& digest) {
  Value::Array recipes;
  for (const report::Fix& fix : c.fixes) {
    const Value recipe = formats::utf8(fix.recipe);
    bool known = false;
    for (const Value& other : recipes) known = known || other == recipe;
    if (!known) recipes.push_back(recipe);
  }
  const auto text = [](const std::string& value) {
    return value.empty() ? Value() : Value(formats::utf8(value));
  };
  return pretty(Value::Object{{"schema", "codegenie/evidence-recipe/v1"},
                              {"tier", report::name(c.tier)},
                              {"recipes", recipes},
                              {"plugin", text(plugin)},
                              {"digest", text(digest)}});
}

record::PlanMade settled(const report::Case& c) {
  record::PlanMade made;
  for (const report::Copy& copy : c.copies) {
    switch (copy.fate) {
      case plan::Fate::fixed:
        ++made.fixed;
        break;
      case plan::Fate::blocked:
        ++made.blocked;
        break;
      case plan::Fate::no_fix:
        ++made.no_fix;
        break;
      case plan::Fate::handed_on:
        ++made.handed_on;
        break;
    }
  }
  for (const report::Fix& fix : c.fixes) made.entries += fix.touched.size();
  made.digest = hash::blake3(as_bytes(report::plan_text(c)));
  return made;
}

std::string gate_file(std::string_view signal) {
  std::string out = "gates/";
  for (const char c : signal) {
    if (c == '/') {
      out += "%2F";
    } else if (c == ' ' || c == '%') {
      out += c == ' ' ? "%20" : "%25";
    } else {
      out += c;
    }
  }
  return out + ".json";
}

std::string folder_of(std::string_view workflow) { return "evidence/" + std::string(workflow); }

Draft draft_bundle(const report::Case& original, const Parts& parts) {
  CG_ASSERT(WorkflowId::parse(original.workflow).has_value());
  CG_ASSERT(parts.commits.empty() || parts.commits.size() == original.branches.size());
  // As whoever reads case.json has it, so that every text follows from that file.
  const std::string text = pretty(report::to_json(original));
  const auto read_back = report::from_json(text);
  CG_ASSERT(read_back.has_value());
  const report::Case& c = *read_back;
  Draft out{c.workflow, {}, {}};
  Files& files = out.files;
  files["SUMMARY.md"] = report::pr_body(c);
  files["VERIFY.md"] = verify_text();
  files[std::string(kCase)] = text;
  files[std::string(kPlan)] = report::plan_text(c);
  files["sbom/before.cdx.json"] = pretty(formats::cyclonedx(parts.before));
  files["sbom/after.cdx.json"] = pretty(formats::cyclonedx(parts.after));
  files["vex/openvex.json"] = pretty(report::openvex(c, parts.after));
  files["vex/cyclonedx-vex.json"] = pretty(report::cyclonedx_vex(c, parts.before));
  files["scan/before.json"] = pretty(formats::json(parts.before));
  files["scan/after.json"] = pretty(formats::json(parts.after));
  files["scan/results.sarif"] = pretty(formats::sarif(parts.after));
  files["tier/recipe.json"] = tier_text(c, parts.plugin, parts.plugin_digest);
  if (!parts.context.empty()) files["context/repo-context.json"] = parts.context;
  const std::string handoff = report::handoff(c);
  if (!handoff.empty()) files["handoff.md"] = handoff;
  add_branches(c, parts, files);
  add_attempts(parts, files);
  out.digest = content_digest(files);
  return out;
}

}  // namespace cg::evidence
