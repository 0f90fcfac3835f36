// systemd credentials: that of the unit we run in, or else a file of our own that systemd-creds
// encrypts with the key of this host, and its TPM where there is one.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "helper.h"
#include "store.h"

namespace cg::key {

namespace {

constexpr std::size_t kMaxCredential = 16384;  // encrypted

std::string variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

/// $XDG_CONFIG_HOME/codegenie/credentials; empty if there is no home.
std::string own_folder() {
  std::string base = variable("XDG_CONFIG_HOME");
  if (!base.starts_with('/')) {
    const std::string home = variable("HOME");
    if (!home.starts_with('/')) return {};
    base = home + "/.config";
  }
  return base + "/codegenie/credentials";
}

void make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    mkdir(path.substr(0, slash).c_str(), 0700);
  }
  mkdir(path.c_str(), 0700);
}

class SystemdCredential final : public Store {
 public:
  explicit SystemdCredential(const std::string& key_name)
      : name_("codegenie-" + key_name), file_(name_ + ".cred"), temporary_("." + file_ + ".new") {}

  [[nodiscard]] KeyStore which() const override { return KeyStore::systemd; }
  [[nodiscard]] Needs needs() const override {
    return {false, false, folder_.is_open() ? folder_path_ : ""};
  }

  void prepare(KeyVerb verb) override {
    const std::string given = variable("CREDENTIALS_DIRECTORY");
    if (given.starts_with('/')) {
      in_unit_ = true;
      given_ = os::Fd(open((given + "/" + name_).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
      return;
    }
    there_ = access(kSystemdCreds, X_OK) == 0;
    folder_path_ = own_folder();
    if (!there_ || folder_path_.empty()) return;
    if (verb == KeyVerb::set) make_folders(folder_path_);
    folder_ = os::Fd(open(folder_path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_.is_open()) return;
    os::Fd stored(openat(folder_.get(), file_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    stored_ = stored.is_open();
    if (stored_ && verb != KeyVerb::remove) {
      decrypts_ = std::make_unique<Helper>(words("decrypt"), std::move(stored));
    }
    if (verb == KeyVerb::set || (verb == KeyVerb::rotate && stored_)) {
      unlinkat(folder_.get(), temporary_.c_str(), 0);
      new_ = os::Fd(openat(folder_.get(), temporary_.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
      encrypts_ = std::make_unique<Helper>(words("encrypt"), os::Fd());
    }
  }

  ~SystemdCredential() override {
    if (new_.is_open()) unlinkat(folder_.get(), temporary_.c_str(), 0);
  }

  [[nodiscard]] Outcome get(Secret& to) override {
    if (in_unit_) return read_given(to);
    if (!there_) return {KeyState::missing, std::string(kSystemdCreds) + " is not there"};
    if (!stored_) return {KeyState::empty, ""};
    const ssize_t size = decrypts_->result({to.data(), Secret::room()});
    if (size < 0) {
      to.wipe();
      return {KeyState::unavailable, "systemd-creds cannot decrypt it: not root, or another host"};
    }
    to.resize(static_cast<std::size_t>(size));
    return {KeyState::held, path()};
  }

  [[nodiscard]] Outcome put(Secret& key) override {
    if (in_unit_) {
      return {KeyState::unavailable, "in a unit, its LoadCredentialEncrypted= decides"};
    }
    if (!there_) return {KeyState::missing, std::string(kSystemdCreds) + " is not there"};
    if (!new_.is_open()) return {KeyState::unavailable, "cannot write to " + folder_path_};
    std::array<char, kMaxCredential> encrypted{};
    const bool fed = encrypts_->feed(key.view());
    const ssize_t size = encrypts_->result(encrypted);
    if (!fed || size <= 0) {
      return {KeyState::unavailable, "systemd-creds cannot encrypt: it takes root, or a TPM"};
    }
    const bool written =
        write(new_.get(), encrypted.data(), static_cast<std::size_t>(size)) == size &&
        fsync(new_.get()) == 0 &&
        renameat(folder_.get(), temporary_.c_str(), folder_.get(), file_.c_str()) == 0;
    if (!written) return {KeyState::unavailable, "cannot write to " + folder_path_};
    new_ = os::Fd();
    fsync(folder_.get());
    return {KeyState::held, path()};
  }

  [[nodiscard]] Outcome remove() override {
    if (in_unit_) return {KeyState::unavailable, "the unit's own credential stays"};
    if (!stored_) return {there_ ? KeyState::empty : KeyState::missing, ""};
    if (unlinkat(folder_.get(), file_.c_str(), 0) != 0) {
      return {KeyState::unavailable, "cannot remove " + path()};
    }
    fsync(folder_.get());
    return {KeyState::removed, path()};
  }

 private:
  [[nodiscard]] std::vector<std::string> words(const char* verb) const {
    std::vector<std::string> out = {kSystemdCreds, verb, "--name=" + name_};
    if (std::string_view(verb) == "decrypt") out.emplace_back("--newline=no");
    out.insert(out.end(), {"-", "-"});
    return out;
  }
  [[nodiscard]] std::string path() const { return folder_path_ + "/" + file_; }

  Outcome read_given(Secret& to) const {
    if (!given_.is_open()) return {KeyState::empty, "the unit has no credential " + name_};
    std::size_t got = 0;
    ssize_t n = 1;
    while (n > 0 && got < Secret::room()) {
      n = read(given_.get(), to.data() + got, Secret::room() - got);
      if (n > 0) got += static_cast<std::size_t>(n);
      if (n < 0 && errno == EINTR) n = 1;
    }
    // A file often ends in a newline that nobody means.
    if (got > 0 && to.data()[got - 1] == '\n') --got;
    to.resize(n < 0 ? 0 : got);
    if (n < 0) return {KeyState::unavailable, "the unit's credential cannot be read"};
    return {KeyState::held, "the unit's credential " + name_};
  }

  std::string name_;
  std::string file_;
  std::string temporary_;
  bool in_unit_ = false;
  bool there_ = false;
  bool stored_ = false;
  os::Fd given_;
  std::string folder_path_;
  os::Fd folder_;
  os::Fd new_;
  std::unique_ptr<Helper> decrypts_;
  std::unique_ptr<Helper> encrypts_;
};

}  // namespace

std::unique_ptr<Store> systemd_credential(const std::string& key_name) {
  return std::make_unique<SystemdCredential>(key_name);
}

}  // namespace cg::key
