#include "model/leaf/key_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace cg::leaf {

namespace {

using Clock = std::chrono::steady_clock;

// It gives up earlier by itself: after ten seconds for a store, five minutes for a person.
constexpr std::chrono::seconds kForStores{60};
constexpr std::chrono::seconds kForPeople{420};
constexpr std::chrono::seconds kForEnding{10};
constexpr int kUnsealed = 3;  // its exit code

KeyFault stopped(std::string detail) {
  return {KeyFault::Kind::stopped, "codegenie-key " + std::move(detail)};
}

/// Something to read that has nothing, and that nothing can be written to.
Result<os::Fd, KeyFault> nowhere() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return fail(KeyFault{KeyFault::Kind::setup, os::describe(os::from_errno(errno, "pipe"))});
  }
  const os::Fd closed(ends[1]);
  return os::Fd(ends[0]);
}

class KeyTalk {
 public:
  KeyTalk(os::Fd channel, Clock::time_point until) : channel_(std::move(channel)), until_(until) {}

  [[nodiscard]] bool send(std::string_view bytes) const {
    // A pair is never so full that an order does not fit.
    return ::send(channel_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }

  [[nodiscard]] Result<KeyAnswer, KeyFault> next() const {
    CG_TRY_ASSIGN(const std::string length, read(kKeyLengthBytes));
    const auto size = key_message_size(length);
    if (!size) return fail(stopped("said what it must not"));
    CG_TRY_ASSIGN(const std::string message, read(*size));
    auto answer = parse_key_answer(message);
    if (!answer) return fail(stopped("said what it must not"));
    return *std::move(answer);
  }

 private:
  [[nodiscard]] Result<std::string, KeyFault> read(std::size_t size) const {
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (got < size) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now());
      pollfd polled{channel_.get(), POLLIN, 0};
      const int ready = left.count() <= 0 ? 0 : poll(&polled, 1, static_cast<int>(left.count()));
      if (ready == 0)
        return fail(KeyFault{KeyFault::Kind::timeout, "codegenie-key does not answer"});
      if (ready < 0) continue;
      const ssize_t n = ::read(channel_.get(), bytes.data() + got, size - got);
      if (n == 0) return fail(stopped("ended without an answer"));
      if (n > 0) got += static_cast<std::size_t>(n);
      if (n < 0 && errno != EINTR && errno != EAGAIN) return fail(stopped("cannot be heard"));
    }
    return bytes;
  }

  os::Fd channel_;
  Clock::time_point until_;
};

Result<KeyAnswer, KeyFault> converse(const KeyTalk& talk, const KeyOrder& order,
                                     const std::function<void()>& asked) {
  if (!talk.send(write_key_order(order))) return fail(stopped("takes no order"));
  CG_TRY_ASSIGN(KeyAnswer answer, talk.next());
  if (!std::holds_alternative<KeyAsked>(answer)) return answer;
  if (asked) asked();
  CG_TRY_ASSIGN(answer, talk.next());
  if (std::holds_alternative<KeyAsked>(answer)) return fail(stopped("said what it must not"));
  return answer;
}

}  // namespace

Result<KeyAnswer, KeyFault> ask_key(spawn::Host& host, const KeyOrder& order, KeyEnds ends,
                                    const std::function<void()>& asked) {
  const auto setup = [](const os::Error& error) {
    return fail(KeyFault{KeyFault::Kind::setup, error.path + ": " + os::describe(error)});
  };
  auto pair = host.pair();
  if (!pair) return setup(pair.error());
  CG_TRY_ASSIGN(const os::Fd none, nowhere());
  const std::array<int, 3> fds = {pair->theirs.get(), ends.from >= 0 ? ends.from : none.get(),
                                  ends.to >= 0 ? ends.to : none.get()};
  auto child = host.start(spawn::Program::key, fds);
  if (!child) return setup(child.error());
  pair->theirs = os::Fd();
  const bool waits = order.verb == KeyVerb::set || order.verb == KeyVerb::rotate;
  const KeyTalk talk(std::move(pair->ours), Clock::now() + (waits ? kForPeople : kForStores));
  auto answer = converse(talk, order, asked);
  // After its answer it has nothing more to do, and after nonsense nothing it may.
  if (!answer || !child->ends_within(kForEnding)) child->kill();
  const int status = child->wait();
  if (!answer && WIFEXITED(status) && WEXITSTATUS(status) == kUnsealed) {
    return fail(KeyFault{KeyFault::Kind::setup, "codegenie-key could not be sealed"});
  }
  return answer;
}

}  // namespace cg::leaf
