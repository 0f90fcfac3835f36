// Groups: a cgroup per step, where this user may make one.
//
// Version 2, or the memory and pids hierarchies of version 1. A folder of ours is made in
// the cgroup that we are in; the steps' are made in it and removed after them. Where that
// is refused there is none, and the limits of single processes are all there is. What a
// killed jail left there is removed by the next one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/os/fd.h"

namespace cg::inside {

class Group;

class Groups {
 public:
  /// Nothing if none can be had; `why` then says it. `files` is how many bytes of files in memory
  /// steps may leave to later ones: what all steps together may hold is that and one step's own.
  [[nodiscard]] static std::optional<Groups> make(std::uint64_t files, std::string& why);
  /// Hands the folders to a user, so that groups can be made after becoming that one.
  [[nodiscard]] bool give_to(unsigned id) const;
  /// Removes the folders again: by whoever made them, with nobody left inside.
  void remove() const;

  [[nodiscard]] std::optional<Group> make_group() const;
  /// "v1", "v2".
  [[nodiscard]] const char* version() const { return two_ ? "v2" : "v1"; }

 private:
  friend class Group;
  struct Folder {
    std::string path;
    std::shared_ptr<os::Fd> fd;  // holds a lock on the folder
  };
  bool add_folder(const std::string& parent);

  bool two_ = false;
  std::uint64_t left_ = 0;       // bytes that may be left over from earlier steps
  std::vector<Folder> folders_;  // v2: one; v1: memory, pids
};

/// The cgroup of one step. Removed in the destructor; what is in it must have ended.
class Group {
 public:
  Group(Group&& other) noexcept = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  Group& operator=(Group&& other) noexcept {
    std::swap(two_, other.two_);
    std::swap(left_, other.left_);
    std::swap(name_, other.name_);
    std::swap(parts_, other.parts_);
    return *this;
  }
  ~Group();

  /// The calling process goes in.
  [[nodiscard]] bool enter() const;
  /// Of this step, and of it together with what earlier ones left.
  [[nodiscard]] bool limit(std::uint64_t memory, unsigned processes) const;
  [[nodiscard]] bool ran_out_of_memory() const;
  [[nodiscard]] std::uint64_t peak_memory() const;  // 0: not known

 private:
  friend class Groups;
  struct Part {
    std::shared_ptr<os::Fd> parent;
    os::Fd fd;
  };
  Group(bool two, std::uint64_t left, std::string name)
      : two_(two), left_(left), name_(std::move(name)) {}

  bool two_;
  std::uint64_t left_;
  std::string name_;
  std::vector<Part> parts_;
};

}  // namespace cg::inside
