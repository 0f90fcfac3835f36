// What protocols share beyond their fields: kinds of messages, and lengths before them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/wire/number.h"

namespace cg::wire {

/// For one list of fields that takes a message to be read and a const one to be written.
template <class M, class Wanted>
concept Is = std::is_same_v<std::remove_const_t<M>, Wanted>;

/// The alternative of that index, to be read into; nothing if there is none.
template <class Variant, std::size_t I = 0>
[[nodiscard]] std::optional<Variant> blank(std::size_t index) {
  if constexpr (I < std::variant_size_v<Variant>) {
    if (index == I) return Variant(std::in_place_index<I>);
    return blank<Variant, I + 1>(index);
  } else {
    return std::nullopt;
  }
}

/// `message` with its length before it.
template <class Length>
[[nodiscard]] std::string with_length(const std::string& message) {
  std::string out;
  put_big_endian(out, message.size(), sizeof(Length));
  return out += message;
}

}  // namespace cg::wire
