#include "fetch/manager/ready.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/base/bytes.h"
#include "support/support.h"
#include "trust/hash/sha.h"

namespace cg::manager {
namespace {

namespace fs = std::filesystem;
using npm::LockKind;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// What the registry has, by path.
class Shop final : public net::Fetcher {
 public:
  explicit Shop(const std::map<std::string, std::string>& bodies) : bodies_(bodies) {}
  Result<net::Answer, net::Error> get(const net::Request& request, net::Sink& sink) override {
    const auto found = bodies_.find(request.url.target().str());
    if (found == bodies_.end()) return fail(net::Error{net::Error::Kind::http_status, "", 404});
    EXPECT_TRUE(sink.write(found->second).has_value());
    return net::Answer(net::Fetched{"", "", "", found->second.size()});
  }

 private:
  const std::map<std::string, std::string>& bodies_;
};

class StoppedClock final : public os::Clock {
 public:
  Time now() override { return Time{1'700'000'000'000}; }
};

class ReadyTest : public testing::Test {
 protected:
  ReadyTest() {
    tools_.node = "/opt/node/bin/node";
    tools_.node_version = "20.1.0";
    tools_.path = "/opt/node/bin:/usr/bin:/bin";
  }

  /// Packs and publishes a package with one script.
  std::string publish(const std::string& name, const std::string& version,
                      const std::string& script, const std::string& text) {
    const std::string folder = scratch_ / "package";
    fs::remove_all(folder);
    fs::create_directories(fs::path(folder + "/" + script).parent_path());
    test::write(folder + "/" + script, text);
    test::write(folder + "/package.json", R"({"name": ")" + name + R"("})");
    const std::string file = scratch_ / "package.tgz";
    EXPECT_EQ(test::run({"tar", "-czf", file, "-C", scratch_ / ".", "package"}).exit, 0);
    const std::string bytes = test::read(file);
    const std::string base = name.substr(name.find('/') + 1) + "-" + version + ".tgz";
    const std::string escaped = name.starts_with('@') ? "@yarnpkg%2fcli-dist" : name;
    bodies_["/" + name + "/-/" + base] = bytes;
    bodies_["/" + escaped] = R"({"name": ")" + name + R"(", "versions": {")" + version +
                             R"(": {"name": ")" + name + R"(", "version": ")" + version +
                             R"(", "dist": {"tarball": "https://registry.example/)" + name + "/-/" +
                             base + R"(", "integrity": "sha512-)" +
                             to_base64(hash::sha512(as_bytes(bytes))) + R"("}}}})";
    return bytes;
  }

  Result<Ready, Problem> ready(const std::string& manifest, LockKind kind,
                               std::string_view lock_version, const std::string& yarnrc = "",
                               catalog::Mode mode = catalog::Mode::online) {
    registry::Layers layers;
    layers.flag = "https://registry.example/";
    catalog::Options options;
    options.mode = mode;
    catalog::Catalog catalog(
        catalog::Cache(home_), *registry::Config::merge(layers),
        [this](const registry::Choice&) {
          return Result<std::unique_ptr<net::Fetcher>, Problem>(std::make_unique<Shop>(bodies_));
        },
        options, clock_);
    fs::remove_all(scratch_ / "manager");
    const os::Dir folder = *os::Dir::make(scratch_ / "manager");
    const auto read = npm::parse_manifest("package.json", manifest);
    return make_ready(catalog, *wish_of(*read, kind, lock_version, yarnrc), tools_, folder,
                      "/tree");
  }

  static std::string what(const Result<Ready, Problem>& result) {
    return result ? "ready" : result.error().what;
  }

  test::ScratchDir scratch_;
  os::Dir home_ = *os::Dir::make(scratch_ / "home");
  std::map<std::string, std::string> bodies_;
  catalog::Tools tools_;
  StoppedClock clock_;
};

TEST_F(ReadyTest, ItIsFetchedByIntegrityAndCalledByName) {
  publish("pnpm", "9.15.4", "bin/pnpm.cjs", "#!/usr/bin/env node\n");
  const auto made = ready(R"({"packageManager": "pnpm@9.15.4"})", LockKind::pnpm, "9.0");
  ASSERT_TRUE(made.has_value()) << what(made);
  const std::string folder = scratch_ / "manager";
  EXPECT_EQ(made->tools.pnpm,
            (catalog::Tool{{tools_.node, folder + "/package/bin/pnpm.cjs"}, "9.15.4"}));
  EXPECT_THAT(made->tools.readable, Contains(folder));
  EXPECT_EQ(made->tools.path, folder + "/commands:" + tools_.path);
  EXPECT_EQ(test::read(folder + "/commands/pnpm"),
            "#!/bin/sh\nexec node '" + folder + "/package/bin/pnpm.cjs' \"$@\"\n");
  const auto mode = fs::status(folder + "/commands/pnpm").permissions();
  EXPECT_NE(mode & fs::perms::others_exec, fs::perms::none);
  EXPECT_NE(fs::status(folder + "/package/bin").permissions() & fs::perms::others_exec,
            fs::perms::none);
  ASSERT_TRUE(made->fetched.has_value());
  EXPECT_THAT(made->fetched->integrity, HasSubstr("sha512-"));
  EXPECT_THAT(made->notes, IsEmpty());
  // And the next time from the cache.
  bodies_.clear();
  EXPECT_TRUE(ready(R"({"packageManager": "pnpm@9.15.4"})", LockKind::pnpm, "9.0", "",
                    catalog::Mode::offline)
                  .has_value());
}

