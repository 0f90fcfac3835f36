#include "flow/propose/sources.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/base/text.h"
#include "fetch/gitrepo/client.h"
#include "flow/propose/owners.h"
#include "model/callsite/callsite.h"
#include "model/callsite/taken.h"
#include "model/proposal/path.h"
#include "npm/exports/entries.h"
#include "npm/syntax/language.h"

namespace cg::propose {

namespace {

constexpr std::size_t kMaxNotes = 5;
constexpr std::size_t kMaxHelpers = 8;           // from other files, of one part
constexpr std::size_t kMaxLookedAt = 4U << 20U;  // bytes of a file, to see whether to name it
/// Of a segment: what the delimiters and our line above them take as JSON, but for its path.
constexpr std::size_t kFence = 160;
/// Of a file: its line in the task, but for its path.
constexpr std::size_t kFileLine = 8;

gitrepo::Filter source_files() {
  return {{},
          {"**/*.js", "**/*.cjs", "**/*.mjs", "**/*.jsx", "**/*.ts", "**/*.cts", "**/*.mts",
           "**/*.tsx", "**/*.vue", "**/*.svelte", "**/*.astro"},
          {"node_modules"}};
}

/// A file that uses the package.
struct User {
  std::string path;
  std::string text;
  callsite::Uses uses;
};

bool may_be_rewritten(const std::string& path) {
  const auto name = proposal::RepoPath::parse(path);
  return name && proposal::protection_of(*name) == proposal::Protection::none;
}

std::string_view why_not_read(syntax::Error error) {
  switch (error) {
    case syntax::Error::too_large:
      return "it is too large";
    case syntax::Error::not_utf8:
      return "it is not UTF-8";
    case syntax::Error::too_deep:
      break;
  }
  return "it is too deep for a parser";
}

/// As a JSON text has it once it was fenced: controls are spelled out, which C1 makes longest.
std::size_t json_cost(std::string_view text) {
  std::size_t out = 0;
  for (const char c : text) {
    const auto byte = static_cast<Byte>(c);
    if (c == '\n' || c == '\r' || c == '\t' || c == '"' || c == '\\') {
      out += 2;
    } else if (byte == 0xC2 || byte < 0x20 || byte == 0x7F) {
      out += 6;
    } else {
      ++out;
    }
  }
  return out;
}

/// Imports and definitions that follow upon each other are one piece: each fence costs as much as
/// three lines. Functions stay apart.
std::vector<callsite::Piece> blocks_of(const User& user, std::vector<callsite::Piece> pieces) {
  const auto is_function = [&](const callsite::Piece& piece) {
    return std::any_of(user.uses.functions.begin(), user.uses.functions.end(),
                       [&](const callsite::Piece& one) { return one.begin == piece.begin; });
  };
  std::vector<callsite::Piece> out;
  bool was_function = true;
  for (callsite::Piece& piece : pieces) {
    const bool joins = !was_function && !is_function(piece);
    was_function = is_function(piece);
    const std::size_t end = out.empty() ? 0 : out.back().end;
    const bool follows = joins && end <= piece.begin &&
                         trim(std::string_view(user.text).substr(end, piece.begin - end)).empty();
    if (follows && piece.end - out.back().begin <= cap_of(SourceKind::source_snippet)) {
      out.back().end = piece.end;
      out.back().text = user.text.substr(out.back().begin, piece.end - out.back().begin);
    } else {
      out.push_back(std::move(piece));
    }
  }
  return out;
}

/// The first of those that a module's name may mean, in the order that tools look in.
std::optional<std::pair<std::string, std::string>> module_of(const std::string& path,
                                                             const Lookup& lookup) {
  std::vector<std::string> names = {path};
  for (const char* ending :
       {".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", "/index.js", "/index.ts"}) {
    names.push_back(path + ending);
  }
  // What TypeScript calls x.js is x.ts before it is built.
  if (path.ends_with(".js")) names.push_back(path.substr(0, path.size() - 3) + ".ts");
  for (std::string& name : names) {
    if (!syntax::language_of(name)) continue;
    if (auto text = lookup(name)) return std::pair(std::move(name), *std::move(text));
  }
  return std::nullopt;
}

std::optional<tiers::Text> helper(const std::string& user, const callsite::Taken& taken,
                                  const Lookup& lookup) {
  const auto path = exports::beside(user, taken.from);
  if (!path) return std::nullopt;
  const auto module = module_of(*path, lookup);
  if (!module) return std::nullopt;
  auto piece =
      callsite::find_export(module->second, *syntax::language_of(module->first), taken.name);
  if (!piece) return std::nullopt;
  return tiers::Text{SourceKind::source_snippet, std::move(piece->text), module->first,
                     piece->first_line};
}

/// Shares files out among parts.
class Sharing {
 public:
  Sharing(const std::string& package, Sources& out, std::vector<std::string>& unshown)
      : package_(package), out_(out), unshown_(unshown) {}

