#include "fetch/net/sink.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace cg::net {

namespace {

std::string temporary_name() {
  static std::atomic<unsigned> counter{0};
  return ".cg-tmp-" + std::to_string(getpid()) + "-body-" + std::to_string(counter++);
}

bool is_one_part(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos && !os::is_leftover(name);
}

}  // namespace

Result<Done, os::Error> TextSink::write(std::string_view bytes) {
  text_ += bytes;
  return Done{};
}

FileSink::FileSink(const os::Dir& dir, std::string name, std::string temporary, os::Fd fd)
    : dir_(&dir), name_(std::move(name)), temporary_(std::move(temporary)), fd_(std::move(fd)) {}

FileSink::FileSink(FileSink&& other) noexcept
    : dir_(other.dir_),
      name_(std::move(other.name_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::move(other.fd_)),
      size_(other.size_) {}

FileSink::~FileSink() {
  if (!temporary_.empty()) unlinkat(dir_->fd().get(), temporary_.c_str(), 0);
}

Result<FileSink, os::Error> FileSink::create(const os::Dir& dir, std::string name) {
  if (!is_one_part(name)) return fail(os::from_errno(EINVAL, dir.path_of(name)));
  std::string temporary = temporary_name();
  unlinkat(dir.fd().get(), temporary.c_str(), 0);  // of an earlier process with our number
  CG_TRY_ASSIGN(os::Fd fd, dir.open_file(temporary, O_WRONLY | O_CREAT | O_EXCL));
  return FileSink(dir, std::move(name), std::move(temporary), std::move(fd));
}

Result<Done, os::Error> FileSink::write(std::string_view bytes) {
  CG_TRY(os::write_at(fd_, bytes, size_, dir_->path_of(name_)));
  size_ += bytes.size();
  return Done{};
}

Result<Done, os::Error> FileSink::commit() {
  const std::string path = dir_->path_of(name_);
  if (fsync(fd_.get()) != 0) return fail(os::from_errno(errno, path));
  if (renameat(dir_->fd().get(), temporary_.c_str(), dir_->fd().get(), name_.c_str()) != 0) {
    return fail(os::from_errno(errno, path));
  }
  temporary_.clear();
  return dir_->sync();
}

}  // namespace cg::net
