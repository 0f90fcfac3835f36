// codegenie-git: one order about one repository, carried out by libgit2, sealed.
//
// It reads the order, finds where the repository's parts are by hand (fetch/gitrepo/locate.h),
// gives up everything but those (fetch/gitrepo/policy.h), and only then lets libgit2 look at
// a byte. No remote is ever spoken to: nothing of that is called, and no socket can be.
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "base/base/assert.h"
#include "fetch/gitrepo/policy.h"
#include "fetch/gitrepo/wire.h"
#include "jail/seal/program.h"
#include "jail/seal/seal.h"
#include "operations.h"

namespace cg::git {

namespace {

using seal::kEndDone;
using seal::kEndUnexpected;
using seal::kEndUnsealed;
constexpr rlim_t kMaxMemory = rlim_t{4} << 30U;

/// Up to `size` bytes; fewer only at the end of the input.
std::string read_input(std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t n = read(STDIN_FILENO, bytes.data() + got, size - got);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
  }
  bytes.resize(got);
  return bytes;
}

std::optional<gitrepo::Order> read_order() {
  std::string message = read_input(gitrepo::kLengthBytes);
  const auto length = gitrepo::parse_length(message);
  if (!length) return std::nullopt;
  message += read_input(*length);
  if (!read_input(1).empty()) return std::nullopt;
  return gitrepo::read_order(message);
}

[[noreturn]] void answer(const gitrepo::Answer& answer) {
  auto bytes = gitrepo::write_answer(answer);
  if (!bytes) {
    bytes = gitrepo::write_answer(
        {answer.isolation, Error{Kind::too_large, "the answer is too large"}});
  }
  CG_ASSERT(bytes.has_value());
  for (std::size_t sent = 0; sent < bytes->size();) {
    const ssize_t n = write(STDOUT_FILENO, bytes->data() + sent, bytes->size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(kEndUnexpected);
    sent += static_cast<std::size_t>(n);
  }
  _exit(kEndDone);
}

/// A pack can say that it holds anything. Sanitizers need more room than there is.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit both{kMaxMemory, kMaxMemory};
  static_cast<void>(setrlimit(RLIMIT_AS, &both));
#endif
}

[[noreturn]] void run() {
  seal::begin(STDERR_FILENO + 1);
  limit_memory();
  const auto order = read_order();
  if (!order) _exit(kEndUnexpected);
  const auto location = gitrepo::locate(repo_of(*order));
  if (!location) answer({"", location.error()});
  if (!start_library()) _exit(kEndUnsealed);
  const auto policy = gitrepo::git_policy(*location, *order);
  if (!policy) _exit(kEndUnsealed);
  const auto applied = seal::seal(*policy);
  if (!applied) _exit(kEndUnsealed);
  answer({seal::describe(*applied), carry_out(*location, *order)});
}

}  // namespace

}  // namespace cg::git

int main() { cg::git::run(); }
