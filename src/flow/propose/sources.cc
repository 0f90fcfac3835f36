#include "flow/propose/sources.h"

#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "fetch/gitrepo/client.h"
#include "model/callsite/callsite.h"
#include "model/proposal/path.h"
#include "npm/syntax/language.h"

namespace cg::propose {

namespace {

constexpr std::size_t kMaxNotes = 5;

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

/// "packages/a/" of "packages/a/package.json", "" of the root's.
std::string_view folder_of(std::string_view manifest) {
  return manifest.substr(0, manifest.rfind('/') + 1);
}

/// Which manifest a file belongs to: the one in the nearest folder above it.
class Owners {
 public:
  explicit Owners(const scan::Scanned& scanned) {
    for (const repository::LoadedLock& lock : scanned.loaded.locks) {
      for (const npm::Manifest& manifest : lock.manifests)
        folders_.emplace(folder_of(manifest.path));
    }
  }
  [[nodiscard]] bool owns(std::string_view manifest, std::string_view file) const {
    for (std::string_view folder = folder_of(file);;
         folder = folder_of(folder.substr(0, folder.size() - 1))) {
      if (folders_.contains(folder)) return folder == folder_of(manifest);
      if (folder.empty()) return folder == folder_of(manifest);
    }
  }

 private:
  std::set<std::string, std::less<>> folders_;
};

void note(Sources& out, std::string line) {
  if (out.notes.size() < kMaxNotes) out.notes.push_back(std::move(line));
}

bool may_be_rewritten(const std::string& path) {
  const auto name = proposal::RepoPath::parse(path);
  return name && proposal::protection_of(*name) == proposal::Protection::none;
}

/// Adds what is shown of `user`, in at most `room` bytes; returns how many that are.
std::size_t show(const User& user, const std::string& package, std::size_t room, Sources& out) {
  callsite::Snippet snippet = callsite::snippet(user.uses, room);
  const bool too_many =
      out.snippets.size() + snippet.pieces.size() > most_of(SourceKind::source_snippet);
  // What nobody was shown, nobody rewrites.
  if (snippet.pieces.empty() || too_many) {
    note(out, user.path + " uses " + package + " too, and was not shown to the model");
    return 0;
  }
  if (snippet.left_out > 0) {
    note(out, user.path + ": " + counted(snippet.left_out, "function", "functions") +
                  " did not fit and was not shown to the model");
  }
  std::size_t bytes = 0;
  for (callsite::Piece& piece : snippet.pieces) {
    bytes += piece.text.size();
    out.snippets.push_back(
        {SourceKind::source_snippet, std::move(piece.text), user.path, piece.first_line});
  }
  out.texts[user.path] = user.text;
  return bytes;
}

}  // namespace

Sources sources_among(const std::map<std::string, std::string>& files, const std::string& package) {
  Sources out;
  std::vector<User> users;
  for (const auto& [path, text] : files) {
    if (text.find(package) == std::string::npos) continue;
    const auto language = syntax::language_of(path);
    if (!language) {
      note(out, path + " may use " + package + " too: files of this kind are not read");
      continue;
    }
    if (!may_be_rewritten(path)) continue;
    auto uses = callsite::find_uses(text, *language, package);
    if (uses && !uses->empty()) users.push_back({path, text, *std::move(uses)});
  }
  std::stable_sort(users.begin(), users.end(), [](const User& a, const User& b) {
    return a.uses.functions.size() > b.uses.functions.size();
  });
  std::size_t room = cap_of(SourceKind::source_snippet);
  for (const User& user : users) {
    room -= show(user, package, room, out);
    const auto syntax = syntax::Syntax::parse(user.text, *syntax::language_of(user.path));
    if (syntax) out.used.add(upgrade::used_in(*syntax, package));
  }
  return out;
}

Result<std::map<std::string, std::string>, Problem> files_naming(const Situation& situation,
                                                                 const std::string& package,
                                                                 const std::string& manifest) {
  std::vector<std::string> paths;
  CG_TRY_ASSIGN(const os::Dir folder,
                situation.base.checkout.export_some("sources", source_files(), paths));
  const Owners owners(situation.base.scanned);
  std::map<std::string, std::string> out;
  for (const std::string& path : paths) {
    if (!owners.owns(manifest, path)) continue;
    auto text = folder.read(path, syntax::kMaxFileBytes);
    if (text && text->find(package) != std::string::npos) out[path] = *std::move(text);
  }
  return out;
}

Result<Sources, Problem> sources_of(const Situation& situation, const HandedOn& group) {
  CG_TRY_ASSIGN(const auto files, files_naming(situation, group.package, group.manifest));
  return sources_among(files, group.package);
}

}  // namespace cg::propose
