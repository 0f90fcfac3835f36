#include "vuln/advisory/nvd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "base/json/json.h"
#include "support/support.h"
#include "vuln/advisory/cvss.h"

namespace cg::advisory {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CveRecord one(const std::string& cve) {
  const auto read = read_cve(*json::parse_json(cve));
  EXPECT_TRUE(read) << describe(read.error());
  return *read;
}

std::string metric(const std::string& type, const std::string& vector) {
  return R"({"type":")" + type + R"(","cvssData":{"vectorString":")" + vector + R"("}})";
}

const std::string kV31 = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H";
const std::string kV31Low = "CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:N/I:N/A:L";
const std::string kV2 = "AV:N/AC:L/Au:N/C:C/I:C/A:C";

TEST(Nvd, ReadsAWholeRecord) {
  const CveRecord r = one(
      R"({"id":"CVE-2026-1","published":"2026-01-01T00:00:00.000","lastModified":"2026-01-02T00:00:00.5",)"
      R"("vulnStatus":"Analyzed","descriptions":[{"lang":"es","value":"hola"},{"lang":"en","value":"hi"}],)"
      R"("metrics":{"cvssMetricV2":[)" +
      metric("Primary", kV2) + R"(],"cvssMetricV31":[)" + metric("Secondary", kV31Low) + "," +
      metric("Primary", kV31) +
      R"(]},)"
      R"("weaknesses":[{"description":[{"lang":"en","value":"CWE-79"},{"lang":"en","value":"NVD-CWE-noinfo"}]},)"
      R"({"description":[{"lang":"en","value":"CWE-22"}]}],"references":[{"url":"https://example.org/"}],)"
      R"("cisaExploitAdd":"2026-01-03","cisaActionDue":"2026-01-20","cisaVulnerabilityName":"n"})");
  EXPECT_EQ(r.id, "CVE-2026-1");
  EXPECT_EQ(r.description, "hi");
  EXPECT_EQ(r.severity, (Severity{Level::high, 75, kV31, SeveritySource::cvss}));
  EXPECT_THAT(r.cwes, ElementsAre("CWE-22", "CWE-79"));
  EXPECT_THAT(r.references, ElementsAre(Reference{"WEB", "https://example.org/"}));
  EXPECT_EQ(to_iso(*r.modified), "2026-01-02T00:00:00.500Z");
  EXPECT_FALSE(r.rejected);
  ASSERT_TRUE(r.exploited);
  EXPECT_EQ(*r.exploited, (KnownExploited{"2026-01-03", "2026-01-20", "", "n"}));
}

TEST(Nvd, TakesTheNewestVersionThenThePrimaryThenTheScoreAlone) {
  const auto severity = [](const std::string& metrics) {
    return one(R"({"id":"CVE-1","metrics":{)" + metrics + "}}").severity;
  };
  EXPECT_EQ(severity("").level, Level::unknown);
  EXPECT_EQ(severity(R"("cvssMetricV2":[)" + metric("Primary", kV2) + "]").tenths, 100);
  EXPECT_EQ(severity(R"("cvssMetricV31":[)" + metric("Secondary", kV31Low) + "]").tenths, 16);
  EXPECT_EQ(
      severity(R"("cvssMetricV31":[],"cvssMetricV2":[)" + metric("Primary", kV2) + "]").tenths,
      100);
  const Severity bare = severity(
      R"("cvssMetricV31":[{"type":"Primary","cvssData":{"baseScore":9.8,"baseSeverity":"CRITICAL"}}])");
  EXPECT_EQ(bare, (Severity{Level::critical, 98, "", SeveritySource::cvss}));
}

TEST(Nvd, ABadRecordIsRefused) {
  const auto refused = [](const std::string& cve) {
    return describe(read_cve(*json::parse_json(cve)).error());
  };
  EXPECT_EQ(refused(R"({"id":7})"), "id: of the wrong type (integer)");
  EXPECT_EQ(refused("{}"), "id: missing");
  EXPECT_FALSE(read_cve(*json::parse_json(R"({"id":"GHSA-1"})")));
}

TEST(Nvd, EnrichesOnlyAdvisoriesThatNameTheCve) {
  CveRecord cve =
      one(R"({"id":"CVE-1","metrics":{"cvssMetricV31":[)" + metric("Primary", kV31) +
          R"(]},"weaknesses":[{"description":[{"value":"CWE-1"}]}],)"
          R"("references":[{"url":"https://example.org/a"},{"url":"https://example.org/b"}]})");
  Advisory advisory;
  advisory.id = "GHSA-1";
  advisory.references = {{"FIX", "https://example.org/a"}};
  enrich(advisory, cve);
  EXPECT_THAT(advisory.cwes, IsEmpty());
  advisory.aliases = {"CVE-1"};
  Advisory other = advisory;
  enrich(advisory, cve);
  EXPECT_THAT(advisory.cwes, ElementsAre("CWE-1"));
  EXPECT_EQ(advisory.severity.level, Level::high);
  EXPECT_EQ(advisory.references.size(), 2U);
  other.severity = {Level::low, {}, "", SeveritySource::database};
  cve.rejected = true;
  enrich(other, cve);
  EXPECT_THAT(other.cwes, IsEmpty());
  cve.rejected = false;
  enrich(other, cve);
  EXPECT_EQ(other.severity, (Severity{Level::low, 75, kV31, SeveritySource::database}));
}

/// What NVD computed, for every vector in a document, wherever it stands.
void collect_scores(const json::Value& value, std::vector<std::pair<std::string, double>>& out) {
  const json::Value* vector = value.find("vectorString");
  const json::Value* score = value.find("baseScore");
  if (vector != nullptr && vector->as_string() != nullptr && score != nullptr) {
    const auto whole = score->as_int();
    out.emplace_back(*vector->as_string(),
                     whole ? static_cast<double>(*whole) : score->as_double().value_or(-1));
  }
  if (const auto* object = value.as_object()) {
    for (const auto& [key, child] : *object) collect_scores(child, out);
  }
  if (const auto* array = value.as_array()) {
    for (const auto& child : *array) collect_scores(child, out);
  }
}

TEST(Nvd, ReadsRealPagesAndAgreesWithTheirScores) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "no test data: NVD pages not read";
  }
  std::size_t files = 0;
  std::size_t records = 0;
  std::size_t rated = 0;
  std::size_t exploited = 0;
  std::vector<std::pair<std::string, double>> scores;
  for (const auto& file : std::filesystem::directory_iterator(*data / "nvd/nvdcve-2.0")) {
    const std::string json = test::read(file.path());
    const auto page = json::parse_json(json, {.max_bytes = 256U << 20U, .max_nodes = 20'000'000});
    ASSERT_TRUE(page) << file.path();
    ++files;
    for (const json::Value& item : *page->find("vulnerabilities")->as_array()) {
      const auto record = read_cve(*item.find("cve"));
      ASSERT_TRUE(record) << file.path() << describe(record.error());
      ++records;
      EXPECT_FALSE(record->description.empty()) << record->id;
      EXPECT_TRUE(record->published && record->modified) << record->id;
      if (record->severity.tenths) ++rated;
      if (record->exploited) ++exploited;
    }
    collect_scores(*page, scores);
  }
  const std::string old = test::read(*data / "nvd/nvdcve-1.1-test-data.json");
  if (const auto value = json::parse_json(old)) collect_scores(*value, scores);
  for (const auto& [vector, score] : scores) {
    const auto ours = score_cvss(vector);
    ASSERT_TRUE(ours) << vector << ": " << describe(ours.error());
    EXPECT_EQ(ours->tenths, static_cast<int>(score * 10 + 0.5)) << vector;
  }
  std::cout << files << " files, " << records << " records, " << rated << " with a score, "
            << exploited << " known exploited; " << scores.size() << " scores agree\n";
  EXPECT_EQ(files, 23U);
  EXPECT_GE(records, 23U);
}

}  // namespace
}  // namespace cg::advisory
