#include "jail/snapshot/objects.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/wire/message.h"

namespace cg::snapshot {

namespace {

constexpr unsigned kFolderMode = 040000;
constexpr std::size_t kMaxStored = 65'535;  // bytes of a stored block, RFC 1951

/// RFC 1950.
std::uint32_t adler32(std::string_view bytes) {
  constexpr std::uint32_t kPrime = 65'521;
  constexpr std::size_t kSafe = 5'552;  // that many cannot overflow
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kSafe) {
    for (const char c : bytes.substr(at, kSafe)) {
      a += static_cast<Byte>(c);
      b += a;
    }
    a %= kPrime;
    b %= kPrime;
  }
  return b << 16U | a;
}

void put_little_endian16(std::string& out, std::size_t value) {
  out += static_cast<char>(value & 0xffU);
  out += static_cast<char>(value >> 8U);
}

/// The zlib format, stored.
std::string stored(std::string_view bytes) {
  std::string out = "\x78\x01";
  out.reserve(bytes.size() + 16 + 5 * (bytes.size() / kMaxStored));
  const std::uint32_t sum = adler32(bytes);
  do {
    const std::string_view part = bytes.substr(0, kMaxStored);
    bytes.remove_prefix(part.size());
    out += bytes.empty() ? '\1' : '\0';
    put_little_endian16(out, part.size());
    put_little_endian16(out, ~part.size() & 0xffffU);
    out += part;
  } while (!bytes.empty());
  wire::put_big_endian(out, sum, 4);
  return out;
}

unsigned mode_of(const Entry& entry) {
  if (S_ISLNK(entry.status.st_mode)) return 0120000;
  return (entry.status.st_mode & S_IXUSR) != 0 ? 0100755 : 0100644;
}

std::string octal(unsigned value) {
  std::string out;
  for (; value != 0; value /= 8) out.insert(out.begin(), static_cast<char>('0' + value % 8));
  return out;
}

std::string tree_line(unsigned mode, std::string_view name, const Id& id) {
  std::string out = octal(mode) + " ";
  out += name;
  out += '\0';
  return out += as_text(id);
}

/// Of the entries of one folder, whose path with its slash is `start` bytes long.
Id write_tree(std::span<const Entry> entries, std::size_t start,
              const std::function<void(const Object&)>& sink) {
  std::map<std::string, std::string> lines;  // git sorts a folder as if its name ended in a slash
  while (!entries.empty()) {
    const std::string_view path = entries.front().path;
    const std::size_t slash = path.find('/', start);
    if (slash == std::string_view::npos) {
      const std::string name(path.substr(start));
      lines[name] = tree_line(mode_of(entries.front()), name, entries.front().id);
      entries = entries.subspan(1);
      continue;
    }
    const std::string_view above = path.substr(0, slash + 1);
    const auto end = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return !entry.path.starts_with(above);
    });
    const auto count = static_cast<std::size_t>(end - entries.begin());
    const std::string name(path.substr(start, slash - start));
    lines[name + "/"] =
        tree_line(kFolderMode, name, write_tree(entries.first(count), slash + 1, sink));
    entries = entries.subspan(count);
  }
  std::string content;
  for (const auto& [name, line] : lines) content += line;
  const Object tree = object_of("tree", content);
  sink(tree);
  return tree.id;
}

}  // namespace

Object object_of(std::string_view type, std::string_view content) {
  std::string whole(type);
  whole += " " + std::to_string(content.size());
  whole += '\0';
  whole += content;
  return {sha1(as_bytes(whole)), stored(whole)};
}

std::string place_of(const Id& id) {
  const std::string hex = to_hex(id);
  return hex.substr(0, 2) + "/" + hex.substr(2);
}

Id write_trees(std::span<const Entry> entries, const std::function<void(const Object&)>& sink) {
  return write_tree(entries, 0, sink);
}

std::string write_index(std::span<const Entry> entries) {
  std::string out = "DIRC";
  const auto number = [&](auto value) {
    wire::put_big_endian(out, static_cast<std::uint32_t>(value), 4);
  };
  number(2U);
  number(entries.size());
  for (const Entry& entry : entries) {
    const std::size_t start = out.size();
    const struct stat& s = entry.status;
    number(s.st_ctim.tv_sec);
    number(s.st_ctim.tv_nsec);
    number(s.st_mtim.tv_sec);
    number(s.st_mtim.tv_nsec);
    number(s.st_dev);
    number(s.st_ino);
    number(mode_of(entry));
    number(s.st_uid);
    number(s.st_gid);
    number(s.st_size);
    out += as_text(entry.id);
    wire::put_big_endian(out, std::min<std::size_t>(entry.path.size(), 0xfff), 2);
    out += entry.path;
    out.append(8 - (out.size() - start) % 8, '\0');
  }
  return out += as_text(sha1(as_bytes(out)));
}

std::string exclude_line(std::string_view path) {
  std::string out = "/";
  for (const char c : path) {
    if (c == '\n') {
      out += '?';  // cannot be said; nothing but a line end has to be matched by it
      continue;
    }
    if (c == '*' || c == '?' || c == '[' || c == '\\' || c == ' ') out += '\\';
    out += c;
  }
  return out + "\n";
}

}  // namespace cg::snapshot
