#include "flow/handmade/proposer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/base/text.h"
#include "base/json/diff.h"
#include "base/json/placing.h"
#include "flow/propose/plans.h"
#include "flow/propose/reading.h"
#include "model/proposal/path.h"
#include "npm/lockfile/lock.h"

namespace cg::handmade {

namespace {

using propose::GivenUp;
using propose::HandedOn;

constexpr std::size_t kMaxTold = 10;

/// What a rewrite may touch: what a model's may, so that nobody's tests are changed to pass.
bool may_be_rewritten(const std::string& path) {
  const auto parsed = proposal::RepoPath::parse(path);
  return parsed && proposal::protection_of(*parsed) == proposal::Protection::none;
}

/// The newest version of `package` in `after` that is not in `before`.
std::optional<semver::Version> moved_to(const npm::Graph& before, const npm::Graph& after,
                                        std::string_view package) {
  std::set<std::string, std::less<>> known;
  for (const npm::Node& node : before.nodes()) {
    if (node.name == package) known.emplace(node.version);
  }
  std::optional<semver::Version> out;
  for (const npm::Node& node : after.nodes()) {
    if (node.name != package || known.contains(node.version)) continue;
    auto version = semver::Version::parse(node.version);
    if (version && (!out || *out < *version)) out = *std::move(version);
  }
  return out;
}

}  // namespace

/// Empty if the commit leaves the package where it is.
Result<std::string, Problem> Proposer::version_of(const HandedOn& group) const {
  const repository::LoadedLock& lock = situation_.lock(group.lock);
  gitrepo::Filter filter;
  filter.names = {lock.path.substr(lock.path.rfind('/') + 1)};
  std::vector<std::string> paths;
  CG_TRY_ASSIGN(const os::Dir folder, situation_.base.checkout.export_some_of(
                                          fix_.commit, "handmade-lock", filter, paths));
  auto text = folder.read(lock.path, lockfile::kMaxLockBytes);
  if (!text) return std::string();
  const auto graph = lockfile::read_lock(lock.graph.kind(), *std::move(text), lock.manifests);
  if (!graph) return std::string();
  const auto version = moved_to(lock.graph, *graph, group.package);
  return version ? version->str() : std::string();
}

Result<Proposer::Rewrite, Problem> Proposer::rewrite_of(const HandedOn& group) {
  const auto& base = situation_.base.checkout.git().base;
  CG_TRY_ASSIGN(const propose::Tree before,
                propose::tree_at(situation_, base, "sources", group.manifest));
  CG_TRY_ASSIGN(const propose::Tree after,
                propose::tree_at(situation_, fix_.commit, "handmade", group.manifest));
  Rewrite out;
  json::Patch patch;
  std::size_t left_out = 0;
  const auto leave = [&](const std::string& path) {
    if (++left_out <= kMaxTold) {
      notes_.push_back(printable(path) +
                       " is changed by the commit, and is left as it is at the base: what is "
                       "remembered is a rewrite of sources");
    }
  };
  for (const std::string& path : after.paths) {
    const auto now = after.read(path);
    const auto was = before.read(path);
    if (!now || now == was) continue;
    if (!may_be_rewritten(path)) {
      leave(path);
    } else if (!was) {
      out.refused = "it adds " + printable(path);
    } else {
      patch.files.push_back(json::difference(path, *was, *now));
      out.files[path] = *now;
    }
  }
  for (const std::string& path : before.paths) {
    if (after.paths.contains(path)) continue;
    if (may_be_rewritten(path)) {
      out.refused = "it removes " + printable(path);
    } else {
      leave(path);
    }
  }
  if (left_out > kMaxTold) {
    notes_.push_back("and so are " + std::to_string(left_out - kMaxTold) + " more");
  }
  out.diff = json::write_diff(patch);
  return out;
}

Result<propose::Answer, Problem> Proposer::propose(const propose::Group& group, unsigned number,
                                                   const std::vector<gate::AttemptSummary>&,
                                                   record::Events&) {
  using propose::Answer;
  const HandedOn& about = *group.handed_on;
  const std::string name = printable(about.package);
  if (number > 1) return Answer(GivenUp{"the commit was tried"});
  CG_TRY_ASSIGN(const std::string version, version_of(about));
  if (version.empty()) {
    return Answer(GivenUp{"the commit's " + printable(situation_.lock(about.lock).path) +
                          " has no other version of " + name + " than the base"});
  }
  CG_TRY_ASSIGN(Rewrite rewrite, rewrite_of(about));
  if (!rewrite.refused.empty()) {
    return Answer(
        GivenUp{rewrite.refused + ": only a rewrite of files that are there can be carried over"});
  }
  if (rewrite.files.empty()) {
    return Answer(GivenUp{"it rewrites no source; a version alone needs no example"});
  }
  propose::Candidate out;
  out.leeway.targets = {{about.package, version, plan::Strategy::callsite_rewrite}};
  out.plans = propose::plans_as(situation_, group, out.leeway, plan::kPersonRecipe);
  if (!propose::fixes_all(out.plans)) {
    return Answer(GivenUp{name + " " + version + " does not free all copies, or cannot be put in"});
  }
  out.rewritten = std::move(rewrite.files);
  out.kind = plan::name(plan::Strategy::callsite_rewrite);
  out.brings = propose::brought_by(situation_, out);

  CG_TRY_ASSIGN(const propose::Sources sources, propose::sources_of(situation_, about));
  precedent::Texts files;
  for (const propose::Part& part : sources.parts)
    files.insert(part.texts.begin(), part.texts.end());
  const auto from = propose::newest_of(about);
  const auto to = semver::Version::parse(version);
  if (!from || !to) return Answer(GivenUp{"the versions of " + name + " cannot be compared"});
  CG_TRY_ASSIGN(const propose::Reading reading,
                propose::read_versions(situation_, about.package, *from, *to, sources.used));
  notes_.insert(notes_.end(), reading.notes.begin(), reading.notes.end());
  CG_TRY_ASSIGN(example::Example lesson,
                propose::break_between(situation_, about, *from, *to, reading, files));
  precedent::Answer answer;
  answer.kind = out.kind;
  answer.plan = std::move(rewrite.diff);
  answer.rewritten = {out.rewritten.begin(), out.rewritten.end()};
  answer.author = example::Author::person;
  precedent::add_answer(lesson, answer, files);
  out.lesson = std::move(lesson);
  return Answer(std::move(out));
}

}  // namespace cg::handmade
