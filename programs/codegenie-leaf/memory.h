// Memory that forgets: where the key lies, and what copies of it the libraries free.
#pragma once

#include <nghttp2/nghttp2.h>

#include <cstddef>
#include <string_view>

#include "base/base/result.h"
#include "fetch/net/leaf_message.h"

namespace cg::leaf {

/// One page for one key. Out of every core and every swap, gone when the process forks; where
/// the kernel has memfd_secret, out of its own reach too.
class Secret {
 public:
  /// Before the process is sealed. Fails where memory can be neither secret nor locked.
  [[nodiscard]] static Result<Secret, int> make();
  Secret(Secret&& other) noexcept;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  Secret& operator=(Secret&&) = delete;
  ~Secret();

  [[nodiscard]] char* room() { return page_; }
  void set_size(std::size_t size) { size_ = size; }
  [[nodiscard]] std::string_view view() const { return {page_, size_}; }
  [[nodiscard]] net::KeyMemory memory() const { return memory_; }
  void wipe();

 private:
  Secret(char* page, net::KeyMemory memory) : page_(page), memory_(memory) {}
  char* page_;
  std::size_t size_ = 0;
  net::KeyMemory memory_;
};

/// OpenSSL clears what it frees from here on. Before its first allocation.
[[nodiscard]] bool make_openssl_forget();
/// The same for nghttp2.
[[nodiscard]] nghttp2_mem* forgetting_memory();

}  // namespace cg::leaf
