// A person's own fix: a commit, and who vouches for it.
//
// What anybody could put into a branch would be remembered and carried over elsewhere, so somebody
// has to have signed it whom policy/allowed_signers lets sign in the namespace `git`, as
// `git commit -S` does with an SSH key. The gates decide all the same whether it is a fix.
#pragma once

#include <string>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/domain/error.h"
#include "fetch/gitrepo/types.h"
#include "trust/sign/allowed_signers.h"

namespace cg::handmade {

struct Fix {
  std::string named;  // as it was asked for: a branch, a tag, a commit id
  gitrepo::ObjectId commit;
  gitrepo::ObjectId parent;  // the first
  std::string signer;        // fingerprint
};

/// `repo` is a folder of the repository, `named` a branch, tag or commit of it.
[[nodiscard]] Result<Fix, Problem> read_fix(const std::string& repo, const std::string& named,
                                            const sign::AllowedSigners& signers, Time now);

}  // namespace cg::handmade
