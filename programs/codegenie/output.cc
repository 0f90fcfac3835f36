#include "output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/os/open.h"

namespace cg::program {

namespace {

/// 0, or the error number.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

Problem unwritable(const std::string& what, const std::string& file, int error) {
  Problem problem{
      ErrorCode::cli_output, what + ": " + std::generic_category().message(error), {}, {}, {}};
  if (!file.empty()) problem.where = {{"file", file}};
  return problem;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string base_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// A symbolic link to a file stays a link; its target is replaced.
std::string through_links(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string target(real);
  free(real);
  return target;
}

}  // namespace

void secure_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is taken, which is `fd`. Opened the wrong way round,
    // so that using it still fails with EBADF.
    static_cast<void>(open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY));
  }
}

Result<Done, Problem> write_stdout(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error != 0) return fail(unwritable("standard output cannot be written", {}, error));
  return Done{};
}

void write_stderr(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

Result<PendingFile, Problem> PendingFile::open(const std::string& path) {
  const auto refused = [&](int error) {
    return fail(unwritable("output file cannot be written", path, error));
  };
  struct stat info {};
  const bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return refused(EISDIR);
  if (exists && !S_ISREG(info.st_mode)) {
    const int fd = os::open_path(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return refused(errno);
    return PendingFile(fd, path, {});
  }
  // Replacing needs only the folder, but a file that is read-only says "keep me".
  if (exists && access(path.c_str(), W_OK) != 0) return refused(errno);
  const std::string target = exists ? through_links(path) : path;
  if (base_of(target).empty()) return refused(EISDIR);
  for (int n = 0; n < 100; ++n) {
    const std::string temporary = folder_of(target) + "/.codegenie-" + std::to_string(getpid()) +
                                  "-" + std::to_string(n) + ".tmp";
    const int fd = os::open_path(temporary.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd >= 0) return PendingFile(fd, target, temporary);
    if (errno != EEXIST) return refused(errno);
  }
  return refused(EEXIST);
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})) {}

PendingFile::~PendingFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

Result<Done, Problem> PendingFile::failed(int error) const {
  return fail(unwritable("output file cannot be written", path_, error));
}

Result<Done, Problem> PendingFile::commit(std::string_view bytes) {
  const int error = write_all(fd_, bytes);
  if (error != 0) return failed(error);
  const bool replaces = !temporary_.empty();
  if (replaces && fsync(fd_) != 0) return failed(errno);
  if (close(std::exchange(fd_, -1)) != 0) return failed(errno);
  if (!replaces) return Done{};
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return failed(errno);
  temporary_.clear();
  const int folder = os::open_path(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return failed(errno);
  const int synced = fsync(folder) == 0 ? 0 : errno;
  close(folder);
  return synced == 0 ? Result<Done, Problem>(Done{}) : failed(synced);
}

}  // namespace cg::program
