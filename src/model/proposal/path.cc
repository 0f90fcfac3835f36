#include "model/proposal/path.h"

#include <algorithm>
#include <vector>

#include "base/base/text.h"
#include "model/proposal/text.h"
#include "npm/registry/name.h"

namespace cg::proposal {

namespace {

/// Names that some file system takes for .git: case does not count, and NTFS has a short one.
bool is_git_folder(std::string_view component) {
  const std::string small = lower_ascii(component);
  return small == ".git" || small.starts_with("git~");
}

bool is_component(std::string_view component) {
  if (component.empty() || component.front() == ' ' || component.front() == '~') return false;
  // NTFS drops dots and spaces at the end; "." and ".." end with a dot too.
  if (component.back() == ' ' || component.back() == '.') return false;
  return !is_git_folder(component);
}

bool starts_plainly(std::string_view text) {
  if (text.empty()) return false;
  const char c = text.front();
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::optional<RepoPath> RepoPath::parse(std::string_view text) {
  if (text.empty() || text.size() > kMaxPath || text.front() == '-') return std::nullopt;
  if (text.find_first_of("\\%:*?\"<>|\t") != std::string_view::npos) return std::nullopt;
  if (has_hidden(text) || has_lookalike(text)) return std::nullopt;
  const std::vector<std::string_view> components = split(text, '/');
  if (!std::all_of(components.begin(), components.end(), is_component)) return std::nullopt;
  return RepoPath(std::string(text));
}

std::string_view RepoPath::base() const {
  const std::string_view text = text_;
  return text.substr(text.rfind('/') + 1);  // npos + 1 is 0
}

std::optional<PackageName> PackageName::parse(std::string_view text) {
  if (!registry::is_package_name(text)) return std::nullopt;
  const std::string_view scope = registry::scope_of(text);
  if (!scope.empty() && !starts_plainly(scope.substr(1))) return std::nullopt;
  const std::string_view base = registry::base_of(text);
  const bool plain = starts_plainly(base) || (!scope.empty() && base.front() == '_');
  if (!plain) return std::nullopt;
  return PackageName(std::string(text));
}

}  // namespace cg::proposal
