#include "memory_odb.h"

#include <git2/sys/repository.h>

#include <cstring>

namespace cg::git {

Result<Done, Error> MemoryOdb::put_over(git_repository* repo) {
  git_odb* disk = nullptr;
  int code = git_repository_odb(&disk, repo);
  under_ = Odb(disk);
  if (code == 0) code = git_odb_init_backend(&backend_, GIT_ODB_BACKEND_VERSION);
  backend_.self = this;
  backend_.read = read;
  backend_.read_header = read_header;
  backend_.write = write;
  backend_.exists = exists;
  backend_.free = [](git_odb_backend*) {};
  git_odb* made = nullptr;
  if (code == 0) code = git_odb_new(&made);
  const Odb odb(made);
  if (code == 0) code = git_odb_add_backend(odb.get(), &backend_, 1);
  if (code == 0) code = git_repository_set_odb(repo, odb.get());
  if (code != 0) return refuse_git(code, Kind::damaged, "objects");
  return Done{};
}

int MemoryOdb::read(void** data, std::size_t* size, git_object_t* type, git_odb_backend* backend,
                    const git_oid* id) {
  const MemoryOdb& self = of(backend);
  const auto kept = self.kept_.find(id_of(*id));
  git_odb_object* found = nullptr;
  if (kept == self.kept_.end()) {
    const int code = git_odb_read(&found, self.under_.get(), id);
    if (code != 0) return code;
  }
  const OdbObject object(found);
  *size = found != nullptr ? git_odb_object_size(found) : kept->second.bytes.size();
  *type = found != nullptr ? git_odb_object_type(found) : kept->second.type;
  const void* from = found != nullptr ? git_odb_object_data(found) : kept->second.bytes.data();
  *data = git_odb_backend_data_alloc(backend, *size + 1);
  if (*data == nullptr) return -1;
  std::memcpy(*data, from, *size);
  return 0;
}

int MemoryOdb::read_header(std::size_t* size, git_object_t* type, git_odb_backend* backend,
                           const git_oid* id) {
  const MemoryOdb& self = of(backend);
  const auto kept = self.kept_.find(id_of(*id));
  if (kept == self.kept_.end()) return git_odb_read_header(size, type, self.under_.get(), id);
  *size = kept->second.bytes.size();
  *type = kept->second.type;
  return 0;
}

int MemoryOdb::write(git_odb_backend* backend, const git_oid* id, const void* data,
                     std::size_t size, git_object_t type) {
  MemoryOdb& self = of(backend);
  std::string bytes(static_cast<const char*>(data), size);
  if (self.kept_.emplace(id_of(*id), Kept{type, std::move(bytes)}).second) {
    self.order_.push_back(id_of(*id));
  }
  return 0;
}

int MemoryOdb::exists(git_odb_backend* backend, const git_oid* id) {
  const MemoryOdb& self = of(backend);
  if (self.kept_.contains(id_of(*id))) return 1;
  return git_odb_exists(self.under_.get(), id);
}

}  // namespace cg::git
