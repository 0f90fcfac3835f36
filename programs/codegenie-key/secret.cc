#include "secret.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/base/bytes.h"
#include "model/leaf/key_frame.h"
#include "trust/hash/sha256.h"

namespace cg::key {

namespace {

constexpr std::size_t kFingerprintBytes = 8;

char* secret_page() {
  const int fd = static_cast<int>(syscall(SYS_memfd_secret, O_CLOEXEC));
  if (fd < 0) return nullptr;
  void* page = MAP_FAILED;
  if (ftruncate(fd, kPage) == 0) {
    page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  close(fd);
  return page == MAP_FAILED ? nullptr : static_cast<char*>(page);
}

char* locked_page() {
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  if (mlock(page, kPage) != 0 || madvise(page, kPage, MADV_DONTDUMP) != 0 ||
      madvise(page, kPage, MADV_DONTFORK) != 0) {
    munmap(page, kPage);
    return nullptr;
  }
  return static_cast<char*>(page);
}

/// Below where hashing was: it leaves words of what it hashed there.
[[gnu::noinline]] void wipe_stack() {
  std::array<char, 2048> below{};
  explicit_bzero(below.data(), below.size());
}

}  // namespace

std::optional<Secret> Secret::make() {
  char* page = secret_page();
  if (page == nullptr) page = locked_page();
  if (page == nullptr) return std::nullopt;
  return Secret(page);
}

Secret::Secret(Secret&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Secret::~Secret() {
  if (page_ == nullptr) return;
  explicit_bzero(page_, kPage);
  munmap(page_, kPage);
}

std::size_t Secret::room() { return leaf::kMaxKey + 3; }

void Secret::resize(std::size_t size) {
  size_ = std::min(size, room());
  explicit_bzero(page_ + size_, kPage - size_);
}

void Secret::assign(std::string_view bytes) {
  const std::size_t size = std::min(bytes.size(), room());
  memcpy(page_, bytes.data(), size);
  resize(size);
}

std::string Secret::fingerprint() const {
  const hash::Digest digest = hash::sha256(as_bytes(view()));
  wipe_stack();
  return to_hex(ByteView(digest).first(kFingerprintBytes));
}

}  // namespace cg::key
