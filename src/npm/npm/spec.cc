#include "npm/npm/spec.h"

#include <algorithm>

#include "npm/semver/range.h"

namespace cg::npm {

namespace {

bool has_prefix(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

bool is_archive(std::string_view path) {
  path = path.substr(0, path.find_first_of("?#"));
  return path.ends_with(".tgz") || path.ends_with(".tar.gz") || path.ends_with(".tar");
}

bool is_git(std::string_view text) {
  if (has_prefix(text,
                 {"git+", "git:", "git@", "ssh:", "github:", "gitlab:", "bitbucket:", "gist:"})) {
    return true;
  }
  if (has_prefix(text, {"http:", "https:"})) {
    return text.substr(0, text.find('#')).ends_with(".git");
  }
  // user/repo, as npm reads it: one slash, no scheme, no leading dot, tilde or at sign.
  const std::string_view path = text.substr(0, text.find('#'));
  return std::count(path.begin(), path.end(), '/') == 1 &&
         !has_prefix(path, {".", "~", "@", "/"}) &&
         path.find_first_of(": ") == std::string_view::npos;
}

bool is_path(std::string_view text) {
  return has_prefix(text, {"file:", "link:", "portal:", "./", "../", "/", "~/"}) || text == "." ||
         text == "..";
}

Spec alias(std::string_view body) {
  const std::size_t at = body.find('@', 1);
  if (at == std::string_view::npos) return {Spec::Kind::alias, body, {}};
  return {Spec::Kind::alias, body.substr(0, at), body.substr(at + 1)};
}

}  // namespace

Spec parse_spec(std::string_view text) {
  constexpr std::string_view kAlias = "npm:";
  constexpr std::string_view kWorkspace = "workspace:";
  if (text.starts_with(kAlias)) return alias(text.substr(kAlias.size()));
  if (text.starts_with(kWorkspace)) {
    return {Spec::Kind::workspace, {}, text.substr(kWorkspace.size())};
  }
  if (is_path(text))
    return {is_archive(text) ? Spec::Kind::tarball : Spec::Kind::directory, {}, text};
  if (is_git(text)) return {Spec::Kind::git, {}, text};
  if (has_prefix(text, {"http:", "https:"})) return {Spec::Kind::tarball, {}, text};
  const bool range = semver::Range::parse(text, {.loose = true}).has_value();
  return {range ? Spec::Kind::range : Spec::Kind::tag, {}, text};
}

Source source_of_resolved(std::string_view resolved, std::string_view name) {
  if (resolved.empty()) return Source::registry;
  if (resolved.starts_with("file:")) {
    return is_archive(resolved) ? Source::tarball : Source::directory;
  }
  if (has_prefix(resolved, {"http://", "https://"})) {
    const std::size_t dash = resolved.find("/-/");
    const bool shaped = dash != std::string_view::npos && resolved.substr(0, dash).ends_with(name);
    if (shaped || resolved.find("%2f") != std::string_view::npos ||
        resolved.find("/download/") != std::string_view::npos) {
      return Source::registry;
    }
    return is_git(resolved) ? Source::git : Source::tarball;
  }
  return is_git(resolved) ? Source::git : Source::registry;
}

}  // namespace cg::npm
