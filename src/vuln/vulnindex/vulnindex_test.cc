#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "base/base/bytes.h"
#include "support/support.h"
#include "vuln/advisory/rule.h"
#include "vuln/vulnindex/bundle.h"
#include "vuln/vulnindex/feed.h"
#include "vuln/vulnindex/groups.h"
#include "vuln/vulnindex/place.h"

namespace cg::vulnindex {
namespace {

constexpr Time kNow{1'763'000'000'000};

std::string osv(const std::string& id, const std::string& package, const std::string& fixed,
                const std::string& extra = "") {
  return R"({"id":")" + id + R"(","modified":"2026-01-02T03:04:05Z",)" + extra +
         R"("summary":"about )" + package +
         R"(","affected":[{"package":{"ecosystem":"npm","name":")" + package +
         R"("},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":")" + fixed +
         R"("}]}]}]})";
}

struct Read {
  Draft draft;
  Tally tally;
};

Read read_bytes(const std::string& bytes, const std::string& source = "osv") {
  Read out;
  const auto done = read_feed_bytes(
      bytes, "feed",
      {[&](const RawRecord& record) { out.draft.add(source, record, out.tally); },
       [&](Rejected rejected) { out.draft.reject(std::move(rejected), out.tally); }});
  EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().what);
  return out;
}

/// A workspace folder of its own.
class Home {
 public:
  Home() : dir_(*os::Dir::open(scratch_.path())) {}
  [[nodiscard]] const os::Dir& dir() const { return dir_; }
  [[nodiscard]] std::string file() const { return scratch_ / "cache/vuln-index.sqlite"; }

  Result<Replacement, Error> refresh(const Draft& draft, unsigned shrink = 5,
                                     std::vector<std::string> sources = {"osv"}) {
    return replace_sources(dir_, draft, sources, {}, {shrink, kNow});
  }

 private:
  test::ScratchDir scratch_;
  os::Dir dir_;
};

std::vector<std::string> ids_for(Index& index, const std::string& package) {
  std::vector<std::string> out;
  const auto rules = index.rules(package);
  if (!rules || !*rules) return out;
  for (const std::string_view rule : (*rules)->rules) {
    out.emplace_back(advisory::RuleView::parse(rule)->advisory());
  }
  return out;
}

TEST(Feed, ReadsEveryContainer) {
  const std::string a = osv("GHSA-aaaa", "a", "1.0.0");
  const std::string b = osv("GHSA-bbbb", "b", "2.0.0");
  archive::TarWriter tar(0);
  ASSERT_TRUE(tar.add("x/a.json", a) && tar.add("b.json", b) && tar.add("README", "no"));
  const std::string packed = std::move(tar).finish();
  for (const std::string& feed :
       {a + "\n" + b + "\n", "[" + a + ",\n" + b + "]", packed, archive::zstd_compress(packed),
        archive::zstd_compress(a + "\n\n" + b), "\xEF\xBB\xBF" + a + "\r\n" + b}) {
    const Read read = read_bytes(feed);
    EXPECT_EQ(read.tally.kept, 2U);
    EXPECT_TRUE(read.tally.rejected.empty());
  }
}

TEST(Feed, OneBadRecordIsKeptOutAndReported) {
  std::string feed;
  for (int i = 0; i < 2000; ++i)
    feed += osv("GHSA-" + std::to_string(i), "p" + std::to_string(i), "1.0.0") + "\n";
  feed += "{\"id\": \"GHSA-bad\", \"affected\": 7}\n{broken\n" + osv("GHSA-last", "z", "1.0.0");
  const Read read = read_bytes(feed);
  EXPECT_EQ(read.tally.kept, 2001U);
  ASSERT_EQ(read.tally.rejected.size(), 2U);
  EXPECT_EQ(read.tally.rejected[0].where, "feed:2001");
  EXPECT_EQ(read.tally.rejected[0].id, "GHSA-bad");
  EXPECT_EQ(read.tally.rejected[1].where, "feed:2002");
  EXPECT_FALSE(read.tally.rejected[1].reason.empty());
}

TEST(Feed, ABrokenContainerIsAnError) {
  const std::string packed = archive::zstd_compress(std::string(1000, 'x'));
  const auto done = read_feed_bytes(packed.substr(0, packed.size() / 2), "feed", {});
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().kind, Error::Kind::unreadable);
  EXPECT_FALSE(read_feed("/nowhere/at/all", {}).has_value());
}

