#include "vuln/formats/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "vuln/formats/samples.h"

namespace cg::formats {
namespace {

using json::Value;
using test::empty_scan;
using test::ignore;
using test::mixed_scan;
using test::one_finding;
using test::qs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The value at "a/0/b"; null if there is none.
const Value& at(const Value& value, const std::string& path) {
  static const Value null;
  const Value* here = &value;
  std::size_t start = 0;
  while (here != nullptr && start <= path.size()) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string step = path.substr(start, end - start);
    start = end + 1;
    if (const Value::Array* items = here->as_array()) {
      const std::size_t n = std::stoul(step);
      here = n < items->size() ? &(*items)[n] : nullptr;
    } else {
      here = here->find(step);
    }
  }
  return here == nullptr ? null : *here;
}

std::string text(const Value& value, const std::string& path) {
  const Value& found = at(value, path);
  return found.as_string() != nullptr ? *found.as_string() : json::write_json(found);
}

TEST(Formats, FingerprintsOutliveLinesAndVersions) {
  const std::string path = "runs/0/results/0/partialFingerprints";
  findings::Scan moved = one_finding();
  moved.findings[0].at = {9, 9, 9};
  moved.findings[0].version = "6.7.1";
  moved.findings[0].summary = "other words";
  EXPECT_EQ(at(sarif(moved), path), at(sarif(one_finding()), path));
  for (std::string findings::Finding::*part :
       {&findings::Finding::advisory, &findings::Finding::package, &findings::Finding::location,
        &findings::Finding::lockfile}) {
    findings::Scan other = one_finding();
    other.findings[0].*part += "x";
    EXPECT_NE(text(sarif(other), path), text(sarif(one_finding()), path));
  }
}

TEST(Formats, SarifLevelsAndScores) {
  const struct {
    advisory::Level level;
    std::string sarif;
    std::string number;
    std::string command;
  } cases[] = {{advisory::Level::critical, "error", "9.5", "::error "},
               {advisory::Level::high, "error", "8.0", "::error "},
               {advisory::Level::moderate, "warning", "5.5", "::warning "},
               {advisory::Level::low, "note", "2.0", "::notice "},
               {advisory::Level::none, "note", "0.0", "::notice "},
               {advisory::Level::unknown, "warning", "null", "::warning "}};
  for (const auto& c : cases) {
    findings::Scan s = one_finding();
    s.findings[0].severity = {c.level, {}, "", advisory::SeveritySource::database};
    EXPECT_EQ(text(sarif(s), "runs/0/results/0/level"), c.sarif);
    EXPECT_EQ(text(sarif(s), "runs/0/tool/driver/rules/0/properties/security-severity"), c.number);
    EXPECT_TRUE(gh_annotations(s).starts_with(c.command));
  }
}

TEST(Formats, SarifHasARulePerAdvisoryAndSaysWhatIsSuppressed) {
  const Value value = sarif(mixed_scan());
  EXPECT_EQ(at(value, "runs/0/tool/driver/rules").as_array()->size(), 2U);
  const Value& results = at(value, "runs/0/results");
  ASSERT_EQ(results.as_array()->size(), 11U);
  std::size_t suppressed = 0;
  for (const Value& result : *results.as_array()) {
    const Value& list = at(result, "suppressions");
    ASSERT_TRUE(list.is_array());
    suppressed += list.as_array()->size();
    const std::string rule = text(result, "ruleIndex");
    EXPECT_EQ(text(value, "runs/0/tool/driver/rules/" + rule + "/id"), text(result, "ruleId"));
  }
  EXPECT_EQ(suppressed, 7U);
  EXPECT_EQ(text(value, "runs/0/results/4/suppressions/0/justification"),
            "only our own config (owner @example/web, until 2027-01-15)");
  EXPECT_THAT(text(value, "runs/0/results/2/message/text"),
              HasSubstr("An ignore of it expired on 2027-01-15."));
  EXPECT_EQ(text(value, "runs/0/invocations/0/toolExecutionNotifications/0/message/text"),
            "yarn.lock: line 3 was not understood");
}

TEST(Formats, SarifEscapesItsOwnMarkup) {
  findings::Scan s = one_finding();
  s.findings[0].summary = "[a](1) {0} \\";
  EXPECT_EQ(text(sarif(s), "runs/0/tool/driver/rules/0/shortDescription/text"),
            "\\[a\\](1) {{0}} \\\\");
}

std::vector<std::string> states(const Value& value) {
  std::vector<std::string> out;
  for (const Value& v : *at(value, "vulnerabilities").as_array()) {
    out.push_back(text(v, "analysis/state") + " " + text(v, "analysis/justification"));
  }
  return out;
}

TEST(Formats, CycloneDxTranslatesJustifications) {
  EXPECT_THAT(states(cyclonedx(mixed_scan())),
              ElementsAre("null null", "null null", "in_triage null",
                          "not_affected code_not_reachable", "not_affected code_not_present",
                          "not_affected code_not_present", "not_affected requires_environment",
                          "not_affected protected_by_mitigating_control", "in_triage null"));
}

TEST(Formats, CycloneDxHashesAreThoseOfTheLock) {
  const Value value = cyclonedx(mixed_scan());
  EXPECT_EQ(text(value, "components/0/hashes"),
            R"([{"alg":"SHA-512","content":")" + std::string(128, '0') + R"("}])");
  EXPECT_EQ(text(value, "components/1/hashes"),
            R"([{"alg":"SHA-1","content":"a94a89f91d552db98b2998597c5079dd33cd367a"}])");
  EXPECT_EQ(text(value, "components/2/hashes"), "null");
  EXPECT_EQ(text(value, "components/2/group"), "@scope");
  EXPECT_EQ(text(value, "components/2/scope"), "optional");
  EXPECT_EQ(text(value, "dependencies/0/dependsOn"), R"(["package-lock.json#node_modules/qs"])");
  EXPECT_EQ(text(value, "compositions"), "null");
  // Three components, then the copies that are none of them; the first finding is.
  EXPECT_EQ(at(value, "components").as_array()->size(), 12U);
  EXPECT_EQ(text(value, "vulnerabilities/0/affects/0/ref"), "package-lock.json#node_modules/qs");
}

TEST(Formats, CycloneDxNamesTheMethodOfAVector) {
  const struct {
    std::string vector;
    std::string method;
  } cases[] = {{"CVSS:3.0/AV:N", "CVSSv3"},
               {"CVSS:3.1/AV:N", "CVSSv31"},
               {"CVSS:4.0/AV:N", "CVSSv4"},
               {"AV:N/AC:L", "CVSSv2"},
               {"(AV:N/AC:L)", "CVSSv2"},
               {"?", "other"},
               {"", "null"}};
  for (const auto& c : cases) {
    findings::Scan s = one_finding();
    s.findings[0].severity.vector = c.vector;
    EXPECT_EQ(text(cyclonedx(s), "vulnerabilities/0/ratings/0/method"), c.method);
  }
}

TEST(Formats, IdsFollowTheContent) {
  findings::Scan later = one_finding();
  later.time.ms += 1;
  EXPECT_NE(text(cyclonedx(later), "serialNumber"), text(cyclonedx(one_finding()), "serialNumber"));
  EXPECT_NE(text(openvex(later), "@id"), text(openvex(one_finding()), "@id"));
}

TEST(Formats, VexNeverContradictsItself) {
  const Value value = openvex(mixed_scan());
  std::vector<std::string> out;
  for (const Value& s : *at(value, "statements").as_array()) {
    out.push_back(text(s, "vulnerability/name") + " " + text(s, "status") + " " +
                  text(s, "products/0/@id"));
  }
  // qs 6.7.0 is open in two places and ignored in a third.
  EXPECT_THAT(out, ElementsAre("GHSA-hrpp-h998-j3pp affected pkg:npm/qs@6.7.0",
                               "GHSA-hrpp-h998-j3pp affected pkg:npm/%40scope/Mixed.Case",
                               "MAL-2024-1 affected pkg:npm/qs@6.7.0",
                               "GHSA-hrpp-h998-j3pp not_affected pkg:npm/qs@6.7.1",
                               "GHSA-hrpp-h998-j3pp not_affected pkg:npm/qs@6.7.2",
                               "GHSA-hrpp-h998-j3pp not_affected pkg:npm/qs@6.7.3",
                               "GHSA-hrpp-h998-j3pp not_affected pkg:npm/qs@6.7.4",
                               "GHSA-hrpp-h998-j3pp not_affected pkg:npm/qs@6.7.5",
                               "GHSA-hrpp-h998-j3pp under_investigation pkg:npm/qs@6.7.6"));
  EXPECT_EQ(text(value, "statements/0/status_notes"),
            "Ignored at node_modules/qs0: only our own config (owner @example/web, until "
            "2027-01-15)");
}

TEST(Formats, VexPutsPackagesOfOneStatementTogether) {
  findings::Scan s = empty_scan();
  for (const char* version : {"6.7.0", "6.7.1", "6.7.0"}) {
    findings::Finding f = qs();
    f.version = version;
    f.suppression = ignore("vulnerable_code_not_present");
    s.suppressed.push_back(f);
  }
  const Value value = openvex(s);
  EXPECT_EQ(text(value, "statements/1"), "null");
  EXPECT_EQ(text(value, "statements/0/products"),
            R"([{"@id":"pkg:npm/qs@6.7.0"},{"@id":"pkg:npm/qs@6.7.1"}])");
}

TEST(Formats, EmptyScans) {
  EXPECT_EQ(jsonl(empty_scan()), "");
  EXPECT_EQ(gh_annotations(empty_scan()), "");
  EXPECT_EQ(markdown(findings::Scan{}),
            "### codegenie scan: nothing was scanned\n\n"
            "Advisory index `none`, built 1970-01-01, 0 advisories.\n");
  findings::Scan clean;
  clean.repo.locks.push_back({"package-lock.json", "package-lock", "3", 1, 1});
  EXPECT_THAT(markdown(clean), HasSubstr("scan: nothing vulnerable found\n"));
  EXPECT_EQ(text(json(findings::Scan{}), "repo/head"), "null");
  EXPECT_EQ(text(cyclonedx(findings::Scan{}), "metadata/component/name"), "repository");
}

TEST(Formats, NothingIsCalledCleanWhileAFileWasNotRead) {
  findings::Scan scan;
  scan.repo.locks.push_back({"package-lock.json", "package-lock", "3", 1, 1});
  scan.repo.unreadable.push_back({"app/yarn.lock", "ends in the middle"});
  EXPECT_THAT(markdown(scan),
              HasSubstr("scan: nothing vulnerable found, but 1 file was not read\n"));
  EXPECT_EQ(text(json(scan), "repo/unreadable/0/why"), "ends in the middle");
}

TEST(Formats, MarkdownListsWhatIsSuppressed) {
  const std::string out = markdown(mixed_scan());
  EXPECT_THAT(out, HasSubstr("4 findings (1 critical, 2 high, 1 moderate)\n"));
  EXPECT_THAT(out, HasSubstr("<details><summary>7 suppressed</summary>\n"));
  EXPECT_THAT(out, HasSubstr("(owner @&#8203;example/web, until 2027-01-15)\n"));
  EXPECT_THAT(out, HasSubstr("| a person decides: no fixed version |"));
  EXPECT_THAT(out, HasSubstr("| remove |"));
}

}  // namespace
}  // namespace cg::formats
