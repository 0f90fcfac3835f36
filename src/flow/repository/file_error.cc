#include "flow/repository/file_error.h"

#include <cstdlib>

#include "base/base/text.h"

namespace cg::repository {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool has_conflict(std::string_view text) {
  return text.starts_with("<<<<<<< ") || text.find("\n<<<<<<< ") != std::string_view::npos;
}

/// What a text that does not parse most likely suffers from.
FileError diagnose(std::string path, std::string_view text, const json::Position& at,
                   std::string what) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return {FileError::Kind::empty, std::move(path), {}, "the file is empty"};
  }
  if (text.starts_with(kByteOrderMark) && at.offset <= kByteOrderMark.size()) {
    return {FileError::Kind::byte_order_mark, std::move(path), at, "begins with a byte order mark"};
  }
  if (!is_utf8(text)) return {FileError::Kind::not_utf8, std::move(path), at, what};
  if (has_conflict(text)) {
    return {FileError::Kind::merge_conflict, std::move(path), at,
            "has the markers of a merge conflict"};
  }
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  // An object that does not close, whatever the parser stumbled over first.
  const bool open = text[text.find_first_not_of(" \t\r\n")] == '{' && text[last] != '}';
  if (at.offset > last || (open && path.ends_with(".json"))) {
    return {FileError::Kind::cut_off, std::move(path), at, "ends in the middle: " + what};
  }
  return {FileError::Kind::syntax, std::move(path), at, std::move(what)};
}

}  // namespace

std::string_view name(FileError::Kind kind) {
  switch (kind) {
    case FileError::Kind::no_lockfile:
      return "no_lockfile";
    case FileError::Kind::unsupported:
      return "unsupported";
    case FileError::Kind::unreadable:
      return "unreadable";
    case FileError::Kind::symlink:
      return "symlink";
    case FileError::Kind::too_large:
      return "too_large";
    case FileError::Kind::empty:
      return "empty";
    case FileError::Kind::not_utf8:
      return "not_utf8";
    case FileError::Kind::byte_order_mark:
      return "byte_order_mark";
    case FileError::Kind::cut_off:
      return "cut_off";
    case FileError::Kind::merge_conflict:
      return "merge_conflict";
    case FileError::Kind::syntax:
      return "syntax";
    case FileError::Kind::version:
      return "version";
    case FileError::Kind::shape:
      return "shape";
  }
  std::abort();
}

std::string describe(const FileError& error) {
  std::string out = printable(error.path);
  if (error.at != json::Position{}) {
    out += ":" + std::to_string(error.at.line) + ":" + std::to_string(error.at.column);
  }
  return out + ": " + error.what;
}

FileError from_os(const os::Error& error, std::string path) {
  switch (error.kind) {
    case os::Error::Kind::symlink:
      return {FileError::Kind::symlink,
              std::move(path),
              {},
              "a symbolic link, which is never followed"};
    case os::Error::Kind::too_big:
      return {FileError::Kind::too_large, std::move(path), {}, "larger than such a file may be"};
    default:
      return {FileError::Kind::unreadable, std::move(path), {}, os::describe(error)};
  }
}

FileError from_lock(const lockfile::LockError& error, std::string path, std::string_view text) {
  switch (error.kind) {
    case lockfile::LockError::Kind::too_large:
      return {FileError::Kind::too_large, std::move(path), error.at, error.what};
    case lockfile::LockError::Kind::syntax:
      return diagnose(std::move(path), text, error.at, error.what);
    case lockfile::LockError::Kind::version:
      return {FileError::Kind::version, std::move(path), error.at, error.what};
    case lockfile::LockError::Kind::shape:
      return {FileError::Kind::shape, std::move(path), error.at, error.what};
  }
  std::abort();
}

FileError from_manifest(const npm::ManifestError& error, std::string path, std::string_view text) {
  // The manifest's errors carry their place in words, too.
  const std::string place = "line " + std::to_string(error.at.line) + ", column " +
                            std::to_string(error.at.column) + ": ";
  std::string what = error.what;
  if (what.starts_with(place)) what.erase(0, place.size());
  if (what.starts_with("`"))
    return {FileError::Kind::shape, std::move(path), error.at, std::move(what)};
  return diagnose(std::move(path), text, error.at, std::move(what));
}

FileError from_parse(const json::ParseError& error, std::string path, std::string_view text) {
  return diagnose(std::move(path), text, error.at, json::describe_what(error));
}

}  // namespace cg::repository
