// Store: one place where a key can lie.
//
// The order of calls is the order in which this process gives things up: prepare() may open
// files and start programs, connect() may still dial a local socket, and only after the last
// seal does get() or put() have a key in its hands.
#pragma once

#include <memory>
#include <string>

#include "model/leaf/key_order.h"
#include "secret.h"

namespace cg::key {

using leaf::KeyState;
using leaf::KeyStore;
using leaf::KeyVerb;

struct Outcome {
  KeyState state = KeyState::missing;
  std::string detail;
};

/// What the seal has to leave a store.
struct Needs {
  bool bus = false;      // a local socket, threads
  bool keyring = false;  // the kernel's key calls
  std::string folder;    // where it replaces a file; empty: none
};

class Store {
 public:
  virtual ~Store() = default;
  [[nodiscard]] virtual KeyStore which() const = 0;
  virtual void prepare(KeyVerb verb) = 0;
  [[nodiscard]] virtual Needs needs() const { return {}; }
  virtual void connect() {}

  /// `held`: it is in `to`, which may still be no key.
  [[nodiscard]] virtual Outcome get(Secret& to) = 0;
  /// `held` if it is there now. What was there before is gone then, and only then.
  [[nodiscard]] virtual Outcome put(Secret& key) = 0;
  /// `removed`, `empty`, or why it could not be.
  [[nodiscard]] virtual Outcome remove() = 0;
};

/// `key_name` as in an order.
[[nodiscard]] std::unique_ptr<Store> secret_service(const std::string& key_name);
[[nodiscard]] std::unique_ptr<Store> kernel_keyring(const std::string& key_name);
[[nodiscard]] std::unique_ptr<Store> systemd_credential(const std::string& key_name);
/// What the spawner gave us as descriptor `fd`, if that is memory.
[[nodiscard]] std::unique_ptr<Store> ci_memory(int fd);

}  // namespace cg::key
