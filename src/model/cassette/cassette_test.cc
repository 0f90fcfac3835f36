#include "model/cassette/cassette.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "model/cassette/folder.h"
#include "support/support.h"
#include "trust/hash/blake3.h"

namespace cg::cassette {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using State = Row::State;
using Kind = Error::Kind;

const std::string kLeakedKey = std::string("sk-") + "ant-" + "api03-Zq7Xw2Vb9Lk4Tn6Rp1Hd8Gs3";

std::array<Byte, 32> seed() {
  std::array<Byte, 32> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Byte>(i);
  return out;
}

Exchange exchange(const std::string& ask, const std::string& answer) {
  return {"{\"messages\":\"" + ask + "\"}",
          {200,
           {{"content-type", "application/json"}, {"request-id", "req_7"}},
           "{\"text\":\"" + answer + "\\n\xc3\xa9\"}"}};
}

Cassette sample() {
  Cassette out{seed(), "model-1", {exchange("one", "a"), exchange("two", "b")}};
  out.exchanges.push_back(exchange("one", "c"));
  out.exchanges.push_back({"{}", {529, {}, ""}});
  return out;
}

TEST(CassetteText, RoundTripsToTheByte) {
  const std::string text = write(sample());
  EXPECT_THAT(text, testing::StartsWith(
                        "{\"model\":\"model-1\",\"schema\":\"codegenie/cassette/v1\",\"seed\":"
                        "\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\"}\n"
                        "{\"request\":{\"body\":"));
  const auto again = parse(text);
  ASSERT_TRUE(again) << again.error().what;
  EXPECT_EQ(*again, sample());
  EXPECT_EQ(write(*again), text);
  EXPECT_TRUE(parse(write({seed(), "m", {}})));
}

TEST(CassetteText, NoByteOfARequestOrOfTheShapeCanBeChanged) {
  // A byte of an answer, the model or the seed is other content: the lock pins those.
  const std::string text = write(sample());
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const unsigned flip : {1U, 128U}) {
      std::string bad = text;
      bad[at] = static_cast<char>(static_cast<unsigned char>(bad[at]) ^ flip);
      const auto read = parse(bad);
      if (!read) continue;
      ++accepted;
      EXPECT_EQ(write(*read), bad) << at;
      for (std::size_t i = 0; i < read->exchanges.size(); ++i) {
        EXPECT_EQ(read->exchanges[i].request, sample().exchanges[i].request) << at;
      }
    }
    const auto cut = parse(text.substr(0, at));
    EXPECT_TRUE(!cut || (at > 0 && text[at - 1] == '\n')) << at;
  }
  EXPECT_LT(accepted, text.size());
}

TEST(CassetteText, OnlyWhatIsWrittenIsRead) {
  const std::string text = write(sample());
  const auto with = [&text](const std::string& from, const std::string& to) {
    std::string out = text;
    return out.replace(out.find(from), from.size(), to);
  };
  for (const std::string& bad : {std::string(),
                                 std::string("\n"),
                                 std::string("{}\n"),
                                 std::string("[]\n"),
                                 text + "\n",
                                 text + "{}\n",
                                 text + "null\n",
                                 text.substr(0, text.size() - 1),
                                 with("v1", "v2"),
                                 with("\"seed\":\"00", "\"seed\":\"0"),
                                 with("model-1", ""),
                                 with("model-1", "model 1"),
                                 with("model-1", kLeakedKey),
                                 with("{\"model\"", "{ \"model\""),
                                 with("\"status\":200", "\"status\":99"),
                                 with("\"status\":200", "\"status\":600"),
                                 with("\"status\":200", "\"status\":2e2"),
                                 with("\"status\":200", "\"status\":65736"),
                                 with("\"digest\":\"", "\"digest\":\"0"),
                                 with("[[", "[[],["),
                                 with("[[\"content-type\"", "[[\"content-type\",\"a\""),
                                 with("\"request\":{", "\"request\":{\"a\":1,"),
                                 with("\n", "\r\n"),
                                 with("{\\\"messages\\\"", "{\\\"Messages\\\"")}) {
    const auto read = parse(bad);
    ASSERT_FALSE(read) << bad.substr(0, 200);
    EXPECT_EQ(read.error().kind, Kind::malformed) << read.error().what;
    EXPECT_THAT(read.error().what, Not(HasSubstr("ant-")));
  }
}

