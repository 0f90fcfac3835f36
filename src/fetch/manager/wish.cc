#include "fetch/manager/wish.h"

#include <array>
#include <utility>

#include "base/base/text.h"
#include "fetch/catalog/yarnrc.h"

namespace cg::manager {

namespace {

using npm::LockKind;
using By = Wish::By;

constexpr std::size_t kMostShown = 100;

std::string shown(std::string_view text) { return printable(cut_utf8(text, kMostShown)); }

/// Which yarn 2 and later write which version of their lock.
std::string_view berry_of(std::string_view lock_version) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWriters = {{
      {"3", "2"},
      {"4", "2"},
      {"5", "~3.1"},
      {"6", ">=3.2 <4"},
      {"7", ">=4 <4.14"},
      {"8", ">=4 <4.14"},
      {"9", "~4.14"},
      {"10", ">=4.15 <5"},
  }};
  for (const auto& [version, range] : kWriters) {
    if (version == lock_version) return range;
  }
  return ">=4";
}

std::string_view pnpm_of(std::string_view lock_version) {
  if (lock_version.starts_with("5")) return "7";
  if (lock_version.starts_with("6")) return "8";
  return lock_version.starts_with("9") ? "9 || 10" : ">=9";
}

const std::string* named_in(const std::vector<std::pair<std::string, std::string>>& texts,
                            std::string_view name) {
  for (const auto& [key, text] : texts) {
    if (key == name) return &text;
  }
  return nullptr;
}

class Reader {
 public:
  Reader(const npm::Manifest& manifest, LockKind kind, std::string_view lock_version,
         std::string_view yarnrc)
      : manifest_(manifest), kind_(kind) {
    const bool pnpm = kind == LockKind::pnpm;
    wish_.command = pnpm ? "pnpm" : "yarn";
    wish_.package = pnpm ? "pnpm" : kind == LockKind::yarn_berry ? "@yarnpkg/cli-dist" : "yarn";
    wish_.fits = pnpm                             ? pnpm_of(lock_version)
                 : kind == LockKind::yarn_classic ? "1"
                                                  : berry_of(lock_version);
    if (kind == LockKind::yarn_berry) wish_.own = catalog::own_yarn_of(yarnrc);
  }

  Wish read() && {
    if (by_field()) return std::move(wish_);
    if (!wish_.own.empty()) {
      wish_.by = By::yarn_path;
    } else if (!by_range(By::engines, manifest_.engines) && !by_range(By::volta, manifest_.volta)) {
      wish_.range = wish_.fits;
    }
    return std::move(wish_);
  }

 private:
  void note(By by, std::string_view text, const std::string& why) {
    wish_.notes.push_back(std::string(name(by)) + " names " + shown(text) + ", " + why);
  }

  /// "pnpm@8.15.4+sha512.…", as corepack reads it.
  bool by_field() {
    const std::string& field = manifest_.package_manager;
    if (field.empty()) return false;
    const std::size_t at = field.find('@');
    if (field.substr(0, at) != wish_.command) {
      note(By::package_manager, field, "and the lock is one of " + std::string(npm::name(kind_)));
      return false;
    }
    const std::string text = at == std::string::npos ? std::string() : field.substr(at + 1);
    auto version = semver::Version::parse(text);
    if (!version) {
      note(By::package_manager, field, "which is no version: one that fits the lock is taken");
      return false;
    }
    if (!is_of_kind(*version)) {
      note(By::package_manager, field, "which does not write such a lock: one that does is taken");
      return false;
    }
    const std::size_t plus = text.find('+');
    if (plus != std::string::npos) {
      const std::string hash = text.substr(plus + 1);
      const std::size_t dot = hash.find('.');
      // A build that is no hash says nothing of the bytes.
      if (dot != std::string::npos) wish_.pin = Pin{hash.substr(0, dot), hash.substr(dot + 1)};
    }
    wish_.by = By::package_manager;
    wish_.range = version->str();
    wish_.exact = *std::move(version);
    return true;
  }

  /// yarn 1 and the later ones are different programs.
  [[nodiscard]] bool is_of_kind(const semver::Version& version) const {
    if (kind_ == LockKind::pnpm) return true;
    return (version.major() < 2) == (kind_ == LockKind::yarn_classic);
  }

  bool by_range(By by, const std::vector<std::pair<std::string, std::string>>& texts) {
    const std::string* const text = named_in(texts, wish_.command);
    if (text == nullptr) return false;
    if (!semver::Range::parse(*text)) {
      note(by, wish_.command + " " + *text, "which is no range: one that fits the lock is taken");
      return false;
    }
    wish_.by = by;
    wish_.range = *text;
    return true;
  }

  const npm::Manifest& manifest_;
  LockKind kind_;
  Wish wish_;
};

}  // namespace

std::string_view name(By by) {
  switch (by) {
    case By::package_manager:
      return "packageManager";
    case By::yarn_path:
      return "yarnPath";
    case By::engines:
      return "engines";
    case By::volta:
      return "volta";
    case By::lock:
      break;
  }
  return "the lock";
}

std::string describe(const Wish& wish) { return wish.command + " " + shown(wish.range); }

std::optional<Wish> wish_of(const npm::Manifest& manifest, LockKind kind,
                            std::string_view lock_version, std::string_view yarnrc) {
  if (kind == LockKind::package_lock || kind == LockKind::npm_shrinkwrap) return std::nullopt;
  return Reader(manifest, kind, lock_version, yarnrc).read();
}

}  // namespace cg::manager
