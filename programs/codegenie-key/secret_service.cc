// The Secret Service of a desktop session: gnome-keyring, KWallet, KeePassXC.
//
// It is never made to ask its user anything: nobody may be there. What is locked stays locked
// and is said to be.
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "libsecret.h"
#include "store.h"

namespace cg::key {

namespace {

const Schema kSchema = {"codegenie.Key", 0, {{"application", 0}, {"key", 0}}, 0, {}};

bool has_bus() {
  const char* address = getenv("DBUS_SESSION_BUS_ADDRESS");
  if (address != nullptr && *address != '\0') return true;
  const char* folder = getenv("XDG_RUNTIME_DIR");
  return folder != nullptr && access((std::string(folder) + "/bus").c_str(), F_OK) == 0;
}

class SecretService final : public Store {
 public:
  explicit SecretService(const std::string& key_name) : key_(key_name) {}
  [[nodiscard]] KeyStore which() const override { return KeyStore::secret_service; }
  [[nodiscard]] Needs needs() const override { return {library_.has_value(), false, {}}; }

  void prepare(KeyVerb) override {
    // Without an address GLib would start a bus, by a program.
    if (!has_bus()) {
      state_ = {KeyState::missing, "there is no session bus"};
      return;
    }
    library_ = Libsecret::load();
    if (!library_) state_ = {KeyState::missing, "libsecret is not installed"};
  }

  void connect() override {
    if (!library_) return;
    GError* error = nullptr;
    service_ = library_->service_get_sync(Libsecret::kOpenSession, nullptr, &error);
    if (service_ == nullptr) {
      state_ = {KeyState::missing, "nobody on the session bus is a Secret Service" + words(error)};
      return;
    }
    void* keyring = library_->collection_for_alias_sync(service_, "default", 0, nullptr, &error);
    if (error != nullptr) {
      state_ = {KeyState::unavailable, "no answer about the default keyring" + words(error)};
    } else if (keyring == nullptr) {
      state_ = {KeyState::missing, "there is no default keyring yet"};
    } else if (library_->collection_get_locked(keyring) != 0) {
      state_ = {KeyState::locked, "the default keyring is locked"};
    } else {
      state_ = {KeyState::held, ""};
    }
  }

  [[nodiscard]] Outcome get(Secret& to) override {
    const Outcome found = search();
    if (found.state != KeyState::held) return found;
    GError* error = nullptr;
    char* password = library_->password_lookup_nonpageable_sync(
        &kSchema, nullptr, &error, "application", "codegenie", "key", key_.c_str(), nullptr);
    if (error != nullptr) return {KeyState::unavailable, "it did not give the key" + words(error)};
    if (password == nullptr) return {KeyState::empty, ""};
    to.assign({password, strnlen(password, Secret::room())});
    library_->password_free(password);
    return {KeyState::held, place()};
  }

  [[nodiscard]] Outcome put(Secret& key) override {
    if (!is_open()) return state_;
    GError* error = nullptr;
    const std::string label = "codegenie/" + key_;
    // The rest of the page is NULs, so this ends where the key does.
    const int done =
        library_->password_store_sync(&kSchema, nullptr, label.c_str(), key.data(), nullptr, &error,
                                      "application", "codegenie", "key", key_.c_str(), nullptr);
    if (done == 0) return {KeyState::unavailable, "it did not take the key" + words(error)};
    return {KeyState::held, place()};
  }

  [[nodiscard]] Outcome remove() override {
    const Outcome found = search();
    if (found.state != KeyState::held) return found;
    GError* error = nullptr;
    library_->password_clear_sync(&kSchema, nullptr, &error, "application", "codegenie", "key",
                                  key_.c_str(), nullptr);
    if (error != nullptr) return {KeyState::unavailable, "it did not remove it" + words(error)};
    if (search().state != KeyState::empty) return {KeyState::unavailable, "it is still there"};
    return {KeyState::removed, place()};
  }

 private:
  [[nodiscard]] bool is_open() const { return state_.state == KeyState::held; }

  /// Without its value, and without unlocking anything. `held`: there, and open.
  Outcome search() {
    if (service_ == nullptr || state_.state == KeyState::unavailable) return state_;
    GError* error = nullptr;
    const GList* found = library_->password_search_sync(&kSchema, 0, nullptr, &error, "application",
                                                        "codegenie", "key", key_.c_str(), nullptr);
    if (error != nullptr) return {KeyState::unavailable, "it could not search" + words(error)};
    if (found == nullptr) return is_open() ? Outcome{KeyState::empty, ""} : state_;
    if (library_->item_get_locked(found->data) != 0) {
      return {KeyState::locked, "the keyring that has it is locked"};
    }
    return {KeyState::held, ""};
  }

  [[nodiscard]] std::string place() const {
    const char* how = library_->service_get_session_algorithms(service_);
    const bool plain = how == nullptr || std::string_view(how) == "plain";
    return "codegenie/" + key_ + (plain ? ", which was sent in the clear over the bus" : "");
  }

  static std::string words(const GError* error) {
    return error == nullptr || error->message == nullptr ? "" : std::string(": ") + error->message;
  }

  std::string key_;
  std::optional<Libsecret> library_;
  void* service_ = nullptr;
  Outcome state_;
};

}  // namespace

std::unique_ptr<Store> secret_service(const std::string& key_name) {
  return std::make_unique<SecretService>(key_name);
}

}  // namespace cg::key
