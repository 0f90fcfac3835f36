// The case of a run: what its plans, scans and lookups come to.
#pragma once

#include "catalog/catalog.h"
#include "findings/rule_book.h"
#include "remediation/checkout.h"
#include "remediation/planning.h"
#include "report/case.h"

namespace cg::program {

/// Everything but what writing adds: commits, evidence and the time it ended.
void fill_case(report::Case& c, const RemediationRequest& request, const Checkout& checkout,
               const Scanned& before, const Scanned& after, const std::vector<LockPlan>& plans,
               const EditedFiles& files, catalog::Catalog& catalog);

}  // namespace cg::program
