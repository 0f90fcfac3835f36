// What tests of keys share: sessions of the kernel and of a desktop, and a search for a key in
// all that the kernel shows of a process.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/leaf/key_process.h"
#include "support/support.h"

namespace cg::test {

inline const std::string kFirstKey = "sk-test-first-0123456789abcdefghij";
inline const std::string kSecondKey = "sk-test-second-9876543210zyxwvut";

/// As the program prints it, without "sha256:".
[[nodiscard]] std::string fingerprint_of(const std::string& key);

/// This process gets a session keyring of its own, that links nothing. False: no keyrings here.
[[nodiscard]] bool join_new_session();
/// ... and then that of its user.
void link_user_keyring();

/// A session bus, and on it a gnome-keyring whose folder is `home`.
class Desktop {
 public:
  enum class Keyring {
    unlocked,  // makes one if there is none
    locked,    // one that was unlocked before
    none,      // nobody ever made one
  };
  Desktop(const std::string& home, Keyring keyring);
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;
  ~Desktop();
  /// For codegenie-key.
  [[nodiscard]] std::vector<std::string> environment() const;

 private:
  std::string home_;
  std::string address_;
  pid_t pid_ = -1;
  int input_ = -1;
};

/// A pipe that holds `text`, whose other end stays open until close_writer().
class Source {
 public:
  explicit Source(const std::string& text);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source();
  [[nodiscard]] int fd() const { return read_; }
  void close_writer();
  /// Returns when somebody has read it all.
  void wait_until_taken() const;

 private:
  int read_ = -1;
  int write_ = -1;
};

/// What a leaf would have got: the source and the key, or the reason and nothing.
struct Delivered {
  std::string source;
  std::string key;
};

/// codegenie-key behind a spawner.
class Keys {
 public:
  explicit Keys(std::vector<std::string> environment = {}, os::Fd ci_key = {});
  [[nodiscard]] spawn::Host& host() { return *host_; }
  /// With `key` and a newline to read, if there is one.
  [[nodiscard]] leaf::KeyAnswer ask(leaf::KeyVerb verb, leaf::KeyStore store,
                                    const std::string& key = {});
  [[nodiscard]] Delivered deliver(leaf::KeyStore store);
  /// What one store says to status.
  [[nodiscard]] leaf::StoreReport status(leaf::KeyStore store);
  /// Of this test alone.
  std::string key_name;

 private:
  std::unique_ptr<spawn::Host> host_;
};

/// All processes below `pid`, not itself.
[[nodiscard]] std::vector<pid_t> descendants(pid_t pid);

/// Where in /proc/`pid` a key stands: "cmdline", "environ", "mem 7f0012345000 [stack]"; empty is
/// what we want. Memory that cannot be read does not count as searched: `unreadable` counts it.
struct Search {
  std::vector<std::string> hits;
  std::size_t searched = 0;    // bytes
  std::size_t unreadable = 0;  // regions that are mapped readable and were not shown
};
[[nodiscard]] Search search(pid_t pid, const std::string& key);

/// Whether a process of the same user, without any privilege, may open /proc/`pid`/mem.
[[nodiscard]] bool can_be_read_by_its_user(pid_t pid);

}  // namespace cg::test
