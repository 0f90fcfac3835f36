// Reading: what two versions of a package say for themselves, for who asks how to get from one to
// the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/precedent/lesson.h"
#include "flow/propose/groups.h"
#include "flow/propose/situation.h"
#include "flow/propose/sources.h"
#include "npm/exports/exports.h"
#include "npm/exports/unpack.h"
#include "npm/upgrade/gist.h"

namespace cg::propose {

struct Reading {
  std::optional<exports::Api> api;  // of the new version
  upgrade::Gist gist;               // what kind of break it is
  std::vector<tiers::Text> texts;   // what changed in it, and what its authors say; to be fenced
  std::vector<std::string> notes;   // what could not be read, one line each
};

/// A version as it was published, and the declarations that others wrote for it where it has none.
struct Published {
  semver::Version version;
  std::optional<exports::Unpacked> package;  // with its documents (notes::is_document)
  std::optional<exports::Unpacked> types;
};
/// How many bytes there are for the texts.
struct Room {
  std::size_t api = cap_of(SourceKind::package_api);
  std::size_t docs = cap_of(SourceKind::package_docs);
};
/// `used` of it by us comes first.
[[nodiscard]] Reading read_about(const std::string& package, const Published& before,
                                 const Published& after, const upgrade::Used& used,
                                 const Room& room = {});

/// From the tarballs, by way of the catalog, and from those of @types where the package brings no
/// declarations.
[[nodiscard]] Result<Reading, Problem> read_versions(Situation& situation,
                                                     const std::string& package,
                                                     const semver::Version& from,
                                                     const semver::Version& to,
                                                     const upgrade::Used& used);

/// The newest of it that is installed.
[[nodiscard]] std::optional<semver::Version> newest_of(const HandedOn& group);

/// The break as it is known before anybody has an answer: what solved examples are looked for by,
/// and what one is about. `files` are those that use the package.
[[nodiscard]] Result<example::Example, Problem> break_between(
    const Situation& situation, const HandedOn& group, const semver::Version& from,
    const semver::Version& to, const Reading& reading, precedent::Texts files);

}  // namespace cg::propose
