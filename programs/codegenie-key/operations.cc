#include "operations.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "entry.h"
#include "model/leaf/key_frame.h"

namespace cg::key {

namespace {

using leaf::KeyAnswer;
using leaf::KeyDone;
using leaf::KeyListed;
using leaf::KeyOrder;
using leaf::KeyRefused;
using leaf::StoreReport;
using Reason = KeyRefused::Reason;
using Stores = std::vector<std::unique_ptr<Store>>;

Reason reason_of(KeyState state) {
  switch (state) {
    case KeyState::locked:
      return Reason::locked;
    case KeyState::empty:
    case KeyState::removed:
    case KeyState::held:
      return Reason::empty;
    case KeyState::missing:
      return Reason::missing;
    case KeyState::malformed:
      return Reason::bad_key;
    case KeyState::unavailable:
      break;
  }
  return Reason::unavailable;
}

/// Of several stores that have none, the one that says most.
int weight(KeyState state) {
  switch (state) {
    case KeyState::locked:
      return 3;
    case KeyState::unavailable:
      return 2;
    case KeyState::empty:
      return 1;
    default:
      return 0;
  }
}

class Work {
 public:
  Work(const KeyOrder& order, Stores& stores, Hands& hands, Watch& watch)
      : order_(order), stores_(stores), hands_(hands), watch_(watch) {}

  KeyAnswer status() {
    KeyListed listed;
    for (const auto& store : stores_) listed.places.push_back(look(*store, hands_.first));
    return listed;
  }

  KeyAnswer remove() {
    KeyListed listed;
    for (const auto& store : stores_) {
      watch_.asks(store->which());
      const Outcome outcome = store->remove();
      listed.places.push_back({store->which(), outcome.state, "", outcome.detail});
    }
    return listed;
  }

  /// What cannot be stored is told before anybody types.
  KeyAnswer set() {
    Store& store = *stores_.front();
    const StoreReport old = look(store, hands_.first);
    const bool open = old.state == KeyState::held || old.state == KeyState::empty ||
                      old.state == KeyState::malformed;
    if (!open && !replaces(old)) return refused(old);
    return replace(store, old);
  }

  KeyAnswer rotate() {
    StoreReport best;
    for (const auto& store : stores_) {
      const StoreReport old = look(*store, hands_.first);
      if (old.state == KeyState::held) return replace(*store, old);
      if (weight(old.state) >= weight(best.state)) best = old;
    }
    return refused(best);
  }

  KeyAnswer deliver() {
    StoreReport best;
    for (const auto& store : stores_) {
      const StoreReport found = look(*store, hands_.first);
      if (found.state == KeyState::held) return hand_over(found);
      if (found.state == KeyState::malformed) return deny(refused(found));
      if (weight(found.state) >= weight(best.state)) best = found;
    }
    return deny(refused(best));
  }

 private:
  /// The key, if it is held, stays in `to`.
  StoreReport look(Store& store, Secret& to) {
    watch_.asks(store.which());
    to.wipe();
    const Outcome outcome = store.get(to);
    StoreReport report{store.which(), outcome.state, "", outcome.detail};
    if (outcome.state != KeyState::held) {
      to.wipe();
    } else if (leaf::is_key(to.view())) {
      report.fingerprint = to.fingerprint();
    } else {
      to.wipe();
      report.state = KeyState::malformed;
      report.detail = "what is stored there is no key";
    }
    return report;
  }

  /// A file that cannot be read back, here, can be replaced all the same.
  static bool replaces(const StoreReport& old) {
    return old.store == KeyStore::systemd && old.state == KeyState::unavailable;
  }

  KeyAnswer replace(Store& store, const StoreReport& old) {
    hands_.first.wipe();
    watch_.waits_for_key();
    auto unread = read_key(hands_.second, [&] { watch_.tell(leaf::KeyAsked{}); });
    watch_.asks(store.which());
    if (unread) {
      unread->store = store.which();
      return *unread;
    }
    const std::string fingerprint = hands_.second.fingerprint();
    if (order_.verb == KeyVerb::rotate && fingerprint == old.fingerprint) {
      return KeyRefused{Reason::same_key, store.which(), "that key is there already"};
    }
    const Outcome outcome = store.put(hands_.second);
    hands_.second.wipe();
    const StoreReport place{store.which(), outcome.state, fingerprint, outcome.detail};
    if (outcome.state != KeyState::held) return refused(place);
    return KeyDone{place, old.fingerprint};
  }

  static KeyRefused refused(const StoreReport& report) {
    std::string detail = report.detail;
    if (detail.empty()) detail = "there is no such key";
    return {reason_of(report.state), report.store, detail};
  }

  [[nodiscard]] static bool send_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = send(kLeafFd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  KeyAnswer hand_over(const StoreReport& found) {
    const std::string_view key = hands_.first.view();
    const bool sent =
        send_all(leaf::write_key_head(name(found.store), key.size())) && send_all(key);
    hands_.first.wipe();
    close(kLeafFd);
    if (!sent) return KeyRefused{Reason::unavailable, found.store, "the leaf did not take it"};
    return KeyDone{found, ""};
  }

  static KeyAnswer deny(const KeyRefused& refused) {
    static_cast<void>(send_all(leaf::write_key_head(leaf_word(refused.reason), 0)));
    close(kLeafFd);
    return refused;
  }

  const KeyOrder& order_;
  Stores& stores_;
  Hands& hands_;
  Watch& watch_;
};

std::unique_ptr<Store> make_store(KeyStore store, const std::string& key_name) {
  switch (store) {
    case KeyStore::kernel:
      return kernel_keyring(key_name);
    case KeyStore::systemd:
      return systemd_credential(key_name);
    case KeyStore::env_ci:
      return ci_memory(kCiFd);
    case KeyStore::automatic:
    case KeyStore::secret_service:
      break;
  }
  return secret_service(key_name);
}

}  // namespace

std::vector<std::unique_ptr<Store>> stores_of(const leaf::KeyOrder& order) {
  std::vector<std::unique_ptr<Store>> out;
  // Of those that keep a key for good, one needs no root: a new key goes there unless another
  // store is named.
  if (order.store != KeyStore::automatic || order.verb == KeyVerb::set) {
    out.push_back(make_store(order.store, order.key_name));
    return out;
  }
  const bool changes = order.verb == KeyVerb::remove || order.verb == KeyVerb::rotate;
  if (!changes) out.push_back(make_store(KeyStore::env_ci, order.key_name));
  for (const KeyStore store : {KeyStore::systemd, KeyStore::kernel, KeyStore::secret_service}) {
    out.push_back(make_store(store, order.key_name));
  }
  return out;
}

leaf::KeyAnswer carry_out(const leaf::KeyOrder& order, std::vector<std::unique_ptr<Store>>& stores,
                          Hands& hands, Watch& watch) {
  Work work(order, stores, hands, watch);
  switch (order.verb) {
    case KeyVerb::set:
      return work.set();
    case KeyVerb::status:
      return work.status();
    case KeyVerb::rotate:
      return work.rotate();
    case KeyVerb::remove:
      return work.remove();
    case KeyVerb::deliver:
      break;
  }
  return work.deliver();
}

std::string_view leaf_word(leaf::KeyRefused::Reason reason) {
  switch (reason) {
    case Reason::locked:
      return leaf::kKeyLocked;
    case Reason::empty:
      return leaf::kKeyEmpty;
    case Reason::missing:
      return leaf::kKeyMissing;
    case Reason::bad_key:
    case Reason::too_long:
      return leaf::kKeyMalformed;
    default:
      return "unavailable";
  }
}

}  // namespace cg::key
