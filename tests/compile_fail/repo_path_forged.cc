// must fail: is private
// A path that a model named has been through RepoPath::parse().
#include "model/proposal/path.h"

std::optional<cg::proposal::RepoPath> made() {
#ifdef MUST_FAIL
  return cg::proposal::RepoPath("../package.json");
#else
  return cg::proposal::RepoPath::parse("../package.json");
#endif
}
