#include "vuln/advisory/osv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/match.h"

namespace cg::advisory {
namespace {

using Kind = RecordError::Kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A record with `extra` members, and `affected` as given.
std::string record(const std::string& affected, const std::string& extra = "",
                   const std::string& id = "GHSA-aaaa-bbbb-cccc") {
  return R"({"id":")" + id + R"(","modified":"2026-01-02T03:04:05Z","affected":[)" + affected +
         "]" + (extra.empty() ? "" : "," + extra) + "}";
}

std::string npm(const std::string& rest) {
  return R"({"package":{"ecosystem":"npm","name":"left-pad"})" + (rest.empty() ? "" : "," + rest) +
         "}";
}

const std::string kRange =
    R"("ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.2.0"}]}])";

std::string outcome(const Result<OsvRecord, RecordError>& parsed) {
  if (!parsed) return describe(parsed.error());
  return match(
      *parsed,  //
      [](const Advisory&) { return "kept"; }, [](const Withdrawn&) { return "withdrawn"; },
      [](const OtherEcosystem&) { return "other"; });
}

Advisory kept(const std::string& json) {
  const auto parsed = parse_osv(json);
  EXPECT_EQ(outcome(parsed), "kept") << json;
  return std::get<Advisory>(*parsed);
}

TEST(Osv, ReadsAWholeRecord) {
  const Advisory a = kept(record(
      npm(kRange +
          R"(,"versions":["0.1.0","0.2"],"database_specific":{)"
          R"("last_known_affected_version_range":"<= 1.1.9","cwes":[{"cweId":"CWE-506"}]})"),
      R"("aliases":["CVE-2026-2","CVE-2026-1","CVE-2026-2","GHSA-aaaa-bbbb-cccc"],)"
      R"("summary":"s","details":"d","published":"2025-12-31T00:00:00.123456789Z",)"
      R"("severity":[{"type":"CVSS_V3","score":"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H/"}],)"
      R"("references":[{"type":"FIX","url":"https://example.org/f"},{"url":"https://example.org/g"}],)"
      R"("database_specific":{"severity":"HIGH","cwe_ids":["CWE-79","CWE-22","CWE-79"]})"));
  EXPECT_EQ(a.id, "GHSA-aaaa-bbbb-cccc");
  EXPECT_EQ(a.source, Source::ghsa);
  EXPECT_THAT(a.aliases, ElementsAre("CVE-2026-1", "CVE-2026-2"));
  EXPECT_TRUE(is_named(a, "CVE-2026-2"));
  EXPECT_FALSE(is_named(a, "CVE-2026-3"));
  EXPECT_EQ(a.summary + a.details, "sd");
  EXPECT_EQ(to_iso(a.modified), "2026-01-02T03:04:05.000Z");
  EXPECT_EQ(to_iso(*a.published), "2025-12-31T00:00:00.123Z");
  EXPECT_FALSE(a.malware);
  EXPECT_EQ(a.severity.level, Level::high);
  EXPECT_EQ(a.severity.tenths, 75);
  EXPECT_EQ(a.severity.source, SeveritySource::database);
  EXPECT_THAT(a.references, ElementsAre(Reference{"FIX", "https://example.org/f"},
                                        Reference{"WEB", "https://example.org/g"}));
  EXPECT_THAT(a.cwes, ElementsAre("CWE-22", "CWE-506", "CWE-79"));
  ASSERT_EQ(a.affected.size(), 1U);
  EXPECT_EQ(a.affected[0].package, "left-pad");
  EXPECT_EQ(a.affected[0].last_known_affected, "<= 1.1.9");
  EXPECT_EQ(a.affected[0].versions[1].str(), "0.2.0");
  EXPECT_EQ(a.affected[0].ranges[0][1].version.str(), "1.2.0");
}

TEST(Osv, OutcomesAreNotErrors) {
  const std::string pypi =
      R"({"package":{"ecosystem":"PyPI","name":"x"},"versions":["not semver"]})";
  EXPECT_EQ(outcome(parse_osv(record(npm(kRange)))), "kept");
  EXPECT_EQ(outcome(parse_osv(record(npm(kRange), R"("withdrawn":"2026-01-02T00:00:00Z")"))),
            "withdrawn");
  EXPECT_EQ(outcome(parse_osv(record(npm(kRange), R"("withdrawn":null)"))), "kept");
  EXPECT_EQ(outcome(parse_osv(record(pypi))), "other");
  EXPECT_EQ(outcome(parse_osv(record(""))), "other");
  EXPECT_EQ(outcome(parse_osv(record(R"({"ranges":[]})"))), "other");
  EXPECT_EQ(kept(record(pypi + "," + npm(kRange))).affected.size(), 1U);
}

TEST(Osv, OfAnotherEcosystemItsNamesAreRead) {
  const auto read = parse_osv(record(R"({"package":{"ecosystem":"PyPI","name":"x"}},)"
                                     R"({"package":{"ecosystem":"PyPI","name":"x"}},)"
                                     R"({"package":{"ecosystem":"Linux"}})",
                                     R"("aliases":["CVE-1"])"));
  ASSERT_TRUE(read);
  const auto* other = std::get_if<OtherEcosystem>(&*read);
  ASSERT_NE(other, nullptr);
  EXPECT_THAT(other->packages, ElementsAre("PyPI x", "Linux"));
  EXPECT_THAT(other->aliases, ElementsAre("CVE-1"));
  // Nothing of it is worth refusing a record for.
  EXPECT_EQ(
      outcome(parse_osv(record(R"({"package":{"ecosystem":"Go","name":7}})", R"("aliases":7)"))),
      "other");
}

TEST(Osv, MalwareIsToldByIdAliasOrOrigin) {
  EXPECT_TRUE(kept(record(npm(kRange), "", "MAL-2026-1")).malware);
  EXPECT_TRUE(kept(record(npm(kRange), R"("aliases":["MAL-2026-1"])")).malware);
  EXPECT_TRUE(
      kept(record(npm(kRange), R"("database_specific":{"malicious-packages-origins":null})"))
          .malware);
  EXPECT_FALSE(kept(record(npm(kRange))).malware);
}

TEST(Osv, TheLevelComesFromTheDatabaseThenTheVectorThenMalware) {
  const std::string v3 =
      R"({"type":"CVSS_V3","score":"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"})";
  const std::string v4 =
      R"({"type":"CVSS_V4","score":"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"})";
  const auto severity = [](const std::string& extra, const std::string& id = "GHSA-a") {
    return kept(record(npm(kRange), extra, id)).severity;
  };
  EXPECT_EQ(severity("").level, Level::unknown);
  EXPECT_EQ(severity("", "MAL-1").level, Level::critical);
  EXPECT_EQ(severity("", "MAL-1").source, SeveritySource::malicious);
  EXPECT_EQ(severity(R"("severity":[)" + v3 + "]").level, Level::high);
  EXPECT_EQ(severity(R"("severity":[)" + v4 + "," + v3 + "]").tenths, 93);
  EXPECT_EQ(severity(R"("severity":[)" + v3 + "," + v4 + "]").tenths, 93);
  EXPECT_EQ(severity(R"("severity":[)" + v3 + R"(],"database_specific":{"severity":"LOW"})").level,
            Level::low);
  EXPECT_EQ(severity(R"("severity":[{"type":"CVSS_V3","score":"nonsense"}])").level,
            Level::unknown);
  EXPECT_EQ(kept(record(npm(kRange + R"(,"severity":[)" + v3 + "]"))).severity.tenths, 75);
}

TEST(Osv, RangesOfCommitsAreLeftOutAndUnknownOnesRefused) {
  const Advisory a = kept(record(npm(
      R"("ranges":[{"type":"GIT","repo":"r","events":[{"introduced":"abc"}]},)"
      R"({"type":"ECOSYSTEM","events":[{"introduced":"1.2","fixed":"8.0.0-rc0"},{"limit":"*"}]}])")));
  ASSERT_EQ(a.affected[0].ranges.size(), 1U);
  EXPECT_EQ(a.affected[0].ranges[0].size(), 2U);
}

TEST(Osv, TextIsCutNotRefused) {
  std::string e;
  for (int i = 0; i < 600; ++i) e += "é";
  EXPECT_EQ(kept(record(npm(kRange), R"("summary":")" + e + "\"")).summary.size(), 1024U);
  EXPECT_EQ(
      kept(record(npm(kRange), R"("details":")" + std::string(70000, 'x') + "\"")).details.size(),
      65536U);
}

