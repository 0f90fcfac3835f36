#include "fetch/gitrepo/repo_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "base/base/text.h"
#include "fetch/gitrepo/locate.h"
#include "trust/hash/blake3.h"

namespace cg::gitrepo {

namespace {

constexpr std::size_t kMaxNote = 64;

Problem storage(const os::Error& error) {
  return {ErrorCode::home_io,
          "the lock of the repository cannot be made",
          {{"file", printable(error.path)}, {"found", os::describe(error)}},
          "nothing was started",
          {}};
}

Problem busy(const std::string& folder, const os::Fd& fd, const std::string& path) {
  const auto note = os::read_at(fd, 0, kMaxNote, path);
  const auto pid = note ? parse_u64(trim(*note)) : std::nullopt;
  Problem problem{ErrorCode::git_busy,
                  "another codegenie works on this repository",
                  {{"repo", printable(folder)}},
                  "nothing was started",
                  {"wait for it to end, then again"}};
  if (pid) problem.where.emplace_back("process", std::to_string(*pid));
  return problem;
}

}  // namespace

std::optional<std::string> lock_name(const std::string& folder) {
  const auto location = locate(folder);
  std::string named = location ? location->common_dir : "";
  if (named.empty()) {
    const std::unique_ptr<char, decltype(&std::free)> real(realpath(folder.c_str(), nullptr),
                                                           &std::free);
    if (!real) return std::nullopt;
    named = real.get();
  }
  return "locks/" + to_hex(hash::blake3(as_bytes(named)));
}

Result<RepoLock, Problem> RepoLock::acquire(const os::Dir& home, const std::string& folder) {
  const auto name = lock_name(folder);
  if (!name) return fail(storage(os::from_errno(ENOENT, folder)));
  if (const auto made = home.make_dir("locks"); !made) return fail(storage(made.error()));
  auto fd = home.open_file(*name, O_RDWR | O_CREAT);
  if (!fd) return fail(storage(fd.error()));
  const std::string path = home.path_of(*name);
  while (flock(fd->get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) return fail(busy(folder, *fd, path));
    return fail(storage(os::from_errno(errno, path)));
  }
  if (const auto cut = os::cut(*fd, 0, path); !cut) return fail(storage(cut.error()));
  const auto noted = os::write_at(*fd, std::to_string(getpid()) + "\n", 0, path);
  if (!noted) return fail(storage(noted.error()));
  return RepoLock(*std::move(fd));
}

}  // namespace cg::gitrepo
