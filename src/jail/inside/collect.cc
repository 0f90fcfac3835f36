#include "jail/inside/collect.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/os/dir.h"
#include "base/os/fd.h"
#include "jail/sandbox/wire.h"

namespace cg::inside {

namespace {

constexpr std::size_t kMaxEntries = 100'000;  // that a folder is looked through

std::optional<std::string> read_plain(const std::string& path, std::size_t max) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const os::Fd file(
      static_cast<int>(syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
  struct stat status {};
  if (!file.is_open() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  std::string out(std::min(max, static_cast<std::size_t>(status.st_size)), '\0');
  std::size_t got = 0;
  while (got < out.size()) {
    const ssize_t n = read(file.get(), out.data() + got, out.size() - got);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
  }
  out.resize(got);
  return out;
}

/// What the folder itself holds, in order.
std::vector<std::string> names_in(const std::string& folder) {
  const auto dir = os::Dir::open(folder);
  auto entries = dir ? dir->entries(kMaxEntries)
                     : Result<std::vector<os::Entry>, os::Error>(fail(dir.error()));
  std::vector<std::string> out;
  if (!entries) return out;
  for (os::Entry& entry : *entries) {
    if (entry.type == os::FileInfo::Type::file) out.push_back(std::move(entry.name));
  }
  std::sort(out.begin(), out.end());
  if (out.size() > sandbox::kMaxListed) out.resize(sandbox::kMaxListed);
  return out;
}

}  // namespace

std::string placed(const std::string& path, const std::string& work) {
  constexpr std::string_view kWork = "/tree";
  if (path == kWork || path.starts_with("/tree/")) return work + path.substr(kWork.size());
  return path;
}

std::map<std::string, std::string> collect(
    const std::vector<std::string>& paths, std::uint64_t max,
    const std::function<std::string(const std::string&)>& found_at) {
  std::map<std::string, std::string> out;
  std::size_t left = sandbox::kMaxCollected;
  // How much of it there was.
  const auto take = [&](const std::string& path, std::uint64_t most) -> std::uint64_t {
    auto bytes = read_plain(found_at(path), std::min<std::uint64_t>(most, left));
    if (!bytes) return 0;
    const std::size_t size = bytes->size();
    left -= size;
    out.insert_or_assign(path, *std::move(bytes));
    return size;
  };
  for (const std::string& path : paths) {
    if (!path.ends_with('/')) {
      take(path, max);
      continue;
    }
    std::uint64_t room = max;
    // Without the slash, behind which a link would be followed.
    const std::string folder = found_at(path.substr(0, path.size() - 1));
    for (const std::string& name : names_in(folder)) room -= take(path + name, room);
  }
  return out;
}

}  // namespace cg::inside
