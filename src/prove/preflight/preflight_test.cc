#include "prove/preflight/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npm/lockfile/lock.h"

namespace cg::preflight {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

npm::Manifest manifest_of(const std::string& members) {
  auto manifest = npm::parse_manifest("package.json", "{" + members + "}");
  EXPECT_TRUE(manifest.has_value()) << manifest.error().what;
  return *std::move(manifest);
}

/// A repository with one lock of npm, of which every test changes a little.
class Repository {
 public:
  explicit Repository(const std::string& members = "", const std::string& packages = "",
                      const std::string& dependencies = "")
      : graph_(read(packages, dependencies)), manifests_{manifest_of(members)} {}
  explicit Repository(npm::Graph graph) : graph_(std::move(graph)), manifests_{manifest_of("")} {}

  std::string lockfile = "package-lock.json";
  std::string node;
  std::vector<NodeWish> wishes;
  std::vector<TextFile> compose;
  std::vector<std::string> run_scripts;
  std::vector<std::string> fetch_urls;
  std::map<std::string, std::string, std::less<>> commands;

  [[nodiscard]] std::vector<Obstacle> look() const {
    return preflight::look(
        {lockfile, graph_, manifests_, node, wishes, compose, run_scripts, fetch_urls, commands});
  }

 private:
  static npm::Graph read(const std::string& packages, const std::string& dependencies) {
    auto graph = lockfile::read_package_lock(
        npm::LockKind::package_lock,
        R"({"lockfileVersion": 3, "packages": {"": {"dependencies": {)" + dependencies + "}}" +
            (packages.empty() ? "" : ", ") + packages + "}}",
        nullptr);
    EXPECT_TRUE(graph.has_value()) << graph.error().what;
    return *std::move(graph);
  }

  npm::Graph graph_;
  std::vector<npm::Manifest> manifests_;
};

/// The only one there is.
Obstacle only(const Repository& repository) {
  const std::vector<Obstacle> all = repository.look();
  EXPECT_THAT(all, SizeIs(1));
  return all.empty() ? Obstacle{} : all.front();
}

TEST(Preflight, SaysNothingOfAnOrdinaryRepository) {
  Repository plain(R"("scripts": {"test": "mocha", "build": "tsc"}, "engines": {"node": ">=14"},
                      "packageManager": "npm@10.1.0", "devDependencies": {"mocha": "^10"})",
                   R"("node_modules/mocha": {"version": "10.0.0", "integrity": "sha512-x",
                      "resolved": "https://registry.example/mocha/-/mocha-10.0.0.tgz"})",
                   R"("mocha": "^10")");
  plain.node = "20.11.0";
  plain.wishes = {{".nvmrc", "it", "lts/*\n"}, {".node-version", "it", "v20\n"}};
  EXPECT_THAT(plain.look(), IsEmpty());
}

TEST(Preflight, ComparesEveryNodeThatIsAskedFor) {
  const auto with = [](const std::string& members, std::vector<NodeWish> wishes) {
    Repository repository(members);
    repository.node = "20.11.0";
    repository.wishes = std::move(wishes);
    return repository;
  };
  const Obstacle engines = only(with(R"("engines": {"node": "^16 || ^18", "npm": "6"})", {}));
  EXPECT_EQ(engines.kind, Kind::node_version);
  EXPECT_EQ(engines.severity, Severity::may_fail) << "never more than a warning";
  EXPECT_EQ(engines.where, "package.json");
  EXPECT_THAT(engines.what, HasSubstr("engines.node asks for node ^16 || ^18"));
  EXPECT_THAT(engines.what, HasSubstr("20.11.0: tests may fail at the base"));
  EXPECT_EQ(only(with("", {{".nvmrc", "it", "v18.17.0\n"}})).where, ".nvmrc");
  EXPECT_THAT(only(with("", {{".nvmrc", "it", "lts/Hydrogen"}})).what, HasSubstr("lts/Hydrogen"));
  EXPECT_THAT(only(with("", {{"package.json", "volta.node", "16.20.0"}})).what,
              HasSubstr("volta.node asks for node 16.20.0"));
  for (const char* text : {"20", "v20.11.0\n18\n", "node", "lts/*", "lts/iron", "", "system"}) {
    EXPECT_THAT(with("", {{".nvmrc", "it", text}}).look(), IsEmpty()) << text;
  }
  Repository unknown(R"("engines": {"node": "^16"})");
  EXPECT_THAT(unknown.look(), IsEmpty()) << "nobody looked which node there is";
}

