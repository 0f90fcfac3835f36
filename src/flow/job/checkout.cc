#include "flow/job/checkout.h"

#include <sys/file.h>

#include <filesystem>

#include "base/base/text.h"
#include "fetch/gitrepo/links.h"
#include "flow/scan/scan.h"
#include "trust/hash/blake3.h"

namespace cg::job {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxTold = 5;
constexpr std::size_t kMaxCheckouts = 10'000;

Problem storage(const os::Error& error) {
  return {ErrorCode::home_io,
          "a private folder cannot be made",
          {{"path", os::describe(error)}},
          "nothing was changed",
          {}};
}

std::string_view why_skipped(gitrepo::Skipped::Why why) {
  using Why = gitrepo::Skipped::Why;
  switch (why) {
    case Why::symlink:
      return "a symbolic link, not followed";
    case Why::submodule:
      return "a submodule";
    case Why::too_big:
      return "too large";
    case Why::odd_name:
      return "a name that no fix is written to";
    case Why::left_out:
      break;
  }
  return "in node_modules, a folder that tools fill";
}

/// The locks of a commit beneath `prefix`, as an export came across them.
repository::Tracked tracked_in(const gitrepo::Exported& exported, const std::string& prefix) {
  repository::Tracked out{repository::Tracked::State::listed, {}, {}};
  const std::string above = prefix.empty() ? prefix : prefix + "/";
  const auto add = [&](const std::string& path, std::string_view why) {
    if (!path.starts_with(above) || !repository::is_lock_name(repository::name_of(path))) return;
    out.locks.push_back({path.substr(above.size()), std::string(why)});
  };
  for (const gitrepo::ExportedFile& file : exported.files) add(file.path, "");
  for (const gitrepo::Skipped& one : exported.skipped) add(one.path, why_skipped(one.why));
  return out;
}

hash::Digest digest_of(const gitrepo::Exported& exported,
                       const std::map<std::string, std::string>& links) {
  hash::Blake3 out("codegenie 2026 exported tree v1");
  std::string line;
  for (const gitrepo::ExportedFile& file : exported.files) {
    line = file.blob.hex() + (file.executable ? " x " : " - ") + file.path;
    out.update(as_bytes(line + '\0'));
  }
  for (const auto& [path, target] : links) out.update(as_bytes(path + '\0' + target + '\0'));
  return out.finish();
}

void tell_dirty(const gitrepo::Inspection& git, std::vector<std::string>& out) {
  std::size_t told = 0;
  for (const gitrepo::DirtyFile& file : git.dirty) {
    if (told++ < kMaxTold)
      out.push_back(file.path +
                    " has uncommitted changes; the fix is made on the commit, not on them");
  }
  if (told > kMaxTold)
    out.push_back("and " + std::to_string(told - kMaxTold) +
                  " more files with uncommitted changes");
}

/// Whoever works in a folder holds flock(2) on it, and the kernel lets go when they die:
/// what nobody holds was left by a run that was killed.
void remove_leftovers(const os::Dir& checkouts) {
  const auto names = checkouts.list(".", kMaxCheckouts);
  if (!names) return;
  for (const std::string& name : *names) {
    const auto folder = checkouts.open_dir(name);
    if (!folder || flock(folder->fd().get(), LOCK_EX | LOCK_NB) != 0) continue;
    static_cast<void>(checkouts.remove_tree(name));
  }
}

/// A folder of our own, held, and those of the dead removed. One run at a time: else
/// one could remove what another has made and does not hold yet.
Result<os::Dir, os::Error> make_folder(const std::string& checkouts, const std::string& name) {
  CG_TRY_ASSIGN(const os::Dir all, os::Dir::make(checkouts));
  CG_TRY_ASSIGN(const os::Lock turn,
                os::Lock::hold(all.fd(), os::Lock::Mode::exclusive, checkouts));
  remove_leftovers(all);
  CG_TRY_ASSIGN(os::Dir own, os::Dir::make(all.path_of(name)));
  if (flock(own.fd().get(), LOCK_EX | LOCK_NB) != 0) {
    return fail(os::from_errno(errno, own.path()));
  }
  return own;
}

}  // namespace

