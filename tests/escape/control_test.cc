// Every harmless act works without a chamber: what refuses it there is the chamber.
#include "control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <filesystem>

namespace cg::escape {
namespace {

class Control : public testing::TestWithParam<Act> {};

std::vector<Act> controlled() {
  std::vector<Act> found;
  for (const Act& a : acts()) {
    if (!a.control.starts_with("no: ")) found.push_back(a);
  }
  return found;
}

/// Not every kernel has everything: then there is nothing to be refused either.
bool is_lack(const std::string& outcome) {
  return is_one_of(
      outcome,
      "ENOSYS or EAFNOSUPPORT or EPROTONOSUPPORT or EOPNOTSUPP or ENODEV or ENOTTY or EIO");
}
/// Things in /proc and /dev that a machine need not have.
bool is_absent_here(const Act& act, const std::string& outcome) {
  return (outcome == "ENOENT" || outcome == "none") &&
         (act.name.starts_with("read_k") || act.name.starts_with("read_d") ||
          act.name.starts_with("write_s") || act.name == "write_cgroup");
}

TEST_P(Control, WorksWithoutAChamber) {
  const Act& act = GetParam();
  const bool root = geteuid() == 0;
  Host host;
  const std::string outcome = run_without_chamber(act, host);
  const std::size_t daemons = host.end_strays();
  EXPECT_EQ(daemons, act.name.starts_with("daemonise") ? 1U : 0U);
  if (!root && (act.control == "root" || act.control == "nobody")) {
    std::cout << act.name << ": not root, so that " << outcome << " shows nothing\n";
    return;
  }
  if (is_lack(outcome) || is_absent_here(act, outcome)) {
    std::cout << act.name << ": this machine has no such thing: " << outcome << "\n";
    return;
  }
  EXPECT_EQ(outcome, "did");
}
INSTANTIATE_TEST_SUITE_P(Acts, Control, testing::ValuesIn(controlled()), name_of);

TEST(Table, EveryProgramIsInItAndEveryRowHasOne) {
  std::set<std::string> rows;
  for (const Act& a : acts()) EXPECT_TRUE(rows.insert(a.name).second) << a.name;
  std::set<std::string> programs;
  for (const auto& entry :
       std::filesystem::directory_iterator(CG_SOURCE_DIR "/tests/escape/acts")) {
    if (entry.path().extension() == ".c") programs.insert(entry.path().stem());
  }
  EXPECT_EQ(rows, programs);
  EXPECT_GE(rows.size(), 100U);
}

TEST(Table, MostActsHaveAControl) { EXPECT_GE(controlled().size(), 80U); }

std::vector<std::string> touched(Host& host) {
  std::vector<std::string> found = host.reached();
  for (const std::string& line : host.left_behind()) found.push_back(line);
  return found;
}

TEST(Host, NoticesWhatIsTouched) {
  const struct {
    std::string act;
    std::string complaint;
  } cases[] = {
      {"read_absolute", "file touched: secret"},
      {"read_hardlink", "file touched: secret"},
      {"read_home_ssh", "file touched: id_ed25519"},
      {"read_home_npmrc", "file touched: .npmrc"},
      {"write_host_file", "file touched: secret"},
      {"chmod_host_file", "file touched: secret"},
      {"unlink_host_file", "file touched: secret"},
      {"run_host_program", "file touched: tool"},
      {"read_shared_memory_file", "file touched"},
      {"kill_host_process", "a process of the host was ended"},
      {"tcp_connect", "the TCP listener was reached"},
      {"udp_send", "a datagram arrived"},
      {"unix_abstract", "the abstract socket was reached"},
      {"unix_path", "the socket file was reached"},
      {"daemonise", "process left behind"},
      {"daemonise_with_output", "process with our mark"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.act);
    Host host;
    EXPECT_THAT(touched(host), testing::IsEmpty());
    EXPECT_EQ(run_without_chamber(act(c.act), host), "did");
    // A signal is delivered soon, not at once.
    std::vector<std::string> seen;
    for (int tries = 0; tries < 1000 && seen.empty(); ++tries) {
      seen = touched(host);
      if (seen.empty()) poll(nullptr, 0, 1);
    }
    EXPECT_THAT(seen, testing::Contains(testing::HasSubstr(c.complaint)));
    (void)host.end_strays();
  }
}

}  // namespace
}  // namespace cg::escape
