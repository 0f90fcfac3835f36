// Conversation: the processes of one call, and the parent's end of what they say.
//
// Below the port: it takes texts, and has no idea who wrote them. ProcessLeaf is what the rest
// of codegenie gets.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/base/result.h"
#include "base/os/error.h"
#include "fetch/net/message.h"
#include "model/leaf/key_order.h"
#include "model/leaf/leaf.h"
#include "model/leaf/wire.h"

namespace cg::leaf {

/// Absolute paths; of no use where a spawner starts them.
struct Programs {
  std::string broker;
  std::string key;
  std::string leaf;
};
/// As base/os/own_programs.h finds them.
[[nodiscard]] Result<Programs, os::Error> find_programs();

struct Settings {
  net::Adapter adapter = net::Adapter::replay;
  net::Wire wire = net::Wire::messages;  // of what is replayed, or which chat; see wire_of()
  std::uint16_t port = 0;                // of a model server on loopback
  std::vector<net::Pin> pins;            // leaf::current()
  KeyStore key_store = KeyStore::automatic;
  std::vector<std::string> key_env;  // codegenie-key's, where there is no spawner
  bool record = false;
  std::chrono::milliseconds limit{120'000};  // for an answer
};
[[nodiscard]] net::Wire wire_of(const Settings& settings);

struct Outcome {
  std::variant<net::Told, net::Violated, Failure> said;
  std::optional<net::Recorded> recorded;
  std::string isolation;  // of the leaf; empty if it never said
};

/// Starts the programs, asks once and ends them. `play` is what replay plays. What a program
/// must not say or do ends it, and is FailureKind::unexpected.
[[nodiscard]] Outcome converse(const Programs& programs, const Settings& settings,
                               const Question& question, const net::Play& play = {});

}  // namespace cg::leaf
