// What a preflight sees keeps a run from paying for what cannot be proven.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/bytes.h"
#include "prove/bench.h"
#include "trust/hash/integrity.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// `node-app`, which also depends on `extra`, an archive at an address of its own.
class Elsewhere {
 public:
  Elsewhere() : bench(ProveBench::open("node-app")) {
    EXPECT_NE(bench, nullptr);
    bench->write("extra/package/package.json", R"({"name": "extra", "version": "1.0.0"})");
    bench->write("extra/package/index.js", "module.exports = 7;\n");
    EXPECT_EQ(run({"tar", "-C", bench->path("extra"), "-czf", bench->path("extra.tgz"), "package"})
                  .exit,
              0);
    archive = read(bench->path("extra.tgz"));
  }

  void depend_on(const std::string& url, const std::string& more = "") const {
    const std::string folder = bench->path("node-app");
    const std::string script =
        "const fs = require('fs'); const [folder, url, integrity, more] = process.argv.slice(1);"
        "const change = (name, f) => { const at = folder + '/' + name;"
        "  const json = JSON.parse(fs.readFileSync(at)); f(json);"
        "  fs.writeFileSync(at, JSON.stringify(json, null, 2) + '\\n'); };"
        "const add = (json) => { json.dependencies = {...json.dependencies, extra: url}; };"
        "change('package.json', (json) => { add(json); Object.assign(json, JSON.parse(more)); });"
        "change('package-lock.json', (json) => { add(json.packages['']);"
        "  json.packages['node_modules/extra'] = {version: '1.0.0', resolved: url, integrity}; });";
    const Ran ran = run({"node", "-e", script, folder, url, integrity(), more.empty() ? "{}" : more});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    bench->commit("depend on an archive", "node-app");
  }

  [[nodiscard]] std::string integrity() const {
    return "sha512-" + to_base64(hash::sha512(as_bytes(archive)));
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
  for (const char* event : {"packages_stocked", "sandbox_opened", "step_ran", "signal_judged"}) {
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
  const auto copies = list_of(proven.outcome, "copies");
  ASSERT_FALSE(copies.empty());
  EXPECT_THAT(text_of(copies[0], "reason"), HasSubstr("extra@1.0.0 comes from"));
  EXPECT_THAT(text_of(copies[0], "reason"), HasSubstr(text_of(obstacles[0], "next")));
}

TEST(Preflight, IsShownByADryRun) {
  const Elsewhere elsewhere;
  elsewhere.depend_on("https://files.example/extra.tgz");
  const Ran ran = elsewhere.bench->run({"--dry-run"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Preflight\n"));
  EXPECT_THAT(ran.out, HasSubstr("extra@1.0.0"));
  EXPECT_THAT(ran.out, HasSubstr("to do: "));
  EXPECT_THAT(elsewhere.bench->events("preflight_done"), SizeIs(1));
}

}  // namespace
}  // namespace cg::test
