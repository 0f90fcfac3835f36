// The nouns of a git repository as codegenie sees one: what it is asked for and what
// comes back. They cross a process boundary (fetch/gitrepo/wire.h), so each is plain data
// and each text has a cap.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/bytes.h"

namespace cg::gitrepo {

/// The SHA-1 of a git object. All zeros is "none": no object has it.
class ObjectId {
 public:
  ObjectId() = default;
  explicit ObjectId(const std::array<Byte, 20>& bytes) : bytes_(bytes) {}
  /// Exactly 40 lower-case digits.
  [[nodiscard]] static std::optional<ObjectId> parse(std::string_view hex);
  [[nodiscard]] std::string hex() const { return to_hex(bytes_); }
  [[nodiscard]] bool is_none() const { return bytes_ == std::array<Byte, 20>{}; }
  [[nodiscard]] const std::array<Byte, 20>& bytes() const { return bytes_; }
  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;

 private:
  std::array<Byte, 20> bytes_{};
};

/// Which files: those that have any of the base names or match any of the globs (npm/npm/glob.h);
/// all if both lists are empty. Folders named in `without` are not entered, wherever they are; of a
/// file in one that has a name of `watched` it is told, as Skipped::Why::left_out.
struct Filter {
  std::vector<std::string> names;
  std::vector<std::string> globs;
  std::vector<std::string> without;
  std::vector<std::string> watched = {};
};

struct DirtyFile {
  enum class How {
    staged,     // the index has another content than HEAD
    modified,   // the work tree has another content than the index
    deleted,    // in the index, not in the work tree
    untracked,  // beside files of interest, and git does not know it
  };
  How how = How::staged;
  std::string path;  // from the top of the work tree
};

/// What inspect() found. All paths are absolute and resolved.
struct Inspection {
  std::string work_tree;   // "" for a bare repository
  std::string git_dir;     // of this work tree
  std::string common_dir;  // with the objects and branches; git_dir unless linked
  std::string prefix;      // from work_tree to the folder that was named; "" at the top
  bool bare = false;
  bool shallow = false;
  bool linked = false;         // one of several work trees
  std::string head_ref;        // "refs/heads/main"; "" if HEAD is detached
  ObjectId head;               // none while HEAD is unborn
  ObjectId base;               // the commit that was asked for; none if unborn and not named
  ObjectId tree;               // of base
  std::int64_t committed = 0;  // committer's time of base, seconds since 1970
  bool conventional = false;   // most of the last 20 subjects are Conventional Commits
  std::vector<std::string> submodules;  // paths in base
  std::vector<DirtyFile> dirty;         // files of interest that differ from HEAD
};

/// A symbolic link of a tree. Both texts are the repository's: see fetch/gitrepo/links.h.
struct TreeLink {
  std::string path;
  std::string target;
};

/// A file of a tree that an export left out, and why.
struct Skipped {
  enum class Why { symlink, submodule, too_big, odd_name, left_out };
  Why why = Why::symlink;
  std::string path;
};

struct ExportedFile {
  std::string path;
  ObjectId blob;
  std::uint64_t size = 0;
  bool executable = false;
};

struct Exported {
  std::vector<ExportedFile> files;  // in the order of the tree
  std::vector<Skipped> skipped;
  std::vector<TreeLink> links = {};  // none was made anywhere
};

/// A file to be written or, without bytes, deleted. The mode of a file that is there
/// is kept; a new one is 100644.
struct Change {
  std::string path;
  std::optional<std::string> bytes;
};

struct Person {
  std::string name, email;
};

/// An object that is not in the repository yet.
struct NewObject {
  enum class Kind { blob, tree };
  Kind kind = Kind::blob;
  std::string bytes;
};

/// How many lines a file gains and loses, as its diff shows them; none if it is binary.
struct LineCount {
  std::string path;
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
};

/// A commit that exists nowhere but here. `text` is what a signature is made over.
struct Prepared {
  std::string text;
  ObjectId commit;  // its id if it stays unsigned
  ObjectId tree;
  std::vector<NewObject> objects;  // blobs first, then trees from the leaves up
  std::string diff;                // against the base; `git apply` takes it
  std::vector<LineCount> counts;   // of the files of `diff`, in its order
};

struct Written {
  enum class Outcome {
    created,
    found,     // the branch has this commit, or one with its tree, parents and message
    replaced,  // it had another, which `kept_as` now names
  };
  Outcome outcome = Outcome::created;
  ObjectId commit;      // where the branch is now
  ObjectId before;      // where it was; none if created
  std::string kept_as;  // "refs/codegenie/superseded/<branch>/<id>"; "" unless replaced
};

struct Shown {
  ObjectId commit;
  ObjectId tree;
  std::vector<ObjectId> parents;
  std::string text;       // of the commit without its signature
  std::string signature;  // armoured; "" if there is none
  std::string message;
  std::string diff;  // against the first parent; against nothing for a first commit
};

}  // namespace cg::gitrepo
