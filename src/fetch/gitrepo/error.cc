#include "fetch/gitrepo/error.h"

#include "base/base/text.h"

namespace cg::gitrepo {

namespace {

using Kind = Error::Kind;

ErrorCode code_of(Kind kind) {
  switch (kind) {
    case Kind::not_a_repository:
      return ErrorCode::git_not_a_repository;
    case Kind::hostile:
      return ErrorCode::git_hostile;
    case Kind::unsupported:
      return ErrorCode::git_unsupported;
    case Kind::missing_base:
      return ErrorCode::git_missing_base;
    case Kind::damaged:
      return ErrorCode::git_damaged;
    case Kind::bad_request:
      return ErrorCode::git_request;
    case Kind::nothing_to_commit:
      return ErrorCode::git_nothing;
    case Kind::branch_checked_out:
      return ErrorCode::git_checked_out;
    case Kind::branch_in_the_way:
      return ErrorCode::git_in_the_way;
    case Kind::locked:
      return ErrorCode::git_locked;
    case Kind::too_large:
      return ErrorCode::git_too_large;
    case Kind::storage:
      return ErrorCode::git_storage;
    case Kind::stopped:
    case Kind::missing_program:
      return ErrorCode::git_stopped;
  }
  return ErrorCode::git_stopped;
}

std::vector<std::string> help_for(Kind kind) {
  switch (kind) {
    case Kind::not_a_repository:
      return {"git init && git add . && git commit, then again"};
    case Kind::missing_base:
      return {"name a branch or commit with --base"};
    case Kind::damaged:
      return {"git fsck --full says what is missing"};
    case Kind::branch_checked_out:
      return {"git switch to another branch there, then again"};
    case Kind::branch_in_the_way:
      return {"choose another --branch-prefix"};
    case Kind::locked:
      return {"wait for the other git, or remove a lock that a dead one left"};
    default:
      return {};
  }
}

}  // namespace

Problem to_problem(const Error& error, const std::string& repo) {
  const ErrorCode code = code_of(error.kind);
  Problem problem{code, std::string(row(code).title), {}, {}, {}};
  problem.where = {{"repo", printable(repo)}, {"found", printable(error.what)}};
  problem.effect = "no branch was made or moved; checkout and index are as they were";
  problem.help = help_for(error.kind);
  return problem;
}

}  // namespace cg::gitrepo