TEST(Draft, KeepsTheNewerOfTwoAndDropsTheWithdrawn) {
  std::string newer = osv("GHSA-aaaa", "a", "3.0.0");
  newer.replace(newer.find("2026-01"), 7, "2026-02");
  const Read read =
      read_bytes(newer + "\n" + osv("GHSA-aaaa", "a", "1.0.0") + "\n" +
                 osv("GHSA-gone", "b", "1.0.0", R"("withdrawn":"2026-01-01T00:00:00Z",)"));
  EXPECT_EQ(read.tally.kept, 1U);
  EXPECT_EQ(read.tally.superseded, 1U);
  EXPECT_EQ(read.tally.withdrawn, 1U);
  EXPECT_NE(read.draft.records().begin()->second.text.find("3.0.0"), std::string::npos);
}

TEST(Groups, PutAliasesTogetherButNotTwoGhsas) {
  Groups groups;
  groups.add("GHSA-1", {"CVE-1"});
  groups.add("GHSA-2", {"CVE-1"});
  groups.add("OSV-9", {"CVE-1"});
  groups.add("MAL-1", {"GHSA-7", "SNYK-1"});
  groups.add("MAL-2", {});
  groups.add("OSV-8", {"CVE-8"});
  groups.settle();
  EXPECT_EQ(groups.leader("GHSA-1"), "GHSA-1");
  EXPECT_EQ(groups.leader("GHSA-2"), "GHSA-2");
  EXPECT_EQ(groups.leader("OSV-9"), "GHSA-1");
  EXPECT_EQ(groups.leader("MAL-1"), "GHSA-7");
  EXPECT_EQ(groups.leader("MAL-2"), "MAL-2");
  EXPECT_EQ(groups.leader("OSV-8"), "CVE-8");
  EXPECT_EQ(groups.members("GHSA-1"), (std::set<std::string>{"CVE-1", "GHSA-1", "OSV-9"}));
}

TEST(Brief, ReadsBackAsWrittenAndNotOtherwise) {
  advisory::Brief brief;
  brief.id = "GHSA-1";
  brief.aliases = {"CVE-1", "CVE-2"};
  brief.summary = std::string(300, 's');
  brief.severity = {advisory::Level::high, 75, "CVSS:3.1/x", advisory::SeveritySource::cvss};
  brief.malware = true;
  const std::string bytes = advisory::encode_brief(brief);
  EXPECT_EQ(advisory::decode_brief(bytes), brief);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(advisory::decode_brief(bytes.substr(0, cut)).has_value()) << cut;
  }
  EXPECT_FALSE(advisory::decode_brief(bytes + "x").has_value());
}

TEST(NameFilter, NeverDeniesAName) {
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) names.push_back("package-" + std::to_string(i));
  const NameFilter filter = NameFilter::of(names);
  for (const std::string& name : names) EXPECT_TRUE(filter.may_have(name));
  int wrong = 0;
  for (int i = 0; i < 5000; ++i) wrong += filter.may_have("other-" + std::to_string(i)) ? 1 : 0;
  EXPECT_LT(wrong, 100) << "of 5000";
  EXPECT_FALSE(NameFilter::of({}).may_have("x"));
}

TEST(Index, AnswersWhatWasPutIn) {
  Home home;
  const Read read = read_bytes(osv("GHSA-aaaa", "a", "1.0.0", R"("aliases":["CVE-2026-1"],)") +
                               "\n" + osv("GHSA-bbbb", "@s/b", "2.0.0"));
  const auto replaced = home.refresh(read.draft);
  ASSERT_TRUE(replaced.has_value()) << replaced.error().what;
  EXPECT_EQ(replaced->changes.added.size(), 2U);
  EXPECT_TRUE(replaced->kept_as.empty());
  auto index = open_index(home.dir());
  ASSERT_TRUE(index.has_value()) << index.error().what;
  EXPECT_EQ(index->summary(), replaced->summary);
  EXPECT_EQ(ids_for(*index, "a"), std::vector<std::string>{"GHSA-aaaa"});
  EXPECT_EQ(ids_for(*index, "@s/b"), std::vector<std::string>{"GHSA-bbbb"});
  EXPECT_TRUE(ids_for(*index, "c").empty());
  EXPECT_EQ(*index->groups_of("cve-2026-1"), std::vector<std::string>{"GHSA-aaaa"});
  EXPECT_EQ((*index->brief("GHSA-aaaa"))->summary, "about a");
  EXPECT_EQ(index->records("GHSA-aaaa")->size(), 1U);
  EXPECT_EQ(index->search("@S/", 10)->size(), 1U);
  EXPECT_EQ(index->search("about", 1)->size(), 1U);
  EXPECT_EQ(*index->packages_of("GHSA-bbbb"), std::vector<std::string>{"@s/b"});
  EXPECT_TRUE(index->verify().has_value());
}

