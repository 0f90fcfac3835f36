#include "npm/exports/unpack.h"

#include <algorithm>
#include <array>

#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "npm/syntax/language.h"

namespace cg::exports {

namespace {

bool is_read(std::string_view path) {
  return syntax::language_of(path).has_value() || path == "package.json" ||
         path.ends_with("/package.json");
}

/// By its name, or by how programs of Linux, macOS, Windows and WebAssembly begin.
bool is_native(std::string_view path, std::string_view content) {
  static constexpr std::array<std::string_view, 8> kEndings = {".node", ".gyp",   ".gypi", ".so",
                                                               ".dll",  ".dylib", ".exe",  ".wasm"};
  static constexpr std::array<std::string_view, 6> kStarts = {
      "\x7f"
      "ELF",
      "MZ\x90",
      "\xcf\xfa\xed\xfe",
      "\xfe\xed\xfa\xcf",
      "\xca\xfe\xba\xbe",
      std::string_view("\0asm", 4)};
  const auto ends = [&](std::string_view ending) { return path.ends_with(ending); };
  const auto starts = [&](std::string_view start) { return content.starts_with(start); };
  return std::any_of(kEndings.begin(), kEndings.end(), ends) ||
         std::any_of(kStarts.begin(), kStarts.end(), starts);
}

Result<Unpacked, Error> read_all(std::string_view tar, const Limits& limits, Wants wants) {
  archive::Limits most;
  most.max_output = limits.unpacked;
  most.max_entry = limits.unpacked;
  Unpacked out;
  bool too_many = false;
  const auto read = archive::read_tar(tar, most, [&](const archive::Entry& entry) {
    const std::size_t slash = entry.name.find('/');
    if (slash == std::string_view::npos) return archive::Next::more;
    const std::string path(entry.name.substr(slash + 1));
    // As npm: of two files of one name the last.
    out.all[path] = {entry.content.size(), is_native(path, entry.content)};
    if (wants != nullptr && wants(path)) {
      out.others.insert_or_assign(path, std::string(entry.content.substr(0, limits.other)));
    }
    if (!is_read(path) || entry.content.size() > syntax::kMaxFileBytes) return archive::Next::more;
    too_many = out.sources.size() >= limits.files;
    if (too_many) return archive::Next::stop;
    out.sources.insert_or_assign(path, std::string(entry.content));
    return archive::Next::more;
  });
  if (too_many) return fail(Error::too_large);
  if (!read) return fail(Error::not_a_package);
  return out;
}

}  // namespace

Result<Unpacked, Error> unpack(std::string_view tarball, const Limits& limits, Wants wants) {
  archive::Limits most;
  most.max_output = limits.unpacked;
  const auto tar = archive::gunzip(tarball, most);
  if (tar) return read_all(*tar, limits, wants);
  const auto kind = tar.error().kind;
  const bool large = kind == archive::Error::Kind::output_too_large ||
                     kind == archive::Error::Kind::ratio_too_high;
  return fail(large ? Error::too_large : Error::not_a_package);
}

}  // namespace cg::exports
