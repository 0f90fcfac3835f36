// Gather: files of this machine, and what it takes to use them elsewhere.
//
// Paths are followed link by link, and the links come along, so that /bin/sh is found where
// /bin is a link. Of a file only its bytes count and whether it can be run: owners, times
// and set-user-id bits stay behind, so that the same packages give the same members.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/os/dir.h"
#include "jail/microvm/cpio.h"
#include "jail/sandbox/chamber.h"

namespace cg::microvm {

/// Whose the files are inside.
inline constexpr unsigned kRoot = 0;

class Gather {
 public:
  /// `root` is "/" outside of tests.
  [[nodiscard]] static Result<Gather, sandbox::Error> open(const std::string& root);

  /// A file, or a folder with all that is in it, and the links that lead there. What is
  /// neither file, folder nor link is passed over.
  [[nodiscard]] Result<Done, sandbox::Error> take(const std::string& path);
  /// A file and, if it is a program, its interpreter and every library that these need.
  [[nodiscard]] Result<Done, sandbox::Error> take_program(const std::string& path);
  /// The same for a program of the host at `path` (not of root), to stand at `place`.
  [[nodiscard]] Result<Done, sandbox::Error> take_program_as(const std::string& path,
                                                             const std::string& place);
  /// True if `path` leads to something.
  [[nodiscard]] bool has(const std::string& path) const;
  /// The path without links in it.
  [[nodiscard]] Result<std::string, sandbox::Error> real_path(const std::string& path) const;
  /// The bytes of a file, wherever links lead; nothing is taken.
  [[nodiscard]] Result<std::string, sandbox::Error> read(const std::string& path) const;

  /// The content of folder `path` of the host, as it would stand in `place` inside
  /// ("tree"). Links are kept as they are, never followed; `place` belongs to `owner`.
  [[nodiscard]] Result<Done, sandbox::Error> take_tree(const std::string& path,
                                                       const std::string& place, unsigned owner);

  /// Links beneath `place`, relative path -> target, where nothing is yet.
  void add_links(const std::map<std::string, std::string>& links, const std::string& place,
                 unsigned owner);

  void add(Member member);
  /// How many bytes all files have.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::vector<Member> members() &&;

 private:
  Gather(std::string path, os::Fd root) : path_(std::move(path)), root_(std::move(root)) {}
  struct Place {
    std::string path;  // relative to root, no links in it
    std::vector<Member> links;
  };
  [[nodiscard]] Result<Place, sandbox::Error> resolve(const std::string& path) const;
  [[nodiscard]] Result<os::Fd, sandbox::Error> open_file(const std::string& path) const;
  [[nodiscard]] Result<Done, sandbox::Error> take_file(const os::Fd& file, const std::string& shown,
                                                       const std::string& place, unsigned owner);
  [[nodiscard]] Result<Done, sandbox::Error> take_folder(const os::Dir& folder,
                                                         const std::string& place, unsigned owner,
                                                         unsigned depth);
  [[nodiscard]] Result<Done, sandbox::Error> take_needs(const std::string& path);
  [[nodiscard]] std::string find_library(const std::string& name,
                                         const std::vector<std::string>& folders) const;

  std::string path_;
  os::Fd root_;  // a place to start from: of / itself, a sealed program may read nothing
  std::map<std::string, Member> members_;
  std::uint64_t bytes_ = 0;
};

}  // namespace cg::microvm
