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

/// Of these files, path and text, those that use `package`. All together are as many bytes as one
/// segment of source may have, so that the prompt has room for what the package says; the file that
/// uses it most comes first. What does not fit, and what nobody can read (.vue, .svelte, .astro),
/// is a note.
[[nodiscard]] Sources sources_among(const std::map<std::string, std::string>& files,
                                    const std::string& package);

/// The files at the base that name `package` and belong to `manifest`: a file belongs to the
/// nearest manifest above it.
[[nodiscard]] Result<std::map<std::string, std::string>, Problem> files_naming(
    const Situation& situation, const std::string& package, const std::string& manifest);

/// Of the files that belong to `group.manifest`.
[[nodiscard]] Result<Sources, Problem> sources_of(const Situation& situation,
                                                  const HandedOn& group);

}  // namespace cg::propose
