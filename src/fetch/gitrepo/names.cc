#include "fetch/gitrepo/names.h"

#include <algorithm>

#include "base/base/text.h"
#include "fetch/gitrepo/wire.h"
#include "npm/npm/glob.h"
#include "trust/hash/blake3.h"

namespace cg::gitrepo {

namespace {

constexpr std::size_t kMaxBranchTail = 160;
constexpr std::size_t kMaxRefBytes = 512;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

bool is_ref_part(std::string_view part) {
  return !part.empty() && !part.starts_with('.') && !part.ends_with(".lock");
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

/// Plain characters; each run of others one dash, no dot beside a dot or at an end.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : lower_ascii(text)) {
    const char next = is_plain(c) ? c : '-';
    const bool joins = next == '-' || next == '.';
    if (joins && (out.empty() || out.back() == '-' || out.back() == '.')) continue;
    out += next;
  }
  while (!out.empty() && !(out.back() != '-' && out.back() != '.')) out.pop_back();
  return out;
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Code points that HFS+ leaves out of names, after the first byte 0xe2 or 0xef.
bool is_ignored_by_hfs(std::string_view three) {
  const std::string_view two = three.substr(1);
  if (three.starts_with('\xef')) return two == "\xbb\xbf";
  if (two.size() != 2) return false;
  const auto last = static_cast<unsigned char>(two[1]);
  if (two[0] == '\x80') return (last >= 0x8c && last <= 0x8f) || (last >= 0xaa && last <= 0xae);
  return two[0] == '\x81' && last >= 0xaa && last <= 0xaf;
}

std::string as_hfs(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool may_be = name[i] == '\xe2' || name[i] == '\xef';
    if (may_be && is_ignored_by_hfs(name.substr(i, 3))) {
      i += 2;
      continue;
    }
    out += name[i];
  }
  return out;
}

/// NTFS drops dots and spaces at the end, and reads a stream's name after a colon.
std::string_view as_ntfs(std::string_view name) {
  name = name.substr(0, name.find(':'));
  while (name.ends_with('.') || name.ends_with(' ')) name.remove_suffix(1);
  return name;
}

bool is_dot_git(std::string_view name) {
  const std::string small = lower_ascii(name);
  const std::string_view stripped = as_ntfs(small);
  return stripped == ".git" || stripped == "git~1" || lower_ascii(as_hfs(name)) == ".git";
}

}  // namespace

std::optional<ObjectId> ObjectId::parse(std::string_view hex) {
  const auto bytes = from_hex<20>(hex);
  if (!bytes) return std::nullopt;
  return ObjectId(*bytes);
}

bool is_ref_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxRefBytes || name.starts_with('-')) return false;
  if (name == "@" || name == "HEAD" || name.ends_with('.') || !is_utf8(name)) return false;
  if (name.find("..") != std::string_view::npos || name.find("@{") != std::string_view::npos) {
    return false;
  }
  constexpr std::string_view kForbidden = " ~^:?*[\\";
  const auto bad = [&](char c) { return is_control(c) || kForbidden.find(c) != kForbidden.npos; };
  if (std::any_of(name.begin(), name.end(), bad)) return false;
  const auto parts = split(name, '/');
  return std::all_of(parts.begin(), parts.end(), is_ref_part);
}

std::string branch_name(std::string_view prefix, std::string_view advisory,
                        std::string_view package, std::string_view version) {
  const std::string whole =
      std::string(advisory) + "-" + std::string(package) + "-" + std::string(version);
  std::string tail = plain(whole);
  if (tail.empty() || tail.size() > kMaxBranchTail || tail.ends_with(".lock")) {
    const std::string digest = to_hex(hash::blake3(as_bytes(whole))).substr(0, 12);
    tail = plain(tail.substr(0, kMaxBranchTail)) + (tail.empty() ? "" : "-") + digest;
  }
  return std::string(prefix) + tail;
}

bool is_hostile_name(std::string_view name) {
  return name.empty() || name == "." || name == ".." || name.find('/') != name.npos ||
         name.find('\0') != name.npos || is_dot_git(name);
}

bool is_odd_name(std::string_view name) {
  return name.find('\\') != name.npos || std::any_of(name.begin(), name.end(), is_control);
}

bool is_safe_path(std::string_view path) {
  if (path.size() > kMaxPath || path.starts_with('/')) return false;
  const auto parts = split(path, '/');
  return std::none_of(parts.begin(), parts.end(), [](std::string_view part) {
    return is_hostile_name(part) || is_odd_name(part) || part.size() > 255;
  });
}

bool fits(const Filter& filter, std::string_view path) {
  if (filter.names.empty() && filter.globs.empty()) return true;
  const auto globbed = [&](const std::string& glob) { return npm::glob_match(glob, path); };
  return is_among(filter.names, path.substr(path.rfind('/') + 1)) ||
         std::any_of(filter.globs.begin(), filter.globs.end(), globbed);
}

bool is_left_out(const Filter& filter, std::string_view path) {
  std::vector<std::string_view> folders = split(path, '/');
  folders.pop_back();
  return std::any_of(folders.begin(), folders.end(),
                     [&](std::string_view folder) { return is_among(filter.without, folder); });
}

bool is_watched(const Filter& filter, std::string_view path) {
  return is_among(filter.watched, path.substr(path.rfind('/') + 1));
}

bool is_conventional(std::string_view subject) {
  std::size_t at = 0;
  while (at < subject.size() && ((subject[at] >= 'a' && subject[at] <= 'z') ||
                                 (subject[at] >= 'A' && subject[at] <= 'Z'))) {
    ++at;
  }
  if (at == 0 || at > 20) return false;
  std::string_view rest = subject.substr(at);
  if (rest.starts_with('(')) {
    const std::size_t end = rest.find(')');
    if (end == rest.npos || end == 1) return false;
    rest.remove_prefix(end + 1);
  }
  if (rest.starts_with('!')) rest.remove_prefix(1);
  return rest.starts_with(": ") && !trim(rest.substr(2)).empty();
}

std::string object_of(const Shown& shown) {
  const std::size_t end = shown.text.find("\n\n");
  if (shown.signature.empty() || end == std::string::npos) return shown.text;
  std::string header = "gpgsig ";
  for (const char c : shown.signature) {
    header += c;
    if (c == '\n') header += ' ';
  }
  return shown.text.substr(0, end + 1) + header + shown.text.substr(end);
}

}  // namespace cg::gitrepo
