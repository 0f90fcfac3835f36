#include "flow/scan/scan.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>

#include "base/base/text.h"
#include "base/domain/tool.h"
#include "flow/repository/dockerfile.h"
#include "flow/repository/git_head.h"
#include "flow/scan/index.h"
#include "flow/scan/rule_book.h"
#include "flow/workspace/access.h"
#include "vuln/findings/assemble.h"
#include "vuln/findings/ignore.h"
#include "vuln/findings/image.h"
#include "vuln/findings/match.h"
#include "vuln/provenance/image_adapter.h"

namespace cg::scan {

namespace {

constexpr std::size_t kMaxPolicyBytes = 1U << 20U;
constexpr std::size_t kMaxTold = 5;  // of a kind of warning; the rest is counted
constexpr const char* kRepoPolicy = ".codegenie/policy.yaml";
constexpr const char* kRepoIgnores = ".codegenie/ignore.yaml";
constexpr const char* kOwnIgnores = "policy/ignore.yaml";

/// The first few, and how many more there are.
template <class Items, class Describe>
void tell(std::vector<std::string>& out, const Items& items, std::size_t left_out,
          const std::string& kind, const Describe& describe) {
  std::size_t told = 0;
  for (const auto& item : items) {
    if (told++ < kMaxTold) out.push_back(describe(item));
  }
  const std::size_t more = items.size() - std::min(items.size(), kMaxTold) + left_out;
  if (more > 0) out.push_back("and " + counted(more, "more " + kind, "more " + kind + "s"));
}

std::string disagreement_text(const repository::Disagreement& d) {
  using Kind = repository::Disagreement::Kind;
  const std::string place = d.manifest.empty() || d.kind == Kind::leads_nowhere
                                ? d.lockfile + (d.line > 0 ? ":" + std::to_string(d.line) : "")
                                : d.manifest + (d.line > 0 ? ":" + std::to_string(d.line) : "");
  switch (d.kind) {
    case Kind::missing_in_lock:
      return place + ": asks for " + d.name + " " + d.manifest_spec + ", which " + d.lockfile +
             " does not have";
    case Kind::missing_in_manifest:
      return place + ": does not ask for " + d.name + " " + d.lock_spec + ", though " + d.lockfile +
             " says so";
    case Kind::different_spec:
      return place + ": asks for " + d.name + " " + d.manifest_spec + ", " + d.lockfile + " has " +
             d.lock_spec;
    case Kind::leads_nowhere:
      return place + ": " + (d.asked_by.empty() ? "the root" : d.asked_by) + " needs " + d.name +
             " " + d.lock_spec + ", which is not installed";
    case Kind::manifest_unknown:
      return place + ": a workspace that " + d.lockfile + " does not know";
    case Kind::manifest_gone:
      break;
  }
  return d.lockfile + ": the workspace " + d.name + " is not in the repository";
}

void tell_what_was_odd(const repository::LoadedLocks& loaded, findings::Scan& scan) {
  tell(scan.warnings, loaded.notes, 0, "note",
       [](const repository::Note& note) { return note.path + ": " + note.what; });
  tell(scan.warnings, loaded.disagreements, loaded.disagreements_left_out, "disagreement",
       disagreement_text);
}

Problem incomplete(const std::vector<repository::FileError>& errors) {
  const repository::FileError& first = errors.front();
  const bool none = first.kind == repository::FileError::Kind::no_lockfile;
  Problem problem{none ? ErrorCode::repo_no_lockfile : ErrorCode::repo_file,
                  none ? "no lockfile to scan" : "a file of the repository cannot be used",
                  {},
                  none ? "nothing was scanned" : "the result is not complete",
                  {}};
  for (std::size_t i = 0; i < errors.size() && i < kMaxTold; ++i) {
    problem.where.emplace_back(i == 0 ? "file" : "", repository::describe(errors[i]));
  }
  if (errors.size() > kMaxTold) {
    problem.where.emplace_back("", "and " + std::to_string(errors.size() - kMaxTold) + " more");
  }
  if (none) problem.help = {"npm install --package-lock-only --ignore-scripts"};
  return problem;
}

/// In a folder that holds what tests are fed with: it may be broken on purpose.
bool is_test_data(std::string_view path) {
  constexpr std::array<std::string_view, 11> kFolders = {
      "test",     "tests",     "__tests__", "spec",         "fixture",  "fixtures",
      "testdata", "test-data", "test_data", "__fixtures__", "__mocks__"};
  for (std::string_view left = repository::folder_of(path); !left.empty();) {
    const std::string_view folder = left.substr(0, left.find('/'));
    if (std::find(kFolders.begin(), kFolders.end(), folder) != kFolders.end()) return true;
    left.remove_prefix(std::min(left.size(), folder.size() + 1));
  }
  return false;
}

/// What could not be used. Beside a lock that could, test data is worth a warning and no more;
/// all else makes the scan incomplete.
void tell_unusable(Scanned& out) {
  std::vector<repository::FileError> grave;
  std::vector<repository::FileError> warned;
  for (const repository::FileError& error : out.loaded.errors) {
    const bool mild = !out.loaded.locks.empty() && is_test_data(error.path);
    (mild ? warned : grave).push_back(error);
    if (error.kind == repository::FileError::Kind::no_lockfile) continue;
    out.scan.repo.unreadable.push_back({error.path, error.what});
  }
  tell(out.scan.warnings, warned, 0, "file", [](const repository::FileError& error) {
    return repository::describe(error) + "; test data, not scanned";
  });
  if (!grave.empty()) out.incomplete = incomplete(grave);
}

Problem skipped_problem(const std::vector<findings::SkippedLock>& skipped) {
  Problem problem{
      ErrorCode::repo_skipped,
      counted(skipped.size(), "tracked lockfile was", "tracked lockfiles were") + " not read",
      {},
      "what they install is not known",
      {"git rm --cached FILE    (if it is not meant to be there)"}};
  for (std::size_t i = 0; i < skipped.size() && i < kMaxTold; ++i) {
    problem.where.emplace_back(i == 0 ? "file" : "", skipped[i].path + ": " + skipped[i].why);
  }
  if (skipped.size() > kMaxTold) {
    problem.where.emplace_back("", "and " + std::to_string(skipped.size() - kMaxTold) + " more");
  }
  return problem;
}

/// Locks that a walk came across or left out, beside those that it is about.
void tell_what_was_passed(const repository::RepoFiles& files, const repository::Tracked& tracked,
                          Scanned& out) {
  findings::Scan& scan = out.scan;
  for (const repository::Note& note : files.skipped) {
    scan.repo.skipped.push_back({note.path, note.what});
  }
  if (!scan.repo.skipped.empty()) out.skipped = skipped_problem(scan.repo.skipped);
  if (tracked.state == repository::Tracked::State::no_git) {
    tell(scan.warnings, files.hidden, 0, "lockfile",
         [](const std::string& path) { return path + ": not read, tools fill this folder"; });
  } else if (tracked.state == repository::Tracked::State::unknown) {
    scan.warnings.push_back("what git tracks cannot be told: " + printable(tracked.what));
  }
  if (!files.complete) {
    scan.warnings.push_back("the repository has too many names; not all of it was looked at");
  }
}

/// A file that need not be there. Symbolic links are refused like anywhere else.
Result<std::optional<std::string>, Problem> read_if_there(const os::Dir& dir,
                                                          const std::string& path, ErrorCode code) {
  auto text = dir.read(path, kMaxPolicyBytes);
  if (text) return std::optional(*std::move(text));
  if (text.error().kind == os::Error::Kind::not_found) return std::optional<std::string>();
  return fail(Problem{
      code, "cannot be read", {{"file", os::describe(text.error())}}, "nothing was scanned", {}});
}

Result<std::vector<findings::Ignore>, Problem> read_ignores(const os::Dir& dir,
                                                            const std::string& path, Time now,
                                                            int max_days) {
  CG_TRY_ASSIGN(const auto text, read_if_there(dir, path, ErrorCode::repo_ignore));
  if (!text) return std::vector<findings::Ignore>();
  auto ignores = findings::parse_ignores(path, *text, now, max_days);
  if (ignores) return *std::move(ignores);
  const findings::IgnoreError& error = ignores.error();
  return fail(Problem{ErrorCode::repo_ignore,
                      error.what,
                      {{"file", dir.path_of(path) + ":" + std::to_string(error.at.line)}},
                      "nothing was scanned",
                      {"codegenie help ignores"}});
}

Result<Done, Problem> use_ignores(const os::Dir& repo, const workspace::Workspace& workspace,
                                  const workspace::Policy& policy, Time now, findings::Scan& scan) {
  CG_TRY_ASSIGN(auto ignores,
                read_ignores(workspace.home, kOwnIgnores, now, policy.ignore_max_days));
  CG_TRY_ASSIGN(auto brought, read_ignores(repo, kRepoIgnores, now, policy.ignore_max_days));
  if (policy.repo_ignores == workspace::RepoIgnores::allow) {
    ignores.insert(ignores.end(), std::make_move_iterator(brought.begin()),
                   std::make_move_iterator(brought.end()));
  } else {
    findings::mention_ignores(brought, scan);
  }
  const findings::Applied applied = findings::apply_ignores(ignores, now, scan);
  tell(scan.warnings, applied.unused, 0, "unused ignore", [](const findings::Ignore* ignore) {
    return ignore->file + ":" + std::to_string(ignore->line) + ": ignore of " + ignore->id +
           " matches nothing";
  });
  return Done{};
}

Result<provenance::ImageLayer, Problem> read_image(const os::Dir& repo,
                                                   const repository::RepoFiles& files,
                                                   const std::string& sbom_file) {
  provenance::ImageLayer layer;
  for (const std::string& path : files.dockerfiles) {
    const auto text = repo.read(path, repository::kMaxDockerfileBytes);
    if (!text) continue;
    const auto dockerfile = repository::parse_dockerfile(*text);
    if (!dockerfile) continue;
    for (const repository::Stage& stage : dockerfile->stages) {
      if (!stage.base && !stage.scratch) layer.images.push_back({stage.image, path, stage.line});
    }
  }
  const auto text = workspace::read_user_file(sbom_file, provenance::kMaxSbomBytes);
  if (!text) return fail(text.error());
  auto sbom = provenance::read_sbom(*text);
  if (!sbom) {
    return fail(Problem{ErrorCode::repo_sbom,
                        sbom.error().what,
                        {{"file", sbom_file + ":" + std::to_string(sbom.error().at.line)}},
                        "nothing was scanned",
                        {}});
  }
  layer.sbom = *std::move(sbom);
  return layer;
}

}  // namespace

Result<os::Dir, Problem> open_repository(const std::string& path) {
  // Who names a repository may name it by a link; beneath it none is followed.
  char resolved[PATH_MAX];
  const char* real = realpath(path.c_str(), resolved);
  auto dir = os::Dir::open(real != nullptr ? real : path);
  if (dir) return *std::move(dir);
  return fail(Problem{ErrorCode::repo_unreadable,
                      "the repository cannot be read",
                      {{"path", printable(path)}, {"found", os::describe(dir.error())}},
                      "nothing was done",
                      {}});
}

Result<workspace::Policy, Problem> policy_for(const workspace::Workspace& workspace,
                                              const os::Dir& repo) {
  CG_TRY_ASSIGN(const workspace::Policy own, workspace::read_policy(workspace));
  CG_TRY_ASSIGN(const auto text, read_if_there(repo, kRepoPolicy, ErrorCode::repo_policy));
  if (!text) return own;
  const auto layer = workspace::parse_layer(*text);
  if (layer) return workspace::tightened(own, *layer);
  return fail(
      Problem{ErrorCode::repo_policy,
              layer.error().what,
              {{"file", std::string(kRepoPolicy) + ":" + std::to_string(layer.error().line)}},
              "nothing was scanned",
              {}});
}

Result<Scanned, Problem> scan_repository(const os::Dir& repo, const workspace::Workspace& workspace,
                                         const workspace::Policy& policy, vulnindex::Index& index,
                                         const Request& request) {
  // Read. Nothing of the repository is run and nothing is written.
  const repository::Tracked tracked =
      request.tracked ? *request.tracked : repository::read_tracked(repo.path());
  const repository::RepoFiles files = repository::discover_tracked(repo, tracked);
  CG_TRY_ASSIGN(Scanned out, scan_loaded(repo, files, repository::load_locks(repo, files),
                                         workspace, policy, index, request));
  tell_what_was_passed(files, tracked, out);
  return out;
}

Result<Scanned, Problem> scan_loaded(const os::Dir& repo, const repository::RepoFiles& files,
                                     repository::LoadedLocks locks,
                                     const workspace::Workspace& workspace,
                                     const workspace::Policy& policy, vulnindex::Index& index,
                                     const Request& request) {
  Scanned out{{}, std::move(locks), {}, std::nullopt, std::nullopt};
  findings::Scan& scan = out.scan;
  scan.tool_version = tool_name();
  scan.time = request.now;
  scan.repo.path = request.repo;
  scan.repo.head = repository::read_git_head(repo, files.git).commit;
  scan.index = {index.summary().digest, index.summary().built, index.summary().advisories, {}};
  for (const auto& [source, count] : index.summary().sources) scan.index.sources.push_back(source);

  // Match, copy by copy.
  RuleBook book(index);
  for (const repository::LoadedLock& lock : out.loaded.locks) {
    const findings::Tree tree{lock.path, lock.graph, lock.manifests};
    CG_TRY(book.learn(lock.graph));
    findings::Matches matches = findings::match_graph(lock.graph, book.rules());
    CG_TRY(book.learn_briefs(matches.hits));
    scan.repo.locks.push_back(findings::facts_of(tree));
    findings::add_findings(tree, matches, book.briefs(), scan);
    if (request.components) findings::add_components(tree, scan);
    out.hits.push_back(std::move(matches.hits));
  }

  // What a container image brings, if somebody listed it.
  if (!request.sbom.empty()) {
    CG_TRY_ASSIGN(const provenance::ImageLayer layer, read_image(repo, files, request.sbom));
    for (const provenance::Component& component : layer.sbom->components) {
      if (component.type == "npm") CG_TRY(book.learn(component.name));
    }
    const auto hits = findings::match_image(layer, book.rules());
    for (const findings::ImageHit& hit : hits) CG_TRY(book.learn_briefs({hit.hit}));
    findings::add_image_findings(layer, request.sbom, hits, book.briefs(), scan);
  }

  // Judge.
  CG_TRY(use_ignores(repo, workspace, policy, request.now, scan));
  findings::select(scan, request.selection);
  findings::sort(scan.findings, request.order);
  findings::sort(scan.suppressed, request.order);
  tell_what_was_odd(out.loaded, scan);
  tell_unusable(out);
  return out;
}

}  // namespace cg::scan
