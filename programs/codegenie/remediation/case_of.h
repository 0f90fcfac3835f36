// The case of a run: what its plans, scans and lookups come to, and then its gates.
#pragma once

#include "fetch/catalog/catalog.h"
#include "findings/rule_book.h"
#include "fix/report/case.h"
#include "proving/attempts.h"
#include "remediation/checkout.h"
#include "remediation/planning.h"

namespace cg::program {

/// Everything but what proving and writing add: gates, commits, evidence and the end.
void fill_case(report::Case& c, const RemediationRequest& request, const Checkout& checkout,
               const Scanned& before, const Scanned& after, const std::vector<LockPlan>& plans,
               const EditedFiles& files, catalog::Catalog& catalog);

/// Of it, what all plans together change: packages that move, files, findings. `replaced` has
/// those of `files` that planning does not read, as they are at the base.
void fill_changes(report::Case& c, const Checkout& checkout, const Scanned& before,
                  const Scanned& after, const std::vector<LockPlan>& plans,
                  const EditedFiles& files, const EditedFiles& replaced, catalog::Catalog& catalog);

/// `c` with these plans alone, and one branch that holds all of them.
[[nodiscard]] report::Case case_of_group(const report::Case& c, const std::vector<LockPlan>& plans,
                                         const std::string& prefix);

/// A group of steps after its attempts.
struct SettledGroup {
  std::vector<std::size_t> steps;  // as the case had them before; none if a model was asked
  report::Branch branch;           // written, if it passed
  Attempted attempted;
  std::vector<std::string> copies = {};  // copy_key() of those that a model was asked about
};
[[nodiscard]] std::string copy_key(const std::string& lockfile, const plan::Copy& copy);

/// Puts in place of what was planned what came of it, and judges anew.
void settle_case(report::Case& c, const std::vector<SettledGroup>& groups);

}  // namespace cg::program
