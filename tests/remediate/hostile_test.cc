// Registries and lockfiles that mean harm: a copy is blocked or the run refused, it ends,
// and nothing of theirs gets into a branch or onto the terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "remediate/bench.h"
#include "support/loopback_server.h"

namespace cg::test {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kDigest =
    "sha512-" + std::string(86, 'A') + "==";  // of nothing: no tarball is ever asked for

/// A version of a package as registries describe it; `more` begins with a comma.
std::string version(const std::string& name, const std::string& number,
                    const std::string& more = "", const std::string& integrity = kDigest) {
  return "\"" + number + R"(":{"name":")" + name + R"(","version":")" + number +
         R"(","dist":{"tarball":"https://registry.example/)" + name + "/-/" + name + "-" + number +
         R"(.tgz","integrity":")" + integrity + "\"}" + more + "}";
}

std::string packument(const std::string& name, const std::string& versions,
                      const std::string& latest) {
  return R"({"name":")" + name + R"(","dist-tags":{"latest":")" + latest + R"("},"versions":{)" +
         versions + "}}";
}

/// The whole answer by the name of the package; 404 for others.
LoopbackServer::Script serving(const Files& answers) {
  return [answers](Peer& peer) {
    while (const auto request = peer.request()) {
      const std::size_t at = request->find(" /");
      const std::string name = request->substr(at + 2, request->find(' ', at + 1) - at - 2);
      const auto found = answers.find(name);
      peer.send(found == answers.end() ? response("404 Not Found", "{}")
                                       : response("200 OK", found->second));
    }
  };
}

class Hostile : public testing::Test {
 protected:
  /// A repository with one vulnerable copy, tinyshop-calendar 1.0.0 under `range`.
  Hostile() { make("^1.0.0"); }

  void make(const std::string& range, const std::string& lock_more = "") {
    std::filesystem::remove_all(bench_.path("repo"));
    bench_.write("repo/package.json", R"({"name": "a", "version": "1.0.0", "dependencies": {)"
                                      R"("tinyshop-calendar": ")" +
                                          range + "\"}}\n");
    bench_.write("repo/package-lock.json",
                 R"({"name": "a", "version": "1.0.0", "lockfileVersion": 3, "requires": true,
  "packages": {
    "": {"name": "a", "version": "1.0.0", "dependencies": {"tinyshop-calendar": ")" +
                     range + R"("}},
    "node_modules/tinyshop-calendar": {
      "version": "1.0.0",
      "resolved": "https://registry.example/tinyshop-calendar/-/tinyshop-calendar-1.0.0.tgz",
      "integrity": ")" +
                     kDigest + "\"\n    }" + lock_more + "\n  }\n}\n");
    bench_.make_repository("repo");
  }

  /// What is planned for the copy with a registry that answers so. It has no tarballs, so
  /// nothing could be proven.
  json::Value outcome(const Files& answers) {
    const LoopbackServer server(serving(answers));
    const Files before = bench_.untouchable("repo");
    std::filesystem::remove_all(bench_.path("out"));
    const Ran ran = bench_.codegenie({"remediate", "repo", "--all", "--plan-only", "--worktree",
                                      "out", "--registry", server.url("/"), "--format", "json"});
    EXPECT_THAT(ran.exit, AnyOf(0, 3, 7)) << ran.err;
    EXPECT_EQ(bench_.untouchable("repo"), before);
    EXPECT_EQ(bench_.fsck("repo"), "");
    for (const auto& [path, bytes] : planned()) {
      EXPECT_THAT(bytes, Not(HasSubstr("evil"))) << path;
      EXPECT_THAT(bytes, Not(HasSubstr("127.0.0.1"))) << path;
    }
    EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("\x1b")));
    auto parsed = json::parse_json(ran.out, {.max_bytes = ran.out.size()});
    EXPECT_TRUE(parsed.has_value()) << ran.exit << ran.out << ran.err;
    return parsed ? *std::move(parsed) : json::Value(json::Value::Object{});
  }
  /// The files that the last outcome() would change, by their path.
  [[nodiscard]] Files planned() const {
    return std::filesystem::exists(bench_.path("out")) ? bench_.everything("out") : Files{};
  }
  /// The same, as "verdict blocker".
  std::vector<std::string> verdict(const std::string& versions) {
    return verdicts(
        outcome({{"tinyshop-calendar", packument("tinyshop-calendar", versions, "1.0.0")}}),
        "tinyshop-calendar");
  }

  Bench bench_;
  const std::string old_ = version("tinyshop-calendar", "1.0.0");
};

TEST_F(Hostile, ARegistryThatLacksThePackageBlocksTheCopy) {
  EXPECT_THAT(verdicts(outcome({}), "tinyshop-calendar"), ElementsAre("blocked registry"));
}

TEST_F(Hostile, RubbishBlocksTheCopy) {
  for (const std::string& rubbish :
       {std::string(), std::string("<html>"), std::string("{\"versions\":[[["),
        std::string(200'000, '['), std::string("null"),
        packument("evil", version("evil", "1.0.2"), "1.0.2")}) {
    EXPECT_THAT(verdicts(outcome({{"tinyshop-calendar", rubbish}}), "tinyshop-calendar"),
                ElementsAre("blocked registry"))
        << rubbish.substr(0, 40);
  }
}

TEST_F(Hostile, AVersionThatWasUnpublishedIsNotChosen) {
  const std::string text = R"({"name":"tinyshop-calendar","dist-tags":{"latest":"1.0.2"},)"
                           R"("time":{"1.0.2":"2026-01-01T00:00:00.000Z"},"versions":{)" +
                           old_ + "}}";
  EXPECT_THAT(verdicts(outcome({{"tinyshop-calendar", text}}), "tinyshop-calendar"),
              ElementsAre("no_fix no_version"));
}

TEST_F(Hostile, VersionsThatAreNoneAreNotChosen) {
  std::string versions = old_;
  for (const char* number : {"1.0.2 evil", "../../evil", "1.0.2;evil", "evil", "v1.0.9-evil!",
                             "99999999999999999999.0.0-evil", "1.0.2\\u001b[31mevil"}) {
    versions += "," + version("tinyshop-calendar", number);
  }
  EXPECT_THAT(verdict(versions), ElementsAre("no_fix no_version"));
  EXPECT_THAT(verdict(versions + "," + version("tinyshop-calendar", "1.0.2")),
              ElementsAre("fixed"));
}

TEST_F(Hostile, DependenciesOfHostileNamesOrRangesAreNotTakenIn) {
  for (const char* dependencies :
       {R"("../../evil":"1.0.0")", R"("evil":"file:../../evil")",
        R"("evil":"git+ssh://evil.example/x.git")", R"("evil":"https://evil.example/x.tgz")",
        R"("\u001b[31mevil":"*")", R"("__proto__":"evil")",
        R"("evil":")"
        "\\u0000"
        R"(")",
        R"("@evil/../x":"*")", R"("evil\nx":"*")"}) {
    const std::string more = std::string(R"(,"dependencies":{)") + dependencies + "}";
    const auto found = verdict(old_ + "," + version("tinyshop-calendar", "1.0.2", more));
    ASSERT_EQ(found.size(), 1U) << dependencies;
    EXPECT_NE(found.front(), "fixed") << dependencies;
  }
  // npm passes over what is not even a text.
  const std::string list = R"(,"dependencies":{"evil":["*"]})";
  EXPECT_THAT(verdict(old_ + "," + version("tinyshop-calendar", "1.0.2", list)),
              ElementsAre("fixed"));
}

TEST_F(Hostile, AHostileDigestOrPlaceDoesNotReachTheLock) {
  for (const char* integrity : {"sha512-evil\\n\\\"", "evil", "md5-evil", "sha512-\\u001bevil"}) {
    const auto found = verdict(old_ + "," + version("tinyshop-calendar", "1.0.2", "", integrity));
    EXPECT_EQ(found.size(), 1U) << integrity;
  }
  const std::string elsewhere =
      R"("1.0.2":{"name":"tinyshop-calendar","version":"1.0.2","dist":{"tarball":)"
      R"("https://evil.example/x.tgz","integrity":")" +
      kDigest + "\"}}";
  EXPECT_EQ(verdict(old_ + "," + elsewhere).size(), 1U);
}

TEST_F(Hostile, ACycleOfDependenciesEnds) {
  const auto needs = [](const std::string& list) { return R"(,"dependencies":{)" + list + "}"; };
  const auto result = outcome(
      {{"tinyshop-calendar",
        packument("tinyshop-calendar",
                  old_ + "," + version("tinyshop-calendar", "1.0.2", needs(R"("loop-a":"^1.0.0")")),
                  "1.0.2")},
       {"loop-a",
        packument("loop-a", version("loop-a", "1.0.0", needs(R"("loop-b":"*","loop-a":"^1")")),
                  "1.0.0")},
       {"loop-b",
        packument("loop-b",
                  version("loop-b", "1.0.0", needs(R"("loop-a":"1","tinyshop-calendar":"*")")),
                  "1.0.0")}});
  EXPECT_THAT(verdicts(result, "tinyshop-calendar"), ElementsAre("fixed"));
  const Files files = planned();
  ASSERT_TRUE(files.contains("package-lock.json"));
  const std::string& lock = files.at("package-lock.json");
  EXPECT_THAT(lock, HasSubstr("\"node_modules/loop-a\""));
  EXPECT_THAT(lock, HasSubstr("\"node_modules/loop-b\""));
}

TEST_F(Hostile, ANestThatNeverEndsIsGivenUp) {
  // Each release needs another version of the next package, which needs the first again.
  Files answers;
  std::string versions = old_;
  std::string more = R"(,"dependencies":{"nest":"1.0.0"})";
  versions += "," + version("tinyshop-calendar", "1.0.2", more);
  answers["tinyshop-calendar"] = packument("tinyshop-calendar", versions, "1.0.2");
  std::string nest;
  for (int i = 0; i < 3000; ++i) {
    const std::string next = "1.0." + std::to_string((i + 1) % 3000);
    nest += (i == 0 ? "" : ",") + version("nest", "1.0." + std::to_string(i),
                                          R"(,"dependencies":{"nest":")" + next + "\"}");
  }
  answers["nest"] = packument("nest", nest, "1.0.0");
  EXPECT_EQ(verdicts(outcome(answers), "tinyshop-calendar").size(), 1U);
}

TEST_F(Hostile, LocksOfHostileNamesAndVersionsAreRefusedOrLeftAlone) {
  const Files good = {{"tinyshop-calendar",
                       packument("tinyshop-calendar",
                                 old_ + "," + version("tinyshop-calendar", "1.0.2"), "1.0.2")}};
  const std::string place =
      R"(, "resolved": "https://registry.example/x/-/x-1.tgz", "integrity": ")" + kDigest + "\"}";
  const LoopbackServer server(serving(good));
  for (
      const std::string& entry :
      {R"("node_modules/../../evil": {"version": "1.0.0")" + place,
       R"("../evil": {"version": "1.0.0")" + place, R"("/etc/evil": {"version": "1.0.0")" + place,
       R"("node_modules/\u001b[31mevil": {"version": "1.0.0")" + place,
       R"("node_modules/evil": {"version": "\u001b[31m1")" + place,
       R"("node_modules/evil": {"version": "1.0.0", "dependencies": {"tinyshop-calendar": "evil ||| 7 <"})" +
           place,
       R"("node_modules/__proto__": {"version": "1.0.0")" + place}) {
    make("^1.0.0", ",\n    " + entry);
    const Files before = bench_.untouchable("repo");
    const Ran ran = bench_.codegenie({"remediate", "repo", "--all", "--registry", server.url("/")});
    EXPECT_THAT(ran.exit, AnyOf(2, 5, 7)) << entry << ran.out << ran.err;
    EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("\x1b"))) << entry;
    EXPECT_EQ(bench_.untouchable("repo"), before);
    EXPECT_EQ(bench_.fsck("repo"), "");
    EXPECT_FALSE(std::filesystem::exists(bench_.path("evil")));
    EXPECT_EQ(bench_.codegenie({"audit", "verify"}).exit, 0);
  }
}

TEST_F(Hostile, WhoChangesTheLockWhileItIsFixedIsNoticed) {
  // Without git the folder is read where it is. The registry answers while we are between reading
  // the lock and editing it.
  const std::string good =
      packument("tinyshop-calendar", old_ + "," + version("tinyshop-calendar", "1.0.2"), "1.0.2");
  const auto plan = [&](const std::function<void()>& meanwhile) {
    std::filesystem::remove_all(bench_.path("plain"));
    std::filesystem::remove_all(bench_.home() + "/cache/registry");
    for (const char* file : {"package.json", "package-lock.json"}) {
      bench_.write(std::string("plain/") + file, read(bench_.path(std::string("repo/") + file)));
    }
    const LoopbackServer server([&](Peer& peer) {
      while (peer.request()) {
        meanwhile();
        peer.send(response("200 OK", good));
      }
    });
    return bench_.codegenie({"remediate", "plain", "--all", "--plan-only", "--worktree", "out",
                             "--registry", server.url("/")});
  };
  EXPECT_EQ(plan([] {}).exit, 0);
  const std::string lock = bench_.path("plain/package-lock.json");
  const std::function<void()> deeds[] = {
      [&] { write(lock, read(lock) + " "); }, [&] { std::filesystem::remove(lock); },
      [&] {
        std::filesystem::remove(lock);
        std::filesystem::create_symlink(bench_.path("repo/package-lock.json"), lock);
      },
      [&] { std::filesystem::remove(bench_.path("plain/package.json")); }};
  for (std::size_t i = 0; i < std::size(deeds); ++i) {
    std::filesystem::remove_all(bench_.path("out"));
    if (i == 3) make("1.0.0");  // so that the manifest has to change
    const Ran ran = plan(deeds[i]);
    EXPECT_EQ(ran.exit, 6) << i << ran.out << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("CG-FIX-005")) << i;
    EXPECT_THAT(planned(), ElementsAre()) << i;
  }
  const auto listed =
      json::parse_json(bench_.codegenie({"workflow", "list", "--limit", "1", "--json"}).out);
  ASSERT_TRUE(listed);
  const std::string id = text_of(list_of(*listed, "workflows").at(0), "workflow");
  EXPECT_THAT(bench_.codegenie({"workflow", "log", id, "--severity", "block"}).out,
              HasSubstr("filesystem_race_detected"));
}

TEST_F(Hostile, RangesThatCannotBeReadDoNotStopTheOthers) {
  make("no ||| 7 <");
  const auto found = verdict(old_ + "," + version("tinyshop-calendar", "1.0.2"));
  EXPECT_EQ(found.size(), 1U);
}

}  // namespace
}  // namespace cg::test