TEST(Preflight, NamesAnotherPackageManagerThanTheLocks) {
  const Obstacle one = only(Repository(R"("packageManager": "pnpm@9.1.0+sha512.abc")"));
  EXPECT_EQ(one.kind, Kind::package_manager);
  EXPECT_EQ(one.severity, Severity::may_fail);
  EXPECT_THAT(one.what, HasSubstr("names pnpm, and the lock is npm's"));
}

/// A package `a` at an address; `more` are members of its entry.
Repository at(const std::string& spec, const std::string& resolved, const std::string& more = "") {
  return Repository(
      "", R"("node_modules/a": {"version": "1.0.0", "resolved": ")" + resolved + "\"" + more + "}",
      "\"a\": \"" + spec + "\"");
}

TEST(Preflight, BlocksOnWhatNoRegistryHas) {
  const std::string pinned = R"(, "integrity": "sha512-x")";
  const std::string url = "https://files.example/a.tgz";
  const struct {
    Repository repository;
    std::string what;
    std::string next;
  } cases[] = {
      {at(url, url, pinned), "policy does not let it be fetched", "fetch_urls: [files.example]"},
      {at(url, url), "does not say which bytes are meant", "integrity"},
      {at("http://files.example/a.tgz", "http://files.example/a.tgz", pinned), "not an https",
       "https"},
      {at("github:u/a", "git+ssh://git@github.com/u/a.git#0123"), "a git repository",
       "https archive of that commit"},
      {at("file:../a.tgz", "file:../a.tgz", pinned), "not in the repository",
       "keep it in the repository"},
  };
  for (const auto& c : cases) {
    const Obstacle one = only(c.repository);
    EXPECT_EQ(one.kind, Kind::address);
    EXPECT_EQ(one.severity, Severity::blocks) << one.what;
    EXPECT_EQ(one.where, "a@1.0.0");
    EXPECT_EQ(one.lockfile, "package-lock.json");
    EXPECT_THAT(one.what, HasSubstr(c.what));
    EXPECT_THAT(one.next, HasSubstr(c.next));
  }
  EXPECT_THAT(at("file:a.tgz", "file:a.tgz", pinned).look(), IsEmpty());
}

TEST(Preflight, LetsWhatPolicyLetsBeFetched) {
  const std::string url = "https://files.example:8443/a.tgz";
  Repository repository = at(url, url, R"(, "integrity": "sha512-x")");
  repository.fetch_urls = {"127.0.0.1:9", "files.example"};
  EXPECT_EQ(only(repository).severity, Severity::blocks) << "another port is another host";
  EXPECT_THAT(only(repository).next,
              HasSubstr(R"(fetch_urls: ["127.0.0.1:9", files.example, "files.example:8443"])"));
  repository.fetch_urls = {"files.example:8443"};
  EXPECT_EQ(only(repository).severity, Severity::note);
  Repository bare = at(url, url);
  bare.fetch_urls = repository.fetch_urls;
  EXPECT_EQ(only(bare).severity, Severity::blocks) << "nobody knows which bytes are meant";
}

TEST(Preflight, BlocksOnNothingThatMayBeMissing) {
  EXPECT_EQ(only(at("github:u/a", "git+ssh://git@github.com/u/a.git#0123", R"(, "optional": true)"))
                .severity,
            Severity::may_fail);
  auto berry = lockfile::read_yarn_lock(R"(__metadata:
  version: 8

"a@https://files.example/a.tgz":
  version: 1.0.0
  resolution: "a@https://files.example/a.tgz"
  checksum: 10c0/abc
  languageName: node
  linkType: hard
)",
                                        {});
  ASSERT_TRUE(berry.has_value()) << berry.error().what;
  EXPECT_EQ(only(Repository(*std::move(berry))).severity, Severity::may_fail)
      << "it may have the archive in the repository";
}

