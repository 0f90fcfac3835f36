// codegenie-key against the real stores: the kernel's keyring in a session of this test's own,
// gnome-keyring on a bus of its own, systemd-creds with a host key of its own.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <thread>

#include "key/bench.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;
using leaf::KeyDone;
using leaf::KeyListed;
using leaf::KeyRefused;
using leaf::KeyState;
using leaf::KeyStore;
using leaf::KeyVerb;
using testing::HasSubstr;
using testing::IsEmpty;
using Reason = KeyRefused::Reason;

Reason refusal(const leaf::KeyAnswer& answer) {
  const auto* refused = std::get_if<KeyRefused>(&answer);
  EXPECT_NE(refused, nullptr) << "not refused";
  return refused == nullptr ? Reason::missing : refused->reason;
}

/// All that one store can be asked, in the order of a key's life.
void live_through(Keys& keys, KeyStore store) {
  const std::string source(leaf::name(store));
  EXPECT_EQ(keys.status(store).state, KeyState::empty);
  EXPECT_EQ(refusal(keys.ask(KeyVerb::rotate, store, kFirstKey)), Reason::empty);
  EXPECT_EQ(keys.deliver(store).source, "empty");

  const leaf::KeyAnswer set = keys.ask(KeyVerb::set, store, kFirstKey);
  ASSERT_TRUE(std::holds_alternative<KeyDone>(set)) << std::get<KeyRefused>(set).detail;
  EXPECT_EQ(std::get<KeyDone>(set).place.fingerprint, fingerprint_of(kFirstKey));
  EXPECT_EQ(std::get<KeyDone>(set).previous, "");
  EXPECT_EQ(keys.status(store).fingerprint, fingerprint_of(kFirstKey));
  EXPECT_EQ(keys.deliver(store).source, source);
  EXPECT_EQ(keys.deliver(store).key, kFirstKey);
  EXPECT_EQ(keys.deliver(KeyStore::automatic).source, source);

  EXPECT_EQ(refusal(keys.ask(KeyVerb::rotate, store, kFirstKey)), Reason::same_key);
  const leaf::KeyAnswer rotated = keys.ask(KeyVerb::rotate, KeyStore::automatic, kSecondKey);
  ASSERT_TRUE(std::holds_alternative<KeyDone>(rotated));
  EXPECT_EQ(std::get<KeyDone>(rotated).previous, fingerprint_of(kFirstKey));
  EXPECT_EQ(keys.deliver(store).key, kSecondKey);

  const leaf::KeyAnswer removed = keys.ask(KeyVerb::remove, store);
  EXPECT_EQ(std::get<KeyListed>(removed).places.at(0).state, KeyState::removed);
  EXPECT_EQ(keys.status(store).state, KeyState::empty);
  EXPECT_EQ(keys.deliver(store).key, "");
}

TEST(KernelKeyring, KeepsAKeyForASession) {
  ASSERT_TRUE(join_new_session());
  Keys keys;
  live_through(keys, KeyStore::kernel);
  const auto set = keys.ask(KeyVerb::set, KeyStore::kernel, kFirstKey);
  EXPECT_THAT(std::get<KeyDone>(set).place.detail, HasSubstr("volatile: gone when this session"));
  ASSERT_TRUE(join_new_session());
  Keys others;
  EXPECT_EQ(others.status(KeyStore::kernel).state, KeyState::empty) << "another session";
}

TEST(KernelKeyring, KeepsAKeyForAUserWhereTheSessionLinksIt) {
  ASSERT_TRUE(join_new_session());
  link_user_keyring();
  Keys keys;
  live_through(keys, KeyStore::kernel);
  const auto set = keys.ask(KeyVerb::set, KeyStore::kernel, kFirstKey);
  EXPECT_THAT(std::get<KeyDone>(set).place.detail, HasSubstr("volatile: gone when this machine"));
  ASSERT_TRUE(join_new_session());
  Keys unlinked;
  EXPECT_EQ(unlinked.deliver(KeyStore::kernel).key, "") << "not linked, not possessed";
  link_user_keyring();
  Keys linked;
  EXPECT_EQ(linked.deliver(KeyStore::kernel).key, kFirstKey);
  const auto gone = linked.ask(KeyVerb::remove, KeyStore::kernel);
  EXPECT_EQ(std::get<KeyListed>(gone).places.at(0).state, KeyState::removed);
}

TEST(SecretService, KeepsAKeyInTheDefaultKeyring) {
  ASSERT_TRUE(join_new_session());
  const ScratchDir home;
  const Desktop desktop(home.path(), Desktop::Keyring::unlocked);
  Keys keys(desktop.environment());
  live_through(keys, KeyStore::secret_service);
  const auto set = keys.ask(KeyVerb::set, KeyStore::automatic, kFirstKey);
  ASSERT_TRUE(std::holds_alternative<KeyDone>(set));
  EXPECT_EQ(std::get<KeyDone>(set).place.store, KeyStore::secret_service);
  EXPECT_EQ(std::get<KeyDone>(set).place.detail, "codegenie/" + keys.key_name)
      << "over the bus in the clear";
}

