#include "flow/workspace/workspace.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/base/text.h"
#include "trust/audit/guard.h"
#include "trust/audit/key.h"
#include "trust/audit/layout.h"
#include "trust/audit/log.h"
#include "trust/audit/problems.h"

namespace cg::workspace {

namespace {

const std::string kPolicyFile = "policy/policy.yaml";
constexpr std::size_t kMaxDepth = 16;

std::string absolute(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), free);
  return real ? real.get() : path;
}

/// A file or folder of ours without these rights for others.
bool is_ours(const os::FileInfo& info, unsigned without) {
  const bool kind =
      info.type == os::FileInfo::Type::folder || info.type == os::FileInfo::Type::file;
  return kind && info.owner == geteuid() && (info.mode & without) == 0;
}

bool is_private(const os::FileInfo& info) { return is_ours(info, 077U); }

Problem not_private(const std::string& path, const os::FileInfo& info) {
  if (info.type == os::FileInfo::Type::symlink) {
    return audit::reading({os::Error::Kind::symlink, path, 0});
  }
  char mode[16];
  std::snprintf(mode, sizeof mode, "%04o", info.mode);
  const bool folder = info.type == os::FileInfo::Type::folder;
  return {
      ErrorCode::home_not_private,
      "workspace is not private",
      {{"path", printable(path)},
       {"expected", std::string(folder ? "0700" : "0600") + ", owner " + std::to_string(geteuid())},
       {"found", std::string(mode) + ", owner " + std::to_string(info.owner)}},
      "nothing was read or written",
      {info.owner == geteuid() ? "chmod -R go= " + printable(path)
                               : "chown it back, if it is yours",
       "codegenie self-check modes"}};
}

Problem missing(const std::string& home) {
  return {ErrorCode::home_missing,
          "no workspace here",
          {{"path", printable(home)}},
          "nothing was done",
          {"codegenie init " + printable(home)}};
}

Result<Done, Problem> refuse_if_in_use(const std::string& home) {
  const auto dir = os::Dir::open(home);
  if (!dir) {
    if (dir.error().kind == os::Error::Kind::not_found) {
      if (std::filesystem::exists(std::filesystem::symlink_status(home))) {
        return fail(Problem{ErrorCode::home_exists,
                            "not a folder",
                            {{"path", printable(home)}},
                            "nothing was changed",
                            {"choose another place"}});
      }
      return Done{};
    }
    return fail(audit::writing(dir.error()));
  }
  const auto names = dir->list(".", audit::kMaxFiles);
  if (!names) return fail(audit::reading(names.error()));
  if (names->empty()) return Done{};
  const bool workspace = dir->stat(audit::kEvents).has_value();
  return fail(Problem{ErrorCode::home_exists,
                      workspace ? "already a workspace" : "folder is not empty",
                      {{"path", printable(home)}},
                      "nothing was changed",
                      {workspace ? "codegenie audit verify" : "choose another place"}});
}

Result<Done, Problem> fill(const os::Dir& dir, Preset preset, const std::string& tool,
                           os::Clock& clock, os::Random& random) {
  CG_TRY(audit::create_log(dir, tool, clock, random));
  auto done = dir.make_dir("policy");
  if (done) done = dir.write_new(kPolicyFile, policy_text(preset));
  if (done) {
    done =
        dir.write_new(audit::kAllowedSigners,
                      "# Who may sign anchors, a line each, as in ssh-keygen(1):\n"
                      "# operator@example namespaces=\"codegenie-anchor\" ssh-ed25519 AAAA...\n");
  }
  if (!done) return fail(audit::writing(done.error()));
  return Done{};
}

/// Programs that chambers are shown, where somebody else than we are reads them: the folders above
/// are private, and nobody else may write here.
bool is_for_chambers(const std::string& path) {
  return path.starts_with("cache/hooks/") || path.starts_with("cache/managers/");
}

/// Adds what is exposed beneath `path` to `found`.
Result<Done, Problem> look(const os::Dir& home, const std::string& path, std::size_t depth,
                           std::size_t max, std::vector<std::string>& found) {
  const auto names = home.list(path, audit::kMaxFiles);
  if (!names) return fail(audit::reading(names.error()));
  for (const std::string& name : *names) {
    const std::string child = path == "." ? name : path + "/" + name;
    const auto info = home.stat(child);
    if (!info) return fail(audit::reading(info.error()));
    const bool fine = is_ours(*info, is_for_chambers(child) ? 022U : 077U);
    if (!fine && found.size() < max) found.push_back(home.path_of(child));
    if (info->type == os::FileInfo::Type::folder && depth < kMaxDepth) {
      CG_TRY(look(home, child, depth + 1, max, found));
    }
  }
  return Done{};
}

}  // namespace