TEST(Preflight, SaysWhyNothingCanBeInstalledAndWhatToDo) {
  const std::vector<Obstacle> all =
      at("github:u/a", "git+ssh://git@github.com/u/a.git#0123").look();
  EXPECT_EQ(why_blocked(all, "package-lock.json"),
            "the packages cannot be installed: a@1.0.0 comes from "
            "git+ssh://git@github.com/u/a.git#0123, a git repository, and the sandbox has no "
            "network (depend on a published version, or on an https archive of that commit, whose "
            "integrity the lock has)");
  EXPECT_EQ(why_blocked(all, "other/package-lock.json"), "");
  EXPECT_EQ(why_blocked({}, "package-lock.json"), "");
}

Repository with_scripts() {
  Repository out("",
                 R"("node_modules/a": {"version": "1.0.0", "hasInstallScript": true},
                    "node_modules/@s/b": {"version": "2.0.0", "hasInstallScript": true},
                    "node_modules/c": {"version": "3.0.0"},
                    "node_modules/d": {"version": "4.0.0", "hasInstallScript": true})");
  out.run_scripts = {"d"};
  out.commands = {{"a@1.0.0", "install: node-gyp rebuild"},
                  {"d@4.0.0", "postinstall: node d\x1b[31m.js"}};
  return out;
}

TEST(Preflight, ListsWhatInstallScriptsWouldRunAndTheLineThatLetsThem) {
  const std::vector<Obstacle> all = with_scripts().look();
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0].where, "a@1.0.0");
  EXPECT_EQ(all[0].severity, Severity::may_fail);
  EXPECT_EQ(all[0].what, "would run `install: node-gyp rebuild` when it is installed");
  EXPECT_EQ(all[1].where, "@s/b@2.0.0");
  EXPECT_EQ(all[1].what, "would run something when it is installed");
  EXPECT_THAT(all[0].next, HasSubstr("run_scripts: [\"@s/b\", a, d]"));
  EXPECT_EQ(all[0].next, all[1].next);
  EXPECT_EQ(all[2].where, "d@4.0.0");
  EXPECT_EQ(all[2].severity, Severity::note);
  EXPECT_THAT(all[2].what, HasSubstr("as policy lets it"));
  EXPECT_EQ(all[2].what.find('\x1b'), std::string::npos);
}

TEST(Preflight, HintsAtScriptsForABaseThatDoesNotRun) {
  const std::string hint = scripts_hint(with_scripts().look(), "package-lock.json");
  EXPECT_THAT(hint, HasSubstr("a@1.0.0 would run `install: node-gyp rebuild`"));
  EXPECT_THAT(hint, HasSubstr("run_scripts: [\"@s/b\", a, d]"));
  EXPECT_EQ(hint.find("d@4.0.0"), std::string::npos) << "it was run";
  EXPECT_EQ(scripts_hint(with_scripts().look(), "other"), "");
  EXPECT_EQ(scripts_hint({}, "package-lock.json"), "");
}

TEST(Preflight, KnowsPackagesThatAreBuiltWhereTheLockDoesNotTell) {
  auto yarn = lockfile::read_yarn_lock(R"(# yarn lockfile v1

bcrypt@^5:
  version "5.0.0"
  resolved "https://registry.example/bcrypt/-/bcrypt-5.0.0.tgz#0123456789012345678901234567890123456789"
)",
                                       {});
  ASSERT_TRUE(yarn.has_value()) << yarn.error().what;
  EXPECT_EQ(only(Repository(*std::move(yarn))).where, "bcrypt@5.0.0");
  EXPECT_THAT(Repository("", R"("node_modules/bcrypt": {"version": "5.0.0"})").look(), IsEmpty())
      << "npm's lock would say so";
}

