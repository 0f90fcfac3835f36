// Verify: whether a bundle is what was written, and says what its events do. Offline; the log
// of a workspace counts if it is given.
#pragma once

#include "prove/evidence/bundle.h"
#include "prove/evidence/bundle_report.h"

namespace cg::evidence {

/// The workflow that a bundle says it is of; empty if its case cannot be read.
[[nodiscard]] std::string workflow_of(const Files& files);

/// Reads everything and changes nothing. Digests first: while one is wrong, nothing else
/// is looked at.
[[nodiscard]] BundleReport verify_bundle(const Files& files, const Trust& trust);

}  // namespace cg::evidence
