// What a preflight sees keeps a run from paying for what cannot be proven.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "prove/bench.h"
#include "support/loopback_server.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// A project that also depends on `extra`, an archive at an address of its own.
class Elsewhere {
 public:
  explicit Elsewhere(const std::string& project = "node-app") : bench(ProveBench::open(project)) {
    if (bench == nullptr) return;
    bench->write("extra/package/package.json", R"({"name": "extra", "version": "1.0.0"})");
    bench->write("extra/package/index.js", "module.exports = 7;\n");
    const Ran packed =
        run({"tar", "-C", bench->path("extra"), "-czf", bench->path("extra.tgz"), "package"});
    EXPECT_EQ(packed.exit, 0) << packed.err;
    archive = read(bench->path("extra.tgz"));
  }

  void depend_on(const std::string& url, const std::string& members = "{}") const {
    const Ran ran = run({"node", std::string(CG_SOURCE_DIR) + "/tests/prove/depend.mjs",
                         bench->path(bench->project()), url, bench->path("extra.tgz"), members});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    bench->commit("depend on an archive", bench->project());
  }

  std::unique_ptr<ProveBench> bench;
  std::string archive;
};

TEST(Preflight, AnAddressThatNobodyAllowedEndsItBeforeAnythingIsRun) {
  const Elsewhere elsewhere;
  elsewhere.depend_on("https://files.example/extra.tgz", R"({"engines": {"node": "^4"}})");
  const ProveBench& bench = *elsewhere.bench;
  const Proven proven = bench.prove();
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench.branches(), IsEmpty());
  for (const char* event : {"packages_stocked", "sandbox_opened", "step_ran"}) {
    EXPECT_THAT(bench.events(event), IsEmpty()) << event;
  }
  const auto done = bench.events("preflight_done");
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_EQ(number_of(done[0], "blocks"), 1);
  EXPECT_EQ(number_of(done[0], "may_fail"), 1);
  const auto obstacles = list_of(proven.outcome, "preflight");
  ASSERT_THAT(obstacles, SizeIs(2));
  EXPECT_EQ(text_of(obstacles[0], "severity"), "blocks");
  EXPECT_EQ(text_of(obstacles[0], "kind"), "address");
  EXPECT_EQ(text_of(obstacles[0], "where"), "extra@1.0.0");
  EXPECT_EQ(text_of(obstacles[1], "kind"), "node_version");
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "unproven");
  const auto causes = list_of(proven.outcome, "unproven");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(text_of(causes[0], "cause"), HasSubstr("extra@1.0.0 comes from"));
  EXPECT_THAT(text_of(causes[0], "cause"), HasSubstr("fetch_urls: [files.example]"));
  EXPECT_THAT(text_of(obstacles[0], "next"), HasSubstr("fetch_urls: [files.example]"));
}

