// The kernel's keyring: a `user` key that only who possesses it can do anything with.
//
// Possession comes by the session keyring and what it links to. A key in the user's keyring is
// out of reach of a session that does not link it, even for its owner: so it goes there only if
// this session does, and into the session's own otherwise.
#include <linux/keyctl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "store.h"

namespace cg::key {

namespace {

constexpr long kPossessorOnly = 0x3f000000;

template <class... Args>
long keyctl(int operation, Args... args) {
  return syscall(SYS_keyctl, operation, args...);
}

class KernelKeyring final : public Store {
 public:
  explicit KernelKeyring(const std::string& key_name) : description_("codegenie:" + key_name) {}
  [[nodiscard]] KeyStore which() const override { return KeyStore::kernel; }
  [[nodiscard]] Needs needs() const override { return {false, true, {}}; }

  void prepare(KeyVerb) override {
    // Without a session keyring, searching gives us the user's; adding would make one that ends
    // with this process.
    const std::string user = "_uid." + std::to_string(getuid());
    user_keyring_ = keyctl(KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "keyring", user.c_str(), 0) > 0;
  }

  [[nodiscard]] Outcome get(Secret& to) override {
    const long id = find();
    if (id < 0) return failed(errno);
    const long size = keyctl(KEYCTL_READ, id, to.data(), Secret::room());
    if (size < 0) return failed(errno);
    to.resize(static_cast<std::size_t>(size));
    return {KeyState::held, user_keyring_ ? "until this machine restarts" : "for this session"};
  }

  [[nodiscard]] Outcome put(Secret& key) override {
    const int ring = user_keyring_ ? KEY_SPEC_USER_KEYRING : KEY_SPEC_SESSION_KEYRING;
    const long id = syscall(SYS_add_key, "user", description_.c_str(), key.view().data(),
                            key.view().size(), ring);
    if (id < 0) return failed(errno);
    if (keyctl(KEYCTL_SETPERM, id, kPossessorOnly) != 0 || find() != id) {
      const int code = errno;
      keyctl(KEYCTL_REVOKE, id);
      return failed(code);
    }
    return {KeyState::held, user_keyring_
                                ? "the user keyring, volatile: gone when this machine restarts"
                                : "the session keyring, volatile: gone when this session ends"};
  }

  [[nodiscard]] Outcome remove() override {
    const long id = find();
    if (id < 0) return failed(errno);
    if (keyctl(KEYCTL_INVALIDATE, id) != 0 && keyctl(KEYCTL_REVOKE, id) != 0) return failed(errno);
    return {KeyState::removed, ""};
  }

 private:
  [[nodiscard]] long find() const {
    return keyctl(KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", description_.c_str(), 0);
  }

  static Outcome failed(int code) {
    switch (code) {
      case ENOKEY:
      case EKEYREVOKED:
      case EKEYEXPIRED:
        return {KeyState::empty, ""};
      case EACCES:
        return {KeyState::locked, "the key belongs to another session"};
      case ENOSYS:
      case EPERM:
        return {KeyState::missing, "this kernel or container has no keyrings"};
      default:
        return {KeyState::unavailable, strerrordesc_np(code)};
    }
  }

  std::string description_;
  bool user_keyring_ = false;
};

}  // namespace

std::unique_ptr<Store> kernel_keyring(const std::string& key_name) {
  return std::make_unique<KernelKeyring>(key_name);
}

}  // namespace cg::key
