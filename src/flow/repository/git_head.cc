#include "flow/repository/git_head.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::repository {

namespace {

using State = GitHead::State;

constexpr std::size_t kMaxHeadBytes = 4'096;
constexpr std::size_t kMaxPackedBytes = 32U << 20U;
constexpr int kMaxHops = 5;
constexpr std::string_view kSymbolic = "ref:";

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         std::all_of(text.begin(), text.end(), [](char c) { return hex_digit(c) >= 0; });
}

/// A name that is a path beneath .git/refs and nothing else.
bool is_ref(std::string_view name) {
  if (!name.starts_with("refs/") || !is_utf8(name)) return false;
  const auto plain = [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '\\'; };
  if (!std::all_of(name.begin(), name.end(), plain)) return false;
  for (const std::string_view part : split(name, '/')) {
    if (part.empty() || part.starts_with('.')) return false;
  }
  return true;
}

GitHead unknown(std::string what) { return {State::unknown, {}, {}, std::move(what)}; }

/// The commit of `ref` in packed-refs: lines of "commit name".
std::optional<std::string> find_packed(std::string_view packed, const std::string& ref) {
  const std::string wanted = " " + ref;
  for (std::size_t at = packed.find(wanted); at != std::string_view::npos;
       at = packed.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    if (end < packed.size() && packed[end] != '\n' && packed[end] != '\r') continue;
    const std::size_t line = at == 0 ? 0 : packed.rfind('\n', at) + 1;
    const std::string_view commit = packed.substr(line, at - line);
    if (is_commit(commit)) return std::string(commit);
  }
  return std::nullopt;
}

GitHead from_packed(const os::Dir& dir, std::string ref) {
  const auto packed = dir.read(".git/packed-refs", kMaxPackedBytes);
  if (!packed && packed.error().kind != os::Error::Kind::not_found) {
    return unknown(".git/packed-refs: " + os::describe(packed.error()));
  }
  auto commit = packed ? find_packed(*packed, ref) : std::nullopt;
  if (!commit) return {State::unborn, std::move(ref), {}, {}};
  return {State::branch, std::move(ref), *std::move(commit), {}};
}

GitHead follow(const os::Dir& dir) {
  std::string file = "HEAD";
  std::string ref;
  for (int hop = 0; hop < kMaxHops; ++hop) {
    const auto text = dir.read(".git/" + file, kMaxHeadBytes);
    if (!text && !ref.empty() && text.error().kind == os::Error::Kind::not_found) {
      return from_packed(dir, std::move(ref));
    }
    if (!text) return unknown(".git/" + file + ": " + os::describe(text.error()));
    const std::string_view line = trim(*text);
    if (is_commit(line)) {
      return {ref.empty() ? State::detached : State::branch, std::move(ref), std::string(line), {}};
    }
    if (!line.starts_with(kSymbolic)) return unknown(".git/" + file + " names no commit");
    ref = trim(line.substr(kSymbolic.size()));
    if (ref == "refs/heads/.invalid") return unknown("refs are kept in a reftable");
    if (!is_ref(ref)) return unknown(".git/" + file + " names no ref");
    file = ref;
  }
  return unknown("refs that name each other");
}

GitHead read_link(const os::Dir& dir) {
  const auto text = dir.read(".git", kMaxHeadBytes);
  if (!text) return unknown(".git: " + os::describe(text.error()));
  constexpr std::string_view kPrefix = "gitdir:";
  if (!text->starts_with(kPrefix)) return unknown(".git is a file that names no folder");
  return {State::linked, {}, {}, printable(trim(std::string_view(*text).substr(kPrefix.size())))};
}

}  // namespace

std::string_view name(GitHead::State state) {
  switch (state) {
    case State::none:
      return "none";
    case State::branch:
      return "branch";
    case State::detached:
      return "detached";
    case State::unborn:
      return "unborn";
    case State::linked:
      return "linked";
    case State::unknown:
      return "unknown";
  }
  std::abort();
}

GitHead read_git_head(const os::Dir& dir, RepoFiles::Git git) {
  switch (git) {
    case RepoFiles::Git::none:
      return {};
    case RepoFiles::Git::folder:
      return follow(dir);
    case RepoFiles::Git::file:
      return read_link(dir);
    case RepoFiles::Git::other:
      return unknown(".git is neither a folder nor a file");
  }
  std::abort();
}

}  // namespace cg::repository
