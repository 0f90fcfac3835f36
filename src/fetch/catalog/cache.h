// Cache: packuments on disk, by content.
//
//   cache/registry/index/<registry>/<package>   what was fetched when, and its digest
//   cache/registry/content/<digest>             the lines of npm/registry/stored.h
//
// <registry> is the start of the BLAKE3 of its URL: an answer of one registry never
// stands in for one of another. Content is written before the index names it, both in
// one step, so that whoever dies, or writes at the same time, leaves a sound cache. Nothing
// is synced; files that a power cut left empty count as not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "npm/registry/url.h"
#include "trust/hash/digest.h"

namespace cg::catalog {

struct CacheEntry {
  std::string name;
  std::string registry;
  std::string etag;
  std::string last_modified;
  Time fetched{};  // or found to be current
  hash::Digest content{};
  friend bool operator==(const CacheEntry&, const CacheEntry&) = default;
};

class Cache {
 public:
  /// `home` is the workspace's folder and must outlive the cache. Makes nothing.
  explicit Cache(const os::Dir& home) : home_(&home) {}
  [[nodiscard]] const os::Dir& home() const { return *home_; }

  /// Nothing if it is not there.
  [[nodiscard]] Result<std::optional<CacheEntry>, Problem> find(const std::string& registry,
                                                                std::string_view name) const;
  /// Its lines; nothing if the file is gone. A Problem of integrity that names the file if
  /// they do not have the digest.
  [[nodiscard]] Result<std::optional<std::string>, Problem> content(const CacheEntry& entry) const;

  /// `entry.content` is set by what is `stored`.
  [[nodiscard]] Result<Done, Problem> put(CacheEntry entry, std::string_view stored) const;
  /// The entry alone: what it names is there already.
  [[nodiscard]] Result<Done, Problem> put_entry(const CacheEntry& entry) const;

  /// By registry and name.
  [[nodiscard]] Result<std::vector<CacheEntry>, Problem> all() const;
  /// Of the content files: how many, and their bytes.
  struct Size {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] Result<Size, Problem> size() const;

  /// Where an entry and a content lie, beneath the workspace.
  [[nodiscard]] static std::string entry_path(const std::string& registry, std::string_view name);
  [[nodiscard]] static std::string content_path(const hash::Digest& content);

 private:
  const os::Dir* home_;
};

/// One line of JSON, and back; nothing if it is not that.
[[nodiscard]] std::string write_entry(const CacheEntry& entry);
[[nodiscard]] std::optional<CacheEntry> parse_entry(std::string_view text);

}  // namespace cg::catalog
