// Code: how the files that define what is used read before and after, line by line.
//
// For what no declaration says: how a module hands out what it has, what a function does with
// what it is given, what it gives back, what it throws. Of files that nobody wrote by hand there
// is nothing.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "npm/upgrade/difference.h"
#include "npm/upgrade/listing.h"

namespace cg::upgrade {

/// "path name" of what is used and not there any more.
using Gone = std::set<std::string, std::less<>>;

/// Those that say most first: files that define what is used, then those that they load, each
/// with the lines that only one version has. Of what is gone, all of the file that defined it.
[[nodiscard]] std::vector<Code> code_between(Lister& before, Lister& after, const Used& used,
                                             const Gone& gone);

}  // namespace cg::upgrade
