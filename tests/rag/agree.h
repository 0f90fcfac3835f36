// Whether store, index and log say the same.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "base/store/database.h"
#include "learn/rag/bench_test.h"
#include "learn/rag/index.h"

namespace cg::rag::test {

/// What was acknowledged, by record: the last of it.
using Said = std::map<std::string, std::string>;

inline void take_said(const std::string& lines, Said& said) {
  std::size_t from = 0;
  for (std::size_t end = lines.find('\n'); end != std::string::npos;
       end = lines.find('\n', from = end + 1)) {
    const std::string line = lines.substr(from, end - from);
    said[line.substr(line.find(' ') + 1)] = line.substr(0, line.find(' '));
  }
}

/// As somebody who died left it: readable, and nothing honest looks like a forgery.
inline void expect_readable(const os::Dir& home) {
  const auto store = Reader::open(home, "model-a");
  ASSERT_TRUE(store) << store.error().what;
  for (const Record& record : store->records()) {
    EXPECT_TRUE(record.status == Provenance::verified || record.status == Provenance::quarantined)
        << record.id << " " << name(record.status) << " " << record.why;
  }
}

/// Once the next writer has opened it. Nothing that was acknowledged is lost.
inline void expect_agreement(Bench& bench, const Said& said) {
  { const Writer next = bench.writer(); }
  const Reader store = bench.reader("model-a");
  EXPECT_TRUE(store.faults().empty()) << store.faults().front();
  std::map<std::string, std::string> expected;
  expected["manifest.yaml"] = write_manifest(store.ledger().manifest());
  for (const Entry& entry : store.ledger().entries()) {
    expected[std::string(entry.quarantined.empty() ? kRecords : kQuarantine) + "/" +
             record_name(entry.id)] = write_record(entry.file(store.ledger().log));
  }
  const auto found = bench.files();
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_TRUE(found == expected);
  auto index = store::Database::open(bench.path("rag/index.sqlite"), store::Access::read_only);
  ASSERT_TRUE(index);
  EXPECT_TRUE(index->check_integrity());
  auto rows = index->prepare("SELECT id, quarantined FROM records");
  ASSERT_TRUE(rows);
  std::size_t count = 0;
  for (auto row = rows->step(); row && *row; row = rows->step()) {
    const Entry* entry = store.ledger().find(*rows->text(0));
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(*rows->integer(1) == 1, !entry->quarantined.empty());
    ++count;
  }
  EXPECT_EQ(count, store.ledger().entries().size());
  for (const auto& [id, what] : said) {
    const Record* record = store.find(id);
    ASSERT_NE(record, nullptr) << what << " " << id;
    if (what == "quarantined") {
      EXPECT_EQ(record->status, Provenance::quarantined) << id;
    }
    if (what == "embedded") {
      EXPECT_EQ(record->vectors.size(), 1U) << id;
    }
  }
}

}  // namespace cg::rag::test
