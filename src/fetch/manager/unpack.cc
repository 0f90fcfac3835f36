#include "fetch/manager/unpack.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <map>

#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "base/base/text.h"

namespace cg::manager {

namespace {

constexpr archive::Limits kLimits{
    .max_output = 256ULL << 20U, .max_entries = 20'000, .max_entry = 64ULL << 20U};

std::string words_of(const os::Error& error) {
  return printable(error.path) + ": " + os::describe(error);
}

/// Each folder of `path`, from the outermost on: 0755.
Result<Done, std::string> make_folders(const os::Dir& to, const std::string& path) {
  if (fchmod(to.fd().get(), 0755) != 0) return fail(to.path() + " cannot be opened to others");
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    const std::string folder = path.substr(0, at);
    if (to.open_dir(folder)) continue;
    if (auto made = to.make_dir(folder); !made) return fail(words_of(made.error()));
    const auto opened = to.open_dir(folder);
    if (!opened) return fail(words_of(opened.error()));
    if (fchmod(opened->fd().get(), 0755) != 0) return fail(folder + " cannot be opened to others");
  }
  return Done{};
}

}  // namespace

Result<Done, std::string> lay(const os::Dir& to, const std::string& path, std::string_view bytes) {
  CG_TRY(make_folders(to, path));
  const auto file = to.open_file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!file) return fail(words_of(file.error()));
  if (auto done = os::write_at(*file, bytes, 0, to.path_of(path)); !done) {
    return fail(words_of(done.error()));
  }
  const mode_t mode = bytes.starts_with("#!") ? 0755 : 0644;
  if (fchmod(file->get(), mode) != 0) return fail(path + " cannot be opened to others");
  return Done{};
}

Result<Done, std::string> unpack(std::string_view tarball, const os::Dir& to) {
  const auto tar = archive::gunzip(tarball, kLimits);
  if (!tar) return fail(archive::describe(tar.error()));
  // As npm: of two files of one name the last.
  std::map<std::string, std::string_view> files;
  const auto read = archive::read_tar(*tar, kLimits, [&](const archive::Entry& entry) {
    const std::size_t slash = entry.name.find('/');
    if (slash != std::string_view::npos) {
      files.insert_or_assign(std::string(entry.name.substr(slash + 1)), entry.content);
    }
    return archive::Next::more;
  });
  if (!read) return fail(archive::describe(read.error()));
  for (const auto& [path, bytes] : files) CG_TRY(lay(to, path, bytes));
  return Done{};
}

}  // namespace cg::manager