TEST(CassetteText, IsBounded) {
  EXPECT_EQ(parse(std::string(kMaxFile + 1, 'a')).error().kind, Kind::too_large);
  Cassette many{seed(), "m", std::vector<Exchange>(kMaxExchanges, {"{}", {200, {}, ""}})};
  EXPECT_TRUE(parse(write(many)));
  many.exchanges.push_back(many.exchanges.front());
  EXPECT_EQ(parse(write(many)).error().kind, Kind::too_large);
  Cassette large = sample();
  large.exchanges[0].response.body = std::string(kMaxBody + 1, ' ');
  EXPECT_EQ(parse(write(large)).error().kind, Kind::too_large);
  EXPECT_EQ(parse(std::string(1 << 20, '[') + "\n").error().kind, Kind::malformed);
}

TEST(CassetteText, ARequestIsJson) {
  Cassette odd = sample();
  odd.exchanges[0].request = "hello";
  EXPECT_EQ(parse(write(odd)).error().kind, Kind::not_text);
}

TEST(Tape, EqualRequestsGetTheirAnswersInOrderAndOnce) {
  Tape tape(sample());
  EXPECT_EQ(tape.left(), 4U);
  const std::string one = sample().exchanges[0].request;
  EXPECT_EQ(tape.next("{}")->status, 529);
  EXPECT_EQ(*tape.next(one), sample().exchanges[0].response);
  EXPECT_EQ(*tape.next(key_of(one)), sample().exchanges[2].response);
  EXPECT_EQ(tape.next(one), nullptr);
  EXPECT_EQ(tape.next("{\"messages\":\"three\"}"), nullptr);
  EXPECT_EQ(tape.left(), 1U);
}

TEST(Tape, ARequestWithASecretFindsTheAnswerThatWasRecordedForIt) {
  Recorder recorder(seed(), "model-1");
  const std::string ask = "{\"messages\":\"use " + kLeakedKey + "\"}";
  ASSERT_TRUE(recorder.add({ask, {200, {}, "{}"}}));
  EXPECT_NE(key_of(ask), hash::blake3(as_bytes(ask))) << "the key says nothing of the secret";
  Tape tape(*parse(write(recorder.cassette())));
  EXPECT_NE(tape.next(ask), nullptr);
}

TEST(LockText, HasOneSpelling) {
  const std::vector<Pin> pins = {{"b.jsonl", hash::blake3(as_bytes("b"))},
                                 {"a.jsonl", hash::blake3(as_bytes("a"))}};
  const std::string text = write_lock(pins);
  ASSERT_TRUE(parse_lock(text));
  EXPECT_EQ(parse_lock(text)->front().name, "a.jsonl");
  EXPECT_EQ(write_lock(*parse_lock(text)), text);
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string bad = text;
    bad[at] = static_cast<char>(static_cast<unsigned char>(bad[at]) ^ 1U);
    const auto read = parse_lock(bad);
    EXPECT_TRUE(!read || write_lock(*read) == bad) << at;
    EXPECT_FALSE(parse_lock(text.substr(0, at)) && at > 0 && text[at - 1] != '\n') << at;
  }
  const std::string line = text.substr(text.find('\n') + 1);
  for (const std::string& bad : {std::string(), line, text + line, text + "\n", text + "x\n",
                                 text.substr(0, text.size() - 1)}) {
    EXPECT_FALSE(parse_lock(bad)) << bad;
  }
}

TEST(LockText, NamesStayInTheFolder) {
  for (const std::string_view good : {"a.jsonl", "A-1_b.c.jsonl"}) {
    EXPECT_TRUE(is_cassette_name(good)) << good;
  }
  for (const std::string_view bad : {"", ".jsonl", "a.json", "../a.jsonl", "a/b.jsonl", ".a.jsonl",
                                     "-a.jsonl", "a b.jsonl", "a\n.jsonl", "cassettes.lock"}) {
    EXPECT_FALSE(is_cassette_name(bad)) << bad;
  }
  EXPECT_FALSE(is_cassette_name(std::string(95, 'a') + ".jsonl"));
}

