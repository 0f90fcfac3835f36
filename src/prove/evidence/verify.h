// Verify: whether a bundle is what was written, offline, without the workspace.
#pragma once

#include "prove/evidence/bundle.h"
#include "prove/evidence/bundle_report.h"

namespace cg::evidence {

/// Reads everything and changes nothing. Digests first: while one is wrong, nothing else
/// is looked at.
[[nodiscard]] BundleReport verify_bundle(const Files& files, const Trust& trust);

}  // namespace cg::evidence
