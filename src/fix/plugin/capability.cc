#include "fix/plugin/capability.h"

#include <algorithm>

namespace cg::plugin {

namespace {

void note_mint(Power power, std::string scope, record::Events& events) {
  events.emplace_back(record::CapabilityMinted{std::string(name(power)), std::move(scope)});
}

void note_use(Power power, std::string_view purpose, record::Events& events) {
  events.emplace_back(record::CapabilityUsed{std::string(name(power)), std::string(purpose)});
}

/// Without "user:token@", which has no business in a log.
std::string without_credentials(const std::string& url) {
  const std::size_t host = url.find("://") + 3;
  const std::size_t end = url.find_first_of("/?#", host);
  const std::size_t at = url.substr(0, end).rfind('@');
  return at == std::string::npos || at < host ? url : url.substr(0, host) + url.substr(at + 1);
}

bool is_web(std::string_view url) {
  return url.starts_with("https://") || url.starts_with("http://");
}

bool is_namespace(std::string_view text) {
  return text.size() > 1 && text.ends_with('/') && !text.starts_with('/');
}

}  // namespace

const std::string& NpmInstall::use(std::string_view purpose, record::Events& events) const {
  note_use(Power::npm_install, purpose, events);
  return registry_;
}

const std::string& FsReadWrite::use(std::string_view purpose, record::Events& events) const {
  note_use(Power::fs_read_write, purpose, events);
  return root_;
}

const GitScope& GitLocalOps::use(std::string_view purpose, record::Events& events) const {
  note_use(Power::git_local_ops, purpose, events);
  return scope_;
}

const GitScope& GitUnprovenOps::use(std::string_view purpose, record::Events& events) const {
  note_use(Power::git_local_ops, purpose, events);
  return scope_;
}

Result<Done, MintError> Mint::check(Power power, bool scope_is_one) const {
  if (!std::binary_search(powers_.begin(), powers_.end(), power)) {
    return fail(MintError{power, plugin_ + " is not allowed " + std::string(name(power))});
  }
  if (!scope_is_one) {
    return fail(MintError{power, std::string(name(power)) + " needs another scope"});
  }
  return Done{};
}

Result<NpmInstall, MintError> Mint::npm_install(std::string registry,
                                                record::Events& events) const {
  CG_TRY(check(Power::npm_install, is_web(registry)));
  note_mint(Power::npm_install, without_credentials(registry), events);
  return NpmInstall(std::move(registry));
}

Result<FsReadWrite, MintError> Mint::fs_read_write(std::string root, record::Events& events) const {
  CG_TRY(check(Power::fs_read_write, root.starts_with('/')));
  note_mint(Power::fs_read_write, root, events);
  return FsReadWrite(std::move(root));
}

Result<GitLocalOps, MintError> Mint::git_local_ops(GitScope scope, record::Events& events) const {
  CG_TRY(check(Power::git_local_ops, scope.repo.starts_with('/') &&
                                         is_namespace(scope.branch_namespace) &&
                                         !scope.branch_namespace.ends_with(kUnprovenEnd)));
  note_mint(Power::git_local_ops, scope.repo + " " + scope.branch_namespace, events);
  return GitLocalOps(std::move(scope));
}

Result<GitUnprovenOps, MintError> Mint::git_unproven_ops(GitScope scope,
                                                         record::Events& events) const {
  CG_TRY(check(Power::git_local_ops, scope.repo.starts_with('/') &&
                                         is_namespace(scope.branch_namespace) &&
                                         scope.branch_namespace.ends_with(kUnprovenEnd)));
  note_mint(Power::git_local_ops, scope.repo + " " + scope.branch_namespace, events);
  return GitUnprovenOps(std::move(scope));
}

}  // namespace cg::plugin
