// The key that CI gave: a page of memory behind a descriptor.
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "secret.h"
#include "store.h"

namespace cg::key {

namespace {

class CiMemory final : public Store {
 public:
  explicit CiMemory(int fd) : fd_(fd) {}
  [[nodiscard]] KeyStore which() const override { return KeyStore::env_ci; }

  void prepare(KeyVerb) override {
    struct stat status {};
    if (fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size != kPage) return;
    // Secret memory can only be shared, a sealed file only be private.
    void* page = mmap(nullptr, kPage, PROT_READ, MAP_SHARED, fd_, 0);
    if (page == MAP_FAILED) page = mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE, fd_, 0);
    if (page != MAP_FAILED) page_ = static_cast<const char*>(page);
  }

  [[nodiscard]] Outcome get(Secret& to) override {
    if (page_ == nullptr) return {KeyState::missing, "not given, or not with both flags"};
    to.assign({page_, strnlen(page_, kPage)});
    return {KeyState::held, "CODEGENIE_ANTHROPIC_KEY_CI, for this run"};
  }
  [[nodiscard]] Outcome put(Secret&) override {
    return {KeyState::unavailable, "nothing is stored there"};
  }
  [[nodiscard]] Outcome remove() override { return {KeyState::missing, ""}; }

 private:
  int fd_;
  const char* page_ = nullptr;
};

}  // namespace

std::unique_ptr<Store> ci_memory(int fd) { return std::make_unique<CiMemory>(fd); }

}  // namespace cg::key