TEST_F(ReadyTest, BytesThatAreNotThoseOfThePackumentAreNotUsed) {
  publish("pnpm", "9.15.4", "bin/pnpm.cjs", "");
  bodies_["/pnpm/-/pnpm-9.15.4.tgz"] += "x";
  EXPECT_THAT(what(ready("{}", LockKind::pnpm, "9.0")), HasSubstr("not what its integrity says"));
}

TEST_F(ReadyTest, TheHashOfTheFieldIsThatOfTheTarball) {
  const std::string bytes = publish("pnpm", "9.15.4", "bin/pnpm.cjs", "");
  const auto with = [&](const std::string& hash) {
    return ready(R"({"packageManager": "pnpm@9.15.4+)" + hash + R"("})", LockKind::pnpm, "9.0");
  };
  EXPECT_EQ(what(with("sha512." + to_hex(hash::sha512(as_bytes(bytes))))), "ready");
  EXPECT_EQ(what(with("sha224." + to_hex(hash::sha224(as_bytes(bytes))))), "ready");
  const auto other = with("sha512." + to_hex(hash::sha512(as_bytes("other"))));
  EXPECT_THAT(what(other), HasSubstr("is not the one that packageManager means"));
  tools_.pnpm = catalog::Tool{{"/opt/pnpm"}, "9.15.4"};
  EXPECT_THAT(what(with("sha512.00")), HasSubstr("is not the one")) << "nor does another serve";
  const auto unknown = with("md5.00");
  ASSERT_TRUE(unknown.has_value());
  EXPECT_THAT(unknown->notes, Contains(HasSubstr("not known: md5")));
}

TEST_F(ReadyTest, OfYarn2AndLaterItIsThatOfTheScript) {
  publish("@yarnpkg/cli-dist", "4.6.0", "bin/yarn.js", "yarn");
  const std::string hash = to_hex(hash::sha512(as_bytes("yarn")));
  const auto made = ready(R"({"packageManager": "yarn@4.6.0+sha512.)" + hash + R"("})",
                          LockKind::yarn_berry, "8");
  ASSERT_TRUE(made.has_value()) << what(made);
  EXPECT_TRUE(fs::exists(scratch_ / "manager/commands/yarnpkg"));
}

TEST_F(ReadyTest, OneOfTheSameMajorInPathServesWhereItCannotBeHad) {
  EXPECT_EQ(what(ready(R"({"packageManager": "pnpm@9.15.4"})", LockKind::pnpm, "9.0")),
            "pnpm 9.15.4 cannot be had: pnpm is not in the registry, and there is no pnpm in PATH");
  tools_.pnpm = catalog::Tool{{"/opt/pnpm"}, "9.1.0"};
  const auto made = ready(R"({"packageManager": "pnpm@9.15.4"})", LockKind::pnpm, "9.0");
  ASSERT_TRUE(made.has_value()) << what(made);
  EXPECT_EQ(made->tools.pnpm, tools_.pnpm);
  EXPECT_FALSE(made->fetched.has_value());
  EXPECT_THAT(made->notes, Contains(HasSubstr("pnpm 9.1.0 of this machine runs instead")));
  EXPECT_EQ(test::read(scratch_ / "manager/commands/pnpm"), "#!/bin/sh\nexec '/opt/pnpm' \"$@\"\n");
  EXPECT_THAT(what(ready(R"({"packageManager": "pnpm@8.15.4"})", LockKind::pnpm, "6.0")),
              HasSubstr("and the one in PATH is 9.1.0"));
}

TEST_F(ReadyTest, TheRepositorysOwnYarnIsStartedWhereItLies) {
  const std::string yarnrc = "yarnPath: .yarn/releases/yarn-4.6.0.cjs\n";
  for (const std::string manifest : {"{}", R"({"packageManager": "yarn@4.6.0"})"}) {
    const auto made = ready(manifest, LockKind::yarn_berry, "8", yarnrc);
    ASSERT_TRUE(made.has_value()) << what(made);
    EXPECT_EQ(made->own_yarn, ".yarn/releases/yarn-4.6.0.cjs");
    EXPECT_THAT(test::read(scratch_ / "manager/commands/yarn"),
                HasSubstr("exec node '/tree/.yarn/releases/yarn-4.6.0.cjs'"));
  }
}

TEST_F(ReadyTest, APackageWithoutItsCommandIsNone) {
  publish("pnpm", "9.15.4", "bin/other.cjs", "");
  EXPECT_THAT(what(ready("{}", LockKind::pnpm, "9.0")), HasSubstr("has no bin/pnpm.js"));
}

}  // namespace
}  // namespace cg::manager
