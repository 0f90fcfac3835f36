#include "npm/notes/notes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/base/text.h"
#include "npm/notes/choose.h"
#include "npm/notes/gather.h"
#include "npm/notes/names.h"
#include "npm/notes/role.h"

namespace cg::notes {

namespace {

struct Found {
  Role role;
  std::string_view path;
  std::string_view text;

  [[nodiscard]] std::string_view folder() const { return path.substr(0, path.rfind('/') + 1); }
  [[nodiscard]] bool is_readme() const {
    return role == Role::readme && lower_ascii(stem_of(path)).starts_with("readme");
  }
  [[nodiscard]] auto order() const {
    const auto depth = std::count(path.begin(), path.end(), '/');
    return std::tuple(role, depth, folder(), !is_readme(), path.size(), path);
  }
};

/// Guides first, and of each kind those nearest to the root. A README in another language stands
/// beside one without: of each folder the shortest name is read, then its manuals.
std::vector<Found> documents_of(const Files& files) {
  std::vector<Found> all;
  for (const auto& [path, text] : files) {
    if (const auto role = role_of(path)) all.push_back({*role, path, text});
  }
  std::sort(all.begin(), all.end(),
            [](const Found& a, const Found& b) { return a.order() < b.order(); });
  std::vector<Found> out;
  for (const Found& found : all) {
    const bool is_double = found.is_readme() && !out.empty() && out.back().is_readme() &&
                           out.back().folder() == found.folder();
    if (!is_double) out.push_back(found);
  }
  return out;
}

}  // namespace

bool is_document(std::string_view path) { return role_of(path).has_value(); }

Notes find_notes(const Files& files, const Wanted& wanted, std::size_t cap) {
  std::vector<Source> sources;
  std::vector<std::string> not_read;
  std::size_t room = kMaxDocuments;
  for (const Found& found : documents_of(files)) {
    const std::size_t bytes = std::min(found.text.size(), kMaxDocument);
    if (bytes > room) {
      not_read.emplace_back(found.path);
      continue;
    }
    room -= bytes;
    const auto is_title = found.role == Role::changelog ? is_release_line : nullptr;
    sources.push_back({std::string(found.path), found.role, Document::parse(found.text, is_title)});
    if (sources.back().document.is_cut()) not_read.emplace_back(found.path);
  }
  std::vector<Unit> units;
  gather(sources, wanted, Names(wanted.names, wanted.package), units);
  Notes out = choose(sources, units, cap);
  out.not_read = std::move(not_read);
  return out;
}

}  // namespace cg::notes