TEST(SecretService, WhatIsLockedStaysLockedAndNobodyIsAsked) {
  ASSERT_TRUE(join_new_session());
  const ScratchDir home;
  {
    const Desktop before(home.path(), Desktop::Keyring::unlocked);
    Keys keys(before.environment());
    ASSERT_TRUE(std::holds_alternative<KeyDone>(
        keys.ask(KeyVerb::set, KeyStore::secret_service, kFirstKey)));
  }
  const Desktop desktop(home.path(), Desktop::Keyring::locked);
  Keys keys(desktop.environment());
  EXPECT_EQ(keys.status(KeyStore::secret_service).state, KeyState::locked);
  EXPECT_EQ(refusal(keys.ask(KeyVerb::set, KeyStore::secret_service, kSecondKey)), Reason::locked);
  EXPECT_EQ(refusal(keys.ask(KeyVerb::rotate, KeyStore::automatic, kSecondKey)), Reason::locked);
  EXPECT_EQ(keys.deliver(KeyStore::secret_service).source, "locked");
  EXPECT_EQ(keys.deliver(KeyStore::automatic).source, "locked");
  const auto removed = keys.ask(KeyVerb::remove, KeyStore::secret_service);
  EXPECT_EQ(std::get<KeyListed>(removed).places.at(0).state, KeyState::locked);
}

TEST(SecretService, SaysWhatIsMissing) {
  const ScratchDir home;
  const Desktop desktop(home.path(), Desktop::Keyring::none);
  Keys fresh(desktop.environment());
  EXPECT_EQ(fresh.status(KeyStore::secret_service).detail, "there is no default keyring yet");
  EXPECT_EQ(refusal(fresh.ask(KeyVerb::set, KeyStore::secret_service, kFirstKey)), Reason::missing);
  Keys no_bus({"HOME=" + home.path().string()});
  EXPECT_EQ(no_bus.status(KeyStore::secret_service).detail, "there is no session bus");
  EXPECT_EQ(refusal(no_bus.ask(KeyVerb::set, KeyStore::automatic, kFirstKey)), Reason::missing);
  Keys gone({"DBUS_SESSION_BUS_ADDRESS=unix:path=" + (home / "nobody")});
  EXPECT_EQ(gone.status(KeyStore::secret_service).state, KeyState::missing);
}

TEST(SecretService, OneThatNeverAnswersEndsInARefusal) {
  const ScratchDir home;
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = home / "bus";
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(listener, 8), 0);
  Keys keys({"DBUS_SESSION_BUS_ADDRESS=unix:path=" + path});
  EXPECT_EQ(keys.deliver(KeyStore::automatic).source, "unavailable");
  close(listener);
}

/// A place for a host key of this test's own, where this process may have one.
bool make_host_key_folder(const std::string& folder) {
  return geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount(folder.c_str(), "/var/lib/systemd", nullptr, MS_BIND, nullptr) == 0;
}

TEST(SystemdCredential, IsAFileThatOnlyThisHostCanRead) {
  ASSERT_TRUE(join_new_session());
  const ScratchDir home;
  fs::create_directories(home / "host");
  if (!make_host_key_folder(home / "host")) {
    GTEST_SKIP() << "no private /var/lib/systemd can be had here; the host's own key is not ours";
  }
  Keys keys({"HOME=" + home.path().string()});
  if (run({"/usr/bin/systemd-creds", "encrypt", "--name=x", "-", "-"}, {}, "x").exit != 0) {
    EXPECT_EQ(refusal(keys.ask(KeyVerb::set, KeyStore::systemd, kFirstKey)), Reason::unavailable);
    return;
  }
  live_through(keys, KeyStore::systemd);
  ASSERT_TRUE(
      std::holds_alternative<KeyDone>(keys.ask(KeyVerb::set, KeyStore::systemd, kFirstKey)));
  const std::string folder = home / ".config/codegenie/credentials";
  const std::string file = folder + "/codegenie-" + keys.key_name + ".cred";
  EXPECT_EQ(read(file).find(kFirstKey), std::string::npos);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1)
      << "something was left behind";
  write(file, "bm90IGEgY3JlZGVudGlhbA==\n");
  EXPECT_EQ(keys.status(KeyStore::systemd).state, KeyState::unavailable);
  EXPECT_TRUE(std::holds_alternative<KeyDone>(keys.ask(KeyVerb::set, KeyStore::systemd, kFirstKey)))
      << "what cannot be read can be replaced";
}

