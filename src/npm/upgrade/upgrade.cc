#include "npm/upgrade/upgrade.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/base/text.h"
#include "npm/exports/entries.h"
#include "npm/upgrade/changes.h"
#include "npm/upgrade/code.h"
#include "npm/upgrade/facts.h"
#include "npm/upgrade/head.h"
#include "npm/upgrade/kin.h"
#include "npm/upgrade/paths.h"

namespace cg::upgrade {

using exports::Error;
using exports::Limits;
using exports::Way;

namespace {

constexpr std::size_t kMaxPaths = 16;
constexpr std::size_t kMaxShown = 40;  // texts

/// What the package itself has that is called like a path which is gone: v4 for "uuid/v4".
void add_moved(Change& change, const Listing& root) {
  std::string_view last = std::string_view(change.path).substr(change.path.rfind('/') + 1);
  last = last.substr(0, last.find('.'));
  std::vector<Kin::Candidate> candidates;
  for (const auto& [key, item] : root.items) {
    if (key == last) change.nearest.push_back(titled(key, joined(item.heads(), " | ", 2)));
    if (parted(key).first.empty()) candidates.push_back({key, false});
  }
  if (!change.nearest.empty()) return;
  for (const std::string& near : Kin(candidates).nearest(last, 1)) {
    change.nearest.push_back(titled(near, joined(root.items.at(near).heads(), " | ", 2)));
  }
}

class Pair {
 public:
  Pair(Lister& before, Lister& after, const Used& used)
      : before_(before), after_(after), used_(used), reached_(used) {
    out_.package = one_line(after.manifest().text("name"), 214);
    for (const auto& [path, names] : used.paths) names_.insert(names.begin(), names.end());
    out_.before = one_line(before.manifest().text("version"), 64);
    out_.after = one_line(after.manifest().text("version"), 64);
  }

  Difference run() {
    out_.facts = facts_of(before_, after_);
    add_root();
    std::size_t count = 0;
    for (const auto& [path, names] : used_.paths) {
      if (!path.path.empty() && ++count <= kMaxPaths) add_path(path);
    }
    const Lines folder_facts = folders();
    out_.facts.insert(out_.facts.end(), folder_facts.begin(), folder_facts.end());
    std::stable_sort(out_.changes.begin(), out_.changes.end(),
                     [](const Change& a, const Change& b) { return a.use < b.use; });
    add_told();
    add_elsewhere();
    Gone gone;
    for (const Change& change : out_.changes) {
      if (change.turn == Turn::removed) gone.insert(change.path + " " + change.name);
    }
    out_.code = code_between(before_, after_, reached_, gone);
    return std::move(out_);
  }

 private:
  void add_facts(const Used::Path& path, const Listing& old, const Listing& now) {
    if (now.shut && old.shut != now.shut) out_.shut.insert(*now.shut);
    Lines lines = facts_of_path(path, before_, old, after_, now);
    for (std::string& line : lines) {
      // What can be imported instead is the same for all paths.
      const std::size_t open = line.find(kOpenPaths);
      if (open != std::string::npos && says_open_paths_) line.resize(open);
      says_open_paths_ = says_open_paths_ || open != std::string::npos;
      const bool known = std::find(facts_.begin(), facts_.end(), line) != facts_.end();
      if (!known) facts_.push_back(std::move(line));
    }
  }

  /// Of folders that files are taken from by name: what came and went.
  [[nodiscard]] Lines folders() const {
    Lines out;
    std::set<std::string> folders(used_.folders.begin(), used_.folders.end());
    for (const auto& [path, names] : used_.paths) {
      if (path.path.find('/') != std::string::npos) folders.insert(folder_of(path.path));
    }
    for (const std::string& folder : folders) {
      for (std::string& line : files_between(folder, before_, after_, used_)) {
        out.push_back(std::move(line));
      }
    }
    return out;
  }

