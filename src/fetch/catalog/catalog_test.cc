#include "fetch/catalog/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>

#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "base/base/bytes.h"
#include "base/json/json.h"
#include "fetch/catalog/bundle.h"
#include "support/support.h"
#include "trust/hash/blake3.h"

namespace cg::catalog {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRegistry = "https://registry.example/";

std::string packument(const std::string& name, const std::string& version = "1.0.0") {
  return R"({"name":")" + name + R"(","versions":{")" + version +
         R"(":{"dist":{"tarball":"https://registry.example/x.tgz",)"
         R"("shasum":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}}}})";
}

/// What the registry says about each path; counts what it was asked.
struct FakeRegistry {
  struct Answer {
    std::string body;
    std::string etag;
    std::optional<net::Error> error;
  };
  std::map<std::string, Answer> answers;
  std::vector<net::Request> asked;
  std::mutex mutex;

  Result<net::Answer, net::Error> get(const net::Request& request, net::Sink& sink) {
    const std::lock_guard lock(mutex);
    asked.push_back(request);
    const auto found = answers.find(request.url.target().str());
    if (found == answers.end()) return fail(net::Error{net::Error::Kind::http_status, "", 404});
    const Answer& answer = found->second;
    if (answer.error) return fail(*answer.error);
    if (!answer.etag.empty() && request.if_none_match == answer.etag) {
      return net::Answer(net::NotModified{answer.etag, ""});
    }
    EXPECT_TRUE(sink.write(answer.body).has_value());
    return net::Answer(net::Fetched{answer.etag, "", "application/json", answer.body.size()});
  }
};

class ShelfFetcher final : public net::Fetcher {
 public:
  explicit ShelfFetcher(FakeRegistry& shelf) : shelf_(shelf) {}
  Result<net::Answer, net::Error> get(const net::Request& request, net::Sink& sink) override {
    return shelf_.get(request, sink);
  }

 private:
  FakeRegistry& shelf_;
};

class FixedClock final : public os::Clock {
 public:
  Time now() override { return time; }
  Time time{1'700'000'000'000};
};

class CatalogTest : public testing::Test {
 protected:
  registry::Config config(const std::string& url = kRegistry) {
    registry::Layers layers;
    layers.flag = url;
    return *registry::Config::merge(layers);
  }
  std::unique_ptr<Catalog> open(Mode mode = Mode::online, const std::string& url = kRegistry) {
    Options options;
    options.mode = mode;
    MakeFetcher make = [this](const registry::Choice&) {
      return Result<std::unique_ptr<net::Fetcher>, Problem>(std::make_unique<ShelfFetcher>(shelf_));
    };
    return std::make_unique<Catalog>(Cache(home_), config(url), std::move(make), options, clock_);
  }
  std::string lack(const std::string& name, Mode mode = Mode::online) {
    const auto catalog = open(mode);
    if (catalog->get(name) != nullptr) return "got it";
    return std::string(catalog::name(catalog->lacks().at(name).kind));
  }
  std::string only_content() {
    std::string path;
    for (const auto& file : fs::directory_iterator(scratch_ / "cache/registry/content")) {
      path = file.path();
    }
    return path;
  }
  void advance(std::int64_t seconds) { clock_.time.ms += seconds * 1000; }

