#include <algorithm>
#include <iterator>
#include <vector>

#include "base/base/text.h"
#include "model/proposal/path.h"

namespace cg::proposal {

namespace {

template <std::size_t N>
bool is_one_of(std::string_view text, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

constexpr std::string_view kDependencies[] = {"node_modules", "bower_components", "jspm_packages"};
constexpr std::string_view kSources[] = {"js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx"};

/// x.config.js, x.conf.js, x.setup.js
constexpr std::string_view kSettings[] = {"config", "conf", "setup", "teardown", "preset"};
constexpr std::string_view kTaskFiles[] = {"gulpfile", "gruntfile", "jakefile", "pnpmfile",
                                           "brocfile", "makefile",  "wallaby"};
/// webpack.prod.js
constexpr std::string_view kTools[] = {"webpack", "rollup", "vite",     "babel", "esbuild",
                                       "tsup",    "eslint", "prettier", "wdio",  "protractor"};

constexpr std::string_view kTestWords[] = {
    "test",   "tests",   "testing", "unittest", "unittests", "spec",       "specs",      "mock",
    "mocks",  "fixture", "e2e",     "fixtures", "cy",        "cypress",    "playwright", "jest",
    "vitest", "mocha",   "karma",   "jasmine",  "nyc",       "nightwatch",
};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A word starts at `i`: userSpec, HTTPTest.
bool starts_word(std::string_view text, std::size_t i) {
  if (!is_upper(text[i]) || i == 0) return false;
  if (!is_upper(text[i - 1])) return true;
  return i + 1 < text.size() && is_lower(text[i + 1]);
}

bool is_test_word(std::string_view word) {
  if (is_one_of(lower_ascii(word), kTestWords)) return true;
  while (!word.empty() && is_digit(word.back())) word.remove_suffix(1);  // test2
  return is_one_of(lower_ascii(word), kTestWords);
}

/// "latest" holds no word "test"; "userTest", "user_test" and "__tests__" do.
bool has_test_word(std::string_view path) {
  std::size_t start = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    const bool end = i == path.size();
    const bool letter = !end && (is_lower(path[i]) || is_upper(path[i]) || is_digit(path[i]));
    if (letter && !starts_word(path, i)) continue;
    if (is_test_word(path.substr(start, i - start))) return true;
    start = letter ? i : i + 1;
  }
  return false;
}

bool is_configuration(const std::vector<std::string_view>& parts) {
  if (is_one_of(parts.front(), kTaskFiles)) return true;
  if (parts.size() < 3) return false;
  if (is_one_of(parts.front(), kTools)) return true;
  return std::any_of(parts.begin() + 1, parts.end() - 1,
                     [](std::string_view part) { return is_one_of(part, kSettings); });
}

Protection protection_of_folder(std::string_view component) {
  if (component.front() == '.') return Protection::hidden;
  if (is_one_of(lower_ascii(component), kDependencies)) return Protection::dependency;
  return Protection::none;
}

}  // namespace

std::string_view name(Protection protection) {
  constexpr std::string_view kNames[] = {"none",        "hidden",        "dependency", "not_source",
                                         "declaration", "configuration", "test"};
  return kNames[static_cast<std::size_t>(protection)];
}

Protection protection_of(const RepoPath& path) {
  for (const std::string_view component : split(path.str(), '/')) {
    const Protection found = protection_of_folder(component);
    if (found != Protection::none) return found;
  }
  const std::string base = lower_ascii(path.base());
  const std::vector<std::string_view> parts = split(base, '.');  // x, config, js
  if (parts.size() < 2 || !is_one_of(parts.back(), kSources)) return Protection::not_source;
  if (std::find(parts.begin() + 1, parts.end() - 1, "d") != parts.end() - 1) {
    return Protection::declaration;
  }
  if (is_configuration(parts)) return Protection::configuration;
  return has_test_word(path.str()) ? Protection::test : Protection::none;
}

}  // namespace cg::proposal
