// Sources: which of a repository's files use a package, and what of them is shown to a model.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "flow/propose/groups.h"
#include "flow/propose/situation.h"
#include "model/tiers/asking.h"
#include "npm/upgrade/used.h"

namespace cg::propose {

/// What one question shows: files that no other question about the same group has.
struct Part {
  std::map<std::string, std::string> texts;  // whole, by path; never in a prompt
  std::vector<tiers::Text> snippets;         // the functions around the uses, most uses first
};

/// The files at the base that use the package, beneath the repository.
struct Sources {
  std::vector<Part> parts;         // at least one; it may show nothing, and no other does
  upgrade::Used used;              // what all of them import of the package, and may use
  std::vector<std::string> notes;  // one line each, for the operator

  /// How many files are shown.
  [[nodiscard]] std::size_t files() const;
};

/// Questions about one group; what a workflow may spend usually ends sooner.
inline constexpr std::size_t kMaxParts = 8;
/// What the sources of one question may take of its call, as JSON, with fences and paths: about
/// half of what is left beside what we say, so that there is room for what the package says.
inline constexpr std::size_t kMaxPartBytes = std::size_t{16} * 1024;
/// As that counts it: never less than what the fenced text takes.
[[nodiscard]] std::size_t prompt_cost(const tiers::Text& text);

/// The text of a source by its path beneath the repository, if there is one.
using Lookup = std::function<std::optional<std::string>(const std::string& path)>;

/// Of these files, path and text, those that use `package`, shared out among as few parts as hold
/// them; the file that uses it most comes first. What does not fit is a note, and so is what nobody
/// can read: .vue, .svelte, .astro, what is no UTF-8, what is too large. Where there is room left,
/// what the functions take from other files comes last, which are found by `lookup`; those may not
/// be rewritten.
[[nodiscard]] Sources sources_among(const std::map<std::string, std::string>& files,
                                    const std::string& package, const Lookup& lookup = {});

/// The files at the base that name `package` and belong to `manifest`: a file belongs to the
/// nearest manifest above it.
[[nodiscard]] Result<std::map<std::string, std::string>, Problem> files_naming(
    const Situation& situation, const std::string& package, const std::string& manifest);

/// Sources of a commit that belong to a manifest, each read when it is asked for.
struct Tree {
  os::Dir folder;
  std::set<std::string> paths;

  [[nodiscard]] std::optional<std::string> read(const std::string& path) const;
  /// Those that name `package`, by path.
  [[nodiscard]] std::map<std::string, std::string> naming(const std::string& package) const;
};
/// In the folder `name` of the run's own.
[[nodiscard]] Result<Tree, Problem> tree_at(const Situation& situation,
                                            const gitrepo::ObjectId& commit,
                                            const std::string& name, const std::string& manifest);

/// Of the files that belong to `group.manifest`.
[[nodiscard]] Result<Sources, Problem> sources_of(const Situation& situation,
                                                  const HandedOn& group);

}  // namespace cg::propose
