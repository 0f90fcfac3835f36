#include "memory.h"

#include <malloc.h>
#include <openssl/crypto.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "model/leaf/key_frame.h"

namespace cg::leaf {

namespace {

constexpr std::size_t kPage = 4096;
static_assert(kMaxKey <= kPage);

/// Null if this kernel has none.
char* secret_page() {
  const long fd = syscall(SYS_memfd_secret, 0);
  if (fd < 0) return nullptr;
  void* page = MAP_FAILED;
  if (ftruncate(static_cast<int>(fd), kPage) == 0) {
    page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<int>(fd), 0);
  }
  close(static_cast<int>(fd));
  return page == MAP_FAILED ? nullptr : static_cast<char*>(page);
}

char* locked_page() {
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  if (mlock(page, kPage) == 0 && madvise(page, kPage, MADV_DONTDUMP) == 0 &&
      madvise(page, kPage, MADV_WIPEONFORK) == 0) {
    return static_cast<char*>(page);
  }
  const int code = errno;
  munmap(page, kPage);
  errno = code;
  return nullptr;
}

void clear_and_free(void* memory) {
  if (memory == nullptr) return;
  OPENSSL_cleanse(memory, malloc_usable_size(memory));
  std::free(memory);
}

/// realloc() might leave the old bytes behind where they were.
void* move_to(void* memory, std::size_t size) {
  if (size == 0) {
    clear_and_free(memory);
    return nullptr;
  }
  void* moved = std::malloc(size);
  if (memory == nullptr || moved == nullptr) return moved;
  std::memcpy(moved, memory, std::min(size, malloc_usable_size(memory)));
  clear_and_free(memory);
  return moved;
}

}  // namespace

Result<Secret, int> Secret::make() {
  char* page = secret_page();
  const auto memory = page != nullptr ? net::KeyMemory::secret : net::KeyMemory::locked;
  if (page == nullptr) page = locked_page();
  if (page == nullptr) return fail(errno);
  std::memset(page, 0, kPage);  // there before the limits are
  return Secret(page, memory);
}

Secret::Secret(Secret&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      memory_(other.memory_) {}

Secret::~Secret() {
  if (page_ == nullptr) return;
  wipe();
  munmap(page_, kPage);
}

void Secret::wipe() {
  OPENSSL_cleanse(page_, kPage);
  size_ = 0;
}

bool make_openssl_forget() {
  return CRYPTO_set_mem_functions(
             [](std::size_t size, const char*, int) { return std::malloc(size); },
             [](void* memory, std::size_t size, const char*, int) { return move_to(memory, size); },
             [](void* memory, const char*, int) { clear_and_free(memory); }) == 1;
}

nghttp2_mem* forgetting_memory() {
  static nghttp2_mem memory = {
      nullptr,
      [](std::size_t size, void*) { return std::malloc(size); },
      [](void* old, void*) { clear_and_free(old); },
      [](std::size_t count, std::size_t size, void*) { return std::calloc(count, size); },
      [](void* old, std::size_t size, void*) { return move_to(old, size); },
  };
  return &memory;
}

}  // namespace cg::leaf