TEST(Index, OfOtherEcosystemsTheNamesAreKept) {
  Home home;
  const std::string pypi =
      R"({"id":"PYSEC-1","aliases":["CVE-2026-1","CVE-2026-2"],"modified":"2026-01-02T03:04:05Z",)"
      R"("details":"long","affected":[{"package":{"ecosystem":"PyPI","name":"b"},"versions":["1"]}]})";
  const Read read =
      read_bytes(osv("GHSA-aaaa", "a", "1.0.0", R"("aliases":["CVE-2026-1"],)") + "\n" + pypi);
  EXPECT_EQ(read.tally.kept, 1U);
  EXPECT_EQ(read.tally.other_ecosystem, 1U);
  ASSERT_TRUE(home.refresh(read.draft).has_value());
  auto index = open_index(home.dir());
  ASSERT_TRUE(index.has_value());
  EXPECT_EQ(index->summary().advisories, 1U);
  EXPECT_EQ(*index->groups_of("cve-2026-1"), std::vector<std::string>{"GHSA-aaaa"}) << "npm's own";
  EXPECT_EQ(*index->groups_of("CVE-2026-2"), std::vector<std::string>{"PYSEC-1"});
  EXPECT_FALSE(index->brief("PYSEC-1")->has_value());
  const auto records = index->records("PYSEC-1");
  ASSERT_EQ(records->size(), 1U);
  EXPECT_EQ(records->front().text.find("long"), std::string::npos);
  EXPECT_TRUE(ids_for(*index, "b").empty());
  EXPECT_TRUE(index->verify().has_value());
}

TEST(Index, ARefreshReplacesOneSourceAndKeepsTheOld) {
  Home home;
  ASSERT_TRUE(home.refresh(read_bytes(osv("GHSA-aaaa", "a", "1.0.0")).draft));
  ASSERT_TRUE(home.refresh(read_bytes(osv("MAL-1", "m", "9.0.0"), "ghsa").draft, 5, {"ghsa"}));
  const auto again = home.refresh(read_bytes(osv("GHSA-aaaa", "a", "1.0.1")).draft);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->changes.changed, std::vector<std::string>{"GHSA-aaaa"});
  EXPECT_FALSE(again->kept_as.empty());
  auto index = open_index(home.dir());
  EXPECT_EQ(ids_for(*index, "a").size(), 1U);
  EXPECT_EQ(ids_for(*index, "m").size(), 1U);
  EXPECT_EQ(index->summary().sources.size(), 2U);
}

TEST(Index, TheOneThatWasReplacedIsAlwaysKept) {
  Home home;
  for (int i = 0; i < 6; ++i) {
    const auto replaced =
        home.refresh(read_bytes(osv("GHSA-1", "a", "1.0." + std::to_string(i))).draft);
    ASSERT_TRUE(replaced.has_value());
    if (i == 0) continue;
    auto kept = Index::open(home.dir().path_of("cache/" + replaced->kept_as));
    ASSERT_TRUE(kept.has_value()) << replaced->kept_as;
    EXPECT_EQ(kept->summary().digest, replaced->previous->digest);
  }
  EXPECT_LE(home.dir().list("cache", 100)->size(), 3U);
}

TEST(Index, RefusesAFeedThatShrank) {
  Home home;
  std::string feed;
  for (int i = 0; i < 100; ++i) feed += osv("GHSA-" + std::to_string(i), "p", "1.0.0") + "\n";
  ASSERT_TRUE(home.refresh(read_bytes(feed).draft));
  const std::string before = test::read(home.file());
  const auto refused = home.refresh(read_bytes(feed.substr(0, feed.size() / 2)).draft);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, Error::Kind::shrank);
  EXPECT_EQ(test::read(home.file()), before);
  EXPECT_TRUE(home.refresh(read_bytes(feed.substr(0, feed.size() / 2)).draft, 60).has_value());
}

