// Real records and the answers that others computed from them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <map>
#include <set>

#include "base/base/match.h"
#include "base/base/text.h"
#include "support/support.h"
#include "vuln/advisory/affects.h"
#include "vuln/advisory/osv.h"
#include "vuln/advisory/rule.h"

namespace cg::advisory {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Tally {
  std::size_t kept = 0;
  std::size_t withdrawn = 0;
  std::size_t other = 0;
  std::map<std::string, std::size_t> refused;  // by words
  std::size_t malware = 0;
  friend bool operator==(const Tally&, const Tally&) = default;
};

void count(const Result<OsvRecord, RecordError>& record, Tally& tally) {
  if (!record) {
    ++tally.refused[describe(record.error())];
    return;
  }
  match(
      *record,
      [&](const Advisory& advisory) {
        ++tally.kept;
        if (advisory.malware) ++tally.malware;
      },
      [&](const Withdrawn&) { ++tally.withdrawn; }, [&](const OtherEcosystem&) { ++tally.other; });
}

template <class Use>
void each_line(const std::filesystem::path& file, Use use) {
  const std::string text = test::read(file);
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty()) use(line);
  }
}

/// Rows of a table with a header, as cells.
template <class Use>
void each_row(const std::filesystem::path& file, Use use) {
  bool header = true;
  each_line(file, [&](std::string_view line) {
    if (!std::exchange(header, false)) use(split(line, '\t'));
  });
}

std::map<std::string, Advisory> advisories(const std::filesystem::path& file) {
  std::map<std::string, Advisory> out;
  each_line(file, [&](std::string_view line) {
    const auto record = parse_osv(line);
    if (!record) return;
    if (const auto* advisory = std::get_if<Advisory>(&*record)) out[advisory->id] = *advisory;
  });
  return out;
}

std::string joined(const std::vector<VersionKey>& keys) {
  std::string out;
  for (const VersionKey& key : keys) out += (out.empty() ? "" : ",") + key.text();
  return out.empty() ? "-" : out;
}

/// A list of versions in ascending order, each once.
std::string sorted_list(std::string_view cell) {
  if (cell == "-" || cell.empty()) return "-";
  std::set<VersionKey> keys;
  for (const std::string_view part : split(cell, ',')) keys.emplace(*parse_bound(part));
  return joined({keys.begin(), keys.end()});
}

/// Compares with the column fixed_in_matching_range. The reference looks no further
/// than the first entry that matches; where that is a list of versions, which names no
/// fix, we may know one from the range of another entry. Returns whether that is so.
bool knows_more(const std::optional<Match>& found, std::string_view cell) {
  const std::string ours = found && found->fixed_in ? found->fixed_in->text() : "-";
  const std::string_view theirs = cell.empty() ? "-" : cell;
  if (found && found->listed && theirs == "-" && ours != "-") return true;
  EXPECT_EQ(ours, theirs);
  return false;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

TEST(Golden, EveryRealRecordParses) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "no test data: real records not read";
  }
  const struct {
    const char* file;
    Tally tally;
  } cases[] = {
      {"osv-npm.jsonl", {5736, 195, 0, {}, 0}},
      {"osv-npm-native.jsonl", {2398, 53, 0, {}, 0}},
      {"osv-npm-malicious.jsonl", {22241, 55, 0, {}, 22241}},
      {"feeds/ghsa-npm-2026-01-31.jsonl", {2759, 56, 0, {}, 0}},
      {"feeds/ghsa-npm-2026-03-08.jsonl", {3238, 63, 0, {}, 0}},
      {"feeds/ghsa-npm-2026-05-04.jsonl", {5772, 159, 0, {}, 0}},
  };
  const auto start = Clock::now();
  for (const auto& c : cases) {
    Tally tally;
    each_line(*data / c.file, [&](std::string_view line) { count(parse_osv(line), tally); });
    std::cout << c.file << ": " << tally.kept << " kept (" << tally.malware << " malware), "
              << tally.withdrawn << " withdrawn, " << tally.other << " of other ecosystems, "
              << tally.refused.size() << " reasons to refuse\n";
    for (const auto& [words, times] : tally.refused)
      std::cout << "  " << times << " " << words << "\n";
    EXPECT_EQ(tally, c.tally) << c.file;
  }
  std::cout << seconds_since(start) << " s\n";
}

