// Novelty: what a version of a package brings that the one before it had not.
//
// For who decides whether to merge. Nothing is run: the two tarballs are compared. What code does
// is not said here, only that it is there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/exports/api.h"

namespace cg::exports {

struct Novelty {
  std::vector<std::string> loaded;    // files that run when the package is imported, and are new
  std::vector<std::string> programs;  // bin: "cli -> bin/cli.js", new or leading elsewhere
  std::vector<std::string> scripts;   // of installing, "postinstall: node x.js", new or changed
  std::vector<std::string> native;    // files for a processor, new
  std::uint64_t files_before = 0;
  std::uint64_t files_after = 0;
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

/// Each list sorted. Which files run is followed by require() and import of paths that are written
/// down; what cannot be read is left out.
[[nodiscard]] Result<Novelty, Error> compare(std::string_view before, std::string_view after,
                                             const Limits& limits = {});

/// One line each, empty for nothing: "2 new files run when it is imported: a.js, b.js". What others
/// wrote is printable(), and bounded.
[[nodiscard]] std::vector<std::string> describe(const Novelty& novelty);

}  // namespace cg::exports
