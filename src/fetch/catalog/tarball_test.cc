#include "fetch/catalog/tarball.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <mutex>

#include "base/base/bytes.h"
#include "base/json/json.h"
#include "fetch/catalog/listed.h"
#include "fetch/catalog/shelf.h"
#include "fetch/catalog/tarball_path.h"
#include "npm/npm/graph.h"
#include "support/support.h"

namespace cg::catalog {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Missing::Kind;

std::string sri(std::string_view bytes) {
  return "sha512-" + to_base64(hash::sha512(as_bytes(bytes)));
}

/// What the registry has, by path; notes which URLs were asked for.
struct Registry {
  std::map<std::string, std::string> bodies;
  std::map<std::string, net::Error> errors;
  std::vector<std::string> asked;
  std::vector<std::string> choices;
  std::mutex mutex;
};

class RegistryFetcher final : public net::Fetcher {
 public:
  explicit RegistryFetcher(Registry& registry) : registry_(registry) {}
  Result<net::Answer, net::Error> get(const net::Request& request, net::Sink& sink) override {
    const std::lock_guard lock(registry_.mutex);
    registry_.asked.push_back(request.url.str());
    const std::string path = request.url.target().str();
    if (const auto error = registry_.errors.find(path); error != registry_.errors.end()) {
      return fail(error->second);
    }
    const auto found = registry_.bodies.find(path);
    if (found == registry_.bodies.end()) {
      return fail(net::Error{net::Error::Kind::http_status, "", 404});
    }
    if (found->second.size() > request.max_bytes) {
      return fail(net::Error{net::Error::Kind::too_large, ""});
    }
    EXPECT_TRUE(sink.write(found->second).has_value());
    return net::Answer(net::Fetched{"", "", "", found->second.size()});
  }

 private:
  Registry& registry_;
};

class StoppedClock final : public os::Clock {
 public:
  Time now() override { return Time{1'700'000'000'000}; }
};

/// Texts of nodes, which hold views of them.
std::string_view kept(std::string text) {
  static std::deque<std::string> all;
  return all.emplace_back(std::move(text));
}

npm::Node node(std::string name, std::string version, std::string resolved, std::string integrity) {
  npm::Node out;
  out.name = kept(std::move(name));
  out.location = out.name;
  out.version = kept(std::move(version));
  out.resolved = kept(std::move(resolved));
  out.integrity = kept(std::move(integrity));
  return out;
}

class TarballTest : public testing::Test {
 protected:
  std::unique_ptr<Catalog> catalog(Mode mode) {
    registry::Layers layers;
    layers.flag = "https://registry.example/npm/";
    layers.user = *registry::parse_npmrc(npmrc_, {});
    Options catalog_options;
    catalog_options.mode = mode;
    catalog_options.archives = {hosts_, [this] {
                                  const std::lock_guard lock(registry_.mutex);
                                  registry_.choices.emplace_back("archives");
                                  return Result<std::unique_ptr<net::Fetcher>, Problem>(
                                      std::make_unique<RegistryFetcher>(registry_));
                                }};
    MakeFetcher make = [this](const registry::Choice& choice) {
      const std::lock_guard lock(registry_.mutex);
      registry_.choices.push_back(choice.url.str());
      return Result<std::unique_ptr<net::Fetcher>, Problem>(
          std::make_unique<RegistryFetcher>(registry_));
    };
    return std::make_unique<Catalog>(Cache(home_), *registry::Config::merge(layers),
                                     std::move(make), catalog_options, clock_);
  }
  Result<Stock, Problem> take(Mode mode = Mode::online, const StockOptions& options = {}) {
    const std::unique_ptr<Catalog> from = catalog(mode);
    npm::GraphBuilder builder(kind_, "");
    builder.set_lock_version("3");
    npm::Node root;
    root.source = npm::Source::root;
    builder.add(root);
    for (const npm::Node& one : nodes_) builder.add(one);
    const npm::Graph graph = std::move(builder).finish();
    return take_stock(*from, {&graph}, options);
  }
  Stock stock(Mode mode = Mode::online, const StockOptions& options = {}) {
    auto taken = take(mode, options);
    EXPECT_TRUE(taken.has_value()) << taken.error().what;
    return *std::move(taken);
  }
  Kind only_missing(const Stock& stock) {
    EXPECT_THAT(stock.held, IsEmpty());
    EXPECT_EQ(stock.missing.size(), 1U);
    return stock.missing.at(0).kind;
  }
  std::vector<std::string> cached() {
    std::vector<std::string> names;
    if (!fs::exists(scratch_ / "cache/registry/tarballs")) return names;
    for (const auto& file : fs::directory_iterator(scratch_ / "cache/registry/tarballs")) {
      names.push_back(file.path());
    }
    return names;
  }
  void publish(const std::string& name, const std::string& body, const std::string& dist) {
    registry_.bodies["/npm/" + name] =
        R"({"name":")" + name + R"(","versions":{"1.0.0":{"bin":{"run":"./run.js"},"dist":{)" +
        dist + "}}}}";
    registry_.bodies["/npm/" + name + "/-/" + name + "-1.0.0.tgz"] = body;
  }