  test::ScratchDir scratch_;
  os::Dir home_ = *os::Dir::open(scratch_.path());
  FakeRegistry shelf_;
  FixedClock clock_;
};

TEST_F(CatalogTest, AsksOnceAndThenTheCacheAnswers) {
  shelf_.answers["/a"] = {packument("a"), "\"1\"", {}};
  const auto first = open();
  const registry::Packument* got = first->get("a");
  ASSERT_NE(got, nullptr);
  EXPECT_EQ(first->get("a"), got);
  EXPECT_EQ(first->counts().fetched, 1U);
  advance(299);
  const auto second = open();
  ASSERT_NE(second->get("a"), nullptr);
  EXPECT_EQ(second->get("a")->stored(), got->stored());
  EXPECT_EQ(second->counts().cached, 1U);
  EXPECT_EQ(shelf_.asked.size(), 1U);
  EXPECT_TRUE(shelf_.asked[0].encoding == net::Encoding::gzip);
}

TEST_F(CatalogTest, AnOldEntryIsAskedAboutWithItsValidator) {
  shelf_.answers["/a"] = {packument("a"), "\"1\"", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  advance(301);
  const auto again = open();
  ASSERT_NE(again->get("a"), nullptr);
  EXPECT_EQ(again->counts().confirmed, 1U);
  EXPECT_EQ(shelf_.asked.back().if_none_match, "\"1\"");
  const auto soon = open();
  ASSERT_NE(soon->get("a"), nullptr);
  EXPECT_EQ(soon->counts().cached, 1U) << "confirming counts as fetching";
  advance(301);
  shelf_.answers["/a"] = {packument("a", "2.0.0"), "\"2\"", {}};
  const auto changed = open();
  ASSERT_NE(changed->get("a"), nullptr);
  EXPECT_EQ(changed->get("a")->version(0).str(), "2.0.0");
}

TEST_F(CatalogTest, AnEntryOfTheFutureIsNotFresh) {
  shelf_.answers["/a"] = {packument("a"), "", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  advance(-1000);
  ASSERT_NE(open()->get("a"), nullptr);
  EXPECT_EQ(shelf_.asked.size(), 2U);
}

TEST_F(CatalogTest, OfflineUsesTheCacheAloneHoweverOldAndSaysWhatItLacks) {
  shelf_.answers["/a"] = {packument("a"), "", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  advance(1'000'000);
  const auto offline = open(Mode::offline);
  EXPECT_NE(offline->get("a"), nullptr);
  EXPECT_EQ(offline->get("b"), nullptr);
  offline->prefetch({"b", "c"});
  EXPECT_EQ(offline->lacks().size(), 2U);
  EXPECT_EQ(offline->lacks().at("c").kind, Lack::Kind::offline);
  EXPECT_EQ(shelf_.asked.size(), 1U);
}

TEST_F(CatalogTest, EveryReasonHasItsKind) {
  using Kind = net::Error::Kind;
  const auto failing = [](Kind kind, int status = 0) {
    return FakeRegistry::Answer{"", "", net::Error{kind, "x", status}};
  };
  shelf_.answers["/rubbish"] = {"<html>", "", {}};
  shelf_.answers["/other"] = {packument("another"), "", {}};
  shelf_.answers["/gone"] = {R"({"name":"gone","time":{"unpublished":{}}})", "", {}};
  shelf_.answers["/huge"] = failing(Kind::too_large);
  shelf_.answers["/moved"] = failing(Kind::redirect, 302);
  shelf_.answers["/slow"] = failing(Kind::timeout);
  shelf_.answers["/cut"] = failing(Kind::protocol);
  shelf_.answers["/down"] = failing(Kind::http_status, 503);
  shelf_.answers["/secret"] = failing(Kind::http_status, 401);
  shelf_.answers["/evil"] = failing(Kind::violation);
  EXPECT_EQ(lack("nothing"), "not_found");
  EXPECT_EQ(lack("rubbish"), "rubbish");
  EXPECT_EQ(lack("other"), "name_mismatch");
  EXPECT_EQ(lack("gone"), "unpublished");
  EXPECT_EQ(lack("huge"), "too_large");
  EXPECT_EQ(lack("moved"), "redirect");
  EXPECT_EQ(lack("slow"), "timeout");
  EXPECT_EQ(lack("cut"), "rubbish");
  EXPECT_EQ(lack("down"), "unreachable");
  EXPECT_EQ(lack("secret"), "refused");
  EXPECT_EQ(lack("evil"), "stopped");
  EXPECT_EQ(lack("../a"), "bad_name");
  EXPECT_EQ(lack("a", Mode::offline), "offline");
}

TEST_F(CatalogTest, ASilentRegistryDoesNotTakeAwayWhatWeHaveButASpeakingOneDoes) {
  shelf_.answers["/a"] = {packument("a"), "", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  advance(301);
  shelf_.answers["/a"].error = net::Error{net::Error::Kind::timeout, "x"};
  const auto silent = open();
  EXPECT_NE(silent->get("a"), nullptr);
  EXPECT_EQ(silent->notes().size(), 1U);
  shelf_.answers.clear();
  EXPECT_EQ(lack("a"), "not_found");
}

TEST_F(CatalogTest, AnotherRegistryHasAnotherCache) {
  shelf_.answers["/a"] = {packument("a"), "", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  const auto other = open(Mode::offline, "https://other.example/");
  EXPECT_EQ(other->get("a"), nullptr);
}

TEST_F(CatalogTest, DamageIsSaidAndNeverFetchedOver) {
  shelf_.answers["/a"] = {packument("a"), "", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  const std::string file = only_content();
  std::string bytes = test::read(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  test::write(file, bytes);
  advance(1'000'000);
  const auto damaged = open();
  EXPECT_EQ(damaged->get("a"), nullptr);
  ASSERT_TRUE(damaged->damage().has_value());
  EXPECT_EQ(damaged->damage()->exit(), ExitCode::integrity);
  EXPECT_EQ(damaged->damage()->where.at(0).second, file);
  EXPECT_EQ(shelf_.asked.size(), 1U);
  fs::remove(file);
  EXPECT_NE(open()->get("a"), nullptr) << "a file that was removed is fetched again";
}

TEST_F(CatalogTest, AnEntryThatIsNotOursIsDamage) {
  shelf_.answers["/a"] = {packument("a"), "", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  const std::string entry = scratch_ / Cache::entry_path(kRegistry, "a");
  const std::string text = test::read(entry);
  for (const std::string& bad : {std::string("{}"), std::string("\n"),
                                 text.substr(0, text.size() / 2), std::string(20'000, 'x')}) {
    test::write(entry, bad);
    EXPECT_EQ(open()->get("a"), nullptr);
  }
  EXPECT_EQ(shelf_.asked.size(), 1U);
}

TEST_F(CatalogTest, WhatAPowerCutLeftEmptyIsFetchedAgain) {
  shelf_.answers["/a"] = {packument("a"), "", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  test::write(only_content(), "");
  EXPECT_NE(open()->get("a"), nullptr);
  test::write(scratch_ / Cache::entry_path(kRegistry, "a"), "");
  EXPECT_NE(open()->get("a"), nullptr);
  EXPECT_EQ(shelf_.asked.size(), 3U);
  EXPECT_EQ(open()->get("a")->size(), 1U);
}

TEST_F(CatalogTest, PrefetchGetsAllOfThemAndTellsHowFarItIs) {
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) {
    names.push_back("p" + std::to_string(i));
    shelf_.answers["/p" + std::to_string(i)] = {packument(names.back()), "", {}};
  }
  names.emplace_back("missing");
  names.emplace_back("p0");
  const auto catalog = open();
  std::size_t last = 0;
  catalog->prefetch(names, [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 41U);
    EXPECT_EQ(done, last + 1);
    last = done;
  });
  EXPECT_EQ(last, 41U);
  EXPECT_EQ(catalog->counts().fetched, 40U);
  EXPECT_EQ(catalog->lacks().size(), 1U);
  const std::size_t asked = shelf_.asked.size();
  for (const std::string& name : names) static_cast<void>(catalog->get(name));
  EXPECT_EQ(shelf_.asked.size(), asked);
}

TEST_F(CatalogTest, NamesCannotLeaveTheCache) {
  EXPECT_EQ(Cache::entry_path(kRegistry, "@s/a").rfind("@s%2fa"),
            Cache::entry_path(kRegistry, "@s/a").size() - 6);
  const std::string path = Cache::entry_path(kRegistry, "@" + std::string(210, 's') + "/a");
  EXPECT_LT(path.size(), 200U);
}

/// A bundle with one file changed, added or removed.
std::string altered(const std::string& bundle,
                    const std::function<void(std::map<std::string, std::string>&)>& change) {
  std::map<std::string, std::string> files;
  const std::string tar = *archive::unzstd(bundle);
  EXPECT_TRUE(archive::read_tar(tar, {}, [&](const archive::Entry& entry) {
                files.emplace(entry.name, entry.content);
                return archive::Next::more;
              }).has_value());
  change(files);
  archive::TarWriter writer(0);
  for (const auto& [name, content] : files) EXPECT_TRUE(writer.add(name, content).has_value());
  return archive::zstd_compress(std::move(writer).finish());
}

TEST_F(CatalogTest, ABundleCarriesTheCacheAndNothingElse) {
  shelf_.answers["/a"] = {packument("a"), "\"1\"", {}};
  shelf_.answers["/@s%2fb"] = {packument("@s/b"), "", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  ASSERT_NE(open()->get("@s/b"), nullptr);
  const Packed packed = *make_bundle(Cache(home_));
  EXPECT_EQ(packed.packages, 2U);
  EXPECT_EQ(make_bundle(Cache(home_))->bytes, packed.bytes);

  const test::ScratchDir elsewhere;
  const os::Dir other = *os::Dir::open(elsewhere.path());
  const auto bundle = read_bundle(packed.bytes);
  ASSERT_TRUE(bundle.has_value()) << bundle.error();
  EXPECT_EQ(import_bundle(Cache(other), *bundle)->taken, 2U);
  EXPECT_EQ(import_bundle(Cache(other), *bundle)->kept, 2U);
  EXPECT_EQ(*Cache(other).all(), *Cache(home_).all());
  EXPECT_EQ(make_bundle(Cache(other))->bytes, packed.bytes);
}

TEST_F(CatalogTest, AHostileBundleIsRefusedWhole) {
  shelf_.answers["/a"] = {packument("a"), "", {}};
  ASSERT_NE(open()->get("a"), nullptr);
  const std::string good = make_bundle(Cache(home_))->bytes;
  ASSERT_TRUE(read_bundle(altered(good, [](auto&) {})).has_value());
  using Files = std::map<std::string, std::string>;
  const std::function<void(Files&)> changes[] = {
      [](Files& files) { files.erase("entries.jsonl"); },
      [](Files& files) { files["entries.jsonl"] += files["entries.jsonl"]; },
      [](Files& files) { files["entries.jsonl"] += "{}\n"; },
      [](Files& files) { files["extra"] = "x"; },
      [](Files& files) { files["content/x"] = "x"; },
      [](Files& files) { files.erase(files.begin()); },
      [](Files& files) { files.begin()->second += "x"; },
      [](Files& files) {
        std::string& text = files["entries.jsonl"];
        text.replace(text.find("\"a\""), 3, "\"b\"");
      },
      [](Files& files) {
        // Sound digests around a release that we would not have written.
        const std::string stored = "codegenie-packument 1\ta\t0\t{}\n1.0.0\t\t\t{\"bin\":1}\n";
        const std::string digest = to_hex(hash::blake3(as_bytes(stored)));
        std::string& text = files["entries.jsonl"];
        text.replace(text.find("\"content\":\"") + 11, 64, digest);
        files["content/" + digest] = stored;
      }};
  for (const auto& change : changes) EXPECT_FALSE(read_bundle(altered(good, change)).has_value());
  for (std::size_t cut = 0; cut < good.size(); cut += 7) {
    EXPECT_FALSE(read_bundle(good.substr(0, cut)).has_value());
  }
  EXPECT_FALSE(read_bundle("rubbish").has_value());
}

/// 150 packuments of real size from the disk. Prints how long; asserts only the result.
TEST_F(CatalogTest, RealPackumentsComeFromTheCache) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the recorded packuments are not there";
  }
  std::ifstream lines(*data / "registry.jsonl");
  std::string line;
  std::vector<std::string> names;
  std::size_t bytes = 0;
  while (names.size() < 150 && std::getline(lines, line)) {
    const std::string name = line.substr(9, line.find('"', 9) - 9);
    auto parsed = registry::Packument::parse(name, line);
    ASSERT_TRUE(parsed.has_value());
    bytes += parsed->stored().size();
    ASSERT_TRUE(
        Cache(home_).put({name, kRegistry, "", "", clock_.time}, parsed->stored()).has_value());
    names.push_back(name);
  }
  const auto start = std::chrono::steady_clock::now();
  const auto catalog = open();
  catalog->prefetch(names);
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(catalog->counts().cached, 150U);
  std::cout << "150 packuments, " << bytes << " bytes, "
            << std::chrono::duration_cast<std::chrono::microseconds>(took).count() << " us\n";
}

}  // namespace
}  // namespace cg::catalog
