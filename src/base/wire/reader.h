// The other side of base/wire/writer.h: the same functions, with places to read into.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/bytes.h"
#include "base/wire/number.h"

namespace cg::wire {

/// Takes bytes off the front. After the first that is wrong nothing is: all is empty.
class Source {
 public:
  explicit Source(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::string_view take(std::size_t size);
  void require(bool held) { good_ = good_ && held; }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  /// All was well, and nothing is left over.
  [[nodiscard]] bool is_done() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

template <class Size, class Count = Size, class Small = std::uint8_t>
class Reader : public Source {
 public:
  static constexpr bool kReads = true;
  using Source::Source;

  template <class T>
  void number(T& value) {
    value = static_cast<T>(big_endian(take(sizeof(T))));
  }
  template <class T>
  void wide(T& value, std::uint64_t max) {
    value = static_cast<T>(bounded<std::uint64_t>(max));
  }
  template <class T>
  void choice(T& value, T last) {
    const auto read = bounded<Small>(static_cast<std::uint64_t>(last));
    if (good()) value = static_cast<T>(read);
  }
  void flag(bool& value) { value = bounded<Small>(1) == 1; }
  template <std::size_t N>
  void exactly(std::array<Byte, N>& bytes) {
    const std::string_view read = take(N);
    std::copy(read.begin(), read.end(), bytes.begin());
  }
  void text(std::string& value, std::size_t cap) { value = view(cap); }
  [[nodiscard]] std::string_view view(std::size_t cap) { return take(bounded<Size>(cap)); }
  /// No item is shorter than a byte, so a count that lies costs nothing.
  void count(std::size_t& value, std::size_t cap) {
    value = bounded<Count>(cap);
    require(value <= rest().size());
    if (!good()) value = 0;
  }
  template <class T>
  void list(std::vector<T>& items, std::size_t cap, auto each) {
    std::size_t size = 0;
    count(size, cap);
    for (std::size_t i = 0; good() && i < size; ++i) each(items.emplace_back());
  }

 private:
  /// 0 if it is over `max`.
  template <class T>
  [[nodiscard]] std::uint64_t bounded(std::uint64_t max) {
    T read = 0;
    number(read);
    require(read <= max);
    return good() ? read : 0;
  }
};

}  // namespace cg::wire