  test::ScratchDir scratch_;
  os::Dir home_ = *os::Dir::open(scratch_.path());
  Registry registry_;
  StoppedClock clock_;
  npm::LockKind kind_ = npm::LockKind::package_lock;
  std::vector<npm::Node> nodes_;
  std::string npmrc_;
  std::vector<std::string> hosts_;
};

constexpr const char* kResolved = "https://elsewhere.example/a/-/a-1.0.0.tgz";
constexpr const char* kPath = "/npm/a/-/a-1.0.0.tgz";

TEST_F(TarballTest, IsFetchedOnceFromTheConfiguredRegistryAndThenTheCacheHasIt) {
  const std::string integrity = sri("bytes of a");
  nodes_ = {node("a", "1.0.0", kResolved, integrity), node("a", "1.0.0", kResolved, integrity)};
  registry_.bodies[kPath] = "bytes of a";
  const Stock first = stock();
  EXPECT_THAT(registry_.asked, ElementsAre("https://registry.example/npm/a/-/a-1.0.0.tgz"));
  ASSERT_EQ(first.held.size(), 1U);
  EXPECT_EQ(first.counts.fetched, 1U);
  EXPECT_EQ(first.counts.bytes, 10U);
  EXPECT_EQ(test::read(scratch_ / first.held[0].tarball.path), "bytes of a");
  EXPECT_THAT(first.held[0].paths, ElementsAre("a/-/a-1.0.0.tgz"));
  EXPECT_THAT(first.unpinned, IsEmpty());
  const Stock again = stock(Mode::offline);
  EXPECT_EQ(again.counts.cached, 1U);
  EXPECT_EQ(registry_.asked.size(), 1U);
  EXPECT_EQ(cached().size(), 1U) << "nothing half-written is left";
}

/// npm looks at what a peer dependency asks for, where the lock has another.
TEST_F(TarballTest, WhatAPeerAsksForInVainIsListed) {
  const std::string dist =
      R"("dist":{"tarball":"https://registry.example/npm/x","integrity":")" + sri("x") + "\"}}";
  registry_.bodies["/npm/host"] = R"({"name":"host","versions":{"1.0.0":{)" + dist +
                                  R"(,"2.0.0":{"peerDependencies":{"deep":"3"},)" + dist +
                                  R"(,"3.0.0":{)" + dist + "}}";
  registry_.bodies["/npm/deep"] = R"({"name":"deep","versions":{"3.1.0":{)" + dist + "}}";
  const auto listed = [&](std::string_view range, npm::EdgeKind kind, npm::LockKind lock) {
    npm::GraphBuilder builder(lock, "");
    builder.set_lock_version("3");
    npm::Node root;
    root.source = npm::Source::root;
    builder.add(root);
    const npm::NodeId host = builder.add(node("host", "3.0.0", "", ""));
    const npm::NodeId guest = builder.add(node("guest", "1.0.0", "", ""));
    builder.add(npm::Edge{guest, host, "host", range, kind});
    const npm::Graph graph = std::move(builder).finish();
    std::vector<std::string> out;
    for (const registry::Release& one : find_listed(*catalog(Mode::online), {&graph})) {
      out.push_back(one.name + "@" + one.version);
    }
    return out;
  };
  using npm::EdgeKind;
  using npm::LockKind;
  EXPECT_THAT(listed("1 || 2", EdgeKind::peer, LockKind::package_lock),
              ElementsAre("deep@3.1.0", "host@1.0.0", "host@2.0.0"));
  EXPECT_THAT(listed("1", EdgeKind::peer_optional, LockKind::package_lock),
              ElementsAre("host@1.0.0"));
  EXPECT_THAT(listed("^3.0.0", EdgeKind::peer, LockKind::package_lock), IsEmpty());
  EXPECT_THAT(listed("1", EdgeKind::prod, LockKind::package_lock), IsEmpty());
  EXPECT_THAT(listed("1", EdgeKind::peer, LockKind::yarn_classic), IsEmpty());
}

TEST_F(TarballTest, OneVersionIsReadAsItsPackumentPinsIt) {
  const auto read = [&](const char* version, Mode mode = Mode::online) {
    auto bytes = read_tarball(*catalog(mode), "a", *semver::Version::parse(version));
    EXPECT_TRUE(bytes.has_value());
    return bytes->value_or("none");
  };
  const std::string from =
      R"("tarball":"https://registry.example/npm/a/-/a-1.0.0.tgz","integrity":")";
  publish("a", "bytes of a", from + sri("bytes of a") + "\"");
  EXPECT_EQ(read("1.0.0", Mode::offline), "none");
  EXPECT_EQ(read("1.0.1"), "none");
  EXPECT_EQ(read("1.0.0"), "bytes of a");
  EXPECT_EQ(read("1.0.0", Mode::offline), "bytes of a");
  publish("a", "other", from + sri("meant") + "\"");
  fs::remove_all(scratch_ / "cache");
  EXPECT_EQ(read("1.0.0"), "none");
}

TEST_F(TarballTest, OtherBytesThanTheLockMeansAreNotKept) {
  nodes_ = {node("a", "1.0.0", kResolved, sri("meant"))};
  registry_.bodies[kPath] = "other";
  EXPECT_EQ(only_missing(stock()), Kind::mismatch);
  EXPECT_THAT(cached(), IsEmpty());
}

TEST_F(TarballTest, ADamagedFileIsAProblemThatNamesIt) {
  nodes_ = {node("a", "1.0.0", kResolved, sri("bytes of a"))};
  registry_.bodies[kPath] = "bytes of a";
  ASSERT_EQ(stock().held.size(), 1U);
  const std::string file = cached().at(0);
  for (const std::string damage : {"bytes of b", "bytes of", "bytes of a and more"}) {
    test::write(file, damage);
    for (const Mode mode : {Mode::online, Mode::offline}) {
      const auto taken = take(mode);
      ASSERT_FALSE(taken.has_value());
      EXPECT_EQ(static_cast<int>(taken.error().exit()), 4);
      EXPECT_EQ(taken.error().where.at(0).second, file);
    }
  }
  test::write(file, "");  // a power cut
  EXPECT_EQ(stock().counts.fetched, 1U);
}

TEST_F(TarballTest, WhatCannotBeHadIsNamedWithItsReason) {
  const std::string integrity = sri("x");
  npm::Node git = node("g", "1.0.0", "git+ssh://git@host.example/g.git#abc", "");
  git.source = npm::Source::git;
  npm::Node url = node("u", "1.0.0", "https://host.example/u.tgz", integrity);
  url.source = npm::Source::tarball;
  npm::Node bundled = node("b", "1.0.0", "", "");
  bundled.flags.bundled = true;
  npm::Node optional = node("o", "1.0.0", "https://r.example/o/-/o-1.0.0.tgz", integrity);
  optional.flags.optional = true;
  nodes_ = {git,
            url,
            bundled,
            optional,
            node("../x", "1.0.0", "", integrity),
            node("v", "../1", "", integrity),
            node("w", "1.0.0", "https://r.example/w/-/w-1.0.0.tgz", "md5-abc"),
            node("n", "1.0.0", "https://r.example/n/-/n-1.0.0.tgz", ""),
            node("r", "1.0.0", "https://r.example/r/-/r-1.0.0.tgz", integrity)};
  registry_.errors.emplace("/npm/r/-/r-1.0.0.tgz", net::Error{net::Error::Kind::redirect, "", 302,
                                                              "https://cdn.example/r.tgz"});
  const Stock taken = stock();
  EXPECT_THAT(taken.held, IsEmpty());
  std::vector<std::string> lines;
  for (const Missing& missing : taken.missing) {
    lines.push_back(missing.name + " " + std::string(name(missing.kind)) +
                    (missing.optional ? " optional" : ""));
  }
  EXPECT_THAT(lines,
              ElementsAre("../x bad_name", "g elsewhere", "n no_integrity", "o unfetched optional",
                          "r redirect", "u elsewhere", "v bad_name", "w bad_integrity"));
  EXPECT_THAT(describe(taken.missing[4]), HasSubstr("cdn.example"));
  for (const std::string& asked : registry_.asked) {
    EXPECT_TRUE(asked.starts_with("https://registry.example/npm/")) << asked;
  }
}

npm::Node archive(std::string url, std::string integrity) {
  npm::Node out = node("u", "1.0.0", std::move(url), std::move(integrity));
  out.source = npm::Source::tarball;
  return out;
}

TEST_F(TarballTest, AnArchiveIsFetchedFromAHostThatTheOperatorNamed) {
  hosts_ = {"files.example", "files.example:8443"};
  nodes_ = {archive("https://files.example/sub/u.tgz", sri("bytes of u"))};
  registry_.bodies["/sub/u.tgz"] = "bytes of u";
  const Stock taken = stock();
  EXPECT_THAT(registry_.asked, ElementsAre("https://files.example/sub/u.tgz"));
  EXPECT_THAT(registry_.choices, ElementsAre("archives")) << "not with what the registry is told";
  ASSERT_EQ(taken.held.size(), 1U);
  EXPECT_TRUE(taken.held[0].elsewhere);
  EXPECT_THAT(taken.held[0].paths, ElementsAre("sub/u.tgz"));
  EXPECT_THAT(taken.held[0].mirror, ElementsAre("u.tgz"));
  const os::Dir folder = *os::Dir::make(scratch_ / "shelf");
  const auto shelf = lay_shelf(home_, taken, folder);
  ASSERT_TRUE(shelf.has_value());
  EXPECT_EQ(test::read(shelf->registry + "/sub/u.tgz"), "bytes of u");
  EXPECT_FALSE(fs::exists(shelf->registry + "/u")) << "the registry does not know of it";
  EXPECT_EQ(stock(Mode::offline).counts.cached, 1U);
}

TEST_F(TarballTest, AnArchiveThatIsNotTheOneMeantOrNotAllowedIsNotKept) {
  hosts_ = {"files.example"};
  registry_.bodies["/u.tgz"] = "other bytes";
  nodes_ = {archive("https://files.example/u.tgz", sri("bytes of u"))};
  EXPECT_EQ(only_missing(stock()), Kind::mismatch);
  EXPECT_THAT(cached(), IsEmpty());
  registry_.asked.clear();
  for (const char* url : {"https://files.example:8443/u.tgz", "https://sub.files.example/u.tgz",
                          "http://files.example/u.tgz", "https://files.example/u.tgz?token=1",
                          "https://files.example/../u.tgz", "https://me@files.example/u.tgz"}) {
    nodes_ = {archive(url, sri("other bytes"))};
    EXPECT_EQ(only_missing(stock()), Kind::elsewhere) << url;
  }
  nodes_ = {archive("https://files.example/u.tgz", "")};
  EXPECT_EQ(only_missing(stock()), Kind::elsewhere) << "nobody says which bytes are meant";
  EXPECT_THAT(registry_.asked, IsEmpty());
}

TEST_F(TarballTest, AnArchivesHostSendsUsOnlyWhereTheOperatorLetsIt) {
  const auto sent_to = [&](const std::string& location) {
    registry_.errors.insert_or_assign("/u.tgz",
                                      net::Error{net::Error::Kind::redirect, "", 302, location});
    registry_.asked.clear();
    fs::remove_all(scratch_ / "cache");
    return stock().held.size();
  };
  hosts_ = {"cdn.example", "files.example"};
  nodes_ = {archive("https://files.example/u.tgz", sri("bytes of u"))};
  registry_.bodies["/v.tgz"] = "bytes of u";
  EXPECT_EQ(sent_to("https://cdn.example/v.tgz"), 1U);
  EXPECT_EQ(sent_to("/v.tgz"), 1U);
  for (const char* location : {"https://evil.example/v.tgz", "http://cdn.example/v.tgz",
                               "//evil.example/v.tgz", "https://cdn.example@evil.example/v.tgz"}) {
    EXPECT_EQ(sent_to(location), 0U) << location;
    EXPECT_EQ(registry_.asked.size(), 1U) << location;
  }
  EXPECT_EQ(sent_to("https://files.example/u.tgz"), 0U) << "round and round";
  EXPECT_EQ(registry_.asked.size(), 4U);
}

TEST_F(TarballTest, OfflineAsksNobodyAndNamesWhatIsMissing) {
  nodes_ = {node("a", "1.0.0", kResolved, sri("x"))};
  const Stock taken = stock(Mode::offline);
  EXPECT_EQ(only_missing(taken), Kind::offline);
  EXPECT_THAT(describe(taken.missing[0]), HasSubstr("a@1.0.0: not in the cache"));
  EXPECT_THAT(registry_.choices, IsEmpty());
}

TEST_F(TarballTest, WithoutIntegrityTheRegistrysWordIsTakenAndSaid) {
  publish("a", "bytes of a",
          R"("tarball":"https://cdn.example/a.tgz","integrity":")" + sri("bytes of a") + "\"");
  nodes_ = {node("a", "1.0.0", kResolved, "")};
  const Stock taken = stock();
  ASSERT_EQ(taken.held.size(), 1U);
  EXPECT_THAT(taken.unpinned, ElementsAre("a@1.0.0"));
  registry_.bodies[kPath] = "other";
  fs::remove_all(scratch_ / "cache/registry/tarballs");
  EXPECT_EQ(only_missing(stock()), Kind::mismatch);
}

TEST_F(TarballTest, YarnsSha1BehindTheUrlIsAWord) {
  kind_ = npm::LockKind::yarn_classic;
  const std::string resolved =
      std::string(kResolved) + "#" + to_hex(hash::sha1(as_bytes("bytes of a")));
  nodes_ = {node("a", "1.0.0", resolved, "")};
  registry_.bodies[kPath] = "bytes of a";
  const Stock taken = stock();
  ASSERT_EQ(taken.held.size(), 1U);
  EXPECT_THAT(taken.unpinned, IsEmpty());
  EXPECT_THAT(taken.held[0].mirror, ElementsAre("a-1.0.0.tgz"));
  registry_.bodies[kPath] = "other";
  fs::remove_all(scratch_ / "cache/registry/tarballs");
  EXPECT_EQ(only_missing(stock()), Kind::mismatch);
}

TEST_F(TarballTest, BerrysChecksumIsNotOfTheTarball) {
  kind_ = npm::LockKind::yarn_berry;
  publish("a", "bytes of a",
          R"("tarball":"https://registry.example/npm/a/-/a-1.0.0.tgz","integrity":")" +
              sri("bytes of a") + "\"");
  nodes_ = {node("a", "1.0.0", "a@npm:1.0.0", "10c0/abcdef")};
  const Stock taken = stock();
  ASSERT_EQ(taken.held.size(), 1U);
  EXPECT_THAT(taken.unpinned, ElementsAre("a@1.0.0"));
}

TEST_F(TarballTest, EachScopeGoesToItsOwnRegistryAlone) {
  npmrc_ = "@s:registry=https://private.example/\n//private.example/:_authToken=secret\n";
  nodes_ = {
      node("a", "1.0.0", kResolved, sri("bytes of a")),
      node("@s/b", "1.0.0", "https://elsewhere.example/@s%2fb/-/b-1.0.0.tgz", sri("bytes of b"))};
  registry_.bodies[kPath] = "bytes of a";
  registry_.bodies["/@s/b/-/b-1.0.0.tgz"] = "bytes of b";
  StockOptions one_by_one;
  one_by_one.parallel = 1;
  EXPECT_EQ(stock(Mode::online, one_by_one).held.size(), 2U);
  EXPECT_THAT(registry_.asked, ElementsAre("https://private.example/@s/b/-/b-1.0.0.tgz",
                                           "https://registry.example/npm/a/-/a-1.0.0.tgz"));
}

TEST_F(TarballTest, SizesAreBoundedEachAndTogether) {
  for (const std::string name : {"a", "b", "c"}) {
    const std::string body(100, name[0]);
    registry_.bodies["/npm/" + name + "/-/" + name + "-1.0.0.tgz"] = body;
  }
  const std::string a = sri(std::string(100, 'a'));
  const std::string b = sri(std::string(100, 'b'));
  const std::string c = sri(std::string(100, 'c'));
  nodes_ = {node("a", "1.0.0", "", a), node("b", "1.0.0", "", b), node("c", "1.0.0", "", c)};
  StockOptions options;
  options.parallel = 1;
  options.max_each = 99;
  EXPECT_EQ(stock(Mode::online, options).missing.size(), 3U);
  options.max_each = 100;
  options.max_fetched = 250;
  const Stock taken = stock(Mode::online, options);
  EXPECT_EQ(taken.held.size(), 2U);
  ASSERT_EQ(taken.missing.size(), 1U);
  EXPECT_EQ(taken.missing[0].kind, Kind::too_large);
}

TEST(TarballPath, OnlyThePathOfALockCounts) {
  const auto registry = *registry::RegistryUrl::parse("https://registry.example/npm/");
  const struct {
    std::string resolved;
    std::string name;
    std::string url;  // empty: none
  } cases[] = {
      {"https://h.example/a/-/a-1.0.0.tgz#abc", "a", "a/-/a-1.0.0.tgz"},
      {"https://h.example/x/y/a/-/a-1.0.0.tgz", "a", "a/-/a-1.0.0.tgz"},
      {"https://h.example/@s/a/-/@s/a-1.0.0.tgz", "@s/a", "@s/a/-/@s/a-1.0.0.tgz"},
      {"https://h.example/@s%2Fa/-/a-1.0.0.tgz", "@s/a", "@s/a/-/a-1.0.0.tgz"},
      {"https://registry.example/npm/a/-/a-1.0.0.tgz", "a", "a/-/a-1.0.0.tgz"},
      {"https://registry.example/npm/@s%2fa/-/a-1.0.0.tgz", "@s/a", "@s/a/-/a-1.0.0.tgz"},
      {"https://registry.example/npm/x/y/a/-/a-1.0.0.tgz", "a", "a/-/a-1.0.0.tgz"},
      // Of the registry's own paths a lock may name none but a package's files.
      {"https://registry.example/npm/download/a/1.0.0/a.tgz", "a", ""},
      {"https://registry.example/npm/-/whoami", "a", ""},
      {"https://registry.example/npm/a/-/a-1.0.0.tgz?to=https://h.example", "a", ""},
      {"https://registry.example/npm/a/-/a-1.0.0.tgz?", "a", ""},
      {"https://h.example/a/-/a-1.0.0.tgz?q", "a", ""},
      {"https://registry.example/npm/../admin/a/-/a-1.0.0.tgz", "a", ""},
      {"https://registry.example/npm/a/-/../../../admin.tgz", "a", ""},
      {"https://registry.example/npm/a/-/%2e%2e/%2E%2e/x.tgz", "a", ""},
      {"https://registry.example/npm/a/-/%252e%252e/x.tgz", "a", ""},
      {"https://registry.example/npm/a/-/..%2fx.tgz", "a", ""},
      {"https://registry.example/npm/a/-/..\\x.tgz", "a", ""},
      {"https://registry.example/npm//a/-//a-1.0.0.tgz", "a", ""},
      {"https://registry.example/npm/./a/-/./a-1.0.0.tgz", "a", ""},
      {"https://registry.example/npm/a/-/a-1.0.0.tgz;x=1/y.tgz", "a", ""},
      {"https://registry.example/npm/a/-/rev/1.tgz", "a", ""},
      {"https://registry.example/npm/a/-/a-1.0.0", "a", ""},
      {"https://h.example/download/a/1.0.0/a.tgz", "a", ""},
      {"https://h.example/b/-/a-1.0.0.tgz", "a", ""},
      {"https://h.example/xa/-/a-1.0.0.tgz", "a", ""},
      {"https://h.example/a/-/../../x.tgz", "a", ""},
      {"https://h.example/a/-/%2e%2e/x.tgz", "a", ""},
      {"https://h.example/a/-/x%00.tgz", "a", ""},
      {"https://h.example/a/-/.hidden", "a", ""},
      {"git+ssh://h.example/a/-/a-1.0.0.tgz", "a", ""},
      {"", "a", ""},
  };
  for (const auto& c : cases) {
    const auto url = fetch_url(registry, c.resolved, c.name);
    EXPECT_EQ(url.value_or(""), c.url.empty() ? "" : registry.str() + c.url) << c.resolved;
  }
}

TEST(TarballPath, ARegistryMayTellAnotherFormBeneathItself) {
  const auto registry = *registry::RegistryUrl::parse("https://registry.example/npm/");
  const auto url = [&](std::string_view tarball) {
    return release_url(registry, tarball, "a").value_or("");
  };
  const std::string own = registry.str() + "download/a/1.0.0/0123abcd";
  EXPECT_EQ(url(own), own);
  EXPECT_EQ(url("https://files.example/a/-/a-1.0.0.tgz"), registry.str() + "a/-/a-1.0.0.tgz");
  for (const std::string bad :
       {"https://registry.example/npm/../a", "https://registry.example/npm/download?a=1",
        "https://registry.example/npm/%2e%2e/a", "https://registry.example/npmx/download/a",
        "https://files.example/download/a", "https://registry.example/npm/"}) {
    EXPECT_EQ(url(bad), "") << bad;
  }
}

TEST(TarballPath, YarnsMirrorNamesFilesAsYarnDoes) {
  EXPECT_EQ(mirror_name("https://h.example/a/-/a-1.0.0.tgz#x"), "a-1.0.0.tgz");
  EXPECT_EQ(mirror_name("https://h.example/@s/a/-/a-1.0.0.tgz"), "@s-a-1.0.0.tgz");
  EXPECT_EQ(mirror_name("https://h.example/@s%2fa/-/a-1.0.0.tgz"), "@s-a-1.0.0.tgz");
  EXPECT_FALSE(mirror_name("../../a.tgz").has_value());
}

}  // namespace
}  // namespace cg::catalog
