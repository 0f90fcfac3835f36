// An open repository: libgit2's handles that free themselves, and what every operation
// starts with.
#pragma once

#include <git2.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "fetch/gitrepo/locate.h"
#include "fetch/gitrepo/types.h"
#include "refuse.h"

namespace cg::git {

using gitrepo::Location;
using gitrepo::ObjectId;

template <auto Free>
struct FreedBy {
  void operator()(auto* handle) const { Free(handle); }
};
template <class T, auto Free>
using Owned = std::unique_ptr<T, FreedBy<Free>>;

using Repo = Owned<git_repository, git_repository_free>;
using Odb = Owned<git_odb, git_odb_free>;
using OdbObject = Owned<git_odb_object, git_odb_object_free>;
using Object = Owned<git_object, git_object_free>;
using Commit = Owned<git_commit, git_commit_free>;
using Tree = Owned<git_tree, git_tree_free>;
using Reference = Owned<git_reference, git_reference_free>;
using Index = Owned<git_index, git_index_free>;
using Config = Owned<git_config, git_config_free>;
using Diff = Owned<git_diff, git_diff_free>;
using Patch = Owned<git_patch, git_patch_free>;
using Signature = Owned<git_signature, git_signature_free>;

/// Owned by libgit2's allocator.
struct Buffer {
  git_buf raw = GIT_BUF_INIT;
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { git_buf_dispose(&raw); }
  [[nodiscard]] std::string text() const {
    return raw.size == 0 ? std::string() : std::string(raw.ptr, raw.size);
  }
};

/// What libgit2 says of its last failure with `code`; `otherwise` where the code itself
/// does not tell.
[[nodiscard]] Failure<Error> refuse_git(int code, Kind otherwise, std::string_view doing);

[[nodiscard]] ObjectId id_of(const git_oid& oid);
[[nodiscard]] git_oid oid_of(const ObjectId& id);

/// Once, before sealing: no config but what we say, strict objects, everything synced.
[[nodiscard]] bool start_library();

/// Checks that the repository is of a kind we know and lies in one place, then opens it
/// with an empty config: libgit2 never reads the one that is there.
[[nodiscard]] Result<Repo, Error> open_repository(const Location& location);

/// The same for the git folder of a submodule, at `path` beneath that of the repository it is in.
[[nodiscard]] Result<Repo, Error> open_module(const std::string& git_dir, const std::string& path);

/// `text`: "" or "HEAD", a ref name or its end, an id or its first seven digits or more.
[[nodiscard]] Result<Commit, Error> find_commit(git_repository* repo, const std::string& text);
[[nodiscard]] Result<Commit, Error> find_commit(git_repository* repo, const ObjectId& id);
[[nodiscard]] Result<Tree, Error> tree_of(const git_commit* commit);

/// The bytes of a blob of at most `max`.
[[nodiscard]] Result<std::string, Error> read_blob(git_repository* repo, const git_oid& id,
                                                   std::uint64_t max);

}  // namespace cg::git
