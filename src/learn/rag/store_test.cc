// Writing, reading, and what is put right when somebody died or put older files there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "learn/rag/bench_test.h"
#include "learn/rag/index.h"

namespace cg::rag {
namespace {

namespace fs = std::filesystem;
using test::Bench;
using test::sample;
using testing::HasSubstr;

TEST(Store, WhatWasWrittenIsReadAndVerified) {
  Bench bench;
  const std::string id = bench.put(sample());
  const Reader store = bench.reader();
  EXPECT_TRUE(store.faults().empty());
  ASSERT_EQ(store.records().size(), 1U);
  const Record& record = store.records()[0];
  EXPECT_EQ(record.id, id);
  EXPECT_EQ(record.status, Provenance::verified);
  EXPECT_EQ(record.example.package, "tinysession");
  EXPECT_EQ(record.example.isolation, "namespaces");
  EXPECT_FALSE(record.example.gates.empty());
  EXPECT_EQ(store.all({"vuln-remediation", "javascript", "npm"}).size(), 1U);
  EXPECT_TRUE(store.all({"vuln-remediation", "javascript", "yarn"}).empty());
  EXPECT_TRUE(excluded(store.all(sample().partition), "GHSA-1", 1).empty());
  EXPECT_EQ(test::read(bench.path("rag/manifest.yaml")), write_manifest(store.ledger().manifest()));
}

TEST(Store, AWorkspaceWithoutOneReadsAsEmpty) {
  Bench bench;
  EXPECT_TRUE(bench.reader().records().empty());
  EXPECT_TRUE(bench.reader().faults().empty());
}

TEST(Store, OpeningANewOneIsNoRepair) {
  Bench bench;
  const Writer store = bench.writer();
  EXPECT_EQ(bench.kinds("rag_repaired"), 0U);
  EXPECT_TRUE(bench.reader().faults().empty());
}

TEST(Store, ALongRecordTakesSeveralLinesOfTheLog) {
  Bench bench;
  example::Example one = sample();
  for (int i = 0; i < 6; ++i) {
    one.sites.push_back({"javascript", std::string(9000, static_cast<char>('a' + i)) + "\"é\\",
                         std::string(7000, '"')});
  }
  const std::string id = bench.put(one);
  EXPECT_GT(bench.kinds("solved_example_written"), 10U);
  EXPECT_EQ(bench.status(id), "verified");
  EXPECT_EQ(bench.reader().records()[0].example.sites, one.sites);
}

TEST(Store, WhatIsKnownIsSkipped) {
  Bench bench;
  const std::string id = bench.put(sample());
  example::Example again = sample();
  again.workflow = bench.workflow();
  again.model = "another";
  record::Events events;
  Writer store = bench.writer();
  const auto written = store.write(again, test::passed(), {}, 2, events);
  ASSERT_TRUE(written) << written.error().what;
  EXPECT_TRUE(written->known);
  EXPECT_EQ(written->id, id);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(*events[0].as<record::SolvedExampleSkipped>(),
            (record::SolvedExampleSkipped{2, "a record says the same", id}));
  EXPECT_EQ(bench.kinds("solved_example_written"), 1U);
}

TEST(Store, WeakGatesTeachOnlyWherePolicySaysSo) {
  Bench bench;
  example::Example one = sample();
  one.workflow = bench.workflow();
  record::Events events;
  Writer strict = bench.writer();
  const auto refused = strict.write(one, test::passed(Weak::allow), {}, 1, events);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::rag_not_taken);
  EXPECT_THAT(events[0].as<record::SolvedExampleSkipped>()->reason, HasSubstr("learn.weak"));
  // One weak proof among several is enough to be refused.
  std::vector<gate::Passed> more;
  more.push_back(test::passed(Weak::allow));
  EXPECT_FALSE(strict.write(one, test::passed(), more, 1, events));
  EXPECT_TRUE(bench.reader().records().empty());
  Writer lax = bench.writer(Weak::allow);
  ASSERT_TRUE(lax.write(one, test::passed(), more, 1, events));
  const Reader store = bench.reader();
  bool weak = false;
  for (const auto& gate : store.records()[0].example.gates) weak = weak || gate.strength == "weak";
  EXPECT_TRUE(weak);
}

TEST(Store, WhatAnExampleSaysOfItsGatesIsNotBelieved) {
  Bench bench;
  example::Example one = sample();
  one.gates = {{"invented", "passed", "named"}};
  one.isolation = "microvm";
  const std::string id = bench.put(one);
  const Reader store = bench.reader();
  EXPECT_EQ(store.find(id)->example.isolation, "namespaces");
  for (const auto& gate : store.find(id)->example.gates) EXPECT_NE(gate.gate, "invented");
}

TEST(Store, OnlyAWorkflowOfThisLogCanTeach) {
  Bench bench;
  Writer store = bench.writer();
  record::Events events;
  for (const std::string& id :
       {std::string(), std::string("01J0000000000000000000000A"), std::string("../../x")}) {
    example::Example one = sample();
    one.workflow = id;
    const auto written = store.write(one, test::passed(), {}, 1, events);
    ASSERT_FALSE(written) << id;
    EXPECT_EQ(written.error().code, ErrorCode::rag_not_taken);
  }
  // Its stream was changed after it had ended.
  example::Example one = sample();
  one.workflow = bench.workflow();
  const std::string other = bench.workflow();
  fs::copy_file(bench.path("events/workflow-internal/" + other + ".jsonl.zst"),
                bench.path("events/workflow-internal/" + one.workflow + ".jsonl.zst"),
                fs::copy_options::overwrite_existing);
  EXPECT_FALSE(store.write(one, test::passed(), {}, 1, events));
  EXPECT_TRUE(bench.reader().records().empty());
  EXPECT_EQ(events.size(), 4U);
}

TEST(Store, AWorkflowThatStillRunsCanTeach) {
  Bench bench;
  auto stream = audit::WorkflowLog::start(*bench.log, "remediate", bench.clock, bench.random);
  ASSERT_TRUE(stream->append({record::CheckRan{"clock", "fine", "ok"}}));
  example::Example one = sample();
  one.workflow = stream->id().str();
  EXPECT_EQ(bench.status(bench.put(one)), "verified");
}

TEST(Store, WhatFailedIsKeptApart) {
  Bench bench;
  example::Example one = sample();
  one.workflow = bench.workflow();
  record::Events events;
  Writer store = bench.writer();
  const auto written = store.write_failed(one, test::failed(), 1, events);
  ASSERT_TRUE(written) << written.error().what;
  const Reader read = bench.reader();
  EXPECT_FALSE(read.records()[0].example.worked);
  EXPECT_THAT(read.records()[0].example.failure, HasSubstr("build: exit 1"));
  // The same as a success is another record.
  ASSERT_TRUE(store.write(one, test::passed(), {}, 2, events));
  EXPECT_EQ(bench.reader().records().size(), 2U);
}

TEST(Store, FromTheLogAloneEveryByteComesBack) {
  Bench bench;
  for (int i = 0; i < 5; ++i) static_cast<void>(bench.put(sample("p" + std::to_string(i))));
  Writer store = bench.writer();
  ASSERT_TRUE(store.quarantine(bench.reader().records()[2].id, "looked odd"));
  const auto before = bench.files();
  EXPECT_EQ(before.size(), 6U);
  fs::remove_all(bench.path("rag"));
  EXPECT_EQ(bench.reader().faults(), std::vector<std::string>{"manifest.yaml is missing"});
  const Writer again = bench.writer();
  EXPECT_EQ(again.repaired().made, 5U);
  EXPECT_EQ(bench.files(), before);
  EXPECT_EQ(bench.kinds("rag_repaired"), 1U);
  EXPECT_TRUE(bench.reader().faults().empty());
}

TEST(Store, VectorsCountByTheirDigestInTheLog) {
  Bench bench;
  const std::string id = bench.put(sample());
  const std::string other = bench.put(sample("other"));
  Writer store = bench.writer();
  ASSERT_TRUE(store.keep_vectors("model-a", {{id, {0.5F, 0.25F}}, {"rec-x", {1.0F}}}));
  EXPECT_EQ(bench.reader("model-a").find(id)->vectors, (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(bench.status(other, "model-a"), "verified");
  EXPECT_TRUE(bench.reader("model-a").find(other)->vectors.empty());
  EXPECT_EQ(bench.status(id, "model-b"), "stale_model: its vectors are of model-a");
  EXPECT_EQ(bench.status(id), "verified");
  // A second model, for all; those of the first stay.
  const auto made = store.reembed(
      "model-b", [](const example::Example& e) -> Result<std::vector<float>, Problem> {
        return std::vector<float>{static_cast<float>(e.package.size())};
      });
  ASSERT_TRUE(made);
  EXPECT_EQ(*made, 2U);
  EXPECT_EQ(bench.reader("model-b").find(other)->vectors, std::vector<float>{5.0F});
  ASSERT_TRUE(store.rebuild());
  EXPECT_EQ(bench.reader("model-a").find(id)->vectors, (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(bench.reader("model-b").find(other)->vectors, std::vector<float>{5.0F});
  EXPECT_EQ(bench.kinds("rag_embedded"), 3U);
}

TEST(Store, AnIndexThatCannotBeUsedIsMadeAnew) {
  Bench bench;
  const std::string id = bench.put(sample());
  const std::string index = bench.path("rag/index.sqlite");
  const auto expect_fault = [&](const std::string& fault) {
    EXPECT_EQ(bench.reader("model-a").faults(),
              std::vector<std::string>{"index.sqlite is " + fault});
    EXPECT_EQ(bench.status(id, "model-a"), "verified");  // records are judged without it
    const Writer store = bench.writer();
    EXPECT_TRUE(bench.reader("model-a").faults().empty()) << fault;
  };
  fs::remove(index);
  expect_fault("missing");
  test::write(index, "no database at all, but long enough to be looked at as one, it seems");
  expect_fault("damaged");
  const std::string whole = test::read(index);
  test::write(index, whole.substr(0, whole.size() / 2));
  expect_fault("damaged");
  // Every page but the first.
  test::write(index, whole.substr(0, 4096) + std::string(whole.size() - 4096, '\xff'));
  expect_fault("damaged");
  {
    auto database = store::Database::open(index, store::Access::read_write);
    ASSERT_TRUE(database->execute("UPDATE meta SET value = '2' WHERE key = 'version'"));
  }
  expect_fault("of another version");
  test::write(index, "");
  expect_fault("damaged");
  const std::string old = test::read(index);
  static_cast<void>(bench.put(sample("other")));
  test::write(index, old);
  expect_fault("stale");
}

TEST(Store, AManifestThatDisagreesIsMadeAnew) {
  Bench bench;
  const std::string id = bench.put(sample());
  const std::string path = bench.path("rag/manifest.yaml");
  const std::string good = test::read(path);
  const auto expect_fault = [&](const std::string& bytes, const std::string& fault) {
    test::write(path, bytes);
    EXPECT_EQ(bench.reader().manifest_fault(), fault);
    EXPECT_EQ(bench.status(id), "verified");
    const std::uint64_t told = bench.kinds("rag_repaired");
    const Writer store = bench.writer();
    EXPECT_EQ(store.repaired().manifest, fault);
    EXPECT_EQ(test::read(path), good);
    EXPECT_EQ(bench.kinds("rag_repaired"), told + 1);
  };
  expect_fault(good.substr(0, good.size() / 2), "unreadable");
  expect_fault(test::replaced(good, "blake3:", "blake3:0"), "unreadable");
  Manifest manifest = parse_manifest(good).value();
  manifest.rows.clear();
  expect_fault(write_manifest(manifest), "another");
  manifest.log = std::string(32, 'b');
  expect_fault(write_manifest(manifest), "of another log");
  manifest = parse_manifest(good).value();
  manifest.entries += 3;
  expect_fault(write_manifest(manifest), "ahead");
}

TEST(Store, AHalfWrittenRecordIsExcludedAndSetAside) {
  Bench bench;
  const std::string id = bench.put(sample());
  const std::string whole = test::read(bench.file(id));
  test::write(bench.file(id), whole.substr(0, whole.size() / 2));
  EXPECT_THAT(bench.status(id), HasSubstr("edited: its file cannot be read"));
  Writer store = bench.writer();
  const auto found = store.verify();
  ASSERT_TRUE(found) << found.error().what;
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ((*found)[0].status, Provenance::edited);
  EXPECT_THAT(bench.status(id), HasSubstr("quarantined: "));
  // What was found is kept beside what the log has.
  EXPECT_EQ(test::read(bench.path("rag/quarantine/" + id + ".json")), whole);
  EXPECT_EQ(bench.files().size(), 3U);
  EXPECT_TRUE(store.verify()->empty());
}

TEST(Store, TemporaryFilesOfSomebodyWhoDiedAreNoRecords) {
  Bench bench;
  const std::string id = bench.put(sample());
  const std::string left = bench.path("rag/records/.cg-tmp-1234");
  ASSERT_TRUE(os::is_leftover(fs::path(left).filename().string()));
  test::write(left, "half");
  EXPECT_EQ(bench.reader().records().size(), 1U);
  const Writer store = bench.writer();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_EQ(bench.status(id), "verified");
}

TEST(Store, AQuarantinedRecordComesBackOnceItIsReleased) {
  Bench bench;
  const std::string id = bench.put(sample());
  const auto before = bench.files();
  Writer store = bench.writer();
  EXPECT_EQ(store.quarantine("rec-" + std::string(24, '0'), "x").error().code,
            ErrorCode::rag_unknown);
  ASSERT_TRUE(store.quarantine(id, "looked odd"));
  EXPECT_EQ(bench.status(id), "quarantined: looked odd");
  EXPECT_FALSE(fs::exists(bench.file(id)));
  Release release{id, "it is fine", "SHA256:abc", {}};
  release.statement.fill(1);
  ASSERT_TRUE(store.release(release));
  EXPECT_EQ(bench.status(id), "verified");
  EXPECT_EQ(bench.files().at("records/" + id + ".json"), before.at("records/" + id + ".json"));
  EXPECT_EQ(store.release(release).error().code, ErrorCode::rag_release);
  ASSERT_TRUE(store.quarantine(id, "again"));
  const auto twice = store.release(release);
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().what, HasSubstr("used already"));
}

TEST(Release, TakesASignatureOfSomebodyWhoMay) {
  const sign::Seed seed = {7};
  const std::string log(32, 'a');
  const std::string text =
      "schema: codegenie/rag-release/v1\nrecord: rec-0123456789abcdef01234567\nlog: " + log +
      "\nreason: looked at\nexpires: 2026-12-31\n";
  const std::string signature = sign::ssh_sign(seed, kReleaseNamespace, text);
  const auto signers =
      *sign::parse_allowed_signers("ops@example namespaces=\"codegenie-rag\" " +
                                   sign::write_ssh_public_key(sign::public_key(seed)) + "\n");
  const Time now = *parse_date("2026-11-15");
  const auto why = [&](const std::string& statement, const std::string& by,
                       const sign::AllowedSigners& allowed, Time at) {
    const auto read = read_release(statement, by, allowed, log, at);
    return read ? std::string() : read.error();
  };
  const auto good = read_release(text, signature, signers, log, now);
  ASSERT_TRUE(good) << good.error();
  EXPECT_EQ(good->record, "rec-0123456789abcdef01234567");
  EXPECT_THAT(why(text, signature, {}, now), HasSubstr("may not"));
  EXPECT_THAT(why(text + "#", signature, signers, now), HasSubstr("its signature"));
  EXPECT_THAT(why(text, sign::ssh_sign(seed, "codegenie-budget", text), signers, now),
              HasSubstr("its signature"));
  EXPECT_EQ(why(text, signature, signers, *parse_date("2027-01-01")), "it has run out");
  for (const auto& [from, to, what] :
       std::vector<std::array<std::string, 3>>{{log, std::string(32, 'b'), "another log"},
                                               {"looked at", "''", "no reason"},
                                               {"2026-12-31", "soon", "no date"},
                                               {"record: ", "recorded: ", "no id"},
                                               {"rec-01", "rec-../", "no id"},
                                               {"reason: looked at\n", "", "nothing else"}}) {
    const std::string other = test::replaced(text, from, to);
    const auto read =
        read_release(other, sign::ssh_sign(seed, kReleaseNamespace, other), signers, log, now);
    ASSERT_FALSE(read) << what;
    EXPECT_THAT(read.error(), HasSubstr(what));
  }
}

}  // namespace
}  // namespace cg::rag
