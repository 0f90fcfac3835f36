// What the programs that seal themselves have in common: how they begin, and how they end.
#pragma once

namespace cg::seal {

/// How they end of their own accord.
inline constexpr int kEndDone = 0;        // all was said, or the other side is gone
inline constexpr int kEndUnexpected = 2;  // a message that does not belong there
inline constexpr int kEndUnsealed = 3;    // could not be sealed; nothing was sent or read
inline constexpr int kEndBug = 70;

/// A failed assertion and memory that runs out end this process with kEndBug, and in silence:
/// it has nobody to speak to but who trusts its every byte.
void end_at_bugs();

/// First thing in main(): that, and shed(`first`), or the end.
void begin(unsigned first);

}  // namespace cg::seal
