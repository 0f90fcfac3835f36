#include "jail/sandbox/step.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/base/match.h"
#include "base/base/text.h"

namespace cg::sandbox {

namespace {

std::string capped_text(Cap cap, const Limits& limits) {
  switch (cap) {
    case Cap::wall: {
      const auto ms = limits.wall.count();
      if (ms % 1000 == 0) return "took longer than " + std::to_string(ms / 1000) + " s";
      return "took longer than " + std::to_string(ms) + " ms";
    }
    case Cap::memory:
      return "took more than " + std::to_string(limits.memory >> 20U) + " MiB of memory";
  }
  std::abort();
}

/// Names by which tools find what steers them.
bool is_configuration(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kSteering = {
      "npm-shrinkwrap.json", "package-lock.json",   "pnpm-lock.yaml",
      "yarn.lock",           "pnpm-workspace.yaml", "lerna.json"};
  const std::string_view stem = name.substr(0, name.find('.'));
  return stem.ends_with("rc") || name.find(".config.") != std::string_view::npos ||
         name.starts_with("tsconfig") || name.starts_with("jsconfig") || name.ends_with(".snap") ||
         std::find(kSteering.begin(), kSteering.end(), name) != kSteering.end();
}

}  // namespace

std::string shell_text(std::string_view file, const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 6> kShells = {"ash", "bash", "dash",
                                                              "ksh", "sh",   "zsh"};
  const std::string_view name = file.substr(file.rfind('/') + 1);
  if (std::find(kShells.begin(), kShells.end(), name) == kShells.end()) return "";
  bool from_word = false;
  bool from_input = false;
  for (const std::string& word : words) {
    if (word == "--version" || word == "--help") return "";
    const bool is_option = word.size() > 1 && (word.front() == '-' || word.front() == '+');
    if (!is_option) return from_word ? word : from_input ? "standard input" : "file " + word;
    if (word.starts_with("--")) continue;
    from_word = from_word || word.find('c') != std::string::npos;
    from_input = from_input || word.find('s') != std::string::npos;
  }
  return "standard input";
}

bool may_be_kept(std::string_view path) {
  const auto parts = split(path, '/');
  for (const std::string_view part : parts) {
    if (part.empty() || part.starts_with('.') || part == "node_modules" || part == "__mocks__" ||
        part == "__snapshots__") {
      return false;
    }
  }
  return !is_configuration(parts.back());
}

bool is_of_package(std::string_view path, const std::vector<std::string>& packages) {
  constexpr std::string_view kModules = "node_modules/";
  const std::size_t at = path.rfind(kModules);
  if (at == std::string_view::npos || (at > 0 && path[at - 1] != '/')) return false;
  const std::string_view inside = path.substr(at + kModules.size());
  const std::size_t slash = inside.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view first = inside.substr(0, slash);
  if (first == ".bin" || first == ".pnpm" || first == ".cache") return false;
  return std::any_of(packages.begin(), packages.end(), [&](const std::string& name) {
    const auto parts = split(std::string_view(name).substr(name.starts_with('@') ? 1 : 0), '/');
    const bool hidden = first.starts_with('.') &&
                        std::find(parts.begin(), parts.end(), first.substr(1)) != parts.end();
    return hidden ||
           (inside.starts_with(name) && inside.size() > name.size() && inside[name.size()] == '/');
  });
}

std::string describe(const Ending& ending, const Limits& limits) {
  return match(
      ending, [](const Exited& e) { return "exit " + std::to_string(e.code); },
      [](const Signalled& s) { return "signal " + std::to_string(s.signal); },
      [&](const Capped& c) { return capped_text(c.cap, limits); });
}

bool is_success(const Ending& ending) {
  const auto* exited = std::get_if<Exited>(&ending);
  return exited != nullptr && exited->code == 0;
}

}  // namespace cg::sandbox
