// The files of the store as bytes: what is taken, and what is not.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/wire/floats.h"
#include "learn/rag/bench_test.h"
#include "learn/rag/rescan.h"
#include "trust/hash/blake3.h"

namespace cg::rag {
namespace {

RecordFile record_sample() {
  RecordFile out{example::write(test::sample()), {}, std::string(32, 'a'), std::nullopt, 12};
  out.head.fill(7);
  return out;
}

TEST(RecordFile, ReadsBackWhatWasWritten) {
  RecordFile record = record_sample();
  EXPECT_EQ(parse_record(write_record(record)).value(), record);
  Origin origin{{}, {}, std::string(32, 'b'), 3, "SHA256:abc"};
  origin.anchor.fill(1);
  origin.bundle.fill(2);
  record.origin = origin;
  EXPECT_EQ(parse_record(write_record(record)).value(), record);
}

TEST(RecordFile, TakesNoOtherBytes) {
  const std::string bytes = write_record(record_sample());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(parse_record(bytes.substr(0, i))) << i;
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ 1);
    const auto read = parse_record(other);
    EXPECT_TRUE(!read || write_record(*read) == other) << i;
    EXPECT_FALSE(read && *read == record_sample()) << i;
  }
  EXPECT_FALSE(parse_record(""));
  EXPECT_FALSE(parse_record(std::string(kMaxRecordFile + 1, ' ')));
  EXPECT_FALSE(parse_record(std::string(10'000, '[')));
}

TEST(RecordFile, NamesAreIdsAndNothingElse) {
  EXPECT_TRUE(is_record_id(example::id_of(test::sample())));
  for (const char* bad : {"", "rec-", "rec-../../etc", "rec-0123456789ABCDEF01234567",
                          "rec-0123456789abcdef0123456", "rec-0123456789abcdef012345678"}) {
    EXPECT_FALSE(is_record_id(bad)) << bad;
  }
}

Manifest manifest_sample() {
  Manifest out{std::string(32, 'a'), 40, {}};
  for (char c = '0'; c < '4'; ++c) {
    out.rows.push_back({"rec-" + std::string(24, c), {}, c == '2'});
    out.rows.back().digest.fill(static_cast<Byte>(c));
  }
  return out;
}

TEST(Manifest, ReadsBackWhatWasWritten) {
  EXPECT_EQ(parse_manifest(write_manifest(manifest_sample())).value(), manifest_sample());
  const Manifest empty{std::string(32, 'a'), 0, {}};
  EXPECT_EQ(parse_manifest(write_manifest(empty)).value(), empty);
}

TEST(Manifest, HasAnotherHeadForEveryOtherContent) {
  const hash::Digest head = head_of(manifest_sample());
  Manifest other = manifest_sample();
  std::swap(other.rows[0], other.rows[1]);
  EXPECT_NE(head_of(other), head);
  other = manifest_sample();
  other.rows[2].quarantined = false;
  EXPECT_NE(head_of(other), head);
  other.rows.pop_back();
  EXPECT_NE(head_of(other), head);
}

TEST(Manifest, TakesNoOtherBytes) {
  const std::string text = write_manifest(manifest_sample());
  for (std::size_t i = 0; i < text.size(); ++i) {
    // The end of the last line goes without saying in YAML, and is missed all the same.
    EXPECT_FALSE(parse_manifest(text.substr(0, i))) << i;
    std::string other = text;
    other[i] = static_cast<char>(other[i] ^ 1);
    const auto read = parse_manifest(other);
    EXPECT_FALSE(read && *read == manifest_sample()) << i;
  }
  EXPECT_FALSE(parse_manifest("records: [1, 2"));
}

TEST(Phrases, AreFoundHoweverTheyAreDressed) {
  const auto phrases = parse_phrases("# ours\n\nlocal-1 Purple  Elephant\n");
  ASSERT_TRUE(phrases) << phrases.error();
  ASSERT_EQ(phrases->size(), 1U);
  example::Example one = test::sample();
  EXPECT_TRUE(scan_example(one, *phrases).empty());
  one.sites[0].after = "// a PURPLE\n elephant";
  const auto found = scan_example(one, *phrases);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].pattern, "local-1");
  EXPECT_EQ(found[0].field, "sites[0].after");
  EXPECT_FALSE(parse_phrases("alone\n"));
  EXPECT_FALSE(parse_phrases("id  \n"));
  EXPECT_FALSE(parse_phrases(std::string("\xff\xfe")));
}

TEST(Vectors, AreBytesInOneOrder) {
  const std::vector<float> vector = {1.5F, -0.25F, 0.0F};
  EXPECT_EQ(wire::floats_of_bytes(wire::bytes_of_floats(vector)), vector);
  EXPECT_EQ(to_hex(as_bytes(wire::bytes_of_floats(vector))), "0000c03f000080be00000000");
  EXPECT_TRUE(wire::floats_of_bytes("abc").empty());
  EXPECT_EQ(digest_of(vector), hash::blake3(as_bytes(wire::bytes_of_floats(vector))));
}

/// A record as the log gets it: its parts, then whatever comes.
record::Events parts_of_sample(const example::Example& example, std::size_t parts) {
  const std::string text = example::write(example);
  record::Events out;
  const std::size_t each = text.size() / parts + 1;
  for (std::size_t i = 0; i < parts; ++i) {
    record::SolvedExampleWritten event;
    event.digest = hash::blake3(as_bytes(text));
    event.part = i + 1;
    event.parts = parts;
    event.record = example::id_of(example);
    event.text = text.substr(i * each, each);
    out.emplace_back(event);
  }
  return out;
}

Ledger ledger_of(const record::Events& events) {
  Ledger out;
  for (std::size_t i = 0; i < events.size(); ++i) out.apply(events[i], i, {});
  return out;
}

TEST(Ledger, TakesARecordWhoseEveryPartIsThere) {
  const record::Events parts = parts_of_sample(test::sample(), 3);
  const Ledger whole = ledger_of(parts);
  ASSERT_EQ(whole.entries().size(), 1U);
  EXPECT_EQ(whole.entries()[0].example, test::sample());
  EXPECT_EQ(whole.entries()[0].lines, 3U);
  EXPECT_EQ(whole.counted(), 3U);
  for (std::size_t missing = 0; missing < 3; ++missing) {
    record::Events some = parts;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(missing));
    EXPECT_TRUE(ledger_of(some).entries().empty()) << missing;
  }
  record::Events swapped = parts;
  std::swap(swapped[1], swapped[2]);
  EXPECT_TRUE(ledger_of(swapped).entries().empty());
  record::Events between = parts;
  between.insert(between.begin() + 2, record::OperatorNoted{"between"});
  EXPECT_TRUE(ledger_of(between).entries().empty());
}

TEST(Ledger, AWriteThatWasCutShortIsWrittenAgain) {
  record::Events events = parts_of_sample(test::sample(), 3);
  events.pop_back();
  const record::Events again = parts_of_sample(test::sample(), 3);
  events.insert(events.end(), again.begin(), again.end());
  const Ledger ledger = ledger_of(events);
  ASSERT_EQ(ledger.entries().size(), 1U);
  EXPECT_EQ(ledger.entries()[0].seq, 2U);
}

TEST(Ledger, BelievesNoIdAndNoDigest) {
  for (int change = 0; change < 3; ++change) {
    record::SolvedExampleWritten event =
        *parts_of_sample(test::sample(), 1)[0].as<record::SolvedExampleWritten>();
    if (change == 0) event.record = "rec-" + std::string(24, '0');
    if (change == 1) event.digest.fill(9);
    if (change == 2) event.text += " ";
    EXPECT_TRUE(ledger_of({event}).entries().empty()) << change;
  }
}

TEST(Ledger, KnowsWhoTeachesTheSame) {
  const Ledger ledger = ledger_of(parts_of_sample(test::sample(), 1));
  example::Example again = test::sample();
  again.workflow = "01J0000000000000000000000B";
  again.model = "another-model";
  again.isolation = "microvm";
  EXPECT_NE(ledger.same_as(again), nullptr);
  again.sites[0].after += ";";
  EXPECT_EQ(ledger.same_as(again), nullptr);
}

TEST(Gates, OfSeveralProofsTheWeakestCounts) {
  const gate::Passed strong = test::passed();
  const gate::Passed weak = test::passed(Weak::allow);
  EXPECT_FALSE(strong.weak());
  ASSERT_TRUE(weak.weak());
  const auto tests_in = [](const std::vector<example::GateResult>& gates) {
    for (const example::GateResult& one : gates) {
      if (one.gate == "tests") return one.state + " " + one.strength;
    }
    return std::string();
  };
  EXPECT_EQ(tests_in(gates_of({&strong.signals()})), "passed named");
  EXPECT_EQ(tests_in(gates_of({&strong.signals(), &weak.signals()})), "passed weak");
  EXPECT_EQ(tests_in(gates_of({&weak.signals(), &strong.signals()})), "passed weak");
}

TEST(Query, NamesTheNearestFirstAndSaysWhatItLeftOut) {
  std::vector<Seen> seen;
  for (int i = 0; i < 1000; ++i) {
    seen.push_back({"rec-" + std::string(24, '0'), i / 1000.0, Provenance::edited});
  }
  const record::RagQuery query = query_event(seen, "GHSA-1", 1, "m");
  EXPECT_TRUE(query.similarity.starts_with("rec-000000000000000000000000 0.999 edited\nrec-"));
  EXPECT_EQ(query.compared, 1000U);
  EXPECT_GT(query.left_out, 0U);
  EXPECT_LE(query.similarity.size(), record::kMaxPart);
  const auto lines = std::count(query.similarity.begin(), query.similarity.end(), '\n') + 1;
  EXPECT_EQ(static_cast<std::uint64_t>(lines) + query.left_out, 1000U);
}

}  // namespace
}  // namespace cg::rag
