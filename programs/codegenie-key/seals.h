// What codegenie-key gives up before it has a key in its hands.
#pragma once

#include "base/base/result.h"
#include "jail/seal/seal.h"
#include "store.h"

namespace cg::key {

/// Before a store is dialled: no program is started and no file opened any more but by what
/// `needs` says; sockets are local ones. Only where a store needs a bus.
[[nodiscard]] Result<seal::Policy, seal::Error> dialling_policy(const Needs& needs);

/// For the rest of its life. Without a bus everything that is not named ends the process; with
/// one, whose library makes calls we do not know of, it fails. No socket is made either way.
[[nodiscard]] Result<seal::Policy, seal::Error> holding_policy(const Needs& needs);

}  // namespace cg::key
