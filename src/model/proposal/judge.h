// What of a proposal may be done.
//
// A proposal that parses is well-formed, no more. This compares it with what is known without
// the model: what is installed, what is published and safe, which files were shown. Only what
// comes out of here is carried out, and it holds all that carrying it out needs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/base/result.h"
#include "base/json/placing.h"
#include "fix/plan/advisories.h"
#include "fix/plan/options.h"
#include "model/proposal/excerpt.h"
#include "model/proposal/proposal.h"
#include "npm/exports/exports.h"
#include "npm/registry/packument.h"
#include "npm/semver/version.h"

namespace cg::proposal {

/// A package that may be moved, with the copies that are installed.
struct Copies {
  std::string package;
  std::vector<semver::Version> installed;
  bool install_script = false;  // some copy has one
};
/// A dependency that a manifest names, with the version that it gets.
struct Direct {
  std::string package;
  semver::Version installed;
};
struct ManifestFacts {
  std::string path;
  std::vector<Direct> direct;
};

/// What is known without the model.
struct Known {
  std::vector<Copies> packages;          // the vulnerable one, and those that bring it
  std::vector<ManifestFacts> manifests;  // that exist; the root's first
  /// What the prompt showed of, whole and as it stands in the tree: path to text. A file that
  /// is a link or that lies outside must not be in here.
  std::map<std::string, std::string, std::less<>> files;
  /// script_commands() of every manifest: a file that they name judges the rewrite or is run
  /// without a judge, so the rewrite may not change it.
  std::vector<std::string> script_commands;
  /// What `packages.front()` exports in the version that a rewrite moves it to. Nothing if that
  /// could not be read: then a rewrite may use no export that the file does not use already.
  std::optional<exports::Api> api;
  registry::Source& source;      // pinned metadata
  plan::Advisories& advisories;  // all of the index
  const plan::Options& options;  // cooldown, scripts, engines, what was tried before
};

enum class Reason {
  wrong_package,  // not the advisory's, nor one that brings it
  no_such_manifest,
  not_direct,   // dep_bump of what the manifest does not name
  not_root,     // override elsewhere than in the root manifest
  no_metadata,  // the package could not be looked up
  not_published,
  not_newer,         // than the copy it replaces; an override: older than some copy
  still_vulnerable,  // some advisory of the index speaks of it
  prerelease,        // where what is installed is none
  deprecated,        // where another version would do
  policy,            // cooldown, a new install script
  engine,            // needs another node
  not_lockable,      // bundles or shrinkwraps what no lock entry can say
  tried_before,
  file_not_shown,
  script_file,     // named by a script of a manifest
  does_not_apply,  // its old lines do not stand in the file, in their order
  ambiguous,       // they do in several places, and its hunks leave more than one
  changes_nothing,
  not_understood,  // this and what follows are rewrite::Breach
  new_global,
  new_import,
  not_exported,
  dynamic_code,
  other_call,
  outside_write,
  captured_name,
  disguised_name,
  changed_check,
  silenced_checks,
  new_address,
  carries_orders,
};
[[nodiscard]] std::string_view name(Reason reason);

/// For whoever asks again: feedback.h.
struct Rejection {
  Reason reason;
  std::string_view where;  // a key of the proposal
  std::string file = {};   // of a rewrite
  std::size_t line = 0;    // of it, from 1: where a hunk might belong, or as rewrite::Finding says
  std::optional<json::Misplaced> misplaced = {};  // does_not_apply and ambiguous
  std::vector<Excerpt> stands = {};               // at the places that it speaks of
};

struct Bump {
  RepoPath manifest;
  PackageName package;
  semver::Version from;
  semver::Version to;
};
struct Force {
  RepoPath manifest;
  PackageName package;
  semver::Version to;
};
struct Rewrite {
  RepoPath manifest;
  std::map<std::string, std::string, std::less<>> texts;  // path to new text; all were shown
  std::string diff;  // from the old texts to these, as we see it: nothing of the model's spelling
};
struct Declined {
  RefusalReason reason;
};

/// What may be carried out. Only judge() makes one.
class Accepted {
 public:
  using What = std::variant<Bump, Force, Rewrite, Declined>;
  [[nodiscard]] const What& what() const { return what_; }

 private:
  friend Result<Accepted, Rejection> judge(const Proposal& proposal, const Known& known);
  explicit Accepted(What what) : what_(std::move(what)) {}
  What what_;
};

[[nodiscard]] Result<Accepted, Rejection> judge(const Proposal& proposal, const Known& known);
/// "dep_bump", as of the proposal that it was.
[[nodiscard]] std::string_view kind_of(const Accepted& accepted);

}  // namespace cg::proposal
