// What can be wrong with a repository, as one closed type.
#pragma once

#include <string>

#include "base/domain/error.h"

namespace cg::gitrepo {

struct Error {
  enum class Kind {
    not_a_repository,
    hostile,             // made to lead us out of it or to look like what it is not
    unsupported,         // reftable, SHA-256, borrowed objects, a git folder apart
    missing_base,        // no such branch or commit, or none yet
    damaged,             // an object, ref or index is missing or broken
    bad_request,         // a path, name, message or branch that git would not take
    nothing_to_commit,   // the changes change nothing
    branch_checked_out,  // in some work tree
    branch_in_the_way,   // `codegenie` where `codegenie/x` should be, or the reverse
    locked,              // another program of git is writing the same ref
    too_large,
    storage,  // no space, no permission, disk error
    stopped,  // codegenie-git could not shut itself in, was killed, or answered rubbish
    missing_program,
  };
  Kind kind = Kind::damaged;
  std::string what;  // one printable line
};
inline constexpr Error::Kind kLastKind = Error::Kind::missing_program;

/// `repo` as the operator named it.
[[nodiscard]] Problem to_problem(const Error& error, const std::string& repo);

}  // namespace cg::gitrepo
