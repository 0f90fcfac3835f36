// TarballCache: the bytes of packages on disk, by what a lockfile says they are.
//
//   cache/registry/tarballs/<algorithm>-<digest in hex>
//
// Nothing gets in that does not have the digest of its name, and it is looked at again
// whenever it is taken out. Not synced: what is here can be had again; a file that a power
// cut left empty counts as not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "fetch/net/sink.h"
#include "trust/hash/integrity.h"

namespace cg::catalog {

inline constexpr std::uint64_t kMaxTarballBytes = 256ULL << 20U;

/// A file of the cache.
struct Tarball {
  std::string path;  // beneath the workspace
  std::uint64_t size = 0;
  friend bool operator==(const Tarball&, const Tarball&) = default;
};

class TarballCache {
 public:
  /// `home` is the workspace's folder and must outlive the cache.
  explicit TarballCache(const os::Dir& home) : home_(&home) {}

  /// Nothing if it is not there. Damage is a Problem that names the file.
  [[nodiscard]] Result<std::optional<Tarball>, Problem> find(
      const hash::Integrity& integrity) const;

  [[nodiscard]] const os::Dir& home() const { return *home_; }
  /// `digest` is raw bytes of `algorithm`.
  [[nodiscard]] static std::string path_of(hash::Algorithm algorithm, std::string_view digest);

 private:
  [[nodiscard]] Result<std::optional<Tarball>, Problem> look(hash::Algorithm algorithm,
                                                             const std::string& digest) const;
  const os::Dir* home_;
};

/// Takes bytes as they come, on their way into the cache. Without keep() they are gone.
class TarballSink final : public net::Sink {
 public:
  /// `cache` and `integrity` must outlive it.
  [[nodiscard]] static Result<TarballSink, Problem> create(const TarballCache& cache,
                                                           const hash::Integrity& integrity);
  TarballSink(TarballSink&& other) noexcept;
  TarballSink(const TarballSink&) = delete;
  TarballSink& operator=(const TarballSink&) = delete;
  TarballSink& operator=(TarballSink&&) = delete;
  ~TarballSink() override;

  [[nodiscard]] Result<Done, os::Error> write(std::string_view bytes) override;
  /// Nothing, and nothing is kept, if these are not the bytes that `integrity` means.
  [[nodiscard]] Result<std::optional<Tarball>, Problem> keep();

 private:
  TarballSink(os::Dir folder, std::string temporary, os::Fd fd, const hash::Integrity& integrity);

  os::Dir folder_;
  std::string temporary_;  // empty once there is none
  os::Fd fd_;
  const hash::Integrity* integrity_;
  hash::Sha sha_;
  std::uint64_t size_ = 0;
};

}  // namespace cg::catalog
