// Orders and answers as bytes, between codegenie and codegenie-git.
//
//   length   4 bytes, big-endian: of all that follows
//   kind     1 byte: which alternative
//   fields   in the order of the struct: integers big-endian in their own width, texts
//            as a 4-byte length and bytes, lists as a 4-byte count and items
//
// The length is checked before anything is allocated. A text or list over its cap, a
// value outside its range or bytes left over make the whole message bad: there is one
// encoding per message, and no field that a reader might not know.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fetch/gitrepo/orders.h"

namespace cg::gitrepo {

inline constexpr std::size_t kMaxMessage = 192U << 20U;
inline constexpr std::size_t kLengthBytes = 4;

inline constexpr std::size_t kMaxPath = 4'096;
inline constexpr std::size_t kMaxItems = 100'000;         // of any list
inline constexpr std::size_t kMaxFileBytes = 64U << 20U;  // of a changed file or a new object
inline constexpr std::size_t kMaxDiffBytes = 64U << 20U;
inline constexpr std::size_t kMaxCommitBytes = 1U << 20U;
inline constexpr std::size_t kMaxPersonBytes = 256;
inline constexpr std::size_t kMaxLine = 1'024;

/// The length that the first four bytes announce, unless it is over the cap.
[[nodiscard]] std::optional<std::size_t> parse_length(std::string_view four);

/// `message` with its length. Nothing if it is not exactly one well-formed message.
[[nodiscard]] std::optional<Order> read_order(std::string_view message);
[[nodiscard]] std::optional<Answer> read_answer(std::string_view message);

/// Nothing if a text or list is over its cap.
[[nodiscard]] std::optional<std::string> write_order(const Order& order);
[[nodiscard]] std::optional<std::string> write_answer(const Answer& answer);

}  // namespace cg::gitrepo
