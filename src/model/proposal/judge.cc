#include "model/proposal/judge.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/base/match.h"
#include "base/base/text.h"
#include "base/json/diff.h"
#include "fix/plan/market.h"
#include "model/proposal/scripts.h"
#include "model/rewrite/rewrite.h"
#include "npm/syntax/language.h"

namespace cg::proposal {

namespace {

using What = Accepted::What;

Failure<Rejection> reject(Reason reason, std::string_view where) {
  return fail(Rejection{reason, where});
}

Result<const ManifestFacts*, Rejection> manifest_of(const RepoPath& path, const Known& known) {
  const auto found = std::find_if(known.manifests.begin(), known.manifests.end(),
                                  [&](const ManifestFacts& m) { return m.path == path.str(); });
  if (found == known.manifests.end()) return reject(Reason::no_such_manifest, "manifest_path");
  return &*found;
}

Result<const Copies*, Rejection> copies_of(const PackageName& package, const Known& known) {
  const auto found = std::find_if(known.packages.begin(), known.packages.end(),
                                  [&](const Copies& c) { return c.package == package.str(); });
  if (found == known.packages.end()) return reject(Reason::wrong_package, "package");
  return &*found;
}

std::optional<Reason> reason_of(plan::Blocker blocker) {
  switch (blocker) {
    case plan::Blocker::none:
      return std::nullopt;
    case plan::Blocker::gates:
      return Reason::tried_before;
    case plan::Blocker::engine:
      return Reason::engine;
    case plan::Blocker::bundled:
    case plan::Blocker::shrinkwrap:
      return Reason::not_lockable;
    case plan::Blocker::range:
    case plan::Blocker::override_rule:
    case plan::Blocker::peer:
    case plan::Blocker::policy:
    case plan::Blocker::source:
    case plan::Blocker::no_version:
    case plan::Blocker::major:
    case plan::Blocker::malware:
    case plan::Blocker::unsupported:
    case plan::Blocker::registry:
    case plan::Blocker::ignored:
    case plan::Blocker::unproven:
      return Reason::policy;
  }
  return Reason::policy;
}

/// A version that somebody wants to put in the place of `installed`.
struct Wish {
  const Copies& copies;
  std::vector<semver::Version> installed;  // that it replaces
  const semver::Version& version;
  std::string_view key;
};

bool any_prerelease(const std::vector<semver::Version>& versions) {
  return std::any_of(versions.begin(), versions.end(),
                     [](const semver::Version& version) { return version.has_prerelease(); });
}

/// Some other version is newer too, safe, and not deprecated.
bool has_better(plan::Offers& offers, const Wish& wish) {
  const auto better = [&](const semver::Version& installed) {
    const std::vector<std::size_t> safe = offers.safe_above(installed);
    return !safe.empty() && !offers.packument().deprecated(safe.front());
  };
  return std::any_of(wish.installed.begin(), wish.installed.end(), better);
}

/// Older than none that it replaces, and newer than one: for a bump there is one only.
bool is_newer(const Wish& wish) {
  const auto& all = wish.installed;
  const bool newer = std::any_of(all.begin(), all.end(), [&](const semver::Version& installed) {
    return installed < wish.version;
  });
  const bool older = std::any_of(all.begin(), all.end(), [&](const semver::Version& installed) {
    return wish.version < installed;
  });
  return newer && !older;
}

Result<Done, Rejection> check_version(const Wish& wish, const Known& known) {
  plan::Market market(known.source, known.advisories, known.options,
                      {{wish.copies.package, wish.copies.installed}});
  plan::Offers* offers = market.offers(wish.copies.package);
  if (offers == nullptr) return reject(Reason::no_metadata, "package");
  const auto found = offers->packument().find(wish.version);
  if (!found || !offers->packument().version(*found).same_text(wish.version)) {
    return reject(Reason::not_published, wish.key);
  }
  if (!is_newer(wish)) return reject(Reason::not_newer, wish.key);
  if (offers->affected(*found)) return reject(Reason::still_vulnerable, wish.key);
  if (wish.version.has_prerelease() && !any_prerelease(wish.installed)) {
    return reject(Reason::prerelease, wish.key);
  }
  if (const auto reason = reason_of(offers->refused(*found, wish.copies.install_script))) {
    return reject(*reason, wish.key);
  }
  if (offers->packument().deprecated(*found) && has_better(*offers, wish)) {
    return reject(Reason::deprecated, wish.key);
  }
  return Done{};
}

Result<What, Rejection> judge_bump(const DepBump& wish, const Known& known) {
  CG_TRY_ASSIGN(const Copies* copies, copies_of(wish.package, known));
  CG_TRY_ASSIGN(const ManifestFacts* manifest, manifest_of(wish.manifest, known));
  const auto direct = std::find_if(manifest->direct.begin(), manifest->direct.end(),
                                   [&](const Direct& d) { return d.package == copies->package; });
  if (direct == manifest->direct.end()) return reject(Reason::not_direct, "package");
  CG_TRY(check_version({*copies, {direct->installed}, wish.target, "target_version"}, known));
  return What(Bump{wish.manifest, wish.package, direct->installed, wish.target});
}

Result<What, Rejection> judge_override(const Override& wish, const Known& known) {
  CG_TRY_ASSIGN(const Copies* copies, copies_of(wish.package, known));
  CG_TRY_ASSIGN(const ManifestFacts* manifest, manifest_of(wish.manifest, known));
  // npm, yarn and pnpm read such rules in the root manifest alone.
  if (manifest != &known.manifests.front()) return reject(Reason::not_root, "manifest_path");
  CG_TRY(check_version({*copies, copies->installed, wish.forced, "forced_version"}, known));
  return What(Force{wish.manifest, wish.package, wish.forced});
}

Reason reason_of(rewrite::Breach breach) {
  // In the same order, to the end of both lists.
  constexpr auto kFirst = static_cast<int>(Reason::not_understood);
  static_assert(static_cast<int>(Reason::carries_orders) - kFirst ==
                static_cast<int>(rewrite::Breach::carries_orders));
  return static_cast<Reason>(kFirst + static_cast<int>(breach));
}

Rejection misplaced(json::Misplaced why, const json::FilePatch& file, std::string_view text) {
  const bool several = why.kind == json::Misplaced::Kind::ambiguous;
  Rejection out{several ? Reason::ambiguous : Reason::does_not_apply, "diff", file.path};
  if (!why.places.empty()) out.line = why.places.front();
  out.stands = excerpts_at(why.places, file.hunks[why.hunk - 1].old_count(), text);
  out.misplaced = std::move(why);
  return out;
}

Result<std::string, Rejection> rewritten(const json::FilePatch& file, const Known& known) {
  const auto shown = known.files.find(file.path);
  if (shown == known.files.end()) return reject(Reason::file_not_shown, "files");
  const auto refuse = [&](Reason reason, std::string_view where, std::size_t line = 0) {
    return fail(Rejection{reason, where, file.path, line});
  };
  if (names_file(known.script_commands, file.path)) return refuse(Reason::script_file, "files");
  auto text = json::place(file, shown->second);
  if (!text) return fail(misplaced(std::move(text).error(), file, shown->second));
  if (*text == shown->second) return refuse(Reason::changes_nothing, "diff");
  const auto language = syntax::language_of(lower_ascii(file.path));
  if (!language || known.packages.empty()) return refuse(Reason::not_understood, "diff");
  const auto found = rewrite::find_breach({.before = shown->second,
                                           .after = *text,
                                           .language = *language,
                                           .package = known.packages.front().package,
                                           .api = known.api ? &*known.api : nullptr});
  if (found) return refuse(reason_of(found->breach), "diff", found->line);
  return *std::move(text);
}

Result<What, Rejection> judge_rewrite(const CallsiteRewrite& wish, const Known& known) {
  CG_TRY(manifest_of(wish.manifest, known));
  Rewrite out{wish.manifest, {}, {}};
  json::Patch made;
  for (const json::FilePatch& file : wish.diff.patch().files) {
    CG_TRY_ASSIGN(std::string text, rewritten(file, known));
    made.files.push_back(json::difference(file.path, known.files.find(file.path)->second, text));
    out.texts.emplace(file.path, std::move(text));
  }
  out.diff = json::write_diff(made);
  return What(std::move(out));
}

Result<What, Rejection> judge_any(const Proposal& proposal, const Known& known) {
  return match(
      proposal, [&](const DepBump& wish) { return judge_bump(wish, known); },
      [&](const Override& wish) { return judge_override(wish, known); },
      [&](const CallsiteRewrite& wish) { return judge_rewrite(wish, known); },
      [](const Refuse& refusal) { return Result<What, Rejection>(Declined{refusal.reason}); });
}

}  // namespace

std::string_view name(Reason reason) {
  constexpr std::string_view kNames[] = {
      "wrong_package", "no_such_manifest", "not_direct",       "not_root",        "no_metadata",
      "not_published", "not_newer",        "still_vulnerable", "prerelease",      "deprecated",
      "policy",        "engine",           "not_lockable",     "tried_before",    "file_not_shown",
      "script_file",   "does_not_apply",   "ambiguous",        "changes_nothing", "not_understood",
      "new_global",    "new_import",       "not_exported",     "dynamic_code",    "other_call",
      "outside_write", "captured_name",    "disguised_name",   "changed_check",   "silenced_checks",
      "new_address",   "carries_orders"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Reason::carries_orders) + 1);
  return kNames[static_cast<std::size_t>(reason)];
}

Result<Accepted, Rejection> judge(const Proposal& proposal, const Known& known) {
  CG_TRY_ASSIGN(What what, judge_any(proposal, known));
  return Accepted(std::move(what));
}

std::string_view kind_of(const Accepted& accepted) {
  return match(
      accepted.what(), [](const Bump&) { return "dep_bump"; },
      [](const Force&) { return "override"; }, [](const Rewrite&) { return "callsite_rewrite"; },
      [](const Declined&) { return "refuse"; });
}

}  // namespace cg::proposal
