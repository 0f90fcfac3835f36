// codegenie-key, from the side of who must not see the key.
#pragma once

#include <functional>
#include <string>

#include "base/base/result.h"
#include "jail/spawn/host.h"
#include "model/leaf/key_order.h"

namespace cg::leaf {

/// No answer at all. What a store says is an answer.
struct KeyFault {
  enum class Kind {
    setup,    // it could not be started, or not sealed
    stopped,  // it ended without an answer, or said what it must not
    timeout,
  };
  Kind kind;
  std::string detail;
};

/// Descriptors that become codegenie-key's; they stay ours. -1: none.
struct KeyEnds {
  int from = -1;  // set, rotate: a terminal, or what one line can be read from
  int to = -1;    // deliver: the other end is the leaf's
};

/// Starts it, gives it the order and waits for the answer: never KeyAsked, at which `asked` is
/// called. Ends what it started, in any case.
///
/// A deliver whose `to` is a socket with room for a key does not need its reader to be there yet.
/// Close our copy of `to` afterwards, so that the leaf sees the end.
[[nodiscard]] Result<KeyAnswer, KeyFault> ask_key(spawn::Host& host, const KeyOrder& order,
                                                  KeyEnds ends = {},
                                                  const std::function<void()>& asked = {});

}  // namespace cg::leaf