  /// Names that this reader finds in neither version, so that nobody takes them for unchanged.
  void add_unknown(const Used::Path& path, const Listing& old, const Listing& now) {
    if (now.shut && *now.shut != exports::Why::esm_only) return;
    Lines unknown;
    for (const std::string& name : used_.names(path.path)) {
      if (name != "default" && !old.find(name) && !now.find(name)) unknown.push_back(name);
    }
    if (unknown.empty()) return;
    facts_.push_back("used, but found in neither version: " + joined(unknown, ", ", 12));
  }

  void add_root() {
    Used::Path path;
    if (!used_.paths.contains(path)) path.way = Way::import;
    const bool both = path.way == Way::require && used_.paths.contains({"", Way::import});
    const Listing old = before_.list(path, used_);
    root_ = after_.list(path, used_);
    add_heir(old, root_);
    add_facts(path, old, root_);
    out_.changes = changes_between(path, old, root_, used_, out_.package);
    if (both) add_imported();
    add_unknown(path, old, root_);
    out_.types = types_behind(out_.changes, old, root_, used_);
  }

  /// What the default was may have a name now: what it could do is looked for there.
  void add_heir(const Listing& old, Listing& now) const {
    const auto was = old.items.find("default");
    if (was == old.items.end() || old.object || !now.object) return;
    const std::string_view plain = out_.package;
    std::set<std::string> names = {lower_ascii(words_joined(plain.substr(plain.rfind('/') + 1)))};
    for (const std::string& head : was->second.heads()) {
      for (const std::string_view word : {"async ", "function ", "class "}) {
        if (!head.starts_with(word)) continue;
        names.insert(lower_ascii(
            head.substr(word.size(), head.find_first_of(" (<{", word.size()) - word.size())));
      }
    }
    for (const auto& [key, item] : now.items) {
      const bool value = parted(key).first.empty() && !item.erased && key != "default";
      if (value && names.contains(lower_ascii(key))) now.bases["default"].push_back(key);
    }
  }

  /// "lrucache" of "lru-cache".
  static std::string words_joined(std::string_view name) {
    std::string out;
    for (const std::string& word : words_of(name)) out += word;
    return out;
  }

  /// What is used may be gone for those who import it, and not for those who require it.
  void add_imported() {
    const Used::Path path = {"", Way::import};
    const Listing old = before_.list(path, used_);
    const Listing now = after_.list(path, used_);
    add_facts(path, old, now);
    if (now.shut) return;
    for (Change& change : changes_between(path, old, now, used_, out_.package)) {
      if (change.use != Use::named || change.turn != Turn::removed) continue;
      const auto same = std::find_if(out_.changes.begin(), out_.changes.end(),
                                     [&](const Change& one) { return one.name == change.name; });
      if (same != out_.changes.end() && same->turn == Turn::removed) continue;
      change.notes.insert(change.notes.begin(), "where it is imported; require() is another file");
      out_.changes.insert(out_.changes.begin(), std::move(change));
    }
  }

  void add_path(const Used::Path& path) {
    const Listing old = before_.list(path, used_);
    const Listing now = after_.list(path, used_);
    add_facts(path, old, now);
    if (now.shut && *now.shut != exports::Why::esm_only) return add_gone(path, old);
    add_unknown(path, old, now);
    std::vector<Change> more = changes_between(path, old, now, used_, out_.package);
    std::vector<Type> types = types_behind(more, old, now, used_);
    out_.changes.insert(out_.changes.end(), more.begin(), more.end());
    for (Type& type : types) {
      const bool known = std::any_of(out_.types.begin(), out_.types.end(),
                                     [&](const Type& each) { return each.name == type.name; });
      if (!known) out_.types.push_back(std::move(type));
    }
  }