gitrepo::Filter interest() {
  const std::vector<std::string> locks(repository::kLockNames.begin(),
                                       repository::kLockNames.end());
  std::vector<std::string> names = locks;
  names.insert(names.end(),
               {"package.json", "pnpm-workspace.yaml", ".npmrc", ".nvmrc", ".node-version",
                "lerna.json", "Dockerfile", "Containerfile", ".yarnrc.yml"});
  return {std::move(names),
          {"**/Dockerfile.*", "**/Containerfile.*", "**/*.dockerfile", "**/*.Dockerfile",
           "**/docker-compose*.yml", "**/docker-compose*.yaml", "**/compose*.yml",
           "**/compose*.yaml", "**/tsconfig*.json", ".codegenie/*"},
          {"node_modules"},
          locks};
}

Result<Checkout, Problem> Checkout::open(const workspace::Access& access, const Request& request,
                                         const std::string& work) {
  CG_TRY_ASSIGN(os::Dir repo, scan::open_repository(request.repo));
  Checkout out;
  const auto program = gitrepo::find_program();
  if (!program) return fail(gitrepo::to_problem(program.error(), request.repo));
  gitrepo::Git git(*program);
  auto found = git.inspect({repo.path(), request.base, interest()});
  if (found) {
    out.git_ = *std::move(found);
    if (out.git_->base.is_none()) {
      return fail(gitrepo::to_problem(
          {gitrepo::Error::Kind::missing_base, "the repository has no commit yet"}, request.repo));
    }
    CG_TRY(out.export_base(access, repo.path(), work));
    // A folder that the commit does not know is read as it lies there, if no branch is to be
    // made of it.
    if (out.exported_ == 0 && !out.git_->prefix.empty() && request.extent != Extent::branch) {
      out.git_.reset();
      out.tracked_.reset();
      out.files_ = std::move(repo);
      out.warnings_ = {"git does not know this folder; its files are read as they are"};
    }
    return out;
  }
  const bool plain = found.error().kind == gitrepo::Error::Kind::not_a_repository;
  if (!plain || !request.base.empty())
    return fail(gitrepo::to_problem(found.error(), request.repo));
  if (request.extent == Extent::branch) {
    return fail(
        Problem{ErrorCode::fix_no_git,
                "a fix becomes a branch, and there is no git repository",
                {{"path", repo.path()}},
                "nothing was done",
                {"codegenie remediate " + request.repo + " --all --plan-only --worktree DIR"}});
  }
  out.files_ = std::move(repo);
  return out;
}

Result<Done, Problem> Checkout::export_base(const workspace::Access& access,
                                            const std::string& repo, const std::string& work) {
  folder_ = access.workspace.path + "/checkouts/" + work;
  auto made = make_folder(access.workspace.path + "/checkouts", work);
  if (!made) return fail(storage(made.error()));
  held_ = *std::move(made);
  gitrepo::Git git(*gitrepo::find_program());
  const auto folder = scratch("files");
  if (!folder) return fail(folder.error());
  const auto exported = git.export_files({repo, git_->base, interest(), folder->path(), {}});
  if (!exported) return fail(gitrepo::to_problem(exported.error(), repo));
  exported_ = exported->files.size();
  tracked_ = tracked_in(*exported, git_->prefix);
  tell_dirty(*git_, warnings_);
  for (const gitrepo::Skipped& skipped : exported->skipped) {
    if (skipped.why == gitrepo::Skipped::Why::symlink && warnings_.size() < 2 * kMaxTold) {
      warnings_.push_back(printable(skipped.path) + " is a symbolic link and was not read");
    }
  }
  const std::string top =
      git_->prefix.empty() ? folder->path() : folder->path() + "/" + git_->prefix;
  std::error_code none;
  fs::create_directories(top, none);
  auto dir = os::Dir::open(top);
  if (!dir) return fail(storage(dir.error()));
  files_ = *std::move(dir);
  return Done{};
}

