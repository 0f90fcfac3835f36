#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "fix/report/report.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_text.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/words.h"

namespace cg::evidence {

namespace {

using json::Value;

std::string pretty(const Value& value) { return json::write_json_pretty(value); }

std::string tier_text(const report::Case& c, const Parts& parts) {
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
                              {"plugin", text(parts.plugin)},
                              {"digest", text(parts.plugin_digest)}});
}

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

}  // namespace

std::string folder_of(std::string_view workflow) { return "evidence/" + std::string(workflow); }

Draft draft_bundle(const report::Case& c, const Parts& parts) {
  CG_ASSERT(WorkflowId::parse(c.workflow).has_value());
  CG_ASSERT(parts.commits.empty() || parts.commits.size() == c.branches.size());
  Draft out{c.workflow, {}, {}};
  Files& files = out.files;
  files["SUMMARY.md"] = report::pr_body(c);
  files["VERIFY.md"] = verify_text();
  files[std::string(kCase)] = pretty(report::to_json(c));
  files[std::string(kPlan)] = report::plan_text(c);
  files["sbom/before.cdx.json"] = pretty(formats::cyclonedx(parts.before));
  files["sbom/after.cdx.json"] = pretty(formats::cyclonedx(parts.after));
  files["vex/openvex.json"] = pretty(report::openvex(c, parts.after));
  files["vex/cyclonedx-vex.json"] = pretty(report::cyclonedx_vex(c, parts.before));
  files["scan/before.json"] = pretty(formats::json(parts.before));
  files["scan/after.json"] = pretty(formats::json(parts.after));
  files["scan/results.sarif"] = pretty(formats::sarif(parts.after));
  files["tier/recipe.json"] = tier_text(c, parts);
  if (!parts.context.empty()) files["context/repo-context.json"] = parts.context;
  const std::string handoff = report::handoff(c);
  if (!handoff.empty()) files["handoff.md"] = handoff;
  add_branches(c, parts, files);
  out.digest = content_digest(files);
  return out;
}

}  // namespace cg::evidence
