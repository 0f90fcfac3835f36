// Names that a model may say: of files beneath the root, and of packages.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cg::proposal {

/// Relative, UTF-8, no "..", ".", empty or ".git" component in any spelling that some file
/// system takes for one, no NUL, control or invisible character and none that looks like a dot
/// or a slash, no backslash, percent sign, colon, quote or wildcard, no space or dot at the end
/// of a component, at most 512 bytes: it names something beneath the root, and one thing only.
class RepoPath {
 public:
  [[nodiscard]] static std::optional<RepoPath> parse(std::string_view text);
  [[nodiscard]] const std::string& str() const { return text_; }
  /// "a.js" of "src/a.js"
  [[nodiscard]] std::string_view base() const;
  friend auto operator<=>(const RepoPath&, const RepoPath&) = default;

 private:
  explicit RepoPath(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

inline constexpr std::size_t kMaxPath = 512;

/// A name that npm would install: registry::is_package_name(), and it starts with a letter or
/// digit, so that no tool takes it for a flag or a home folder.
class PackageName {
 public:
  [[nodiscard]] static std::optional<PackageName> parse(std::string_view text);
  [[nodiscard]] const std::string& str() const { return text_; }
  friend auto operator<=>(const PackageName&, const PackageName&) = default;

 private:
  explicit PackageName(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// Why a rewrite of call sites may not touch a file. A model that was talked into harm would
/// first change what judges it: tests, what runners and compilers read, what is installed.
/// By name alone, with words rather than folders, and rather too much than too little: a
/// source called parse-spec.js or app.config.ts stays with people.
enum class Protection {
  none,
  hidden,         // a component starts with a dot: .git, .github, .husky, .npmrc, .mocharc.js
  dependency,     // node_modules and its like
  not_source,     // not .js .cjs .mjs .jsx .ts .cts .mts .tsx: manifests, lockfiles, JSON, YAML
  declaration,    // .d.ts: changes what the type check sees, never what runs
  configuration,  // x.config.ts, karma.conf.js, jest.setup.js, webpack.prod.js, gulpfile.js
  test,           // a word of the path is test, spec, mock, fixture, e2e, or a runner's name
};
[[nodiscard]] std::string_view name(Protection protection);
[[nodiscard]] Protection protection_of(const RepoPath& path);

}  // namespace cg::proposal
