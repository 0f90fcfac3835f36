#include "jail/microvm/gather.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <deque>

#include "base/base/text.h"
#include "jail/microvm/elf.h"
#include "jail/microvm/failure.h"

namespace cg::microvm {

namespace {

constexpr std::size_t kMaxFile = 1U << 30U;
constexpr std::uint64_t kMaxBytes = 3ULL << 30U;
constexpr std::size_t kMaxMembers = 500'000;
constexpr std::size_t kMaxEntries = 200'000;
constexpr unsigned kMaxDepth = 128;
constexpr int kMaxLinks = 40;
constexpr std::size_t kMaxTarget = 4096;
constexpr unsigned kCanRun = 0100;

Failure<sandbox::Error> scene_failure(const os::Error& error) {
  return failure(error.kind == os::Error::Kind::not_found ? sandbox::Error::Kind::missing
                                                          : sandbox::Error::Kind::scene,
                 printable(error.path) + ": " + os::describe(error));
}

template <class T>
Result<T, sandbox::Error> taken(Result<T, os::Error> result) {
  if (!result) return scene_failure(result.error());
  return *std::move(result);
}

int open_at(int dir, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC | O_NOFOLLOW);
  if (dir != AT_FDCWD) how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(syscall(SYS_openat2, dir, path.c_str(), &how, sizeof how));
}

Result<std::string, sandbox::Error> target_of(int dir, const std::string& path) {
  std::array<char, kMaxTarget> buffer{};
  const ssize_t size = readlinkat(dir, path.c_str(), buffer.data(), buffer.size());
  if (size <= 0 || static_cast<std::size_t>(size) == buffer.size()) {
    return failure(sandbox::Error::Kind::scene, printable(path) + ": unreadable link");
  }
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

void put_parts(std::deque<std::string>& rest, std::string_view path) {
  std::deque<std::string> parts;
  for (const std::string_view part : split(path, '/')) {
    if (!part.empty() && part != ".") parts.emplace_back(part);
  }
  rest.insert(rest.begin(), parts.begin(), parts.end());
}

std::string up(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

Member folder_member(std::string place, unsigned mode, unsigned owner) {
  return {std::move(place), Member::Kind::folder, mode, owner, {}};
}

}  // namespace

Result<Gather, sandbox::Error> Gather::open(const std::string& root) {
  os::Fd fd(open_at(AT_FDCWD, root, O_PATH | O_DIRECTORY));
  if (!fd.is_open()) return scene_failure(os::from_errno(errno, root));
  return Gather(root == "/" ? "" : root, std::move(fd));
}

Result<os::Fd, sandbox::Error> Gather::open_file(const std::string& path) const {
  os::Fd fd(open_at(root_.get(), path, O_RDONLY | O_NONBLOCK));
  if (!fd.is_open()) return scene_failure(os::from_errno(errno, path_ + "/" + path));
  return fd;
}

Result<Gather::Place, sandbox::Error> Gather::resolve(const std::string& path) const {
  Place out;
  std::deque<std::string> rest;
  put_parts(rest, path);
  int links = 0;
  while (!rest.empty()) {
    const std::string part = rest.front();
    rest.pop_front();
    if (part == "..") {
      out.path = up(out.path);
      continue;
    }
    const std::string next = out.path.empty() ? part : out.path + "/" + part;
    struct stat status {};
    if (fstatat(root_.get(), next.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return scene_failure(os::from_errno(errno, path_ + "/" + next));
    }
    if (!S_ISLNK(status.st_mode)) {
      out.path = next;
      continue;
    }
    if (++links > kMaxLinks) {
      return failure(sandbox::Error::Kind::scene, printable(path) + ": too many links");
    }
    CG_TRY_ASSIGN(const std::string target, target_of(root_.get(), next));
    out.links.push_back({next, Member::Kind::link, 0777, kRoot, target});
    if (target.front() == '/') out.path.clear();
    put_parts(rest, target);
  }
  if (out.path.empty()) return failure(sandbox::Error::Kind::scene, "/ as a whole");
  return out;
}

void Gather::add(Member member) {
  if (member.kind == Member::Kind::file) bytes_ += member.bytes.size();
  std::string path = member.path;
  members_.insert_or_assign(std::move(path), std::move(member));
}

bool Gather::has(const std::string& path) const { return resolve(path).has_value(); }

Result<std::string, sandbox::Error> Gather::real_path(const std::string& path) const {
  CG_TRY_ASSIGN(const Place place, resolve(path));
  return "/" + place.path;
}

Result<std::string, sandbox::Error> Gather::read(const std::string& path) const {
  CG_TRY_ASSIGN(const Place place, resolve(path));
  CG_TRY_ASSIGN(const os::Fd file, open_file(place.path));
  return taken(os::read_from(file, 0, kMaxFile, path));
}

Result<Done, sandbox::Error> Gather::take_file(const os::Fd& file, const std::string& shown,
                                               const std::string& place, unsigned owner) {
  if (members_.contains(place)) return Done{};
  CG_TRY_ASSIGN(const os::FileInfo info, taken(os::info(file, shown)));
  if (info.type != os::FileInfo::Type::file) return Done{};
  if (info.size > kMaxFile || bytes_ + info.size > kMaxBytes || members_.size() >= kMaxMembers) {
    return failure(sandbox::Error::Kind::scene, "more files than a machine in memory can hold");
  }
  CG_TRY_ASSIGN(std::string bytes, taken(os::read_from(file, 0, kMaxFile, shown)));
  const unsigned mode = (info.mode & kCanRun) != 0 ? 0755 : 0644;
  add({place, Member::Kind::file, mode, owner, std::move(bytes)});
  return Done{};
}

Result<Done, sandbox::Error> Gather::take_folder(const os::Dir& folder, const std::string& place,
                                                 unsigned owner, unsigned depth) {
  if (depth > kMaxDepth) {
    return failure(sandbox::Error::Kind::scene, printable(folder.path()) + ": too deep");
  }
  add(folder_member(place, 0755, owner));
  CG_TRY_ASSIGN(const std::vector<os::Entry> entries, taken(folder.entries(kMaxEntries)));
  for (const os::Entry& entry : entries) {
    const std::string inside = place + "/" + entry.name;
    switch (entry.type) {
      case os::FileInfo::Type::file: {
        CG_TRY_ASSIGN(const os::Fd file, taken(folder.open_file(entry.name, O_RDONLY)));
        CG_TRY(take_file(file, folder.path_of(entry.name), inside, owner));
        break;
      }
      case os::FileInfo::Type::folder: {
        CG_TRY_ASSIGN(const os::Dir below, taken(folder.open_dir(entry.name)));
        CG_TRY(take_folder(below, inside, owner, depth + 1));
        break;
      }
      case os::FileInfo::Type::symlink: {
        CG_TRY_ASSIGN(std::string target, target_of(folder.fd().get(), entry.name));
        add({inside, Member::Kind::link, 0777, owner, std::move(target)});
        break;
      }
      case os::FileInfo::Type::other:
        break;
    }
  }
  return Done{};
}

Result<Done, sandbox::Error> Gather::take(const std::string& path) {
  CG_TRY_ASSIGN(Place place, resolve(path));
  for (Member& link : place.links) add(std::move(link));
  struct stat status {};
  if (fstatat(root_.get(), place.path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return scene_failure(os::from_errno(errno, path));
  }
  if (!S_ISDIR(status.st_mode)) {
    CG_TRY_ASSIGN(const os::Fd file, open_file(place.path));
    return take_file(file, path, place.path, kRoot);
  }
  CG_TRY_ASSIGN(const os::Dir folder, taken(os::Dir::open(path_ + "/" + place.path)));
  return take_folder(folder, place.path, kRoot, 0);
}

Result<Done, sandbox::Error> Gather::take_tree(const std::string& path, const std::string& place,
                                               unsigned owner) {
  CG_TRY_ASSIGN(const os::Dir folder, taken(os::Dir::open(path)));
  return take_folder(folder, place, owner, 0);
}

void Gather::add_links(const std::map<std::string, std::string>& links, const std::string& place,
                       unsigned owner) {
  for (const auto& [path, target] : links) {
    const std::string inside = place + "/" + path;
    std::vector<std::string> above;
    bool good = !members_.contains(inside);
    for (std::size_t at = place.size(); good && (at = inside.find('/', at)) != inside.npos; ++at) {
      above.push_back(inside.substr(0, at));
      const auto there = members_.find(above.back());
      good = there == members_.end() || there->second.kind == Member::Kind::folder;
    }
    if (!good) continue;
    for (std::string& folder : above) {
      if (!members_.contains(folder)) add(folder_member(std::move(folder), 0755, owner));
    }
    add({inside, Member::Kind::link, 0777, owner, target});
  }
}

Result<Done, sandbox::Error> Gather::take_program(const std::string& path) {
  CG_TRY_ASSIGN(const Place place, resolve(path));
  const bool known = members_.contains(place.path);
  CG_TRY(take(path));
  const auto found = members_.find(place.path);
  if (known || found == members_.end() || found->second.kind != Member::Kind::file) return Done{};
  return take_needs(place.path);
}

Result<Done, sandbox::Error> Gather::take_program_as(const std::string& path,
                                                     const std::string& place) {
  const std::size_t slash = path.rfind('/');
  CG_TRY_ASSIGN(const os::Dir folder, taken(os::Dir::open(path.substr(0, slash))));
  const std::string inside = place.substr(1);
  CG_TRY_ASSIGN(const os::Fd file, taken(folder.open_file(path.substr(slash + 1), O_RDONLY)));
  CG_TRY(take_file(file, path, inside, kRoot));
  return take_needs(inside);
}

/// The depth of this is the length of a chain of libraries, none of which is taken twice.
Result<Done, sandbox::Error> Gather::take_needs(const std::string& path) {
  const auto elf = read_elf(as_bytes(members_.find(path)->second.bytes));
  if (!elf && elf.error().kind == ElfError::Kind::not_elf) return Done{};
  if (!elf) {
    return failure(sandbox::Error::Kind::scene,
                   "/" + printable(path) + ": " + describe(elf.error()));
  }
  if (!elf->interpreter.empty()) CG_TRY(take_program(elf->interpreter));
  std::vector<std::string> folders;
  for (const std::string& folder : elf->run_path) {
    const bool beside = folder.starts_with("$ORIGIN");
    folders.push_back(beside ? "/" + up(path) + folder.substr(7) : folder);
  }
  const std::string architecture(triplet(elf->architecture));
  for (const char* folder : {"/lib/", "/usr/lib/"}) folders.push_back(folder + architecture);
  for (const char* folder : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"})
    folders.emplace_back(folder);
  for (const std::string& name : elf->needed) {
    const std::string library = find_library(name, folders);
    if (library.empty()) {
      return failure(sandbox::Error::Kind::missing,
                     "the library " + printable(name) + " that /" + printable(path) + " needs");
    }
    CG_TRY(take_program(library));
  }
  return Done{};
}

std::string Gather::find_library(const std::string& name,
                                 const std::vector<std::string>& folders) const {
  if (name.empty() || name.find('/') != std::string::npos) return {};
  for (const std::string& folder : folders) {
    std::string path = folder + "/" + name;
    if (has(path)) return path;
  }
  return {};
}

std::vector<Member> Gather::members() && {
  std::vector<Member> out;
  out.reserve(members_.size());
  for (auto& [path, member] : members_) out.push_back(std::move(member));
  members_.clear();
  return out;
}

}  // namespace cg::microvm