TEST(Preflight, IsShownByADryRun) {
  const Elsewhere elsewhere;
  elsewhere.depend_on("https://files.example/extra.tgz");
  const Ran ran = elsewhere.bench->run({"--dry-run"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Preflight\n"));
  EXPECT_THAT(ran.out, HasSubstr("extra@1.0.0"));
  EXPECT_THAT(ran.out, HasSubstr("to do: let them be fetched"));
  EXPECT_THAT(elsewhere.bench->events("preflight_done"), SizeIs(1));
}

/// The archive over TLS, to whoever asks for it, and what was asked.
class ArchiveServer {
 public:
  explicit ArchiveServer(std::string bytes)
      : bytes_(std::move(bytes)),
        server_(
            [this](Peer& peer) {
              while (const auto request = peer.request()) {
                {
                  const std::lock_guard lock(mutex_);
                  asked_ += *request;
                }
                const bool there = request->starts_with("GET /files/extra.tgz ");
                peer.send(there ? response("200 OK", bytes_) : response("404 Not Found", ""));
              }
            },
            authority_.issue("IP:127.0.0.1")) {}

  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(server_.port()); }
  [[nodiscard]] const std::string& authority() const { return authority_.pem(); }
  [[nodiscard]] std::string asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  [[nodiscard]] int connections() const { return server_.connections(); }

 private:
  Authority authority_;
  std::string bytes_;
  mutable std::mutex mutex_;
  std::string asked_;
  LoopbackServer server_;
};

void allow(const ProveBench& bench, const ArchiveServer& server, const std::string& npmrc = "") {
  bench.write("authority.pem", server.authority());
  bench.write("home/.npmrc", "cafile=" + bench.path("authority.pem") + "\n" + npmrc);
  write(bench.home() + "/policy/policy.yaml",
        "schema: codegenie/policy/v1\ngates:\n  fetch_urls: [\"" + server.host() + "\"]\n");
}

class Archives : public testing::TestWithParam<const char*> {};

TEST_P(Archives, AreFetchedFromAHostThatPolicyNamesAndInstalled) {
  const Elsewhere elsewhere(GetParam());
  if (elsewhere.bench == nullptr) GTEST_SKIP() << kNoPackages;
  const ProveBench& bench = *elsewhere.bench;
  const ArchiveServer server(elsewhere.archive);
  // That this test passes shows that the archive was installed.
  const bool mocha = bench.project() != "node-app";
  bench.write(bench.project() + "/test/extra" + (mocha ? ".js" : ".test.js"),
              "const test = " + std::string(mocha ? "it" : "require('node:test')") +
                  ";\ntest('extra is there', () => { if (require('extra') !== 7) throw 1; });\n");
  elsewhere.depend_on("https://" + server.host() + "/files/extra.tgz");
  allow(bench, server, "//" + server.host() + "/:_authToken=SECRET\n");
  const Proven proven = bench.prove();
  EXPECT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(proven.state("install"), "passed") << proven.reasons("install");
  EXPECT_EQ(number_of(member_of(proven.gate("tests"), "after"), "passed"), mocha ? 3 : 4);
  EXPECT_THAT(bench.branches(), SizeIs(1));
  const auto obstacles = list_of(proven.outcome, "preflight");
  ASSERT_THAT(obstacles, SizeIs(1));
  EXPECT_EQ(text_of(obstacles[0], "severity"), "note");
  EXPECT_THAT(server.asked(), HasSubstr("GET /files/extra.tgz HTTP/1.1\r\n"));
  EXPECT_THAT(server.asked(), Not(HasSubstr("SECRET"))) << "no token goes there, whosever it is";
}

INSTANTIATE_TEST_SUITE_P(Managers, Archives, testing::Values("node-app", "yarn-app", "pnpm-app"),
                         [](const auto& project) {
                           const std::string name = project.param;
                           return name.substr(0, name.find('-'));
                         });

TEST(Archive, OfOtherBytesThanTheLockMeansIsNotInstalled) {
  const Elsewhere elsewhere;
  const ProveBench& bench = *elsewhere.bench;
  const ArchiveServer server(elsewhere.archive + "x");
  elsewhere.depend_on("https://" + server.host() + "/files/extra.tgz");
  allow(bench, server);
  const Proven proven = bench.prove();
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench.branches(), IsEmpty());
  EXPECT_THAT(proven.ran.err, HasSubstr("extra@1.0.0"));
}

TEST(Archive, IsNotAskedForByARepositorysOwnWord) {
  const Elsewhere elsewhere;
  const ProveBench& bench = *elsewhere.bench;
  const ArchiveServer server(elsewhere.archive);
  bench.write("node-app/.codegenie/policy.yaml",
              "schema: codegenie/policy/v1\ngates:\n  fetch_urls: [\"" + server.host() + "\"]\n");
  elsewhere.depend_on("https://" + server.host() + "/files/extra.tgz");
  EXPECT_EQ(bench.prove().ran.exit, 5);
  EXPECT_EQ(server.connections(), 0);
}

}  // namespace
}  // namespace cg::test
