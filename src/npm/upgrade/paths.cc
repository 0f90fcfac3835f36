#include "npm/upgrade/paths.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/base/text.h"
#include "npm/upgrade/head.h"
#include "npm/upgrade/kin.h"
#include "npm/upgrade/line.h"

namespace cg::upgrade {

namespace {

constexpr std::size_t kMaxAlike = 3;
constexpr std::size_t kMostNames = 60;
constexpr std::size_t kFewFiles = 6;  // a folder that has no more is no collection
constexpr std::size_t kMaxSaid = 160;

std::string_view last_of(std::string_view file) { return file.substr(file.rfind('/') + 1); }

std::string bare_name(std::string_view file) {
  file = last_of(file);
  return std::string(file.substr(0, file.find('.')));
}

/// ".css" of "dark.min.css": what it is, not how it was made.
std::string_view ending_of(std::string_view file) {
  const std::size_t dot = last_of(file).rfind('.');
  return dot == std::string_view::npos ? std::string_view() : last_of(file).substr(dot);
}

/// The file that `relative` means in `from`, without its ending.
std::string meant_by(std::string_view from, std::string_view relative) {
  std::string folder = folder_of(std::string(from));
  while (relative.starts_with("./") || relative.starts_with("../")) {
    const bool up = relative.starts_with("../");
    relative.remove_prefix(up ? 3 : 2);
    if (up) folder = folder_of(folder);
  }
  return (folder.empty() ? "" : folder + "/") + std::string(relative);
}

bool is_file(std::string_view file, std::string_view meant) {
  return file == meant || (file.starts_with(meant) && file.substr(meant.size(), 1) == ".");
}

/// Lines that name a file, `'a': require('./b/a')`, each with what that means.
struct Naming {
  std::string line;
  std::string meant;
};
std::vector<Naming> namings_in(std::string_view text, std::string_view file) {
  constexpr std::size_t kMaxNaming = 200;
  std::vector<Naming> out;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.size() > kMaxNaming || is_comment(line)) continue;
    each_word(
        line, [](std::string_view) {},
        [&](std::string_view said) {
          if (!said.starts_with("./") && !said.starts_with("../")) return;
          out.push_back({one_line(line, kMaxSaid), meant_by(file, said)});
        });
  }
  return out;
}

/// What most likely names a file of the package: its folder's own file, and the package's.
std::vector<std::string> index_files(const std::string& file) {
  std::vector<std::string> out;
  for (std::string folder = folder_of(file); !folder.empty(); folder = folder_of(folder)) {
    out.push_back(folder + ".js");
    out.push_back(folder + "/index.js");
  }
  out.emplace_back("index.js");
  return out;
}

/// Names by which a file was known: its own, and that of the one that it hands on.
std::set<std::string> names_of(const std::string& file, std::string_view text) {
  constexpr std::size_t kShort = 300;  // bytes of a file that does nothing else
  std::set<std::string> out = {bare_name(file)};
  if (text.size() > kShort) return out;
  for (const Naming& each : namings_in(text, file)) out.insert(bare_name(each.meant));
  return out;
}

std::string text_in(const Lister& side, const std::string& file) {
  const auto found = side.files().find(file);
  return found == side.files().end() ? std::string() : found->second;
}

/// By name without ending, of those that end alike; the files directly in it.
std::map<std::string, std::string> names_in(const Lister& side, const std::string& folder,
                                            std::string_view ending) {
  std::map<std::string, std::string> out;
  const std::string prefix = folder + "/";
  for (auto i = side.all().lower_bound(prefix);
       i != side.all().end() && i->first.starts_with(prefix); ++i) {
    const std::string_view file = i->first;
    const bool inside = file.find('/', prefix.size()) == file.npos;
    const bool wanted = ending_of(file) == ending && file.find(".d.") == file.npos;
    if (inside && wanted) out.emplace(bare_name(file), file);
  }
  return out;
}

}  // namespace

std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash);
}