TEST(SystemdCredential, OfAUnitIsReadAndNotChanged) {
  ASSERT_TRUE(join_new_session());
  const ScratchDir home;
  Keys keys({"CREDENTIALS_DIRECTORY=" + home.path().string()});
  EXPECT_EQ(keys.status(KeyStore::systemd).state, KeyState::empty);
  const std::string file = home / ("codegenie-" + keys.key_name);
  write(file, kFirstKey + "\n");
  EXPECT_EQ(keys.deliver(KeyStore::automatic).key, kFirstKey);
  EXPECT_EQ(keys.deliver(KeyStore::systemd).source, "systemd");
  EXPECT_EQ(refusal(keys.ask(KeyVerb::rotate, KeyStore::systemd, kSecondKey)), Reason::unavailable);
  EXPECT_EQ(std::get<KeyListed>(keys.ask(KeyVerb::remove, KeyStore::systemd)).places.at(0).state,
            KeyState::unavailable);
  EXPECT_EQ(read(file), kFirstKey + "\n");
  write(file, "short");
  EXPECT_EQ(keys.deliver(KeyStore::systemd).source, "malformed");
  write(file, std::string(100'000, 'x'));
  EXPECT_EQ(keys.status(KeyStore::systemd).state, KeyState::malformed);
}

TEST(KeyEntry, TakesOneLineOfVisibleCharacters) {
  ASSERT_TRUE(join_new_session());
  Keys keys;
  const auto give = [&](const std::string& text) {
    return keys.ask(KeyVerb::set, KeyStore::kernel, text);
  };
  EXPECT_EQ(refusal(give("")), Reason::bad_key);
  EXPECT_EQ(refusal(give("tooshort")), Reason::bad_key);
  EXPECT_EQ(refusal(give(kFirstKey + "\n" + kSecondKey)), Reason::bad_key);
  EXPECT_EQ(refusal(give(kFirstKey + " ")), Reason::bad_key);
  EXPECT_EQ(refusal(give(kFirstKey + "\x1b[A")), Reason::bad_key);
  EXPECT_EQ(refusal(give(kFirstKey + std::string(1, '\0'))), Reason::bad_key);
  EXPECT_EQ(refusal(give(kFirstKey + "\xc3\xa9")), Reason::bad_key);
  EXPECT_EQ(refusal(give(std::string(1025, 'k'))), Reason::too_long);
  EXPECT_EQ(refusal(give(std::string(60'000, 'k'))), Reason::too_long);
  EXPECT_EQ(keys.status(KeyStore::kernel).state, KeyState::empty);
  EXPECT_TRUE(std::holds_alternative<KeyDone>(give(std::string(1024, 'k'))));
  EXPECT_TRUE(std::holds_alternative<KeyDone>(give(kFirstKey + "\r"))) << "CR LF ends a line too";
  EXPECT_EQ(keys.deliver(KeyStore::kernel).key, kFirstKey);
}

TEST(KeyEntry, ADeviceIsNoSource) {
  Keys keys;
  const os::Fd null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(join_new_session());
  const auto answer =
      leaf::ask_key(keys.host(), {KeyVerb::set, KeyStore::kernel, keys.key_name}, {null.get(), -1});
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(refusal(*answer), Reason::no_terminal);
}

/// While codegenie-key holds it: not in anything that the kernel shows of it. (The spawner is a
/// copy of this process, which knows the key; program_test.cc looks at the real one.)
TEST(KeyOnItsWay, IsNowhereToBeSeen) {
  ASSERT_TRUE(join_new_session());
  Keys keys;
  Source source(kFirstKey + "\n");
  Result<leaf::KeyAnswer, leaf::KeyFault> answer{leaf::KeyAnswer{}};
  std::thread asking([&] {
    answer = leaf::ask_key(keys.host(), {KeyVerb::set, KeyStore::kernel, keys.key_name},
                           {source.fd(), -1});
  });
  source.wait_until_taken();
  const pid_t spawner = keys.host().pid();
  const std::vector<pid_t> below = descendants(spawner);
  EXPECT_EQ(below.size(), 1U);
  const bool secret = keys.host().grants()->secret_memory != 0;
  for (const pid_t pid : below) {
    const Search found = search(pid, kFirstKey);
    if (secret && geteuid() == 0) {
      EXPECT_THAT(found.hits, IsEmpty());
      EXPECT_GT(found.searched, 100'000U) << "nothing was looked at";
      EXPECT_GT(found.unreadable, 0U) << "where is it then?";
    }
    EXPECT_FALSE(can_be_read_by_its_user(pid));
    EXPECT_THAT(read("/proc/" + std::to_string(pid) + "/limits"),
                testing::ContainsRegex("Max core file size +0 +0 "));
    EXPECT_THAT(read("/proc/" + std::to_string(pid) + "/status"), HasSubstr("NoNewPrivs:\t1"));
    EXPECT_THAT(read("/proc/" + std::to_string(pid) + "/status"), HasSubstr("Seccomp:\t2"));
  }
  EXPECT_FALSE(can_be_read_by_its_user(spawner));
  source.close_writer();
  asking.join();
  ASSERT_TRUE(answer.has_value()) << answer.error().detail;
  EXPECT_TRUE(std::holds_alternative<KeyDone>(*answer));
}

/// The search finds what is there to be found.
TEST(KeyOnItsWay, IsSeenWhereItIsPlanted) {
  const std::string text = "sk-test-planted-0123456789abcdefghi";
  EXPECT_THAT(search(getpid(), text).hits, testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace cg::test
