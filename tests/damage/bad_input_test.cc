// Bad input: each kind has its own error and exit code, and changes nothing.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "damage/bench.h"
#include "trust/record/event_codec.h"
#include "trust/record/frame.h"

namespace cg::damage {
namespace {

namespace fs = std::filesystem;
using test::read;
using test::write;

void expect_refused(const test::Ran& ran, int exit, const std::string& code) {
  EXPECT_EQ(ran.exit, exit) << ran.err;
  EXPECT_NE(ran.err.find("error[" + code + "]"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("effect"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("help"), std::string::npos) << ran.err;
}

TEST(BadInput, UnknownEventKind) {
  const Bench bench;
  bench.add_notes(2);
  auto lines = bench.lines();
  const std::size_t at = lines[2].find("operator_noted");
  lines[2].replace(at, 14, "operator_noticed");
  bench.set_lines(lines);
  expect_refused(bench.run({"audit", "verify"}), 4, "CG-AUDIT-004");
  expect_refused(bench.run({"audit", "note", "x"}), 4, "CG-AUDIT-004");
}

TEST(BadInput, EntryOfAForeignLog) {
  const Bench bench;
  const Bench other;
  bench.add_notes(2);
  other.add_notes(2);
  auto lines = bench.lines();
  lines[1] = other.lines()[1];
  bench.set_lines(lines);
  expect_refused(bench.run({"audit", "verify"}), 4, "CG-AUDIT-011");
}

TEST(BadInput, NotALogAtAll) {
  const Bench bench;
  for (const std::string& bytes : {std::string("hello"), std::string(100'000, '\0'),
                                   std::string("\x28\xb5\x2f\xfd"), record::stored_frame("{}\n")}) {
    write(bench.append_file(), bytes);
    const test::Ran ran = bench.run({"audit", "verify"});
    EXPECT_EQ(ran.exit, 4) << ran.out << ran.err;
    EXPECT_EQ(read(bench.append_file()), bytes);  // looked at, not touched
  }
}

TEST(BadInput, WrongMode) {
  const Bench bench;
  for (const std::string name : {"", "events", "keys/log.key"}) {
    const std::string path = bench.path(name);
    const auto before = fs::status(path).permissions();
    fs::permissions(path, fs::perms::group_read, fs::perm_options::add);
    for (const std::string verb : {"verify", "log"}) {
      expect_refused(bench.run({"audit", verb}), 6, "CG-HOME-003");
    }
    fs::permissions(path, before);
  }
  bench.expect_intact();
}

TEST(BadInput, WrongOwner) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "not root: nobody else's file can be made";
  }
  const Bench bench;
  ASSERT_EQ(chown(bench.append_file().c_str(), 65534, 65534), 0);
  expect_refused(bench.run({"audit", "verify"}), 6, "CG-HOME-003");
}

TEST(BadInput, SymbolicLinkInTheWay) {
  const Bench bench;
  fs::rename(bench.path("events/tiles/checkpoint"), bench.scratch() / "elsewhere");
  fs::create_symlink(bench.scratch() / "elsewhere", bench.path("events/tiles/checkpoint"));
  expect_refused(bench.run({"audit", "verify"}), 6, "CG-HOME-004");
  expect_refused(bench.run({"audit", "note", "x"}), 6, "CG-HOME-004");
  fs::create_directory_symlink(bench.home(), bench.scratch() / "link");
  expect_refused(bench.run_at(bench.scratch() / "link", bench.state(), {"audit", "verify"}), 6,
                 "CG-HOME-004");
}

TEST(BadInput, SomethingElseInTheWay) {
  const Bench bench;
  fs::remove(bench.append_file());
  fs::create_directory(bench.append_file());
  fs::permissions(bench.append_file(), fs::perms::owner_all);
  expect_refused(bench.run({"audit", "verify"}), 6, "CG-HOME-004");
  fs::remove(bench.append_file());
  ASSERT_EQ(mkfifo(bench.append_file().c_str(), 0600), 0);
  EXPECT_EQ(bench.run({"audit", "verify"}).exit, 6);  // and does not wait for the pipe
}

TEST(BadInput, Unreadable) {
  if (geteuid() != 0) {
    const Bench bench;
    fs::permissions(bench.append_file(), fs::perms::none);
    expect_refused(bench.run({"audit", "verify"}), 4, "CG-AUDIT-021");
    return;
  }
  // Root reads everything, so this needs somebody else.
  const Bench bench;
  const std::string script =
      "chown -R 65534 \"$1\" && chmod 000 \"$1/home/events/spanning/append.jsonl.zst\" && "
      "exec setpriv --reuid 65534 --clear-groups env HOME=\"$1\" XDG_CONFIG_HOME=\"$1\" "
      "CODEGENIE_HOME=\"$1/home\" "
      "XDG_STATE_HOME=\"$1/state\" \"$2\" audit verify";
  const std::string copy_of_binary = bench.scratch() / "codegenie";
  fs::copy(CG_BINARY, copy_of_binary);  // the build folder may lie where only root may look
  expect_refused(test::run({"sh", "-c", script, "sh", bench.scratch().path(), copy_of_binary}), 4,
                 "CG-AUDIT-021");
}

/// Runs a script as root of a new user and mount namespace; $1 is the scratch
/// folder, $2 the program.
test::Ran in_namespace(const Bench& bench, const std::string& script) {
  return test::run({"unshare", "-rm", "sh", "-c", script, "sh", bench.scratch().path(), CG_BINARY},
                   {"CODEGENIE_HOME=" + bench.home(), "XDG_STATE_HOME=" + bench.state()});
}

TEST(BadInput, ReadOnlyHome) {
  const Bench bench;
  bench.add_notes(1);
  const std::string before = read(bench.append_file());
  const std::string ro =
      "mount --bind \"$1/home\" \"$1/home\" && mount -o remount,ro,bind \"$1/home\" && ";
  expect_refused(in_namespace(bench, ro + "exec \"$2\" audit note x"), 2, "CG-HOME-005");
  EXPECT_EQ(in_namespace(bench, ro + "exec \"$2\" audit verify").exit, 0);
  EXPECT_EQ(read(bench.append_file()), before);
}

TEST(BadInput, FullDisk) {
  const Bench bench;
  const std::string script =
      "mkdir -m 700 \"$1/small\" && mount -t tmpfs -o size=256k,mode=700 none \"$1/small\" && "
      "export CODEGENIE_HOME=\"$1/small/home\" && \"$2\" init >/dev/null 2>&1 && \"$2\" audit note "
      "one >/dev/null && "
      "cat /dev/zero > \"$1/small/filler\" 2>/dev/null; \"$2\" audit note two; code=$?; rm "
      "\"$1/small/filler\"; "
      "\"$2\" audit verify >&2 || exit 99; \"$2\" audit note three >&2 || exit 98; exit $code";
  expect_refused(in_namespace(bench, script), 6, "CG-HOME-006");
}

TEST(BadInput, FullDiskAtInit) {
  const Bench bench;
  const std::string script =
      "mkdir -m 700 \"$1/small\" && mount -t tmpfs -o size=16k,mode=700 none \"$1/small\" && "
      "export CODEGENIE_HOME=\"$1/small/home\" && \"$2\" init; code=$?; test -e \"$1/small/home\" "
      "&& exit 99; "
      "test -n \"$(ls -A \"$1/small\")\" && exit 98; exit $code";
  expect_refused(in_namespace(bench, script), 6, "CG-HOME-006");
}

TEST(BadInput, TwoHomes) {
  const Bench bench;
  bench.add_notes(1);
  copy(bench.home(), bench.scratch() / "second");
  const std::string second = bench.scratch() / "second";
  const test::Ran ran = bench.run_at(second, bench.state(), {"audit", "note", "x"});
  expect_refused(ran, 4, "CG-AUDIT-017");
  EXPECT_EQ(bench.run_at(second, bench.state(), {"audit", "verify"}).exit,
            0);  // reading a copy is fine
  EXPECT_EQ(bench.run({"audit", "note", "x"}).exit, 0);
}

TEST(BadInput, ClockThatWentBack) {
  const Bench bench;
  os::SystemClock now;
  FakeClock ahead(Time{now.now().ms + 86'400'000});
  {
    audit::Log log = bench.open(ahead, bench.guard());
    ASSERT_TRUE(log.append({record::OperatorNoted{"from tomorrow"}}));
    ASSERT_TRUE(log.checkpoint());
  }
  expect_refused(bench.run({"audit", "note", "x"}), 6, "CG-AUDIT-018");
  EXPECT_EQ(bench.run({"self-check", "clock"}).exit, 6);
  bench.expect_intact();
}

TEST(BadInput, DamagedGuard) {
  const Bench bench;
  for (const auto& file : fs::directory_iterator(bench.guard())) {
    const std::string name = file.path().filename();
    if (!name.starts_with("log-") || name.ends_with(".home")) continue;
    const std::string good = read(file.path());
    write(file.path(), "rubbish");
    expect_refused(bench.run({"audit", "verify"}), 4, "CG-AUDIT-016");
    expect_refused(bench.run({"audit", "note", "x"}), 4, "CG-AUDIT-016");
    write(file.path(), good);
  }
  bench.expect_intact();
}

TEST(BadInput, NoWorkspace) {
  const Bench bench;
  expect_refused(bench.run_at(bench.scratch() / "nothing", bench.state(), {"audit", "verify"}), 2,
                 "CG-HOME-001");
  expect_refused(bench.run({"init"}), 2, "CG-HOME-002");
  bench.expect_intact();
}

TEST(BadInput, KeysThatCannotSign) {
  const Bench bench;
  const std::string key = bench.scratch() / "key";
  const auto publish = [&] {
    return bench.run({"audit", "anchor", "publish", "--sign", "ssh:" + key});
  };
  expect_refused(publish(), 2, "CG-SIGN-001");
  ASSERT_EQ(test::run({"ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", key}).exit, 0);
  expect_refused(publish(), 2, "CG-SIGN-001");
  fs::remove(key);
  ASSERT_EQ(test::run({"ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", key}).exit, 0);
  expect_refused(publish(), 2, "CG-SIGN-001");
  EXPECT_FALSE(fs::exists(bench.path("audit")));
}

TEST(Anchors, SshKeygenAcceptsOursAndWeAcceptIts) {
  const Bench bench;
  const std::string key = bench.scratch() / "key";
  ASSERT_EQ(test::run({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key}).exit,
            0);
  const std::string allowed = bench.path("policy/allowed_signers");
  write(allowed, "operator@example " + read(key + ".pub"));
  ASSERT_EQ(bench.run({"audit", "anchor", "publish", "--sign", "ssh:" + key}).exit, 0);
  ASSERT_EQ(bench.run({"audit", "anchor", "publish", "--unsigned"}).exit, 0);
  std::vector<std::string> notes;
  for (const auto& file : fs::recursive_directory_iterator(bench.path("audit/anchors"))) {
    if (file.path().extension() == ".note") notes.push_back(file.path());
  }
  std::sort(notes.begin(), notes.end());  // …-15-2.note sorts before …-15.note
  ASSERT_EQ(notes.size(), 2U);
  const test::Ran theirs = test::run({"ssh-keygen", "-Y", "verify", "-n", "codegenie-anchor", "-I",
                                      "operator@example", "-f", allowed, "-s", notes[1] + ".sig"},
                                     {}, read(notes[1]));
  EXPECT_EQ(theirs.exit, 0) << theirs.err;
  EXPECT_EQ(bench.run({"audit", "anchor", "verify", "--strict"}).exit, 4);  // one is not signed
  ASSERT_EQ(
      test::run({"ssh-keygen", "-q", "-Y", "sign", "-n", "codegenie-anchor", "-f", key, notes[0]})
          .exit,
      0);
  const test::Ran ours = bench.run({"audit", "anchor", "verify", "--strict"});
  EXPECT_EQ(ours.exit, 0) << ours.err << ours.out;
}

TEST(Anchors, GpgSignsAndVerifies) {
  const Bench bench;
  const std::string gnupg = bench.scratch() / "gnupg";
  fs::create_directory(gnupg);
  fs::permissions(gnupg, fs::perms::owner_all);
  setenv("GNUPGHOME", gnupg.c_str(), 1);
  ASSERT_EQ(test::run({"gpg", "--batch", "--pinentry-mode", "loopback", "--passphrase", "",
                       "--quick-gen-key", "operator@example", "ed25519", "sign", "never"})
                .exit,
            0);
  const test::Ran published =
      bench.run({"audit", "anchor", "publish", "--sign", "gpg:operator@example"});
  EXPECT_EQ(published.exit, 0) << published.err;
  const test::Ran verified = bench.run({"audit", "anchor", "verify", "--strict"});
  EXPECT_EQ(verified.exit, 0) << verified.err;
  EXPECT_NE(verified.out.find("gpg:"), std::string::npos) << verified.out;
  for (const auto& file : fs::recursive_directory_iterator(bench.path("audit/anchors"))) {
    if (file.path().extension() != ".asc") continue;
    std::string bad = read(file.path());
    bad[bad.size() / 2] = bad[bad.size() / 2] == 'A' ? 'B' : 'A';
    write(file.path(), bad);
  }
  EXPECT_EQ(bench.run({"audit", "anchor", "verify"}).exit, 4);
  static_cast<void>(test::run({"gpgconf", "--kill", "gpg-agent"}));
  unsetenv("GNUPGHOME");
}

}  // namespace
}  // namespace cg::damage
