// .npmrc: keys and values, read as npm reads them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"

namespace cg::registry {

/// A file is larger than this only by mistake or malice.
inline constexpr std::size_t kMaxNpmrcBytes = 256U << 10U;

struct NpmrcError {
  std::size_t line = 0;
  std::string what;
};

struct NpmrcEntry {
  std::string key;
  std::string value;  // "true" for a key without one
  std::size_t line = 0;
};

/// The entries of one file, in their order.
class Npmrc {
 public:
  void add(NpmrcEntry entry) { entries_.push_back(std::move(entry)); }
  [[nodiscard]] const std::vector<NpmrcEntry>& entries() const { return entries_; }
  /// The last one with this key; nullptr if there is none.
  [[nodiscard]] const NpmrcEntry* find(std::string_view key) const;
  /// All values of `key` and of `key[]`.
  [[nodiscard]] std::vector<std::string> all(std::string_view key) const;

 private:
  std::vector<NpmrcEntry> entries_;
};

/// What ${NAME} stands for; nothing if it stands for itself.
using Lookup = std::function<std::optional<std::string>(std::string_view name)>;

/// Comments start with # or ; on their own line or, unless escaped, inside a value without
/// quotes. ${NAME} is replaced in keys and values, ${NAME?} by nothing if NAME is not
/// there. What is inside of [sections] is passed over, as npm has none. Fails on a file, a
/// value or a number of entries beyond all use, and on bytes that are not UTF-8.
[[nodiscard]] Result<Npmrc, NpmrcError> parse_npmrc(std::string_view text, const Lookup& lookup);

/// Variables npm_config_NAME, in any case, as entries: registry, @scope:registry,
/// //host/:_authToken, strict-ssl for npm_config_strict_ssl.
[[nodiscard]] Npmrc npmrc_of_environment(
    const std::map<std::string, std::string, std::less<>>& environment);

}  // namespace cg::registry