Result<Workspace, Problem> open(const std::string& home) {
  auto dir = os::Dir::open(home);
  if (!dir && dir.error().kind == os::Error::Kind::not_found) return fail(missing(home));
  if (!dir) return fail(audit::reading(dir.error()));
  const auto top = os::info(dir->fd(), home);
  if (!top) return fail(audit::reading(top.error()));
  if (!dir->stat(audit::kEvents)) return fail(missing(home));
  if (!is_private(*top)) return fail(not_private(home, *top));
  for (const std::string& name :
       {audit::kEvents, audit::kEvents + "/" + audit::kSpanningDir,
        audit::kEvents + "/" + audit::kSpanningDir + "/" + audit::kAppendFile, std::string("keys"),
        audit::kKeyFile, std::string("policy"), kPolicyFile, audit::kAllowedSigners}) {
    const auto info = dir->stat(name);
    if (!info && info.error().kind == os::Error::Kind::not_found) continue;  // its reader says so
    if (!info) return fail(audit::reading(info.error()));
    if (!is_private(*info)) return fail(not_private(dir->path_of(name), *info));
  }
  return Workspace{*std::move(dir), absolute(home)};
}

Result<Workspace, Problem> init(const std::string& place, const std::string& guard_dir,
                                Preset preset, const std::string& tool, os::Clock& clock,
                                os::Random& random) {
  std::string home = place;
  while (home.size() > 1 && home.ends_with('/')) home.pop_back();
  CG_TRY(refuse_if_in_use(home));
  const std::size_t slash = home.find_last_of('/');
  const std::string above = slash == std::string::npos ? "." : home.substr(0, slash + 1);
  const auto parent = os::Dir::make(above);
  if (!parent) return fail(audit::writing(parent.error()));
  const std::string path = absolute(above) + "/" + home.substr(slash + 1);
  const std::string beside = absolute(above) + "/.codegenie-init-" + to_hex(random.bytes<8>());

  const auto dir = os::Dir::make(beside);
  if (!dir) return fail(audit::writing(dir.error()));
  auto done = fill(*dir, preset, tool, clock, random);
  const auto key = audit::read_log_key(*dir);
  if (done && key) {
    const std::string log = key->verifier.name().substr(record::origin_of("").size());
    done = audit::claim_home(guard_dir, log, path);
  }
  // rename(2) replaces an empty folder and nothing else.
  if (done && rename(beside.c_str(), home.c_str()) != 0) {
    done = fail(audit::writing(os::from_errno(errno, home)));
  }
  if (!done) {
    static_cast<void>(parent->remove_tree(beside.substr(beside.rfind('/') + 1)));
    return fail(done.error());
  }
  const auto synced = parent->sync();
  if (!synced) return fail(audit::writing(synced.error()));
  CG_TRY_ASSIGN(Workspace made, open(home));
  CG_TRY(audit::Log::open(made.home, {made.path, guard_dir}, clock));
  return made;
}

Result<Policy, Problem> read_policy(const Workspace& workspace) {
  const auto text = workspace.home.read(kPolicyFile, audit::kMaxSmallFile);
  if (!text && text.error().kind == os::Error::Kind::not_found) return Policy{};
  if (!text) return fail(audit::reading(text.error()));
  const auto policy = parse_policy(*text);
  if (!policy) {
    return fail(Problem{
        ErrorCode::config_bad,
        "bad policy: " + policy.error().what,
        {{"file", workspace.home.path_of(kPolicyFile) + ":" + std::to_string(policy.error().line)}},
        "nothing was done",
        {"mend the file; `codegenie init --print` shows a good one"}});
  }
  return *policy;
}

Result<std::vector<std::string>, Problem> find_exposed(const Workspace& workspace,
                                                       std::size_t max) {
  std::vector<std::string> found;
  CG_TRY(look(workspace.home, ".", 0, max, found));
  return found;
}

}  // namespace cg::workspace