TEST(Golden, EveryEvaluationRowAgrees) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "no test data: evaluation rows not checked";
  }
  const auto all = advisories(*data / "osv-npm.jsonl");
  std::array<std::size_t, 2> rows{};
  std::size_t more = 0;
  each_row(*data / "vectors/osv/eval_open.tsv", [&](const std::vector<std::string_view>& row) {
    const auto rules = rules_of(all.at(std::string(row[2])));
    const auto rule = rules.find(std::string(row[0]));
    const VersionKey version(*semver::Version::parse(row[1]));
    const auto found = rule == rules.end() ? std::nullopt : evaluate(rule->second, version);
    ++rows.at(found ? 1 : 0);
    EXPECT_EQ(found ? "1" : "0", row[3]) << row[0] << " " << row[1] << " " << row[2];
    if (knows_more(found, row[4])) ++more;
  });
  std::cout << rows[1] << " affected and " << rows[0] << " unaffected rows agree\n";
  EXPECT_EQ(rows[0] + rows[1], 8663U);
  EXPECT_EQ(more, 1U) << "bootstrap 3.4.1 is listed, and in a range with a fix";
}

TEST(Golden, EveryPairIsFoundWithItsFixesAndItsSeverity) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "no test data: pairs not checked";
  }
  const auto all = advisories(*data / "osv-npm.jsonl");
  std::set<std::array<std::string, 3>> distinct;
  std::size_t rows = 0;
  std::size_t past_last_known = 0;
  std::size_t more = 0;
  each_row(*data / "pairs_open.tsv", [&](const std::vector<std::string_view>& row) {
    SCOPED_TRACE(std::string(row[3]) + "@" + std::string(row[4]) + " " + std::string(row[6]));
    const Advisory& advisory = all.at(std::string(row[6]));
    const auto rules = rules_of(advisory);
    const std::string bytes = encode_rule(rules.at(std::string(row[3])));
    const auto view = RuleView::parse(bytes);
    const auto found = view->evaluate(VersionKey(*semver::Version::parse(row[4])));
    ASSERT_TRUE(found);
    if (knows_more(found, row[9])) ++more;
    EXPECT_EQ(joined(view->decode().fixed), sorted_list(row[10]));
    EXPECT_EQ(upper(name(view->level())), row[8]);
    EXPECT_TRUE(row[7].empty() || is_named(advisory, split(row[7], ',')[0])) << row[7];
    if (row[14] == "past-last-known-affected") ++past_last_known;
    distinct.insert({std::string(row[3]), std::string(row[4]), std::string(row[6])});
    ++rows;
  });
  std::cout << rows << " pairs, " << distinct.size() << " distinct, " << past_last_known
            << " past the last known affected version: all found\n";
  EXPECT_EQ(rows, 6849U);
  EXPECT_EQ(distinct.size(), 2629U);
  EXPECT_EQ(past_last_known, 9U);
  EXPECT_EQ(more, 2U) << "bootstrap 3.4.1 twice";
}

TEST(Golden, RealRulesAreSmallAndFast) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "no test data: real rules not measured";
  }
  std::vector<std::string> encoded;
  std::size_t bytes = 0;
  std::size_t intervals = 0;
  for (const char* file : {"osv-npm.jsonl", "osv-npm-malicious.jsonl"}) {
    for (const auto& [id, advisory] : advisories(*data / file)) {
      for (const auto& [package, rule] : rules_of(advisory)) {
        encoded.push_back(encode_rule(rule));
        bytes += encoded.back().size();
        intervals += rule.intervals.size();
        const auto view = RuleView::parse(encoded.back());
        ASSERT_TRUE(view) << id << describe(view.error());
        EXPECT_EQ(view->decode(), rule) << id;
      }
    }
  }
  const VersionKey version(*semver::Version::parse("4.17.20"));
  constexpr int kRounds = 20;
  std::size_t hits = 0;
  const auto start = Clock::now();
  for (int round = 0; round < kRounds; ++round) {
    for (const std::string& rule : encoded) {
      if (RuleView::parse(rule)->evaluate(version)) ++hits;
    }
  }
  const double each = seconds_since(start) / kRounds / static_cast<double>(encoded.size());
  std::cout << encoded.size() << " rules, " << intervals << " intervals, " << bytes << " bytes, "
            << each * 1e9 << " ns to decode and evaluate a rule (" << hits / kRounds << " hits)\n";
  EXPECT_GT(hits, 0U);
}

}  // namespace
}  // namespace cg::advisory
