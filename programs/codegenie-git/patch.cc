#include "patch.h"

#include <array>
#include <cstdio>
#include <optional>

#include "fetch/gitrepo/wire.h"

namespace cg::git {

namespace {

struct Side {
  std::string path;
  unsigned mode = 0;
  git_oid id{};
  std::optional<std::string> bytes;  // nothing: the file is not on this side
};

std::string octal(unsigned mode) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%06o", mode);
  return text.data();
}

/// Quoted as git does it, where a reader of the diff could otherwise be misled.
std::string quoted(const std::string& path) {
  std::string out;
  bool needed = false;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      std::array<char, 8> text{};
      std::snprintf(text.data(), text.size(), "\\%03o", static_cast<unsigned>(byte));
      out += text.data();
      needed = true;
    } else {
      if (c == '"' || c == '\\') out += '\\';
      needed = needed || c == '"' || c == '\\';
      out += c;
    }
  }
  return needed ? "\"" + out + "\"" : out;
}

std::string name_line(const char* start, const Side& side, const std::string& letter) {
  if (!side.bytes) return std::string(start) + "/dev/null\n";
  const std::string name = quoted(letter + side.path);
  // A tab ends a name with spaces, for readers that look for a date.
  const bool is_spaced = name.find(' ') != name.npos && !name.starts_with('"');
  return start + name + (is_spaced ? "\t\n" : "\n");
}

std::string header(const Side& before, const Side& after) {
  const std::string& path = after.bytes ? after.path : before.path;
  std::string out = "diff --git " + quoted("a/" + path) + " " + quoted("b/" + path) + "\n";
  if (!before.bytes) out += "new file mode " + octal(after.mode) + "\n";
  if (!after.bytes) out += "deleted file mode " + octal(before.mode) + "\n";
  const bool both = before.bytes && after.bytes;
  if (both && before.mode != after.mode) {
    out += "old mode " + octal(before.mode) + "\nnew mode " + octal(after.mode) + "\n";
  }
  if (id_of(before.id) == id_of(after.id)) return out;
  out += "index " + id_of(before.id).hex() + ".." + id_of(after.id).hex();
  if (both && before.mode == after.mode) out += " " + octal(after.mode);
  return out + "\n";
}

struct Body {
  std::string hunks;
  bool is_binary = false;
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
};

int collect(const git_diff_delta*, const git_diff_hunk*, const git_diff_line* line, void* payload) {
  auto& body = *static_cast<Body*>(payload);
  if (line->origin == GIT_DIFF_LINE_FILE_HDR) return 0;
  const bool has_mark = line->origin == GIT_DIFF_LINE_CONTEXT ||
                        line->origin == GIT_DIFF_LINE_ADDITION ||
                        line->origin == GIT_DIFF_LINE_DELETION;
  if (line->origin == GIT_DIFF_LINE_BINARY) body.is_binary = true;
  if (line->origin == GIT_DIFF_LINE_ADDITION) ++body.added;
  if (line->origin == GIT_DIFF_LINE_DELETION) ++body.removed;
  if (has_mark) body.hunks += line->origin;
  body.hunks.append(line->content, line->content_len);
  return body.hunks.size() > gitrepo::kMaxDiffBytes ? GIT_EUSER : 0;
}

const char* data_of(const Side& side) { return side.bytes ? side.bytes->data() : nullptr; }
std::size_t size_of(const Side& side) { return side.bytes ? side.bytes->size() : 0; }

/// From the bytes alone: libgit2 looks for drivers only where it has a repository.
Result<Body, Error> body_of(const Side& before, const Side& after) {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_SHOW_BINARY | GIT_DIFF_INDENT_HEURISTIC;
  options.context_lines = 3;
  git_patch* made = nullptr;
  int code = git_patch_from_buffers(&made, data_of(before), size_of(before), before.path.c_str(),
                                    data_of(after), size_of(after), after.path.c_str(), &options);
  const Patch patch(made);
  Body body;
  if (code == 0) code = git_patch_print(patch.get(), collect, &body);
  if (code == GIT_EUSER) return refuse(Kind::too_large, "the difference is too large");
  if (code != 0) return refuse_git(code, Kind::damaged, after.path);
  return body;
}

Result<Side, Error> side_of(git_repository* repo, const git_diff_file& file, bool is_there) {
  Side side{file.path, file.mode, file.id, std::nullopt};
  if (!is_there) {
    side.id = git_oid{};
    return side;
  }
  if (file.mode == GIT_FILEMODE_COMMIT) {
    side.bytes = "Subproject commit " + id_of(file.id).hex() + "\n";
    return side;
  }
  CG_TRY_ASSIGN(side.bytes, read_blob(repo, file.id, gitrepo::kMaxFileBytes));
  return side;
}

Result<Done, Error> add_file(git_repository* repo, const git_diff_delta& delta, TreeDiff& out) {
  CG_TRY_ASSIGN(const Side before, side_of(repo, delta.old_file, delta.status != GIT_DELTA_ADDED));
  CG_TRY_ASSIGN(const Side after, side_of(repo, delta.new_file, delta.status != GIT_DELTA_DELETED));
  CG_TRY_ASSIGN(const Body body, body_of(before, after));
  out.text += header(before, after);
  if (!body.hunks.empty() && !body.is_binary) {
    out.text += name_line("--- ", before, "a/") + name_line("+++ ", after, "b/");
  }
  out.text += body.hunks;
  out.counts.push_back({after.bytes ? after.path : before.path, body.added, body.removed});
  return Done{};
}

}  // namespace

Result<TreeDiff, Error> diff_trees(git_repository* repo, git_tree* from, git_tree* to) {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  git_diff* made = nullptr;
  const int code = git_diff_tree_to_tree(&made, repo, from, to, &options);
  const Diff diff(made);
  if (code != 0) return refuse_git(code, Kind::damaged, "comparing trees");
  TreeDiff out;
  for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
    CG_TRY(add_file(repo, *git_diff_get_delta(diff.get(), i), out));
    if (out.text.size() > gitrepo::kMaxDiffBytes) {
      return refuse(Kind::too_large, "the difference is too large");
    }
  }
  return out;
}

}  // namespace cg::git
