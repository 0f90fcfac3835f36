#include "flow/propose/reading.h"

#include <algorithm>

#include "base/base/text.h"
#include "fetch/catalog/tarball.h"
#include "flow/propose/question.h"
#include "npm/exports/unpack.h"
#include "npm/notes/notes.h"
#include "npm/npm/manifest.h"
#include "npm/upgrade/upgrade.h"

namespace cg::propose {

namespace {

using exports::Unpacked;
constexpr std::size_t kHeadings = 512;  // bytes of the documents' names and lines
/// Of the lengths that a text is handed in.
constexpr std::size_t kStep = 1024;
constexpr std::size_t kLeast = 2048;
constexpr std::size_t kMost = std::size_t{64} * 1024;
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

/// As long as `most` lets it be, and in less.
template <class Said>
tiers::Text in_lengths(SourceKind kind, const std::string& package, std::size_t most,
                       const Said& said) {
  tiers::Text out{kind, said(most), package};
  if (most > kMost) return out;
  for (std::size_t room = out.payload.size() / kStep * kStep; room >= kLeast; room -= kStep) {
    std::string form = said(room);
    if (form.size() < out.payload.size()) out.shorter.push_back(std::move(form));
  }
  return out;
}

/// What the repository's manifest says of its license.
std::string license_of(const Situation& situation) {
  const auto text = situation.base.checkout.files().read("package.json", npm::kMaxManifestBytes);
  if (!text) return {};
  const auto manifest = json::parse_json(*text);
  return manifest ? manifest->text("license") : std::string();
}

}  // namespace

Reading read_about(const std::string& package, const Published& before, const Published& after,
                   const upgrade::Used& used, const Room& room) {
  Reading out;
  const std::string name = printable(package);
  if (!after.package) {
    out.notes.push_back("what " + name + " " + after.version.str() + " exports could not be read");
    return out;
  }
  if (auto api = exports::read_files(after.package->sources)) out.api = *std::move(api);
  if (before.package) {
    const auto side = [](const Published& one) {
      return upgrade::Side{&*one.package, one.types ? &*one.types : nullptr};
    };
    const auto difference = upgrade::compare(side(before), side(after), used);
    if (difference) {
      out.gist = upgrade::gist_of(*difference);
      const auto said = [&](std::size_t most) { return upgrade::describe(*difference, most); };
      out.texts.push_back(in_lengths(SourceKind::package_api, package, room.api, said));
    }
  }
  if (out.texts.empty()) {
    out.notes.push_back("what changed in " + name + " between " + before.version.str() + " and " +
                        after.version.str() + " could not be read");
  }
  notes::Wanted wanted{package, before.version, after.version, {}};
  for (const auto& [path, names] : used.paths) {
    wanted.names.insert(wanted.names.end(), names.begin(), names.end());
  }
  wanted.names.insert(wanted.names.end(), used.members.begin(), used.members.end());
  const auto said = [&](std::size_t most) {
    const std::size_t bytes = most - std::min(most, kHeadings);
    return text_of(notes::find_notes(after.package->others, wanted, bytes));
  };
  tiers::Text docs = in_lengths(SourceKind::package_docs, package, room.docs, said);
  if (!docs.payload.empty()) out.texts.push_back(std::move(docs));
  return out;
}

Result<Reading, Problem> read_versions(Situation& situation, const std::string& package,
                                       const semver::Version& from, const semver::Version& to,
                                       const upgrade::Used& used) {
  Published sides[] = {{from, {}, {}}, {to, {}, {}}};
  for (Published& one : sides) {
    CG_TRY_ASSIGN(one.package, unpacked(situation, package, one.version));
    if (one.package && !has_declarations(*one.package)) {
      CG_TRY_ASSIGN(one.types, types_of(situation, package, one.version));
    }
  }
  return read_about(package, sides[0], sides[1], used);
}

std::optional<semver::Version> newest_of(const HandedOn& group) {
  std::optional<semver::Version> out;
  for (const std::string& text : group.versions) {
    auto version = semver::Version::parse(text, {.loose = true});
    if (version && (!out || *out < *version)) out = *std::move(version);
  }
  return out;
}

Result<example::Example, Problem> break_between(const Situation& situation, const HandedOn& group,
                                                const semver::Version& from,
                                                const semver::Version& to, const Reading& reading,
                                                precedent::Texts files) {
  CG_TRY_ASSIGN(std::vector<advisory::Advisory> advisories, advisories_of(situation, group));
  precedent::Breaking breaking{situation.lock(group.lock).graph.kind(),
                               std::move(advisories),
                               group.package,
                               from.str(),
                               to.str(),
                               reading.gist,
                               {},
                               std::move(files),
                               license_of(situation)};
  for (const tiers::Text& text : reading.texts) {
    if (text.kind == SourceKind::package_api) breaking.difference = text.payload;
  }
  return precedent::lesson_of(breaking);
}

}  // namespace cg::propose
