#include "jail/microvm/cpio.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/base/text.h"

namespace cg::microvm {

namespace {

constexpr std::string_view kMagic = "070701";
constexpr std::string_view kTrailer = "TRAILER!!!";
constexpr std::size_t kAlign = 4;
constexpr std::size_t kBlock = 512;
constexpr std::size_t kMaxPath = 4095;
constexpr unsigned kFolderType = 0040000;
constexpr unsigned kFileType = 0100000;
constexpr unsigned kLinkType = 0120000;
constexpr unsigned kPermissions = 07777;
// The time that npm gives to what it packs: some tools refuse years before 1980.
constexpr std::uint32_t kTime = 499'162'500;

void pad(std::string& out, std::size_t to) { out.append((to - out.size() % to) % to, '\0'); }

void append_number(std::string& out, std::uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) {
    out += "0123456789ABCDEF"[value >> static_cast<unsigned>(shift) & 0xfU];
  }
}

unsigned type_and_mode(const Member& member) {
  switch (member.kind) {
    case Member::Kind::folder:
      return kFolderType | (member.mode & kPermissions);
    case Member::Kind::file:
      return kFileType | (member.mode & kPermissions);
    case Member::Kind::link:
      return kLinkType | 0777U;
  }
  return 0;
}

void append_member(std::string& out, std::uint32_t inode, const Member& member) {
  const bool folder = member.kind == Member::Kind::folder;
  const std::uint32_t size = folder ? 0 : static_cast<std::uint32_t>(member.bytes.size());
  out += kMagic;
  append_number(out, inode);
  append_number(out, type_and_mode(member));
  append_number(out, member.owner);
  append_number(out, member.owner);
  append_number(out, folder ? 2 : 1);  // links
  append_number(out, kTime);
  append_number(out, size);
  for (int device = 0; device < 4; ++device) append_number(out, 0);
  append_number(out, static_cast<std::uint32_t>(member.path.size() + 1));
  append_number(out, 0);  // checksum: of another form
  out += member.path;
  out += '\0';
  pad(out, kAlign);
  if (!folder) out += member.bytes;
  pad(out, kAlign);
}

void append_trailer(std::string& out) {
  out += kMagic;
  for (int field = 0; field < 13; ++field) {
    append_number(out, field == 4 ? 1 : field == 11 ? kTrailer.size() + 1 : 0);
  }
  out += kTrailer;
  out += '\0';
  pad(out, kBlock);
}

std::string_view parent(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

/// The folders that nobody named.
std::vector<Member> missing_folders(const std::vector<Member>& members) {
  std::set<std::string, std::less<>> known;
  for (const Member& member : members) known.insert(member.path);
  std::vector<Member> out;
  for (const Member& member : members) {
    for (auto folder = parent(member.path); !folder.empty(); folder = parent(folder)) {
      if (!known.insert(std::string(folder)).second) break;
      out.push_back({std::string(folder), Member::Kind::folder, 0755, 0, {}});
    }
  }
  return out;
}

Result<Done, CpioError> check(const std::vector<Member>& members) {
  const auto error = [](CpioError::Kind kind, const Member& member) {
    return fail(CpioError{kind, printable(member.path)});
  };
  std::set<std::string_view> others;  // than folders
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    if (!is_member_path(member.path)) return error(CpioError::Kind::bad_path, member);
    if (i > 0 && members[i - 1].path == member.path) return error(CpioError::Kind::twice, member);
    if (member.bytes.size() > std::numeric_limits<std::int32_t>::max()) {
      return error(CpioError::Kind::too_large, member);
    }
    for (auto folder = parent(member.path); !folder.empty(); folder = parent(folder)) {
      if (others.contains(folder)) return error(CpioError::Kind::no_folder, member);
    }
    if (member.kind != Member::Kind::folder) others.insert(member.path);
  }
  return Done{};
}

}  // namespace

bool is_member_path(std::string_view path) {
  if (path.empty() || path.size() > kMaxPath || path == kTrailer) return false;
  if (path.find('\0') != std::string_view::npos) return false;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return false;
    at = end + 1;
  }
  return true;
}

Result<std::string, CpioError> write_cpio(std::vector<Member> members) {
  std::vector<Member> folders = missing_folders(members);
  std::move(folders.begin(), folders.end(), std::back_inserter(members));
  std::sort(members.begin(), members.end(),
            [](const Member& a, const Member& b) { return a.path < b.path; });
  CG_TRY(check(members));
  std::size_t size = 2 * kBlock;
  for (const Member& member : members) {
    size += kBlock / 2 + member.path.size() + member.bytes.size();
  }
  std::string out;
  out.reserve(size);
  std::uint32_t inode = 0;
  for (Member& member : members) {
    append_member(out, ++inode, member);
    // A tree of half a gigabyte should not be held twice.
    std::string().swap(member.bytes);
  }
  append_trailer(out);
  return out;
}

std::string describe(const CpioError& error) {
  switch (error.kind) {
    case CpioError::Kind::bad_path:
      return "no path for an archive: " + error.path;
    case CpioError::Kind::twice:
      return "twice in the archive: " + error.path;
    case CpioError::Kind::no_folder:
      return "lies in what is no folder: " + error.path;
    case CpioError::Kind::too_large:
      return "too large for the archive: " + error.path;
  }
  return {};
}

}  // namespace cg::microvm
