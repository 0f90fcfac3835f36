#include "ci_key.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string_view>

namespace cg::program {

namespace {

constexpr std::string_view kVariable = "CODEGENIE_ANTHROPIC_KEY_CI=";
constexpr std::size_t kPage = 4096;
constexpr int kAboveStreams = 10;  // the standard streams may still be closed here

bool is_set(char** environment, std::string_view name, std::string_view value) {
  for (char** entry = environment; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (text.starts_with(name) && text.substr(name.size()) == value) return true;
  }
  return false;
}

bool is_allowed(char** environment) {
  return (is_set(environment, "CI=", "1") || is_set(environment, "CI=", "true")) &&
         is_set(environment, "ALLOW_CI_ENV_KEY=", "1");
}

os::Fd above_streams(int fd) {
  const os::Fd low(fd);
  return os::Fd(fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, kAboveStreams));
}

/// Memory that not even root can read through /proc, where the kernel has it; else a file of
/// memory that nobody can change any more. A page, filled up with NULs.
os::Fd put_away(const char* key, std::size_t size) {
  os::Fd secret = above_streams(static_cast<int>(syscall(SYS_memfd_secret, O_CLOEXEC)));
  const bool sealed = !secret.is_open();
  if (sealed) secret = above_streams(memfd_create("key", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!secret.is_open() || ftruncate(secret.get(), kPage) != 0) return {};
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, secret.get(), 0);
  if (page == MAP_FAILED) return {};
  memcpy(page, key, size);
  munmap(page, kPage);
  constexpr int kAll = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  if (sealed && fcntl(secret.get(), F_ADD_SEALS, kAll) != 0) return {};
  return secret;
}

CiKey judge(const char* key, std::size_t size, bool allowed) {
  if (!allowed) {
    return {{},
            "CODEGENIE_ANTHROPIC_KEY_CI is ignored: it counts only with CI=1 and "
            "ALLOW_CI_ENV_KEY=1 together"};
  }
  if (size == 0 || size >= kPage) {
    return {{}, "CODEGENIE_ANTHROPIC_KEY_CI is ignored: it is no key"};
  }
  CiKey out{put_away(key, size), {}};
  if (!out.memory.is_open()) {
    out.warning = "CODEGENIE_ANTHROPIC_KEY_CI is ignored: there is no memory for it";
  }
  return out;
}

}  // namespace

CiKey take_ci_key(char** environment) {
  CiKey out;
  if (environment == nullptr) return out;
  const bool allowed = is_allowed(environment);
  char** kept = environment;
  bool found = false;
  for (char** entry = environment; *entry != nullptr; ++entry) {
    char* text = *entry;
    if (!std::string_view(text).starts_with(kVariable)) {
      *kept++ = text;
      continue;
    }
    const std::size_t size = strlen(text);
    // Of several of one name the first counts, as for getenv().
    if (!found) out = judge(text + kVariable.size(), size - kVariable.size(), allowed);
    found = true;
    explicit_bzero(text, size);
  }
  *kept = nullptr;
  return out;
}

std::vector<std::string> key_environment(const cli::Environment& environment) {
  std::vector<std::string> out;
  for (const char* name : {"CREDENTIALS_DIRECTORY", "DBUS_SESSION_BUS_ADDRESS", "HOME",
                           "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"}) {
    const std::string value = cli::variable(environment, name);
    if (!value.empty()) out.push_back(std::string(name) + "=" + value);
  }
  return out;
}

}  // namespace cg::program
