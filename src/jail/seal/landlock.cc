#include "jail/seal/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/os/fd.h"

// Debian 12's headers describe Linux 6.1; what came later is declared here, under
// our names, so that newer headers do not get in the way.
namespace cg::seal {

namespace {

constexpr std::uint64_t bit(unsigned n) { return std::uint64_t{1} << n; }

constexpr std::uint64_t kWriteFile = bit(1);
constexpr std::uint64_t kReadFile = bit(2);
constexpr std::uint64_t kReadDir = bit(3);
/// Write, remove folder, remove file, make folder, make file; then refer and truncate,
/// of which the first version knows nothing. Neither devices, pipes, sockets nor links.
constexpr std::uint64_t kChange = bit(1) | bit(4) | bit(5) | bit(7) | bit(8) | bit(13) | bit(14);
constexpr std::uint64_t kExecute = bit(0);
constexpr std::uint64_t kAskDevice = bit(15);
constexpr std::uint64_t kMakeDevices = bit(6) | bit(11);
constexpr std::uint64_t kConnectTcp = bit(1);
constexpr std::uint64_t kBothTcp = bit(0) | kConnectTcp;  // bind and connect
constexpr std::uint64_t kBothScopes = bit(0) | bit(1);    // abstract sockets and signals
constexpr unsigned kCreateVersion = 1;
constexpr int kRulePathBeneath = 1;
constexpr int kRuleNetPort = 2;

struct RulesetAttributes {
  std::uint64_t files;
  std::uint64_t net;
  std::uint64_t scopes;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed;
  std::int32_t parent;
};
struct NetPort {
  std::uint64_t allowed;
  std::uint64_t port;
};

/// Every file right that the version has: 13 at first, then refer, truncate, ioctl.
std::uint64_t file_rights(int abi) {
  const unsigned count = abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13;
  return bit(count) - 1;
}

/// An older kernel refuses a longer structure.
std::size_t attribute_size(int abi) { return abi >= 6 ? 24 : abi >= 4 ? 16 : 8; }

Error landlock_error(std::string detail) {
  return {Error::Stage::landlock, errno, std::move(detail)};
}

long add_rule(const os::Fd& ruleset, int type, const void* rule) {
  return syscall(SYS_landlock_add_rule, ruleset.get(), type, rule, 0);
}

/// Of a plain file only what is in `of_file` of `extra` is allowed.
Result<Done, Error> allow(const os::Fd& ruleset, const std::string& path, std::uint64_t extra,
                          std::uint64_t of_file = kExecute) {
  const os::Fd at(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!at.is_open() && errno == ENOENT) return Done{};
  struct stat status {};
  if (!at.is_open() || fstat(at.get(), &status) != 0) return fail(landlock_error(path));
  const std::uint64_t rights =
      S_ISDIR(status.st_mode) ? kReadFile | kReadDir | extra : kReadFile | (extra & of_file);
  const PathBeneath rule{rights, at.get()};
  if (add_rule(ruleset, kRulePathBeneath, &rule) != 0) return fail(landlock_error(path));
  return Done{};
}

Result<Done, Error> allow_port(const os::Fd& ruleset, std::uint16_t port) {
  const NetPort rule{kConnectTcp, port};
  if (add_rule(ruleset, kRuleNetPort, &rule) != 0) {
    return fail(landlock_error("port " + std::to_string(port)));
  }
  return Done{};
}

}  // namespace

int landlock_abi() {
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, kCreateVersion);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

Result<Held, Error> restrict_to(const Reach& reach) {
  const long asked = syscall(SYS_landlock_create_ruleset, nullptr, 0, kCreateVersion);
  if (asked < 0) {
    if (errno == ENOSYS || errno == EOPNOTSUPP) return Held{};
    return fail(landlock_error("version"));
  }
  const int abi = static_cast<int>(asked);
  const Held held{abi, true, abi >= 4 && reach.limit_tcp, abi >= 6};
  const RulesetAttributes attributes{file_rights(abi), held.tcp ? kBothTcp : 0, kBothScopes};
  const os::Fd ruleset(
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, attribute_size(abi), 0)));
  if (!ruleset.is_open()) return fail(landlock_error("ruleset"));
  for (const std::string& path : reach.readable) CG_TRY(allow(ruleset, path, 0));
  for (const std::string& path : reach.writable) {
    CG_TRY(allow(ruleset, path, kChange & file_rights(abi)));
  }
  for (const std::string& path : reach.runnable) CG_TRY(allow(ruleset, path, kExecute));
  for (const std::string& path : reach.devices) {
    CG_TRY(allow(ruleset, path, (kWriteFile | kAskDevice) & file_rights(abi),
                 kWriteFile | kAskDevice));
  }
  for (const std::string& path : reach.owned) {
    CG_TRY(allow(ruleset, path, file_rights(abi) & ~kMakeDevices));
  }
  if (held.tcp) {
    for (const std::uint16_t port : reach.connect_ports) CG_TRY(allow_port(ruleset, port));
  }
  if (syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) {
    return fail(landlock_error("restrict"));
  }
  return held;
}

}  // namespace cg::seal
