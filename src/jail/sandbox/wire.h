// Frames between whoever wants steps run and whoever runs them.
//
//   length   4 bytes, big-endian: of all that follows
//   kind     1 byte: which alternative of Message
//   fields   in the order of the struct: integers big-endian in 8 bytes, texts as a
//            length and bytes, lists as a count and items
//
// The length is held against the most that its kind can need before anything is
// allocated. A text or list over its cap, a value outside its range or bytes left over
// make the whole frame bad: there is one encoding per message, and no field that a reader
// might not know. Nothing here knows what carries the bytes.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "jail/sandbox/chamber.h"
#include "jail/sandbox/step.h"

namespace cg::sandbox {

/// What codegenie-jail is told first.
struct Furnish {
  Scene scene;
  std::string programs;  // folder with codegenie-shelf
  std::string filter;    // the payload's filter, as the kernel takes it
  bool bare = false;     // no isolation at all: see UnsafeNoSandbox
};

/// Output of the running step.
struct Told {
  std::string bytes;
};

/// Furnish and Step go in; the others come out. A Furnish is answered by InForce or Error,
/// a Step by any number of Told and then Ran or Error.
using Message = std::variant<Furnish, Step, InForce, Error, Told, Ran>;

inline constexpr std::size_t kFrameHeader = 5;
inline constexpr std::size_t kMaxTold = 4'096;
inline constexpr std::size_t kMaxKept = 16U << 20U;       // Limits::output is cut to it
inline constexpr std::size_t kMaxCollected = 64U << 20U;  // of all collected files together
inline constexpr std::size_t kMaxTraced = 2'048;          // entries of a list of Trace
inline constexpr std::size_t kMaxTracedText = 1'024;

struct Header {
  std::size_t kind;
  std::size_t size;  // of the fields
};
[[nodiscard]] std::optional<Header> read_header(std::string_view five);
/// `fields` are exactly the bytes after the header.
[[nodiscard]] std::optional<Message> read_fields(std::size_t kind, std::string_view fields);
/// Nothing if a text or list is over its cap.
[[nodiscard]] std::optional<std::string> write_frame(const Message& message);

}  // namespace cg::sandbox
