#include "npm/npm/glob.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::npm {

namespace {

constexpr std::size_t kMaxAlternatives = 64;

/// `[abc]`, `[a-z]`, `[!a]` at the start of `pattern`: its length, 0 if it is none.
std::size_t bracket(std::string_view pattern, char c, bool& hit) {
  const std::size_t close = pattern.find(']', 2);
  if (pattern.empty() || pattern[0] != '[' || close == std::string_view::npos) return 0;
  std::string_view set = pattern.substr(1, close - 1);
  const bool negated = set.starts_with('!') || set.starts_with('^');
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found = found || (c >= set[i] && c <= set[i + 2]);
      i += 2;
    } else {
      found = found || c == set[i];
    }
  }
  hit = found != negated;
  return close + 1;
}

/// One part of a path against one part of a pattern. Only the last `*` is ever gone
/// back to, which is enough: an earlier one could not do better.
bool part_match(std::string_view pattern, std::string_view part) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < part.size()) {
    bool hit = false;
    const std::size_t set = p < pattern.size() ? bracket(pattern.substr(p), part[t], hit) : 0;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (set != 0 && hit) {
      p += set;
      ++t;
    } else if (set == 0 && p < pattern.size() && (pattern[p] == '?' || pattern[p] == part[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// The same idea with parts for characters and `**` for the star.
bool parts_match(const std::vector<std::string_view>& pattern,
                 const std::vector<std::string_view>& path) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = pattern.size();
  std::size_t resume = 0;
  while (t < path.size()) {
    if (p < pattern.size() && pattern[p] == "**") {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && part_match(pattern[p], path[t])) {
      ++p;
      ++t;
    } else if (star != pattern.size()) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(p), pattern.end(),
                     [](std::string_view part) { return part == "**"; });
}

/// `a{b,c}d` as `abd` and `acd`; nested braces too, up to kMaxAlternatives.
std::vector<std::string> alternatives(std::string_view pattern) {
  std::vector<std::string> open{std::string(pattern)};
  std::vector<std::string> done;
  while (!open.empty() && done.size() + open.size() <= kMaxAlternatives) {
    const std::string next = std::move(open.back());
    open.pop_back();
    const std::size_t end = next.find('}');
    const std::size_t begin = end == std::string::npos ? end : next.rfind('{', end);
    if (begin == std::string::npos) {
      done.push_back(next);
      continue;
    }
    for (const std::string_view choice :
         split(std::string_view(next).substr(begin + 1, end - begin - 1), ',')) {
      open.push_back(next.substr(0, begin) + std::string(choice) + next.substr(end + 1));
    }
  }
  return done;
}

std::string_view bare(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view path) {
  const auto parts = split(bare(path), '/');
  const auto choices = alternatives(bare(pattern));
  return std::any_of(choices.begin(), choices.end(), [&](const std::string& choice) {
    return parts_match(split(choice, '/'), parts);
  });
}

bool is_workspace(const std::vector<std::string>& patterns, std::string_view folder) {
  bool named = false;
  for (const std::string& pattern : patterns) {
    if (pattern.starts_with('!')) {
      named = named && !glob_match(std::string_view(pattern).substr(1), folder);
    } else {
      named = named || glob_match(pattern, folder);
    }
  }
  return named;
}

}  // namespace cg::npm
