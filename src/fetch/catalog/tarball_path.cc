#include "fetch/catalog/tarball_path.h"

#include <algorithm>
#include <vector>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "npm/registry/name.h"

namespace cg::catalog {

namespace {

constexpr std::size_t kMaxPath = 1000;
constexpr std::size_t kMaxPart = 255;
constexpr std::string_view kDash = "/-/";

bool is_path_byte(char c) {
  const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alnum || std::string_view("-._~!$&'()*+,;=:@").find(c) != std::string_view::npos;
}

bool is_part(std::string_view part) {
  return !part.empty() && part.size() <= kMaxPart && part.front() != '.' &&
         std::all_of(part.begin(), part.end(), is_path_byte);
}

std::string_view without_fragment(std::string_view url) { return url.substr(0, url.find('#')); }

/// "a-1.0.0.tgz", or with the scope once more, as some registries have it: "@s/a-1.0.0.tgz".
bool is_file_of(std::string_view file, std::string_view name) {
  const std::size_t slash = file.rfind('/');
  const std::string_view folder = slash == file.npos ? std::string_view() : file.substr(0, slash);
  return file.ends_with(".tgz") && (folder.empty() || folder == name.substr(0, name.find('/')));
}

}  // namespace

std::optional<std::string> host_part(std::string_view resolved) {
  if (!resolved.starts_with("https://") && !resolved.starts_with("http://")) return std::nullopt;
  resolved = without_fragment(resolved);
  if (resolved.find('?') != std::string_view::npos) return std::nullopt;
  const std::size_t slash = resolved.find('/', resolved.find("//") + 2);
  if (slash == std::string_view::npos) return std::nullopt;
  auto path = percent_decoded(resolved.substr(slash + 1));
  if (!path || path->size() > kMaxPath) return std::nullopt;
  const std::vector<std::string_view> parts = split(*path, '/');
  if (!std::all_of(parts.begin(), parts.end(), is_part)) return std::nullopt;
  return path;
}

std::optional<std::string> registry_part(std::string_view resolved, std::string_view name) {
  const auto path = host_part(resolved);
  if (!path) return std::nullopt;
  const std::size_t dash = path->rfind(kDash);
  if (dash == std::string::npos) return std::nullopt;
  const std::string_view before = std::string_view(*path).substr(0, dash);
  if (!before.ends_with(name)) return std::nullopt;
  const std::size_t start = before.size() - name.size();
  if (start != 0 && before[start - 1] != '/') return std::nullopt;
  if (!is_file_of(std::string_view(*path).substr(dash + kDash.size()), name)) return std::nullopt;
  return path->substr(start);
}

std::optional<std::string> fetch_url(const registry::RegistryUrl& registry,
                                     std::string_view resolved, std::string_view name) {
  const auto part = registry_part(resolved, name);
  if (!part) return std::nullopt;
  return registry.str() + *part;
}

std::optional<std::string> release_url(const registry::RegistryUrl& registry,
                                       std::string_view tarball, std::string_view name) {
  const std::string_view plain = without_fragment(tarball);
  if (plain.starts_with(registry.str()) && host_part(tarball)) return std::string(plain);
  return fetch_url(registry, tarball, name);
}

std::string usual_path(std::string_view name, std::string_view version) {
  std::string path(name);
  path += kDash;
  path += registry::base_of(name);
  path += '-';
  path += version;
  return path + ".tgz";
}

std::optional<std::string> mirror_name(std::string_view resolved) {
  const auto path = host_part(resolved);
  if (!path) return std::nullopt;
  const std::vector<std::string_view> parts = split(*path, '/');
  std::string name(parts.back());
  const bool is_usual = parts.size() >= 3 && parts[parts.size() - 2] == "-";
  if (!is_usual) return name;
  const std::string_view scope = parts.size() >= 4 ? parts[parts.size() - 4] : std::string_view();
  return scope.starts_with('@') ? std::string(scope) + "-" + name : name;
}

}  // namespace cg::catalog
