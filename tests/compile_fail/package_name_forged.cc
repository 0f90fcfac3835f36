// must fail: is private
// A package that a model named has been through PackageName::parse().
#include "model/proposal/path.h"

std::optional<cg::proposal::PackageName> made() {
#ifdef MUST_FAIL
  return cg::proposal::PackageName("--registry=x");
#else
  return cg::proposal::PackageName::parse("--registry=x");
#endif
}
