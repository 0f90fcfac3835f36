// Frames: messages as bytes.
//
//   length   4 bytes, big-endian: of all that follows
//   kind     1 byte, net::Kind
//   fields   in the order of the struct: integers big-endian in their own width,
//            texts as a 4-byte length and bytes
//
// The length is checked against the most that its kind can need before anything is
// allocated. A field over its cap, a value outside its range, or bytes left over
// make the whole frame bad: there is one encoding per message.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "fetch/net/message.h"

namespace cg::net {

enum class FrameError {
  unknown_kind,
  too_long,  // for its kind
  malformed,
};

inline constexpr std::size_t kFrameHeader = 5;

struct FrameHeader {
  Kind kind;
  std::size_t size;  // of the fields
};

[[nodiscard]] Result<FrameHeader, FrameError> parse_header(
    const std::array<char, kFrameHeader>& bytes);
/// `fields` are exactly the bytes after the header.
[[nodiscard]] Result<Message, FrameError> parse_fields(Kind kind, std::string_view fields);

/// Texts over their cap are our own mistake and end the program.
[[nodiscard]] std::string write_frame(const Message& message);

}  // namespace cg::net