TEST(Osv, ErrorsSayWhichFieldAndWhy) {
  const std::pair<std::string, std::string> cases[] = {
      {"{", "not JSON (line 1"},
      {"[]", "of the wrong type"},
      {"{}", "id: missing"},
      {R"({"id":7})", "id: of the wrong type (integer)"},
      {R"({"id":"a b"})", "id: not understood (a b)"},
      {R"({"id":"a","affected":{}})", "affected: of the wrong type (object)"},
      {record(R"({"package":{}})"), "affected[0].package.ecosystem: missing"},
      {record(R"({"package":{"ecosystem":"npm"}})"), "affected[0].package.name: missing"},
      {record(R"({"package":{"ecosystem":"npm","name":"a\nb"}})"),
       "affected[0].package.name: not understood (a\\x0ab)"},
      {record(R"({"package":{"ecosystem":"npm","name":")" + std::string(215, 'a') + "\"}}"),
       "affected[0].package.name: too long"},
      {record(npm(R"("ranges":[{"type":"X"}])")), "affected[0].ranges[0].type: not understood (X)"},
      {record(npm(R"("ranges":[{"events":[]}])")), "affected[0].ranges[0].type: missing"},
      {record(npm(R"("ranges":[{"type":"SEMVER","events":[{"fixed":"1"},{"fixed":"one"}]}])")),
       "affected[0].ranges[0].events[1].fixed: not understood (one)"},
      {record(npm(R"("ranges":[{"type":"SEMVER","events":[{}]}])")),
       "affected[0].ranges[0].events[0]: not understood (an event of no known kind)"},
      {record(npm(R"("versions":["1.0.0","1.0.0.0"])")),
       "affected[0].versions[1]: not understood (1.0.0.0)"},
      {R"({"id":"a","affected":[)" + npm(kRange) + "]}", "modified: missing"},
      {record(npm(kRange), R"("published":"yesterday")"), "published: not understood (yesterday)"},
      {record(npm(kRange), R"("aliases":["a b"])"), "aliases[0]: not understood"},
      {record(npm(kRange), R"("summary":1)"), "summary: of the wrong type (integer)"},
  };
  for (const auto& [json, words] : cases) {
    EXPECT_THAT(outcome(parse_osv(json)), StartsWith(words)) << json;
  }
  EXPECT_THAT(outcome(parse_osv(std::string(5U << 20U, ' '))), HasSubstr("not JSON"));
}

TEST(Timestamp, IsReadAsDatabasesWriteIt) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2023-09-12T15:15:24Z", "2023-09-12T15:15:24.000Z"},
      {"2023-09-12T15:15:24.327", "2023-09-12T15:15:24.327Z"},
      {"2023-09-12T15:15:24.3Z", "2023-09-12T15:15:24.300Z"},
      {"2023-09-04T09:11:41.803226336Z", "2023-09-04T09:11:41.803Z"},
  };
  for (const auto& [text, iso] : cases) {
    const auto time = parse_timestamp(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(to_iso(*time), iso);
  }
  for (const char* text :
       {"", "Z", "2023-09-12", "2023-09-12T15:15:24+02:00", "2023-13-12T15:15:24Z",
        "2023-09-12T15:15:24.", "2023-09-12T15:15:24.x", "2023-09-12T15:15:2Z"}) {
    EXPECT_FALSE(parse_timestamp(text)) << text;
  }
}

}  // namespace
}  // namespace cg::advisory
