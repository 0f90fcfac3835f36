#include "flow/propose/reading.h"

#include <algorithm>

#include "base/base/text.h"
#include "fetch/catalog/tarball.h"
#include "npm/exports/unpack.h"
#include "npm/notes/notes.h"
#include "npm/upgrade/upgrade.h"

namespace cg::propose {

namespace {

using exports::Unpacked;
using Package = std::optional<Unpacked>;

/// Nothing if it cannot be had or read.
Result<Package, Problem> unpacked(Situation& situation, const std::string& name,
                                  const semver::Version& version) {
  CG_TRY_ASSIGN(const auto tarball, catalog::read_tarball(*situation.catalog, name, version));
  if (!tarball) return Package();
  auto out = exports::unpack(*tarball, {}, notes::is_document);
  return out ? Package(*std::move(out)) : Package();
}

bool has_declarations(const Unpacked& package) {
  return std::any_of(package.sources.begin(), package.sources.end(), [](const auto& file) {
    return file.first.ends_with(".d.ts") || file.first.ends_with(".d.mts") ||
           file.first.ends_with(".d.cts");
  });
}

/// "@types/a__b" of "@a/b".
std::string types_name(const std::string& package) {
  std::string out = package;
  if (const std::size_t slash = out.find('/'); out.starts_with('@') && slash != out.npos) {
    out = out.substr(1, slash - 1) + "__" + out.substr(slash + 1);
  }
  return "@types/" + out;
}

/// The declarations that others wrote for `version`: the newest of its minor version, else the
/// newest of its major version that is no newer.
Result<Package, Problem> types_of(Situation& situation, const std::string& package,
                                  const semver::Version& version) {
  const std::string name = types_name(package);
  const registry::Packument* packument = situation.catalog->get(name);
  if (packument == nullptr) return Package();
  const semver::Version* best = nullptr;
  for (std::size_t i = 0; i < packument->size(); ++i) {
    const semver::Version& one = packument->version(i);
    if (one.has_prerelease() || one.major() != version.major() || one.minor() > version.minor()) {
      continue;
    }
    if (best == nullptr || *best < one) best = &one;
  }
  if (best == nullptr) return Package();
  return unpacked(situation, name, *best);
}

/// As one text: the file and the line of each piece stand above it.
std::string text_of(const notes::Notes& found) {
  std::string out;
  for (const notes::Piece& piece : found.pieces) {
    out += piece.file + ":" + std::to_string(piece.line) + " (" +
           std::string(notes::name(piece.kind)) + ")\n" + piece.text + "\n\n";
  }
  return out;
}

}  // namespace

Result<Reading, Problem> read_versions(Situation& situation, const std::string& package,
                                       const semver::Version& from, const semver::Version& to,
                                       const Sources& sources) {
  Reading out;
  CG_TRY_ASSIGN(Package before, unpacked(situation, package, from));
  CG_TRY_ASSIGN(Package after, unpacked(situation, package, to));
  if (!after) {
    out.notes.push_back("what " + printable(package) + " " + to.str() +
                        " exports could not be read");
    return out;
  }
  if (auto api = exports::read_files(after->sources)) out.api = *std::move(api);

  const upgrade::Used& used = sources.used;
  if (before) {
    Package types_before;
    Package types_after;
    if (!has_declarations(*before)) {
      CG_TRY_ASSIGN(types_before, types_of(situation, package, from));
    }
    if (!has_declarations(*after)) {
      CG_TRY_ASSIGN(types_after, types_of(situation, package, to));
    }
    const auto difference =
        upgrade::compare({&*before, types_before ? &*types_before : nullptr},
                         {&*after, types_after ? &*types_after : nullptr}, used);
    if (difference) {
      out.texts.push_back({SourceKind::package_api,
                           upgrade::describe(*difference, cap_of(SourceKind::package_api)),
                           package});
    }
  }
  if (out.texts.empty()) {
    out.notes.push_back("what changed in " + printable(package) + " between " + from.str() +
                        " and " + to.str() + " could not be read");
  }
  notes::Wanted wanted{package, from, to, {used.names.begin(), used.names.end()}};
  wanted.names.insert(wanted.names.end(), used.members.begin(), used.members.end());
  std::string said =
      text_of(notes::find_notes(after->others, wanted, cap_of(SourceKind::package_docs) - 512));
  if (!said.empty()) {
    out.texts.push_back({SourceKind::package_docs, std::move(said), package});
  }
  return out;
}

}  // namespace cg::propose