TEST(Preflight, TellsScriptsOfTheRepositoryThatNobodyRuns) {
  const Obstacle patch = only(Repository(R"("scripts": {"postinstall": "patch-package"})"));
  EXPECT_EQ(patch.kind, Kind::own_script);
  EXPECT_EQ(patch.severity, Severity::may_fail);
  EXPECT_THAT(patch.what, HasSubstr("postinstall script, `patch-package`"));
  for (const char* scripts :
       {R"("prepare": "husky install")", R"("prepare": "is-ci || husky install && exit 0")",
        R"("prepare": "npm run build", "build": "tsc")", R"("prepare": "tsc", "build": "tsc")"}) {
    EXPECT_EQ(only(Repository(R"("scripts": {)" + std::string(scripts) + "}")).severity,
              Severity::note)
        << scripts;
  }
}

TEST(Preflight, SeesServicesAndBrowsersInManifestsScriptsAndTheLock) {
  const Obstacle browser = only(Repository(R"("devDependencies": {"puppeteer": "^20"})"));
  EXPECT_EQ(browser.kind, Kind::browser);
  EXPECT_THAT(browser.what, HasSubstr("puppeteer"));
  EXPECT_THAT(only(Repository(R"("devDependencies": {"@testcontainers/kafka": "^10"})")).what,
              HasSubstr("starts containers"));
  EXPECT_EQ(
      only(Repository("", R"("node_modules/mongodb-memory-server": {"version": "9.0.0"})")).where,
      "package-lock.json");
  EXPECT_THAT(Repository("", R"("node_modules/puppeteer": {"version": "20.0.0"})").look(),
              IsEmpty())
      << "somebody else's";
  const auto test = [](const std::string& command) {
    return Repository(R"("scripts": {"test": ")" + command + R"(", "start": "docker run x"})");
  };
  EXPECT_THAT(only(test("MONGO_URL=mongodb://db/x jest")).what,
              HasSubstr("names a MongoDB (MONGO_URL)"));
  EXPECT_THAT(only(test("cross-env POSTGRES_HOST=x mocha")).what, HasSubstr("PostgreSQL"));
  EXPECT_THAT(only(test("docker-compose up -d && jest")).what, HasSubstr("calls docker"));
  EXPECT_THAT(test("jest dockerfile-parser MY_MONGO_URL_X").look(), IsEmpty());
}

TEST(Preflight, SeesWhatComposeFilesStart) {
  Repository repository;
  repository.compose = {{"docker-compose.yml",
                         "services:\n  db:\n    image: \"postgres:14\" # the database\n"
                         "  app:\n    image: 'us/app'\n"}};
  const Obstacle database = only(repository);
  EXPECT_EQ(database.kind, Kind::service);
  EXPECT_EQ(database.severity, Severity::may_fail);
  EXPECT_THAT(database.what, HasSubstr("postgres:14, us/app"));
  repository.compose = {{"compose.yaml", "services:\n  app:\n    build: .\n"}};
  EXPECT_EQ(only(repository).severity, Severity::note);
}

TEST(Preflight, PutsTheWorstFirstAndIsBounded) {
  std::string packages;
  for (int i = 0; i < 70; ++i) {
    packages += (i == 0 ? "" : ", ") + std::string(R"("node_modules/p)") + std::to_string(i) +
                R"(": {"version": "1.0.0", "hasInstallScript": true})";
  }
  packages +=
      R"(, "node_modules/g": {"version": "1.0.0", "resolved": "git+ssh://git@h/u/g.git#1"})";
  const std::vector<Obstacle> all = Repository("", packages, R"("g": "github:u/g")").look();
  EXPECT_THAT(all, SizeIs(1 + 50 + 1));
  EXPECT_EQ(all.front().severity, Severity::blocks);
  EXPECT_EQ(all.back().what, "20 more like these");
  EXPECT_EQ(all.back().lockfile, "package-lock.json");
}

}  // namespace
}  // namespace cg::preflight