std::vector<std::string> in_place_of(const std::string& file, Lister& before, Lister& after) {
  std::vector<std::string> out;
  const std::set<std::string> names = names_of(file, text_in(before, file));
  for (const std::string& index : index_files(file)) {
    for (const Naming& old : namings_in(text_in(before, index), index)) {
      if (!is_file(file, old.meant)) continue;
      std::string line = index + " said: " + old.line;
      for (const Naming& now : namings_in(text_in(after, index), index)) {
        if (!names.contains(bare_name(now.meant))) continue;
        line += "; it says now: " + now.line;
        break;
      }
      out.push_back(std::move(line));
      break;
    }
    if (!out.empty()) break;
  }
  // Where it is called like that now, or like what it handed on.
  std::vector<std::string> alike;
  std::vector<Kin::Candidate> candidates;
  std::map<std::string, std::string> by_name;
  for (const auto& [path, about] : after.all()) {
    if (ending_of(path) != ending_of(file) || path.find(".min.") != path.npos) continue;
    if (names.contains(bare_name(path))) alike.push_back(path);
    if (by_name.emplace(bare_name(path), path).second)
      candidates.push_back({bare_name(path), false});
  }
  // A path with few folders is more likely meant for others.
  std::stable_sort(alike.begin(), alike.end(), [](const std::string& a, const std::string& b) {
    return std::count(a.begin(), a.end(), '/') < std::count(b.begin(), b.end(), '/');
  });
  if (!alike.empty()) {
    out.push_back("files of that name are: " + joined(alike, ", ", kMaxAlike));
  } else {
    for (const std::string& near : Kin(candidates).nearest(bare_name(file), kMaxAlike)) {
      alike.push_back(by_name.at(near));
    }
    if (!alike.empty()) out.push_back("files called alike are: " + joined(alike, ", ", kMaxAlike));
  }
  return out;
}

std::vector<std::string> files_between(const std::string& folder, const Lister& before,
                                       const Lister& after, const Used& used) {
  std::vector<std::string> out;
  // The endings that most of its files have.
  std::map<std::string, std::size_t> endings;
  const std::string prefix = folder + "/";
  for (auto i = before.all().lower_bound(prefix);
       i != before.all().end() && i->first.starts_with(prefix); ++i) {
    ++endings[std::string(ending_of(i->first))];
  }
  const auto most =
      std::max_element(endings.begin(), endings.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == endings.end() || most->second <= kFewFiles) return out;
  const auto old = names_in(before, folder, most->first);
  const auto now = names_in(after, folder, most->first);
  if (now.empty()) return {"the folder " + folder + "/ is gone"};
  std::map<std::string, std::string> elsewhere;  // by name
  for (const auto& [path, about] : after.all()) {
    const bool beneath = path.starts_with(prefix) && ending_of(path) == most->first;
    if (beneath && !now.contains(bare_name(path))) elsewhere.emplace(bare_name(path), path);
  }
  Lines gone;
  Lines fresh;
  std::map<std::string, Lines> moved;
  for (const auto& [name, path] : old) {
    if (now.contains(name)) continue;
    const auto there = elsewhere.find(name);
    Lines& to = there == elsewhere.end() ? gone : moved[folder_of(there->second)];
    to.insert(used.texts.contains(name) ? to.begin() : to.end(), name);
  }
  for (const auto& [name, path] : now) {
    if (!old.contains(name)) fresh.push_back(name);
  }
  // What is new beside those that were moved.
  for (const auto& [name, path] : elsewhere) {
    const auto there = moved.find(folder_of(path));
    if (!old.contains(name) && there != moved.end()) there->second.push_back(name + " (new)");
  }
  const std::string of = "files of " + folder + "/";
  if (!gone.empty()) out.push_back(of + " that are gone: " + joined(gone, ", ", kMostNames));
  if (!fresh.empty()) out.push_back(of + " that are new: " + joined(fresh, ", ", kMostNames));
  for (const auto& [where, names] : moved) {
    out.push_back(of + " that are in " + where + "/ now: " + joined(names, ", ", kMostNames));
  }
  return out;
}

}  // namespace cg::upgrade
