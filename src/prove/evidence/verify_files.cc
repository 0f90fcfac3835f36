#include <algorithm>

#include "base/domain/tool.h"
#include "fix/report/report.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_parts.h"
#include "prove/evidence/verify_text.h"

namespace cg::evidence {

namespace {

/// Empty if there is no such file.
std::string_view text_of(const Files& files, std::string_view path) {
  const auto found = files.find(path);
  return found == files.end() ? std::string_view() : std::string_view(found->second);
}

void judge_recipe(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out) {
  const std::string_view text = text_of(files, "tier/recipe.json");
  const bool known = std::any_of(tale.plugins.begin(), tale.plugins.end(), [&](const auto& loaded) {
    return tier_text(c, loaded.plugin, "sha256:" + to_hex(loaded.digest)) == text;
  });
  if (!known) {
    out.breaks.push_back({"tier/recipe.json",
                          "does not name the case's recipes, or names a plugin "
                          "that no event has"});
  }
}

void judge_patches(const Files& files, const report::Case& c, BundleReport& out) {
  const std::size_t count = c.branches.size();
  if (count < 2) return;
  std::string all;
  for (std::size_t i = 0; i < count; ++i)
    all += text_of(files, branch_folder(i, count) + "patch.diff");
  if (all != text_of(files, "patch.diff")) {
    out.breaks.push_back({"patch.diff", "is not the patches of the branches"});
  }
}

}  // namespace

void judge_texts(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out) {
  judge_recipe(files, c, tale, out);
  judge_patches(files, c, out);
  // Another version of the program words them otherwise, and both are right.
  if (c.tool != tool_name()) {
    out.unchecked.push_back("that SUMMARY.md says what the case does: it is by another version");
    return;
  }
  const std::pair<std::string_view, std::string> texts[] = {{"SUMMARY.md", report::pr_body(c)},
                                                            {"VERIFY.md", verify_text()},
                                                            {"handoff.md", report::handoff(c)}};
  const std::size_t before = out.breaks.size();
  for (const auto& [path, text] : texts) {
    if (text_of(files, path) == text) continue;
    out.breaks.push_back({std::string(path), "is not what the case gives"});
  }
  if (out.breaks.size() == before) out.checked.emplace_back("the words are the case's");
}

}  // namespace cg::evidence
