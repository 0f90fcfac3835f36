// Groups: copies that are fixed together, on one branch, and who is to think of how.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fix/report/case.h"
#include "flow/job/request.h"
#include "flow/propose/plans.h"

namespace cg::propose {

/// Copies in one lockfile that a model may be asked about: see handing_on.h.
struct HandedOn {
  std::size_t lock = 0;    // in Scanned::loaded
  std::string package;     // that moves: what is asked about is how it is used
  std::string vulnerable;  // what it brings in, that the advisories are about; empty: itself
  std::string manifest;    // that asks for it, beneath the repository
  std::vector<std::string> versions;    // of it, installed, sorted
  std::vector<std::string> advisories;  // sorted
  std::vector<std::string> locations;   // of it, sorted
  unsigned before = 0;   // attempts that recipes had at it, and that the gates turned down
  bool planned = false;  // what recipes planned is what calls are to be rewritten for
};

/// How many attempts come before the first question: those of recipes, and the version alone unless
/// they had that.
[[nodiscard]] inline unsigned unasked(const HandedOn& one) {
  return one.before + (one.planned ? 0U : 1U);
}

struct Group {
  std::string id;                     // the same for the same copies, whatever the fix is
  std::vector<std::size_t> fixes;     // of the case; none if no recipe had a plan
  std::set<std::string> copies;       // copy_key() of each
  std::optional<HandedOn> handed_on;  // nothing: it is recipes' turn
};

/// One for each branch that the case plans.
[[nodiscard]] std::vector<Group> planned_groups(const report::Case& c);

/// Fixes that touch the same copy, manifest key or package belong together, and so do
/// all that add overrides: nothing that needs another branch is left alone. Numbers of
/// Case::fixes, from 1; groups by their first fix.
[[nodiscard]] std::vector<std::vector<std::size_t>> group_fixes(
    const std::vector<report::Fix>& fixes, job::Grouping grouping);

/// The groups that a planned one consists of: of each, nothing is shared with the others but that
/// several may add rules to the root manifest, which goes on one branch and can be told apart.
[[nodiscard]] std::vector<Group> parts_of(const report::Case& c, const Group& group);
/// Those of `parts` that are named, as one.
[[nodiscard]] Group joined(const std::vector<Group>& parts, const std::vector<std::size_t>& named);

/// The fixes of a planned group in one of `lockfiles`, and those in others, as groups of their own;
/// either may have none.
[[nodiscard]] std::pair<Group, Group> split(const report::Case& c, const Group& group,
                                            const std::set<std::string>& lockfiles);

/// Group::id.
[[nodiscard]] std::string group_id(const std::set<std::string>& copies);

/// A copy and what is wrong with it, as one text.
[[nodiscard]] std::string copy_key(const std::string& lockfile, const std::string& location,
                                   const std::string& advisory);

/// The hits of these copies alone.
[[nodiscard]] Wanted wanted_of(const scan::Scanned& scanned, const std::set<std::string>& copies);

}  // namespace cg::propose
