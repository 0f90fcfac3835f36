// must fail: exactly one arm per alternative
// An eighth kind of provenance, or a forgotten one, does not compile.
#include "base/base/match.h"
#include "vuln/provenance/provenance.h"

using namespace cg::provenance;

bool refused(const Provenance& provenance) {
  return cg::match(
      provenance, [](const AppDirect&) { return false; },
      [](const AppTransitive&) { return false; }, [](const AppVendored&) { return false; },
      [](const Both&) { return false; }, [](const BaseImage&) { return true; },
      [](const RuntimeBundled&) { return true; }
#ifndef MUST_FAIL
      ,
      [](const Unknown&) { return true; }
#endif
  );
}
