#include "npm/notes/role.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/base/text.h"

namespace cg::notes {

namespace {

constexpr std::array<std::string_view, 5> kEndings = {".md", ".markdown", ".mdx", ".rst", ".txt"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_about_upgrading(std::string_view word) {
  return word.find("migrat") != std::string_view::npos ||
         word.find("upgrad") != std::string_view::npos ||
         word.find("breaking") != std::string_view::npos ||
         word.find("deprecat") != std::string_view::npos;
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// "changelog" of "changelog-v4.zh".
std::string_view first_word(std::string_view stem) {
  const auto end = std::find_if_not(stem.begin(), stem.end(), is_lower);
  return stem.substr(0, static_cast<std::size_t>(end - stem.begin()));
}

bool is_guide(const std::vector<std::string_view>& path, std::string_view stem, bool has_ending) {
  static constexpr std::array<std::string_view, 4> kGuides = {"migration", "migrating", "upgrade",
                                                              "upgrading"};
  static constexpr std::array<std::string_view, 5> kFolders = {"doc", "docs", "documentation",
                                                               "guide", "guides"};
  if (!has_ending) return is_one_of(stem, kGuides);  // others may be programs
  if (is_about_upgrading(stem)) return true;
  const auto folders = path.end() - 1;
  const auto docs = std::find_if(path.begin(), folders,
                                 [](std::string_view part) { return is_one_of(part, kFolders); });
  if (docs == folders) return false;
  const bool is_of_version = stem.size() > 1 && stem[0] == 'v' && stem[1] >= '0' && stem[1] <= '9';
  return is_of_version || std::any_of(docs, folders, is_about_upgrading);
}

bool is_changelog(const std::vector<std::string_view>& path, std::string_view stem) {
  static constexpr std::array<std::string_view, 10> kChangelogs = {
      "changelog", "changelogs",   "change", "changes",  "history",
      "release",   "releasenotes", "news",   "releases", "whatsnew"};
  if (is_one_of(first_word(stem), kChangelogs)) return true;
  return path.size() > 1 &&
         (path[path.size() - 2] == "changelogs" || path[path.size() - 2] == "changelog");
}

}  // namespace

std::string_view stem_of(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  for (const std::string_view ending : kEndings) {
    if (path.size() > ending.size() &&
        lower_ascii(path.substr(path.size() - ending.size())) == ending) {
      return path.substr(0, path.size() - ending.size());
    }
  }
  return path;
}

std::optional<Role> role_of(std::string_view path) {
  const std::string lower = lower_ascii(path);
  const std::vector<std::string_view> parts = split(std::string_view(lower), '/');
  if (std::find(parts.begin(), parts.end(), "node_modules") != parts.end()) return std::nullopt;
  const std::string_view stem = stem_of(lower);
  const bool has_ending = stem.size() < parts.back().size();
  // Another ending: a program, or data.
  if (!has_ending && stem.find('.') != std::string_view::npos) return std::nullopt;
  if (is_guide(parts, stem, has_ending)) return Role::guide;
  if (is_changelog(parts, stem)) return Role::changelog;
  const bool is_manual = has_ending && (stem == "api" || stem == "usage");
  if (is_manual || first_word(stem) == "readme") return Role::readme;
  return std::nullopt;
}

}  // namespace cg::notes
