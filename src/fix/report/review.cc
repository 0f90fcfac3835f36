#include "fix/report/review.h"

#include <algorithm>

namespace cg::report {

namespace {

bool is_manifest(std::string_view path) {
  return path == "package.json" || path.ends_with("/package.json");
}

void add_kind(Review& out, std::string_view kind) {
  if (std::find(out.kinds.begin(), out.kinds.end(), kind) == out.kinds.end()) {
    out.kinds.emplace_back(kind);
  }
}

void add_branch(Review& out, const Case& c, const Branch& branch) {
  if (!branch.kind.empty()) {
    add_kind(out, branch.kind);
    out.said.push_back({branch.name, branch.kind, branch.rationale, branch.example});
    return;
  }
  for (std::size_t i = 1; i <= c.fixes.size(); ++i) {
    const bool here = branch.fixes.empty() ||
                      std::find(branch.fixes.begin(), branch.fixes.end(), i) != branch.fixes.end();
    if (here) add_kind(out, plan::name(c.fixes[i - 1].strategy));
  }
}

void add_files(Review& out, const std::vector<FileChange>& changes) {
  for (const FileChange& change : changes) {
    if (change.author != Author::engine) {
      out.model.push_back(change);
    } else {
      (is_manifest(change.path) ? out.manifests : out.rest).push_back(change);
    }
  }
}

}  // namespace

std::vector<FileChange> Review::files() const {
  std::vector<FileChange> out = model;
  out.insert(out.end(), manifests.begin(), manifests.end());
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

Review review(const Case& c, const Branch& branch) {
  Review out;
  add_files(out, branch.changes);
  add_branch(out, c, branch);
  for (const Gate& gate : c.gates) {
    if (gate.branch == branch.name && !gate.weak.empty() && gate.passed) out.weak.push_back(gate);
  }
  out.overrides = !c.overrides.empty();
  return out;
}

Review review(const Case& c) {
  Review out;
  add_files(out, c.changes);
  for (const Branch& branch : c.branches) add_branch(out, c, branch);
  for (const Gate& gate : c.gates) {
    const bool made = std::any_of(c.branches.begin(), c.branches.end(),
                                  [&](const Branch& branch) { return branch.name == gate.branch; });
    if (made && !gate.weak.empty() && gate.passed) out.weak.push_back(gate);
  }
  out.overrides = !c.overrides.empty();
  return out;
}

}  // namespace cg::report