  void add_gone(const Used::Path& path, const Listing& old) {
    Change change;
    change.path = path.path;
    change.name = "default";
    change.turn = Turn::removed;
    change.use = Use::named;
    const auto was = old.items.find("default");
    if (was != old.items.end()) change.before = was->second.heads();
    add_moved(change, root_);
    if (change.nearest.empty()) {
      Lines names;
      for (const auto& [key, item] : root_.items) {
        const bool value = parted(key).first.empty() && !item.erased && key != "default";
        if (value && item.throws.empty()) names.push_back(key);
      }
      if (!names.empty()) {
        change.notes.push_back("the package itself exports: " + joined(names, ", ", 30));
      }
    }
    out_.changes.push_back(std::move(change));
  }

  /// New texts: what is said of names that are used, then advice, then errors.
  void add_told() {
    std::set<std::string> known;
    for (Told& each : before_.told(used_)) known.insert(std::move(each.text));
    // An error that names an option of what is used is told to who uses it.
    for (const std::string& name : used_.names("")) add_options(name);
    add_options("default");
    std::array<Lines, 3> sorted;
    for (Told& each : after_.told(used_)) {
      if (known.contains(each.text)) continue;
      const bool used = speaks_of_used(each.text);
      const std::size_t rank = each.advice ? (used ? 0 : 1) : 2;
      if (each.advice || used) sorted[rank].push_back(std::move(each.text));
    }
    for (Lines& lines : sorted) {
      for (std::string& line : lines) {
        if (out_.told.size() < kMaxShown) out_.told.push_back(std::move(line));
      }
    }
    out_.facts.insert(out_.facts.begin(), facts_.begin(), facts_.end());
  }

  void add_options(const std::string& name) {
    const auto key = root_.find(name);
    if (!key) return;
    const Lines& options = root_.items.find(*key)->second.options;
    names_.insert(options.begin(), options.end());
  }

  /// Names that are gone, and can be had under another path of the package.
  void add_elsewhere() {
    constexpr std::size_t kMaxEntries = 64;
    auto entries = exports::find_entries(after_.manifest(), after_.files());
    if (entries.size() > kMaxEntries) entries.resize(kMaxEntries);
    for (Change& change : out_.changes) {
      const bool gone = change.turn == Turn::removed && change.use == Use::named;
      if (!gone || change.name == "default") continue;
      for (const exports::Entry& entry : entries) {
        if (!entry.subpath.starts_with("./") || entry.subpath.substr(2) == change.path) continue;
        const exports::Module* module = after_.offer().module(entry.file);
        if (module == nullptr || !module->names.contains(change.name)) continue;
        const std::string path = entry.subpath.substr(2);
        change.notes.push_back("it can be had from '" + out_.package + "/" + path + "' now");
        reached_.paths[{path, Way::import}].insert(change.name);
        break;
      }
    }
  }

  [[nodiscard]] bool speaks_of_used(std::string_view line) const {
    std::string word;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      const char c = i < line.size() ? line[i] : ' ';
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == '$';
      if (letter) {
        word += c;
        continue;
      }
      if (word.size() > 2 && (names_.contains(word) || used_.members.contains(word))) return true;
      word.clear();
    }
    return false;
  }

  Lister& before_;
  Lister& after_;
  const Used& used_;
  Used reached_;  // and where it went
  Listing root_;  // of the new version
  Lines facts_;   // of paths
  bool says_open_paths_ = false;
  Used::Names names_;  // of all paths
  Difference out_;
};

}  // namespace

std::string_view name(Turn turn) {
  constexpr std::string_view kNames[] = {"same", "removed", "changed", "deprecated", "added"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Turn::added) + 1);
  return kNames[static_cast<std::size_t>(turn)];
}

Result<Difference, Error> compare(const Side& before, const Side& after, const Used& used,
                                  const Limits& limits) {
  CG_TRY_ASSIGN(const auto old, Lister::of(before, limits));
  CG_TRY_ASSIGN(const auto now, Lister::of(after, limits));
  return Pair(*old, *now, used).run();
}

}  // namespace cg::upgrade