Result<os::Dir, Problem> Checkout::scratch(const std::string& name) const {
  const auto removed = held_->remove_tree(name);
  if (!removed) return fail(storage(removed.error()));
  auto made = os::Dir::make(folder_ + "/" + name);
  if (!made) return fail(storage(made.error()));
  return *std::move(made);
}

Result<os::Dir, Problem> Checkout::export_some(const std::string& name,
                                               const gitrepo::Filter& filter,
                                               std::vector<std::string>& paths) const {
  return export_some_of(git_->base, name, filter, paths);
}

Result<os::Dir, Problem> Checkout::export_some_of(const gitrepo::ObjectId& commit,
                                                  const std::string& name,
                                                  const gitrepo::Filter& filter,
                                                  std::vector<std::string>& paths) const {
  CG_TRY_ASSIGN(os::Dir folder, scratch(name));
  constexpr gitrepo::ExportLimits kSome{20'000, 256ULL << 20U, 4ULL << 20U};
  gitrepo::Git git(*gitrepo::find_program());
  const auto exported = git.export_files({repository(), commit, filter, folder.path(), kSome});
  if (!exported) return fail(gitrepo::to_problem(exported.error(), repository()));
  const std::string prefix = git_->prefix.empty() ? std::string() : git_->prefix + "/";
  for (const gitrepo::ExportedFile& file : exported->files) {
    if (file.path.starts_with(prefix)) paths.push_back(file.path.substr(prefix.size()));
  }
  if (prefix.empty() || paths.empty()) return folder;
  auto beneath = folder.open_dir(git_->prefix);
  if (!beneath) return fail(storage(beneath.error()));
  return *std::move(beneath);
}

Result<ExportedTree, Problem> Checkout::export_tree(const std::string& name,
                                                    std::vector<std::string>& left_out) const {
  CG_TRY_ASSIGN(const os::Dir folder, scratch(name));
  constexpr gitrepo::ExportLimits kAll{200'000, 4ULL << 30U, 256ULL << 20U};
  gitrepo::Git git(*gitrepo::find_program());
  const auto exported = git.export_files({repository(),
                                          git_->base,
                                          {{}, {}, {}},
                                          folder.path(),
                                          kAll,
                                          gitrepo::Links::told,
                                          gitrepo::Submodules::exported});
  if (!exported) return fail(gitrepo::to_problem(exported.error(), repository()));
  for (const gitrepo::Skipped& skipped : exported->skipped) left_out.push_back(skipped.path);
  gitrepo::JudgedLinks judged = gitrepo::judge_links(exported->links);
  left_out.insert(left_out.end(), judged.left_out.begin(), judged.left_out.end());
  const hash::Digest digest = digest_of(*exported, judged.inside);
  return ExportedTree{folder.path(), std::move(judged.inside), digest};
}

std::string Checkout::base() const { return git_ ? git_->base.hex() : std::string(); }

std::string Checkout::branch() const {
  constexpr std::string_view kHeads = "refs/heads/";
  const bool tip = git_ && git_->head == git_->base && git_->head_ref.starts_with(kHeads);
  return tip ? git_->head_ref.substr(kHeads.size()) : std::string();
}

std::string Checkout::in_git(const std::string& path) const {
  return !git_ || git_->prefix.empty() ? path : git_->prefix + "/" + path;
}

Checkout::Checkout(Checkout&& other) noexcept
    : git_(std::move(other.git_)),
      files_(std::move(other.files_)),
      folder_(std::exchange(other.folder_, {})),
      held_(std::move(other.held_)),
      exported_(other.exported_),
      tracked_(std::move(other.tracked_)),
      warnings_(std::move(other.warnings_)) {}

Checkout::~Checkout() {
  if (folder_.empty()) return;
  const std::size_t slash = folder_.rfind('/');
  const auto above = os::Dir::open(folder_.substr(0, slash));
  if (above) static_cast<void>(above->remove_tree(folder_.substr(slash + 1)));
}

}  // namespace cg::job