/// A folder with two good cassettes.
struct Bench {
  test::ScratchDir scratch;
  os::Dir dir = *os::Dir::open(scratch.path());
  Bench() {
    record("one.jsonl");
    record("two.jsonl");
  }
  void record(const std::string& file) const {
    Recorder recorder(seed(), "model-1");
    for (const Exchange& one : sample().exchanges) ASSERT_TRUE(recorder.add(one));
    ASSERT_TRUE(recorder.finish(dir, file));
  }
  [[nodiscard]] State state(const std::string& file) const {
    const auto checked = check_folder(dir);
    EXPECT_TRUE(checked) << checked.error().what;
    for (const Row& row : checked->rows) {
      if (row.file == file) return row.state;
    }
    ADD_FAILURE() << "no row for " << file;
    return State::good;
  }
};

TEST(Folder, WhatWasRecordedIsPinnedCleanAndPlayed) {
  const Bench bench;
  const auto checked = check_folder(bench.dir);
  ASSERT_TRUE(checked);
  EXPECT_TRUE(checked->good());
  ASSERT_EQ(checked->rows.size(), 2U);
  EXPECT_EQ(checked->rows[1].file, "two.jsonl");
  EXPECT_EQ(checked->rows[1].exchanges, 4U);
  EXPECT_EQ(*load(bench.dir, "one.jsonl"), sample());
  bench.record("one.jsonl");
  EXPECT_TRUE(check_folder(bench.dir)->good()) << "recorded again, pinned again";
  test::write(bench.scratch / "README.md", "x");
  EXPECT_TRUE(check_folder(bench.dir)->good());
}

TEST(Folder, AnEmptyOneIsGood) {
  const test::ScratchDir scratch;
  const auto checked = check_folder(*os::Dir::open(scratch.path()));
  EXPECT_TRUE(checked->good());
  EXPECT_TRUE(checked->rows.empty());
}

TEST(Folder, EveryByteOfAFileIsPinned) {
  const Bench bench;
  const std::string text = test::read(bench.scratch / "one.jsonl");
  for (std::size_t at = 0; at < text.size(); at += 7) {
    std::string bad = text;
    bad[at] = static_cast<char>(static_cast<unsigned char>(bad[at]) ^ 1U);
    test::write(bench.scratch / "one.jsonl", bad);
    ASSERT_EQ(load(bench.dir, "one.jsonl").error().kind, Kind::changed) << at;
  }
  EXPECT_EQ(bench.state("one.jsonl"), State::changed);
  EXPECT_EQ(bench.state("two.jsonl"), State::good);
  test::write(bench.scratch / "one.jsonl", text);
  EXPECT_TRUE(check_folder(bench.dir)->good());
}

TEST(Folder, WhatIsWrongHasARowOfItsOwn) {
  const Bench bench;
  fs::copy_file(bench.scratch / "one.jsonl", bench.scratch / "new.jsonl");
  fs::remove(bench.scratch / "two.jsonl");
  fs::create_symlink("one.jsonl", bench.scratch / "link.jsonl");
  fs::create_directory(bench.scratch / "folder.jsonl");
  test::write(bench.scratch / "one.jsonl.bak", "x");
  EXPECT_EQ(bench.state("one.jsonl"), State::good);
  EXPECT_EQ(bench.state("new.jsonl"), State::unpinned);
  EXPECT_EQ(bench.state("two.jsonl"), State::missing);
  EXPECT_EQ(bench.state("link.jsonl"), State::unpinned);
  EXPECT_EQ(bench.state("folder.jsonl"), State::unpinned);
  EXPECT_EQ(bench.state("one.jsonl.bak"), State::stray);
  EXPECT_FALSE(check_folder(bench.dir)->good());
  EXPECT_EQ(load(bench.dir, "new.jsonl").error().kind, Kind::unpinned);
  EXPECT_EQ(load(bench.dir, "two.jsonl").error().kind, Kind::unreadable);
  EXPECT_EQ(load(bench.dir, "../one.jsonl").error().kind, Kind::unpinned);
}

