// Cases made by hand, for the tests of this module and of evidence.
#pragma once

#include <string>

#include "fix/report/case.h"

namespace cg::report::test {

/// One copy fixed by a direct bump, on a branch.
[[nodiscard]] Case fixed_case();
/// Three lockfiles' worth: relock, override, a blocked and a handed-on copy, two branches.
[[nodiscard]] Case mixed_case();
/// The same with a branch that a model's rewrite of a source made, its tests judged by their end.
[[nodiscard]] Case model_case();
/// `text` wherever a case has text that others wrote.
[[nodiscard]] Case nasty_case(const std::string& text);
/// Before and after scans that fit fixed_case().
[[nodiscard]] findings::Scan before_scan();
[[nodiscard]] findings::Scan after_scan();

}  // namespace cg::report::test
