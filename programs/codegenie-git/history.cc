#include "history.h"

#include <map>
#include <set>
#include <tuple>

#include "fetch/gitrepo/names.h"

namespace cg::git {

namespace {

constexpr int kSubjects = 20;
constexpr int kMaxSeen = 400;

std::string_view subject_of(const git_commit* commit) {
  const std::string_view message = git_commit_message(commit);
  return message.substr(0, message.find('\n'));
}

/// Younger first; the id only so that the order is always the same.
using Key = std::tuple<git_time_t, ObjectId>;

}  // namespace

bool mostly_conventional(git_repository* repo, const git_commit* start) {
  std::map<Key, Commit> next;
  std::set<ObjectId> seen;
  const auto add = [&](const git_oid* oid) {
    git_commit* found = nullptr;
    if (!seen.insert(id_of(*oid)).second || git_commit_lookup(&found, repo, oid) != 0) return;
    next.emplace(Key{-git_commit_time(found), id_of(*oid)}, Commit(found));
  };
  add(git_commit_id(start));
  int subjects = 0;
  int conventional = 0;
  for (int i = 0; i < kMaxSeen && subjects < kSubjects && !next.empty(); ++i) {
    const auto node = next.extract(next.begin());
    const git_commit* commit = node.mapped().get();
    const unsigned parents = git_commit_parentcount(commit);
    for (unsigned p = 0; p < parents && p < kSubjects; ++p) add(git_commit_parent_id(commit, p));
    if (parents > 1) continue;
    ++subjects;
    if (gitrepo::is_conventional(subject_of(commit))) ++conventional;
  }
  return conventional * 2 > subjects;
}

}  // namespace cg::git