TEST(Folder, APinDoesNotMakeALinkOrASecretGood) {
  const Bench bench;
  Cassette leaky = sample();
  leaky.exchanges[1].response.body = "the key is " + kLeakedKey;
  const std::string text = write(leaky);
  test::write(bench.scratch / "leak.jsonl", text);
  EXPECT_EQ(bench.state("leak.jsonl"), State::unclean) << "told even where there is no pin";
  fs::rename(bench.scratch / "one.jsonl", bench.scratch / "elsewhere");
  fs::create_symlink("elsewhere", bench.scratch / "one.jsonl");
  auto pins = *parse_lock(test::read(bench.scratch / "cassettes.lock"));
  pins.push_back({"leak.jsonl", hash::blake3(as_bytes(text))});
  test::write(bench.scratch / "cassettes.lock", write_lock(pins));
  EXPECT_EQ(bench.state("one.jsonl"), State::unreadable);
  EXPECT_EQ(bench.state("leak.jsonl"), State::unclean);
  const auto loaded = load(bench.dir, "leak.jsonl");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, Kind::unclean);
  EXPECT_EQ(loaded.error().what, "line 3: anthropic-key in the response body");
}

TEST(Folder, ABrokenLockIsAnErrorAndIsNotWrittenOver) {
  const Bench bench;
  test::write(bench.scratch / "cassettes.lock", "<<<<<<< ours\n");
  EXPECT_EQ(check_folder(bench.dir).error().kind, Kind::malformed);
  EXPECT_EQ(load(bench.dir, "one.jsonl").error().kind, Kind::malformed);
  const Recorder recorder(seed(), "model-1");
  EXPECT_FALSE(recorder.finish(bench.dir, "three.jsonl"));
  EXPECT_FALSE(fs::exists(bench.scratch / "three.jsonl"));
  fs::remove(bench.scratch / "cassettes.lock");
  EXPECT_EQ(bench.state("one.jsonl"), State::unpinned);
}

TEST(Recorder, TakesOutSecretsAndTellsOfThem) {
  Recorder recorder(seed(), "model-1");
  Exchange leaky = exchange("a " + kLeakedKey, "b " + kLeakedKey);
  leaky.response.headers.emplace_back("Set-Cookie", "session=1");
  leaky.response.headers.emplace_back("Date", "today");
  ASSERT_TRUE(recorder.add(leaky));
  const std::string text = write(recorder.cassette());
  EXPECT_THAT(text, Not(HasSubstr("ant-")));
  EXPECT_THAT(text, Not(HasSubstr("session")));
  ASSERT_EQ(recorder.found().size(), 3U) << "the date is no secret";
  EXPECT_EQ(recorder.found()[0].where, "request /messages");
  EXPECT_TRUE(parse(text));
}

TEST(Recorder, RefusesWhatItCannotKeepAndStaysAsItWas) {
  Recorder recorder(seed(), "model-1");
  ASSERT_TRUE(recorder.add(exchange("one", "a")));
  const std::string before = write(recorder.cassette());
  const std::string large(kMaxBody + 1, ' ');
  EXPECT_EQ(recorder.add({"{}", {200, {}, "\xff"}}).error().kind, Kind::not_text);
  EXPECT_EQ(recorder.add({"hello", {200, {}, ""}}).error().kind, Kind::not_text);
  EXPECT_EQ(recorder.add({"{}", {200, {}, large}}).error().kind, Kind::too_large);
  EXPECT_EQ(recorder.add({large, {200, {}, ""}}).error().kind, Kind::too_large);
  EXPECT_EQ(recorder.add({"{}", {0, {}, ""}}).error().kind, Kind::malformed);
  EXPECT_EQ(write(recorder.cassette()), before);
  const test::ScratchDir scratch;
  const auto dir = *os::Dir::open(scratch.path());
  EXPECT_FALSE(recorder.finish(dir, "../a.jsonl"));
  EXPECT_FALSE(Recorder(seed(), "no model").finish(dir, "a.jsonl"));
  EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST(Recorder, AFileIsAtMostSixteenMebibytes) {
  Recorder recorder(seed(), "model-1");
  const Exchange large = {"{}", {200, {}, std::string(kMaxBody, '\1')}};  // six bytes in JSON
  int taken = 0;
  while (taken < 20 && recorder.add(large)) ++taken;
  EXPECT_EQ(taken, 2);
  EXPECT_LE(write(recorder.cassette()).size(), kMaxFile);
}

}  // namespace
}  // namespace cg::cassette
