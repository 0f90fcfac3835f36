// Sources: which of a repository's files use a package, and what of them is shown to a model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flow/propose/groups.h"
#include "flow/propose/situation.h"
#include "model/tiers/asking.h"
#include "npm/upgrade/used.h"

namespace cg::propose {

/// The files at the base that use the package, beneath the repository.
struct Sources {
  std::map<std::string, std::string> texts;  // whole, by path; never in a prompt
  std::vector<tiers::Text> snippets;         // the functions around the uses, most uses first
  upgrade::Used used;                        // what they import of it, and may use
  std::vector<std::string> notes;            // one line each, for the operator
};

/// Of the files that belong to `group.manifest`: one of another workspace has another manifest
/// nearer to it. All together are as many bytes as one segment of source may have, so that the
/// prompt has room for what the package says; the file that uses it most comes first. What does
/// not fit, and what nobody can read (.vue, .svelte, .astro), is a note.
[[nodiscard]] Result<Sources, Problem> sources_of(const Situation& situation,
                                                  const HandedOn& group);

}  // namespace cg::propose
