#include "fetch/catalog/shelf.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <set>

namespace cg::catalog {

namespace {

constexpr std::size_t kCopyPiece = 1U << 20U;
constexpr const char* kRegistry = "registry";
constexpr const char* kMirror = "mirror";
constexpr const char* kDocument = "index.json";

Problem storage(const os::Error& error) {
  const ErrorCode code =
      error.kind == os::Error::Kind::no_space ? ErrorCode::home_no_space : ErrorCode::home_io;
  return {code,
          "the packages cannot be laid out for the sandbox",
          {{"file", error.path}, {"found", os::describe(error)}},
          "nothing was installed",
          {}};
}

/// For root a chamber gives its steps another user, who cannot read what is root's alone.
/// Then the shelf holds copies that everybody can read; they lie in a folder that nobody
/// else can enter.
bool is_for_others() { return geteuid() == 0; }

Result<Done, os::Error> let_others_read(const os::Fd& fd, mode_t mode, const std::string& path) {
  if (is_for_others() && fchmod(fd.get(), mode) != 0) return fail(os::from_errno(errno, path));
  return Done{};
}

Result<Done, os::Error> write_file(const os::Dir& folder, const std::string& path,
                                   std::string_view bytes) {
  CG_TRY_ASSIGN(const os::Fd fd, folder.open_file(path, O_WRONLY | O_CREAT | O_EXCL));
  CG_TRY(let_others_read(fd, 0644, folder.path_of(path)));
  return os::write_at(fd, bytes, 0, folder.path_of(path));
}

Result<Done, os::Error> copy_file(const os::Dir& home, const std::string& from,
                                  const os::Dir& folder, const std::string& to) {
  CG_TRY_ASSIGN(const os::Fd source, home.open_file(from, O_RDONLY));
  CG_TRY_ASSIGN(const os::Fd target, folder.open_file(to, O_WRONLY | O_CREAT | O_EXCL));
  CG_TRY(let_others_read(target, 0644, folder.path_of(to)));
  for (std::uint64_t at = 0;;) {
    CG_TRY_ASSIGN(const std::string piece, os::read_at(source, at, kCopyPiece, home.path_of(from)));
    if (piece.empty()) return Done{};
    CG_TRY(os::write_at(target, piece, at, folder.path_of(to)));
    at += piece.size();
  }
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string last_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// A second name, or a copy on another file system or one without second names.
Result<Done, os::Error> place(const os::Dir& home, const std::string& from, const os::Dir& folder,
                              const std::string& to) {
  if (is_for_others()) return copy_file(home, from, folder, to);
  CG_TRY_ASSIGN(const os::Dir source, home.open_dir(folder_of(from)));
  CG_TRY_ASSIGN(const os::Dir target, folder.open_dir(folder_of(to)));
  const std::string name = last_of(to);
  if (linkat(source.fd().get(), last_of(from).c_str(), target.fd().get(), name.c_str(), 0) == 0) {
    return Done{};
  }
  const int code = errno;
  if (code == EEXIST || code == ENOSPC) return fail(os::from_errno(code, folder.path_of(to)));
  return copy_file(home, from, folder, to);
}

class Layout {
 public:
  Layout(const os::Dir& home, const os::Dir& folder) : home_(home), folder_(folder) {}

  Result<Done, os::Error> make_dir(const std::string& path) {
    if (!made_.insert(path).second) return Done{};
    CG_TRY(folder_.make_dir(path));
    // Those above it too: any of them may have been made just now.
    for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
      const std::string part = path.substr(0, end);
      CG_TRY_ASSIGN(const os::Dir made, folder_.open_dir(part));
      CG_TRY(let_others_read(made.fd(), 0755, folder_.path_of(part)));
      if (end == std::string::npos) return Done{};
    }
  }

  /// The path that every package has: it must be there.
  Result<Done, os::Error> lay(const std::string& path, const Tarball& tarball) {
    const auto [at, is_new] = laid_.emplace(path, tarball.path);
    if (!is_new) {
      if (at->second != tarball.path) notes_.push_back(path + " is meant by two locks differently");
      return Done{};
    }
    CG_TRY(make_dir(folder_of(path)));
    return place(home_, tarball.path, folder_, path);
  }

  /// A path that a lock made up: it may stand in the way of another.
  void try_lay(const std::string& path, const Tarball& tarball) {
    if (laid_.contains(path)) return;
    if (!make_dir(folder_of(path)) || !place(home_, tarball.path, folder_, path)) {
      notes_.push_back(path + " cannot be laid: something else is there");
      return;
    }
    laid_.emplace(path, tarball.path);
  }

  Result<Done, os::Error> document(const std::string& path, const std::string& text) {
    CG_TRY(make_dir(folder_of(path)));
    return write_file(folder_, path, text);
  }

  [[nodiscard]] std::size_t size() const { return laid_.size(); }
  [[nodiscard]] std::vector<std::string> take_notes() { return std::move(notes_); }

 private:
  const os::Dir& home_;
  const os::Dir& folder_;
  std::set<std::string> made_;
  std::map<std::string, std::string> laid_;  // path to the cache's
  std::vector<std::string> notes_;
};

std::string beneath(const char* folder, const std::string& path) {
  return std::string(folder) + "/" + path;
}

Result<Shelf, os::Error> lay(const os::Dir& home, const Stock& stock, const os::Dir& folder,
                             std::uint16_t port) {
  Shelf shelf{folder.path_of(kRegistry), folder.path_of(kMirror)};
  Layout layout(home, folder);
  CG_TRY(layout.make_dir(kRegistry));
  CG_TRY(layout.make_dir(kMirror));
  std::map<std::string, std::vector<const Held*>> by_name;
  for (const Held& held : stock.held) {
    if (!held.elsewhere) by_name[held.name].push_back(&held);
  }
  std::map<std::string, std::vector<const registry::Release*>> listed;
  for (const registry::Release& release : stock.listed) {
    listed[release.name].push_back(&release);
    by_name.try_emplace(release.name);
  }
  for (const auto& [name, versions] : by_name) {
    CG_TRY(layout.document(beneath(kRegistry, name) + "/" + kDocument,
                           shelf_document(versions, listed[name], shelf_url(port))));
    for (const Held* held : versions) {
      CG_TRY(layout.lay(beneath(kRegistry, held->paths.front()), held->tarball));
    }
  }
  for (const Held& held : stock.held) {
    for (const std::string& path : held.paths) {
      layout.try_lay(beneath(kRegistry, path), held.tarball);
    }
  }
  shelf.packages = by_name.size();
  shelf.tarballs = layout.size();
  for (const Held& held : stock.held) {
    for (const std::string& name : held.mirror) {
      layout.try_lay(beneath(kMirror, name), held.tarball);
    }
  }
  shelf.notes = layout.take_notes();
  return shelf;
}

}  // namespace

std::string shelf_url(std::uint16_t port) {
  return "http://127.0.0.1:" + std::to_string(port) + "/";
}

std::string mirror_in(const std::string& folder) { return folder + "/" + kMirror; }

Result<Shelf, Problem> lay_shelf(const os::Dir& home, const Stock& stock, const os::Dir& folder,
                                 std::uint16_t port) {
  auto shelf = lay(home, stock, folder, port);
  if (!shelf) return fail(storage(shelf.error()));
  return *std::move(shelf);
}

}  // namespace cg::catalog
