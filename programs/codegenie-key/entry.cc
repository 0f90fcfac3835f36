#include "entry.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "model/leaf/key_frame.h"

namespace cg::key {

namespace {

using leaf::KeyRefused;
using Reason = KeyRefused::Reason;

// For the handlers of signals: what to put back. Written before `hidden` is set.
termios before;
pid_t foreground = -1;
volatile sig_atomic_t hidden = 0;

/// We are in a group of our own; only the foreground's may read.
void come_forward() {
  foreground = tcgetpgrp(kEntryFd);
  if (foreground < 0) return;  // not the terminal of this session: anybody may
  tcsetpgrp(kEntryFd, getpgrp());
}

bool hide() {
  if (tcgetattr(kEntryFd, &before) != 0) return false;
  come_forward();
  hidden = 1;
  termios quiet = before;
  quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK | ECHONL);
  quiet.c_lflag |= ICANON | ISIG;
  if (tcsetattr(kEntryFd, TCSAFLUSH, &quiet) == 0) return true;
  restore_terminal();
  return false;
}

enum class Got { more, end, abandoned };

/// Waits as long as somebody is there to wait for it.
Got read_some(Secret& to, std::size_t& size) {
  std::array<pollfd, 2> polled{{{kEntryFd, POLLIN, 0}, {kParentFd, 0, 0}}};
  while (poll(polled.data(), polled.size(), -1) < 0) {
    if (errno != EINTR) return Got::abandoned;
  }
  if ((polled[1].revents & (POLLHUP | POLLERR)) != 0) return Got::abandoned;
  const ssize_t n = read(kEntryFd, to.data() + size, Secret::room() - size);
  if (n < 0) return errno == EINTR || errno == EAGAIN ? Got::more : Got::abandoned;
  size += static_cast<std::size_t>(n);
  return n == 0 ? Got::end : Got::more;
}

std::optional<KeyRefused> read_line(Secret& to, bool terminal) {
  std::size_t size = 0;
  Got got = Got::more;
  const auto has_line = [&] {
    return std::string_view(to.data(), size).find('\n') != std::string_view::npos;
  };
  while (got == Got::more && size < Secret::room() && !(terminal && has_line())) {
    got = read_some(to, size);
  }
  to.resize(size);
  if (got == Got::abandoned) return KeyRefused{Reason::cancelled, {}, "the key was not given"};
  return std::nullopt;
}

void trim_line_end(Secret& key) {
  std::string_view text = key.view();
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  key.resize(text.size());
}

std::optional<KeyRefused> judge(const Secret& key) {
  if (leaf::is_key(key.view())) return std::nullopt;
  if (key.view().empty()) return KeyRefused{Reason::bad_key, {}, "nothing was given"};
  if (key.view().size() > leaf::kMaxKey) {
    return KeyRefused{Reason::too_long, {}, "a key has at most 1024 characters"};
  }
  return KeyRefused{
      Reason::bad_key, {}, "a key is one line of 16 or more visible ASCII characters"};
}

}  // namespace

void restore_terminal() {
  if (hidden == 0) return;
  hidden = 0;
  tcsetattr(kEntryFd, TCSAFLUSH, &before);
  if (foreground > 0) tcsetpgrp(kEntryFd, foreground);
}

std::optional<KeyRefused> read_key(Secret& to, const std::function<void()>& asked) {
  const bool terminal = isatty(kEntryFd) == 1;
  struct stat status {};
  if (!terminal && fstat(kEntryFd, &status) == 0 && S_ISCHR(status.st_mode)) {
    return KeyRefused{Reason::no_terminal, {}, "there is nothing to read a key from"};
  }
  if (terminal && !hide()) {
    return KeyRefused{Reason::no_terminal, {}, "the terminal cannot hide what is typed"};
  }
  if (terminal) asked();
  auto refused = read_line(to, terminal);
  restore_terminal();
  if (!refused) {
    trim_line_end(to);
    refused = judge(to);
  }
  if (refused) to.wipe();
  return refused;
}

}  // namespace cg::key
