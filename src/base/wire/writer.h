// Messages as bytes: fields one after the other, bounded, and one encoding per message.
//
//   integer       big-endian, in its own width
//   text, list    its size or count, then the bytes or items
//   choice, flag  a small number
//
// How wide sizes, counts and small numbers are is for each protocol to say. A message has one
// list of fields, `fields(auto& f, auto& m)`, with which a Writer writes and a Reader reads:
// both have the same functions, and kReads says which it is. A text or list over its cap or a
// value outside of its range makes all of it bad; nothing is allocated for a size that lies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/bytes.h"
#include "base/wire/number.h"

namespace cg::wire {

template <class Size, class Count = Size, class Small = std::uint8_t>
class Writer {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void number(const T& value) {
    put_big_endian(out_, static_cast<std::uint64_t>(value), sizeof(T));
  }
  /// From 0 to `max`, in eight bytes whatever its type.
  template <class T>
  void wide(const T& value, std::uint64_t) {
    number(static_cast<std::uint64_t>(value));
  }
  template <class T>
  void choice(const T& value, T last) {
    good_ = good_ && value <= last;
    number(static_cast<Small>(value));
  }
  void flag(bool value) { number(static_cast<Small>(value ? 1 : 0)); }
  template <std::size_t N>
  void exactly(const std::array<Byte, N>& bytes) {
    out_ += as_text(bytes);
  }
  void text(std::string_view value, std::size_t cap) {
    good_ = good_ && value.size() <= cap;
    number(static_cast<Size>(value.size()));
    out_ += value;
  }
  void count(std::size_t value, std::size_t cap) {
    good_ = good_ && value <= cap;
    number(static_cast<Count>(value));
  }
  template <class T>
  void list(const std::vector<T>& items, std::size_t cap, auto each) {
    count(items.size(), cap);
    for (const T& item : items) each(item);
  }
  /// What is true of a message beyond its fields, for whoever reads it.
  void require(bool) {}

  /// Nothing if any field was over its cap.
  [[nodiscard]] std::optional<std::string> take() {
    if (!good_) return std::nullopt;
    return std::move(out_);
  }

 private:
  std::string out_;
  bool good_ = true;
};

}  // namespace cg::wire
