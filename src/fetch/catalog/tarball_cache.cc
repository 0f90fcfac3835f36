#include "fetch/catalog/tarball_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/base/bytes.h"

namespace cg::catalog {

namespace {

constexpr const char* kFolder = "cache/registry/tarballs";
constexpr std::size_t kReadPiece = 1U << 20U;

Problem tarball_storage(const os::Error& error, const std::string& path) {
  const ErrorCode code = error.kind == os::Error::Kind::no_space    ? ErrorCode::home_no_space
                         : error.kind == os::Error::Kind::read_only ? ErrorCode::home_read_only
                         : error.kind == os::Error::Kind::symlink   ? ErrorCode::home_symlink
                                                                    : ErrorCode::home_io;
  return {code,
          "the packages in the registry cache cannot be read or written",
          {{"file", path}, {"found", os::describe(error)}},
          "nothing was changed",
          {}};
}

Problem damaged(const std::string& path) {
  return {ErrorCode::registry_damaged,
          "a package in the registry cache is not what was written",
          {{"file", path}, {"found", "its bytes have another digest than its name"}},
          "nothing was installed from it, and it was not replaced",
          {"rm '" + path + "'    (the next run fetches it again)"}};
}

std::string file_name(hash::Algorithm algorithm, std::string_view digest) {
  std::string name(hash::name(algorithm));
  name += '-';
  return name + to_hex(as_bytes(digest));
}

Result<std::string, os::Error> digest_of(const os::Fd& fd, std::uint64_t size,
                                         hash::Algorithm algorithm, const std::string& path) {
  hash::Sha sha(algorithm);
  for (std::uint64_t at = 0; at < size;) {
    CG_TRY_ASSIGN(const std::string piece, os::read_at(fd, at, kReadPiece, path));
    if (piece.empty()) break;
    sha.update(as_bytes(piece));
    at += piece.size();
  }
  return sha.finish();
}

}  // namespace

std::string TarballCache::path_of(hash::Algorithm algorithm, std::string_view digest) {
  return std::string(kFolder) + "/" + file_name(algorithm, digest);
}

Result<std::optional<Tarball>, Problem> TarballCache::find(const hash::Integrity& integrity) const {
  for (const std::string& digest : integrity.digests()) {
    CG_TRY_ASSIGN(std::optional<Tarball> found, look(integrity.algorithm(), digest));
    if (found) return found;
  }
  return std::optional<Tarball>();
}

Result<std::optional<Tarball>, Problem> TarballCache::look(hash::Algorithm algorithm,
                                                           const std::string& digest) const {
  const std::string path = path_of(algorithm, digest);
  const std::string shown = home_->path_of(path);
  const auto fd = home_->open_file(path, O_RDONLY);
  if (!fd) {
    if (fd.error().kind == os::Error::Kind::not_found) return std::optional<Tarball>();
    return fail(tarball_storage(fd.error(), shown));
  }
  const auto info = os::info(*fd, shown);
  if (!info) return fail(tarball_storage(info.error(), shown));
  if (info->size == 0) return std::optional<Tarball>();  // a power cut
  if (info->size > kMaxTarballBytes) return fail(damaged(shown));
  const auto found = digest_of(*fd, info->size, algorithm, shown);
  if (!found) return fail(tarball_storage(found.error(), shown));
  if (*found != digest) return fail(damaged(shown));
  return std::optional(Tarball{path, info->size});
}

TarballSink::TarballSink(os::Dir folder, std::string temporary, os::Fd fd,
                         const hash::Integrity& integrity)
    : folder_(std::move(folder)),
      temporary_(std::move(temporary)),
      fd_(std::move(fd)),
      integrity_(&integrity),
      sha_(integrity.algorithm()) {}

TarballSink::TarballSink(TarballSink&& other) noexcept
    : folder_(std::move(other.folder_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::move(other.fd_)),
      integrity_(other.integrity_),
      sha_(std::move(other.sha_)),
      size_(other.size_) {}

TarballSink::~TarballSink() {
  if (!temporary_.empty()) unlinkat(folder_.fd().get(), temporary_.c_str(), 0);
}

Result<TarballSink, Problem> TarballSink::create(const TarballCache& cache,
                                                 const hash::Integrity& integrity) {
  static std::atomic<unsigned> counter{0};
  const os::Dir& home = cache.home();
  const std::string shown = home.path_of(kFolder);
  if (!home.stat(kFolder)) {
    const auto made = home.make_dir(kFolder);
    if (!made) return fail(tarball_storage(made.error(), shown));
  }
  auto folder = home.open_dir(kFolder);
  if (!folder) return fail(tarball_storage(folder.error(), shown));
  std::string temporary = ".cg-tmp-" + std::to_string(getpid()) + "-t" + std::to_string(counter++);
  unlinkat(folder->fd().get(), temporary.c_str(), 0);  // of an earlier process with our number
  auto fd = folder->open_file(temporary, O_WRONLY | O_CREAT | O_EXCL);
  if (!fd) return fail(tarball_storage(fd.error(), shown));
  return TarballSink(*std::move(folder), std::move(temporary), *std::move(fd), integrity);
}

Result<Done, os::Error> TarballSink::write(std::string_view bytes) {
  CG_TRY(os::write_at(fd_, bytes, size_, folder_.path_of(temporary_)));
  sha_.update(as_bytes(bytes));
  size_ += bytes.size();
  return Done{};
}

Result<std::optional<Tarball>, Problem> TarballSink::keep() {
  const std::string digest = sha_.finish();
  if (size_ == 0 || !integrity_->accepts(digest)) return std::optional<Tarball>();
  const std::string name = file_name(integrity_->algorithm(), digest);
  const int at = folder_.fd().get();
  if (renameat(at, temporary_.c_str(), at, name.c_str()) != 0) {
    return fail(
        tarball_storage(os::from_errno(errno, folder_.path_of(name)), folder_.path_of(name)));
  }
  temporary_.clear();
  return std::optional(Tarball{TarballCache::path_of(integrity_->algorithm(), digest), size_});
}

}  // namespace cg::catalog
