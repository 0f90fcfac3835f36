// codegenie-key: the only program that reads or writes the stores of the model's key.
//
// Descriptors: 0 is the parent, 1 where a new key is read from, 2 the leaf that a key goes to,
// 3 what CI gave; those an order does not need are no such thing. One order
// (model/leaf/key_order.h), one answer, the end. What it prints is a fingerprint; the key goes to a
// store or the leaf.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "entry.h"
#include "jail/seal/program.h"
#include "jail/seal/seal.h"
#include "model/leaf/key_frame.h"
#include "operations.h"
#include "seals.h"

namespace cg::key {

namespace {

using seal::kEndDone;
using seal::kEndUnexpected;
using seal::kEndUnsealed;

constexpr unsigned kStoreSeconds = 10;
constexpr unsigned kTypingSeconds = 300;

void send_parent(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(kParentFd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

// What a signal's handler says, made before there is one.
struct LastWords {
  std::array<std::string, 5> late;  // by store
  std::string not_typed;
  std::string stopped;
  std::string leaf;  // empty: nobody waits for a key
};
LastWords last_words;
volatile sig_atomic_t asked_store = 0;
volatile sig_atomic_t typing = 0;

void on_signal(int number) {
  restore_terminal();
  const std::string& said = number != SIGALRM ? last_words.stopped
                            : typing != 0     ? last_words.not_typed
                                          : last_words.late[static_cast<std::size_t>(asked_store)];
  if (!last_words.leaf.empty()) {
    static_cast<void>(send(kLeafFd, last_words.leaf.data(), last_words.leaf.size(), MSG_NOSIGNAL));
  }
  static_cast<void>(send(kParentFd, said.data(), said.size(), MSG_NOSIGNAL));
  _exit(kEndDone);
}

void prepare_last_words(const leaf::KeyOrder& order) {
  using leaf::KeyRefused;
  using Reason = KeyRefused::Reason;
  const std::string late = "it did not answer within " + std::to_string(kStoreSeconds) + " seconds";
  for (std::size_t i = 0; i < last_words.late.size(); ++i) {
    last_words.late[i] =
        write_key_answer(KeyRefused{Reason::unavailable, static_cast<KeyStore>(i), late});
  }
  last_words.not_typed =
      write_key_answer(KeyRefused{Reason::cancelled, order.store, "nobody gave a key"});
  last_words.stopped =
      write_key_answer(KeyRefused{Reason::cancelled, order.store, "stopped by a signal"});
  if (order.verb == KeyVerb::deliver) {
    last_words.leaf = leaf::write_key_head(leaf_word(Reason::unavailable), 0);
  }
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigfillset(&action.sa_mask);
  for (const int number : {SIGALRM, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    sigaction(number, &action, nullptr);
  }
  // A stop would leave the terminal mute; the last is for changing it from the background.
  for (const int number : {SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE}) signal(number, SIG_IGN);
}

void set_alarm(unsigned seconds) {
  const itimerval timer{{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

class Clock final : public Watch {
 public:
  void asks(KeyStore store) override {
    asked_store = static_cast<sig_atomic_t>(store);
    typing = 0;
    set_alarm(kStoreSeconds);
  }
  void waits_for_key() override {
    typing = 1;
    set_alarm(kTypingSeconds);
  }
  void tell(const leaf::KeyAnswer& answer) override { send_parent(write_key_answer(answer)); }
};

bool read_parent(char* to, std::size_t size) {
  std::size_t got = 0;
  while (got < size) {
    const ssize_t n = read(kParentFd, to + got, size - got);
    if (n > 0) got += static_cast<std::size_t>(n);
    pollfd polled{kParentFd, POLLIN, 0};
    if (n < 0 && errno == EAGAIN) static_cast<void>(poll(&polled, 1, -1));
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) return false;
  }
  return true;
}

std::optional<leaf::KeyOrder> read_order() {
  std::string length(leaf::kKeyLengthBytes, '\0');
  if (!read_parent(length.data(), length.size())) return std::nullopt;
  const auto size = leaf::key_message_size(length);
  if (!size) return std::nullopt;
  std::string message(*size, '\0');
  if (!read_parent(message.data(), message.size())) return std::nullopt;
  return leaf::parse_key_order(message);
}

void seal(const Result<seal::Policy, seal::Error>& policy) {
  if (!policy || !seal::seal(*policy)) _exit(kEndUnsealed);
}

Needs all_needs(const std::vector<std::unique_ptr<Store>>& stores) {
  Needs out;
  for (const auto& store : stores) {
    const Needs needs = store->needs();
    out.bus = out.bus || needs.bus;
    out.keyring = out.keyring || needs.keyring;
    if (!needs.folder.empty()) out.folder = needs.folder;
  }
  return out;
}

leaf::KeyAnswer work(const leaf::KeyOrder& order) {
  auto first = Secret::make();
  auto second = Secret::make();
  if (!first || !second) _exit(kEndUnsealed);
  Hands hands{*std::move(first), *std::move(second)};
  Clock clock;
  auto stores = stores_of(order);
  for (const auto& store : stores) {
    clock.asks(store->which());
    store->prepare(order.verb);
  }
  const Needs needs = all_needs(stores);
  const auto holding = holding_policy(needs);  // made before the seal that would not let it
  if (needs.bus) {
    seal(dialling_policy(needs));
    for (const auto& store : stores) {
      clock.asks(store->which());
      store->connect();
    }
  }
  seal(holding);
  return carry_out(order, stores, hands, clock);
}

[[noreturn]] void run() {
  seal::begin(kCiFd + 1);
  const auto order = read_order();
  if (!order) _exit(kEndUnexpected);
  prepare_last_words(*order);
  const std::string answer = write_key_answer(work(*order));
  set_alarm(0);
  send_parent(answer);
  _exit(kEndDone);
}

}  // namespace

}  // namespace cg::key

int main() { cg::key::run(); }