TEST(Index, DamageIsNoticed) {
  Home home;
  std::string feed;
  for (int i = 0; i < 50; ++i)
    feed += osv("GHSA-" + std::to_string(i), "p" + std::to_string(i), "1.0.0") + "\n";
  ASSERT_TRUE(home.refresh(read_bytes(feed).draft));
  const std::string sound = test::read(home.file());
  int unnoticed = 0;
  int flips = 0;
  for (std::size_t at = 0; at < sound.size(); at += 61) {
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    test::write(home.file(), damaged);
    ++flips;
    auto index = open_index(home.dir());
    if (index && index->verify()) {
      // Only bytes that mean nothing may differ: then the summary are the same.
      ++unnoticed;
    }
  }
  std::cout << flips << " flips, " << unnoticed << " in unused bytes\n";
  EXPECT_LT(unnoticed, flips);
  test::write(home.file(), sound.substr(0, sound.size() / 2));
  auto half = open_index(home.dir());
  EXPECT_FALSE(half && half->verify());
  test::write(home.file(), "");
  EXPECT_FALSE(open_index(home.dir()).has_value());
  test::write(home.file(), "not a database, surely not");
  ASSERT_FALSE(open_index(home.dir()).has_value());
  EXPECT_EQ(open_index(home.dir()).error().kind, Error::Kind::corrupt);
}

TEST(Index, ARowThatWasSwappedFailsItsChecksum) {
  Home home;
  ASSERT_TRUE(home.refresh(
      read_bytes(osv("GHSA-1", "a", "1.0.0") + "\n" + osv("GHSA-2", "b", "2.0.0")).draft));
  auto database = store::Database::open(home.file(), store::Access::read_write);
  ASSERT_TRUE(
      database->execute("UPDATE package SET rules = (SELECT rules FROM package WHERE name='b')"
                        " WHERE name='a'"));
  auto index = open_index(home.dir());
  const auto rules = index->rules("a");
  ASSERT_FALSE(rules.has_value());
  EXPECT_EQ(rules.error().kind, Error::Kind::corrupt);
}

TEST(Index, ADamagedOneDoesNotKeepASoundOneOut) {
  Home home;
  ASSERT_TRUE(home.refresh(read_bytes(osv("GHSA-1", "a", "1.0.0")).draft));
  test::write(home.file(), "rubbish");
  const auto replaced = home.refresh(read_bytes(osv("GHSA-1", "a", "1.0.0")).draft);
  ASSERT_TRUE(replaced.has_value()) << replaced.error().what;
  EXPECT_EQ(replaced->kept_as, "vuln-index.damaged.sqlite");
  EXPECT_TRUE(open_index(home.dir())->verify().has_value());
}

TEST(Bundle, CarriesAnIndexAndNoticesChanges) {
  Home home;
  const auto replaced = home.refresh(read_bytes(osv("GHSA-1", "a", "1.0.0")).draft);
  auto index = open_index(home.dir());
  const auto draft = index->draft();
  const std::string bytes = make_bundle(*draft, index->summary());
  EXPECT_EQ(bytes, make_bundle(*draft, index->summary())) << "not the same twice";
  const auto bundle = read_bundle(bytes, "bundle");
  ASSERT_TRUE(bundle.has_value()) << bundle.error().what;
  EXPECT_EQ(bundle->digest, replaced->summary.digest);
  Home other;
  const auto imported = replace_all(other.dir(), bundle->draft, bundle->built);
  ASSERT_TRUE(imported.has_value());
  EXPECT_EQ(imported->summary.digest, replaced->summary.digest);
  EXPECT_EQ(imported->summary.built, kNow);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    const auto read = read_bundle(damaged, "bundle");
    if (read) {
      EXPECT_EQ(read->digest, replaced->summary.digest);
    }
  }
}

TEST(Index, TakesInAllRealAdvisories) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: no real advisories";
  }
  Home home;
  Read all;
  const FeedReader reader{[&](const RawRecord& record) { all.draft.add("osv", record, all.tally); },
                          [&](Rejected row) { all.draft.reject(std::move(row), all.tally); }};
  for (const char* file : {"osv-npm.jsonl", "osv-npm-malicious.jsonl"}) {
    ASSERT_TRUE(read_feed(*data / file, reader).has_value());
  }
  const auto replaced = home.refresh(all.draft);
  ASSERT_TRUE(replaced.has_value()) << replaced.error().what;
  std::cout << all.tally.kept << " kept, " << all.tally.withdrawn << " withdrawn, "
            << all.tally.other_ecosystem << " of other ecosystems, " << all.tally.rejected.size()
            << " rejected; " << replaced->summary.packages << " packages, "
            << replaced->summary.malware << " malware, " << std::filesystem::file_size(home.file())
            << " bytes\n";
  for (const Rejected& row : all.tally.rejected)
    std::cout << row.where << ": " << row.reason << "\n";
  EXPECT_GT(all.tally.kept, 27'000U);
  auto index = open_index(home.dir());
  const auto verified = index->verify();
  EXPECT_TRUE(verified.has_value()) << (verified ? "" : verified.error().what);
}

}  // namespace
}  // namespace cg::vulnindex