  void add(const User& user) {
    Shown shown = show(user, kMaxPartBytes);
    const auto fits = [&](const Load& load) { return load.holds(shown); };
    auto place = std::find_if(loads_.begin(), loads_.end(), fits);
    if (place == loads_.end() && loads_.size() < kMaxParts) place = loads_.emplace(loads_.end());
    if (place == loads_.end()) {
      // Of what does not fit anywhere a few functions may.
      place = std::min_element(loads_.begin(), loads_.end(), has_more_room);
      shown = show(user, kMaxPartBytes - place->bytes);
      if (!place->holds(shown)) shown.texts.clear();
    }
    // What nobody was shown, nobody rewrites.
    if (shown.texts.empty()) {
      unshown_.push_back(user.path + " uses " + package_ + " too, and was not shown to the model");
      if (place->segments == 0) loads_.erase(place);
      return;
    }
    if (shown.left_out > 0) {
      unshown_.push_back(user.path + ": " + counted(shown.left_out, "function", "functions") +
                         " did not fit and was not shown to the model");
    }
    const auto number = static_cast<std::size_t>(place - loads_.begin());
    place->bytes += shown.bytes;
    place->segments += shown.texts.size();
    if (number >= out_.parts.size()) out_.parts.emplace_back();
    Part& part = out_.parts[number];
    for (const callsite::Taken& one : user.uses.taken) place->wants.push_back({user.path, one});
    std::move(shown.texts.begin(), shown.texts.end(), std::back_inserter(part.snippets));
    part.texts[user.path] = user.text;
  }

  /// Then what the functions take from other files, as far as there is room.
  void add_helpers(const Lookup& lookup) {
    for (std::size_t i = 0; i < out_.parts.size(); ++i) {
      Load& load = loads_[i];
      std::vector<tiers::Text>& shown = out_.parts[i].snippets;
      std::size_t added = 0;
      for (const auto& [path, taken] : load.wants) {
        if (added == kMaxHelpers) break;
        auto text = helper(path, taken, lookup);
        if (!text) continue;
        Shown one{{}, prompt_cost(*text), 0};
        one.texts.push_back(*std::move(text));
        const bool known = std::any_of(shown.begin(), shown.end(), [&](const tiers::Text& other) {
          return other.label == one.texts[0].label && other.line == one.texts[0].line;
        });
        if (known || !load.holds(one)) continue;
        load.bytes += one.bytes;
        ++load.segments;
        ++added;
        shown.push_back(std::move(one.texts[0]));
      }
    }
  }

 private:
  struct Shown {
    std::vector<tiers::Text> texts;
    std::size_t bytes = 0;
    std::size_t left_out = 0;
  };
  struct Load {
    std::size_t bytes = 0;
    std::size_t segments = 0;
    std::vector<std::pair<std::string, callsite::Taken>> wants = {};  // by which file
    [[nodiscard]] bool holds(const Shown& shown) const {
      return bytes + shown.bytes <= kMaxPartBytes &&
             segments + shown.texts.size() <= most_of(SourceKind::source_snippet);
    }
  };

  static bool has_more_room(const Load& a, const Load& b) {
    const auto is_full = [](const Load& load) {
      return load.segments >= most_of(SourceKind::source_snippet);
    };
    return is_full(a) != is_full(b) ? is_full(b) : a.bytes < b.bytes;
  }

  /// What is shown of `user`, so that it costs no more than `room`.
  [[nodiscard]] static Shown show(const User& user, std::size_t room) {
    for (std::size_t cap = std::min(room, cap_of(SourceKind::source_snippet)); cap > 0;) {
      callsite::Snippet snippet = callsite::snippet(user.uses, cap);
      Shown out;
      out.left_out = snippet.left_out;
      out.bytes = user.path.size() + kFileLine;
      std::size_t longest = 0;
      for (const callsite::Piece& piece : snippet.pieces) {
        longest = std::max(longest, piece.text.size());
      }
      for (callsite::Piece& piece : blocks_of(user, std::move(snippet.pieces))) {
        out.texts.push_back(
            {SourceKind::source_snippet, std::move(piece.text), user.path, piece.first_line});
        out.bytes += prompt_cost(out.texts.back());
      }
      if (out.bytes <= room) return out;
      // So that at least the longest piece does not fit any more, where shrinking would not do.
      cap = std::min(cap * room / out.bytes, std::max(longest, std::size_t{1}) - 1);
    }
    return {};
  }

