#include "npm/lockfile/elsewhere.h"

#include <algorithm>

#include "base/base/text.h"
#include "npm/npm/spec.h"

namespace cg::lockfile {

namespace {

using npm::Source;
using npm::Spec;
using Where = Elsewhere::Kind;

constexpr std::string_view kHttps = "https://";
constexpr std::size_t kSha1Digits = 40;

bool is_address(std::string_view range) {
  const Spec::Kind kind = npm::parse_spec(range).kind;
  return kind == Spec::Kind::tarball || kind == Spec::Kind::git;
}

/// Some registries keep releases at addresses of any shape, so that one alone does not tell: it is
/// somebody's own only if somebody asks for it by its address.
bool is_asked_by_address(const npm::Graph& graph, npm::NodeId id) {
  const npm::Node& node = graph.node(id);
  if (!node.resolved.starts_with(kHttps) || node.resolved.find("/-/") != std::string_view::npos) {
    return false;
  }
  const auto edges = graph.edges_to(id);
  return std::any_of(edges.begin(), edges.end(),
                     [&](std::uint32_t i) { return is_address(graph.edges()[i].range); });
}

/// Whether a path, from the folder `from`, leaves the repository.
bool leads_out(std::string_view from, std::string_view path) {
  if (path.starts_with('/') || path.starts_with('~')) return true;
  std::size_t depth = 0;
  for (const std::string_view whole : {from, path}) {
    for (const std::string_view part : split(whole, '/')) {
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        ++depth;
      } else if (depth-- == 0) {
        return true;
      }
    }
  }
  return false;
}

/// yarn 1 has a SHA-1 behind the address. Berry's checksum is of an archive that it makes itself.
bool is_pinned(const npm::Graph& graph, const npm::Node& node) {
  if (graph.kind() == npm::LockKind::yarn_berry) return false;
  if (!node.integrity.empty()) return true;
  const std::size_t hash = node.resolved.find('#');
  return graph.kind() == npm::LockKind::yarn_classic && hash != std::string_view::npos &&
         node.resolved.size() - hash - 1 == kSha1Digits;
}

Elsewhere of_address(const npm::Graph& graph, const npm::Node& node) {
  const bool is_git_url = npm::source_of_resolved(node.resolved, node.name) == Source::git;
  if (is_git_url || (node.source == Source::git && !node.resolved.starts_with("http"))) {
    return {Where::git, {}};
  }
  auto host = https_host(node.resolved);
  if (!host) return {Where::plain, {}};
  return {is_pinned(graph, node) ? Where::archive : Where::unpinned, *std::move(host)};
}

/// The path of a file or folder, as far as the lock says it: npm's has it as such, others behind a
/// word, as in "a@file:./a.tgz#./a.tgz::hash=…" and "link:../a".
std::optional<std::string_view> path_in(std::string_view text) {
  for (const std::string_view word : {"file:", "link:", "portal:"}) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos || (at > 0 && text[at - 1] != '@')) continue;
    const std::string_view path = text.substr(at + word.size());
    return path.substr(0, path.find_first_of("#:,("));
  }
  return std::nullopt;
}

Elsewhere of_path(std::string_view folder, const npm::Node& node) {
  auto path = path_in(node.resolved);
  if (!path) path = path_in(node.location);
  if (!path) path = node.resolved.empty() ? node.location : node.resolved;
  return {leads_out(folder, *path) ? Where::outside : Where::local, {}};
}

}  // namespace

std::optional<std::string> https_host(std::string_view url) {
  if (!url.starts_with(kHttps) || url.find('?') != std::string_view::npos) return std::nullopt;
  url.remove_prefix(kHttps.size());
  const std::size_t slash = url.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash > 260) return std::nullopt;
  std::string host = lower_ascii(url.substr(0, slash));
  if (host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_:[]") != std::string::npos) {
    return std::nullopt;
  }
  if (host.ends_with(":443")) host.resize(host.size() - 4);
  return host;
}

std::optional<Elsewhere> elsewhere(const npm::Graph& graph, npm::NodeId id,
                                   std::string_view folder) {
  const npm::Node& node = graph.node(id);
  if (node.flags.bundled) return std::nullopt;
  switch (node.source) {
    case Source::root:
    case Source::workspace:
      return std::nullopt;
    case Source::registry:
      if (!is_asked_by_address(graph, id)) return std::nullopt;
      return of_address(graph, node);
    case Source::tarball:
    case Source::git:
      return path_in(node.resolved) ? of_path(folder, node) : of_address(graph, node);
    case Source::link:
      // What it leads to is a node of its own, but for a folder that the lock says no more about.
      if (node.target != npm::kNoNode) return std::nullopt;
      return of_path(folder, node);
    case Source::directory:
      break;
  }
  return of_path(folder, node);
}

}  // namespace cg::lockfile
