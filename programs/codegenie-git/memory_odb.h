// Objects in memory over those of a repository: what is written stays here, what is read
// comes from either. Nothing on disk is touched, not even a file's time.
#pragma once

#include <git2/sys/odb_backend.h>

#include <map>
#include <string>
#include <vector>

#include "repository.h"

namespace cg::git {

class MemoryOdb {
 public:
  /// Makes `repo` use it. Must outlive `repo`.
  [[nodiscard]] Result<Done, Error> put_over(git_repository* repo);

  struct Kept {
    git_object_t type = GIT_OBJECT_INVALID;
    std::string bytes;
  };
  /// In the order they were written, each once.
  [[nodiscard]] const std::vector<ObjectId>& order() const { return order_; }
  [[nodiscard]] const Kept& at(const ObjectId& id) const { return kept_.at(id); }

 private:
  struct Backend : git_odb_backend {
    MemoryOdb* self = nullptr;
  };
  static MemoryOdb& of(git_odb_backend* backend) { return *static_cast<Backend*>(backend)->self; }
  static int read(void** data, std::size_t* size, git_object_t* type, git_odb_backend* backend,
                  const git_oid* id);
  static int read_header(std::size_t* size, git_object_t* type, git_odb_backend* backend,
                         const git_oid* id);
  static int write(git_odb_backend* backend, const git_oid* id, const void* data, std::size_t size,
                   git_object_t type);
  static int exists(git_odb_backend* backend, const git_oid* id);

  Backend backend_{};
  Odb under_;
  std::map<ObjectId, Kept> kept_;
  std::vector<ObjectId> order_;
};

}  // namespace cg::git