  const std::string& package_;
  Sources& out_;
  std::vector<std::string>& unshown_;
  std::vector<Load> loads_;
};

/// The first few of each list, and how many more there are.
void add_notes(const std::vector<std::string>& lines, std::string_view rest, Sources& out) {
  const std::size_t told = std::min(lines.size(), kMaxNotes);
  out.notes.insert(out.notes.end(), lines.begin(),
                   lines.begin() + static_cast<std::ptrdiff_t>(told));
  if (told == lines.size()) return;
  out.notes.push_back(counted(lines.size() - told, "more file", "more files") + std::string(rest));
}

/// UTF-16 has a zero byte beside each letter of a name.
bool names(std::string_view text, std::string_view package) {
  if (!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) {
    return text.find(package) != text.npos;
  }
  std::string letters(text);
  std::erase(letters, '\0');
  return letters.find(package) != letters.npos;
}

}  // namespace

std::size_t Sources::files() const {
  std::size_t out = 0;
  for (const Part& part : parts) out += part.texts.size();
  return out;
}

std::size_t prompt_cost(const tiers::Text& text) {
  return json_cost(text.payload) + text.label.size() + kFence;
}

Sources sources_among(const std::map<std::string, std::string>& files, const std::string& package,
                      const Lookup& lookup) {
  Sources out;
  std::vector<User> users;
  std::vector<std::string> unread;
  for (const auto& [path, text] : files) {
    if (!names(text, package)) continue;
    const auto language = syntax::language_of(path);
    if (!language) {
      unread.push_back(path + " may use " + package + " too: files of this kind are not read");
      continue;
    }
    if (!may_be_rewritten(path)) continue;
    const bool wide = text.find(package) == text.npos;
    const auto uses = wide ? Result<callsite::Uses, syntax::Error>(fail(syntax::Error::not_utf8))
                           : callsite::find_uses(text, *language, package);
    if (!uses) {
      unread.push_back(path + " may use " + package +
                       " too, and was not read: " + std::string(why_not_read(uses.error())));
    } else if (!uses->empty()) {
      users.push_back({path, text, *uses});
    }
  }
  std::stable_sort(users.begin(), users.end(), [](const User& a, const User& b) {
    return a.uses.functions.size() > b.uses.functions.size();
  });
  std::vector<std::string> unshown;
  Sharing sharing(package, out, unshown);
  for (const User& user : users) {
    sharing.add(user);
    const auto syntax = syntax::Syntax::parse(user.text, *syntax::language_of(user.path));
    if (syntax) out.used.add(upgrade::used_in(*syntax, package));
  }
  if (lookup) sharing.add_helpers(lookup);
  if (out.parts.empty()) out.parts.emplace_back();
  add_notes(unread, " may use " + package + " too and could not be read", out);
  add_notes(unshown, " of which not everything was shown to the model", out);
  return out;
}

std::optional<std::string> Tree::read(const std::string& path) const {
  if (!paths.contains(path)) return std::nullopt;
  auto text = folder.read(path, kMaxLookedAt);
  return text ? std::optional(*std::move(text)) : std::nullopt;
}

std::map<std::string, std::string> Tree::naming(const std::string& package) const {
  std::map<std::string, std::string> out;
  for (const std::string& path : paths) {
    auto text = read(path);
    if (text && names(*text, package)) out[path] = *std::move(text);
  }
  return out;
}

Result<Tree, Problem> tree_at(const Situation& situation, const gitrepo::ObjectId& commit,
                              const std::string& name, const std::string& manifest) {
  std::vector<std::string> paths;
  CG_TRY_ASSIGN(os::Dir folder,
                situation.base.checkout.export_some_of(commit, name, source_files(), paths));
  Owners owners;
  for (const repository::LoadedLock& lock : situation.base.scanned.loaded.locks) {
    for (const npm::Manifest& one : lock.manifests) owners.add(one.path);
  }
  Tree out{std::move(folder), {}};
  for (std::string& path : paths) {
    if (owners.owns(manifest, path)) out.paths.insert(std::move(path));
  }
  return out;
}

Result<std::map<std::string, std::string>, Problem> files_naming(const Situation& situation,
                                                                 const std::string& package,
                                                                 const std::string& manifest) {
  CG_TRY_ASSIGN(const Tree tree,
                tree_at(situation, situation.base.checkout.git().base, "sources", manifest));
  return tree.naming(package);
}

Result<Sources, Problem> sources_of(const Situation& situation, const HandedOn& group) {
  CG_TRY_ASSIGN(const Tree tree,
                tree_at(situation, situation.base.checkout.git().base, "sources", group.manifest));
  return sources_among(tree.naming(group.package), group.package,
                       [&](const std::string& path) { return tree.read(path); });
}

}  // namespace cg::propose
