// Secret: the key while this process has it, in memory that is wiped and not swapped, and that
// nobody else can read where the kernel has memfd_secret.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cg::key {

/// The memory of a secret, and of the key that CI gives.
inline constexpr std::size_t kPage = 4096;

class Secret {
 public:
  /// None: there is no memory that cannot be swapped out.
  [[nodiscard]] static std::optional<Secret> make();
  Secret(Secret&& other) noexcept;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  Secret& operator=(Secret&&) = delete;
  ~Secret();

  /// Room for the longest key, a line's end, a byte more to tell what is too long, and a NUL.
  [[nodiscard]] char* data() { return page_; }
  [[nodiscard]] static std::size_t room();
  [[nodiscard]] std::string_view view() const { return {page_, size_}; }
  /// The rest is wiped.
  void resize(std::size_t size);
  void wipe() { resize(0); }
  /// A copy, of what fits.
  void assign(std::string_view bytes);

  /// The first 8 bytes of SHA-256 in hexadecimal: tells two keys apart, and nothing of either.
  [[nodiscard]] std::string fingerprint() const;

 private:
  explicit Secret(char* page) : page_(page) {}
  char* page_;
  std::size_t size_ = 0;
};

}  // namespace cg::key
