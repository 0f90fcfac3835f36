// What a remediation finds out on its way, as events, refusals and warnings.
#pragma once

#include <string>
#include <vector>

#include "fetch/catalog/catalog.h"
#include "fix/report/case.h"
#include "flow/job/files.h"
#include "flow/remediate/fixing.h"
#include "flow/scan/scan.h"
#include "model/prompt/segments.h"
#include "trust/record/event.h"

namespace cg::remediate {

/// Tier 0: what the application does not bring is refused before anything is spent.
[[nodiscard]] std::vector<std::string> gate_provenance(const findings::Scan& scan,
                                                       record::Events& events);

/// The same of advisories that are not about npm. One that no record has is a Problem.
[[nodiscard]] Result<std::vector<std::string>, Problem> gate_ecosystem(
    vulnindex::Index& index, const std::vector<std::string>& advisories, record::Events& events);

/// Entries that do not say what they seem to: nothing is built on such a lock. What is
/// only weak goes to `warnings`.
[[nodiscard]] std::vector<std::string> lies_of(const scan::Scanned& scanned,
                                               std::vector<std::string>& warnings);

/// What somebody should be woken for, if that is what ended the run.
void tell_alarm(const Problem& ended, record::Events& events);

[[nodiscard]] record::ContextGathered gathered(const scan::Scanned& scanned);
[[nodiscard]] record::RegistryConsulted consulted(const catalog::Catalog& catalog);

/// What was answered about each copy, what came of it, and what the files hold now.
void tell_plan(const report::Case& c, const job::EditedFiles& files, record::Events& events);

/// Packages that could not be looked up, and why: a copy that waits for one says only that.
void tell_lacks(const catalog::Catalog& catalog, std::vector<std::string>& warnings);

/// Tracked lockfiles that were not read: for the report, and told at once.
void tell_skipped(const findings::RepoFacts& repo, report::Case& c,
                  std::vector<std::string>& warnings);

/// What a model was not told of texts that it was shown: secrets, orders to it, what did not fit.
/// For the report, and told at once.
void tell_withheld(const std::vector<prompt::Segment>& marked, report::Case& c,
                   std::vector<std::string>& warnings);

/// Why a model gave up, in its own words, which are quoted and not to be trusted.
void tell_refusals(const std::vector<SettledGroup>& groups, std::vector<std::string>& warnings);

}  // namespace cg::remediate
