#include "model/budget/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/bytes.h"
#include "model/budget/forecast.h"
#include "trust/hash/blake3.h"

namespace cg::budget {
namespace {

using testing::HasSubstr;
using Cap = Refusal::Cap;

constexpr std::uint64_t kHuge = ~std::uint64_t{0};

Money usd(std::string_view text) { return Money::parse_or_die(text); }
Price price() { return {"model-1", usd("3.00"), usd("15.00"), usd("3.75"), usd("0.30")}; }
Ledger fresh(Caps caps = {}) { return Ledger(caps, price()); }

/// One call of 1064 tokens in at most, settled with `usage`.
void call(Ledger& ledger, const Usage& usage, std::uint64_t max_output = 4096) {
  auto token = ledger.precharge(2000, max_output);
  ASSERT_TRUE(token) << token.error().what;
  ledger.reconcile(Receipt(*std::move(token)), usage);
}

TEST(Cost, IsWhatThePriceListSaysRoundedUp) {
  EXPECT_EQ(cost({1'000'000, 0, 0, 0}, price()), usd("3.00"));
  EXPECT_EQ(cost({0, 1'000'000, 0, 0}, price()), usd("15.00"));
  EXPECT_EQ(cost({1000, 500, 200, 10'000}, price()), usd("0.01425"));
  EXPECT_EQ(cost({}, price()), Money());
  EXPECT_EQ(cost({1, 0, 0, 0}, {"m", usd("0.000000001"), {}, {}, {}}), usd("0.000000001"));
  EXPECT_EQ(cost({kHuge, kHuge, kHuge, kHuge}, {"m", Money::most(), Money::most(), {}, {}}),
            Money::most());
}

TEST(Usage, SumsStopRatherThanWrap) {
  EXPECT_EQ((Usage{1, 2, 3, 4}.tokens()), 10U);
  EXPECT_EQ((Usage{kHuge, 2, 0, 0}.tokens()), kHuge);
  EXPECT_EQ((Usage{kHuge, kHuge, kHuge, kHuge}.tokens()), kHuge);
}

TEST(Precharge, SetsAsideTokensAndTheDearestPriceForThem) {
  Ledger ledger = fresh();
  const auto token = ledger.precharge(20'001, 4096);
  ASSERT_TRUE(token);
  EXPECT_EQ(token->call(), 1U);
  EXPECT_EQ(token->max_output(), 4096U);
  // 10,001 + 64 in at 3.75 a million, 4096 out at 15.
  EXPECT_EQ(ledger.spent(), (Spent{14'161, usd("0.03774375") + usd("0.06144"), 1}));
}

TEST(Precharge, WithoutAPriceThereIsNoCall) {
  Ledger ledger(Caps{}, std::nullopt);
  EXPECT_EQ(ledger.precharge(1, 1).error().cap, Cap::no_price);
  EXPECT_EQ(ledger.spent(), Spent());
}

TEST(Precharge, ACallHasACapOfItsOwnToTheToken) {
  Ledger ledger = fresh();
  EXPECT_TRUE(ledger.precharge(2 * (32'000 - 64 - 4096), 4096));
  for (const auto& [bytes, output] : std::initializer_list<std::pair<std::uint64_t, std::uint64_t>>{
           {2 * (32'000 - 64 - 4096) + 1, 4096},
           {0, 32'000},
           {kHuge, 0},
           {0, kHuge},
           {kHuge, kHuge}}) {
    const auto refused = ledger.precharge(bytes, output);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().cap, Cap::per_call);
  }
  EXPECT_EQ(ledger.spent().calls, 1U);
  Ledger open(Caps{kHuge, Money::most(), kHuge}, price());
  EXPECT_EQ(open.precharge(kHuge, kHuge).error().cap, Cap::per_call);
}

TEST(MostBytes, IsTheLargestRequestThatACallMayHave) {
  for (const std::uint64_t tokens : {12'064U, 12'065U, 32'000U}) {
    Ledger ledger(Caps{kHuge, Money::most(), tokens}, price());
    const std::uint64_t most = most_bytes(tokens, 12'000);
    EXPECT_TRUE(ledger.precharge(most, 12'000)) << tokens;
    EXPECT_FALSE(ledger.precharge(most + 1, 12'000)) << tokens;
  }
  EXPECT_EQ(most_bytes(100, 12'000), 0U);
  EXPECT_EQ(most_bytes(kHuge, 0), kHuge);
}

TEST(Forecast, IsWhatSoManyOfTheLargestCallsWouldSetAside) {
  const Caps caps{250'000, Money::most(), 32'000};
  Ledger ledger(caps, price());
  for (std::uint64_t calls = 1; calls <= 3; ++calls) {
    ASSERT_TRUE(ledger.precharge(most_bytes(32'000, 12'000), 12'000));
    EXPECT_EQ(forecast(calls, 12'000, caps, price()),
              (Forecast{calls, ledger.spent().tokens, ledger.spent().usd}));
  }
  EXPECT_EQ(forecast(0, 12'000, caps, price()), Forecast());
}

TEST(Forecast, IsNoMoreThanTheCapsLet) {
  const Forecast found = forecast(9, 12'000, {40'000, usd("0.30"), 32'000}, price());
  EXPECT_EQ(found, (Forecast{9, 40'000, usd("0.30")}));
  EXPECT_EQ(forecast(kHuge, 12'000, {kHuge, usd("0.30"), kHuge}, price()).usd, usd("0.30"));
  EXPECT_EQ(forecast(2, 12'000, {250'000, {}, 32'000}, {"local", {}, {}, {}, {}}),
            (Forecast{2, 64'000, {}}));
}

TEST(MostFor, IsWhatPrechargeSetsAside) {
  Ledger ledger = fresh();
  ASSERT_TRUE(ledger.precharge(2001, 4096));
  Call most = most_for(2001, 4096, price());
  most.id = 1;
  EXPECT_EQ(ledger.calls()[0], most);
}

TEST(Precharge, AWorkflowEndsAtItsTokensToTheToken) {
  Ledger ledger(Caps{10'000, Money::most(), 32'000}, price());
  call(ledger, {1000, 0, 0, 0});
  EXPECT_EQ(ledger.precharge(0, 9000 - 64 + 1).error().cap, Cap::tokens);
  EXPECT_THAT(ledger.precharge(0, 9000).error().what,
              HasSubstr("1 000 of the workflow's 10 000 are gone"));
  EXPECT_TRUE(ledger.precharge(0, 9000 - 64));
  EXPECT_FALSE(ledger.precharge(0, 0)) << "64 tokens are counted for an empty prompt";
}

TEST(Precharge, AWorkflowEndsAtItsMoneyToTheNanoDollar) {
  const Money one_call = usd("3.75").for_some_of_a_million(1064) + usd("0.06144");
  Ledger enough(Caps{250'000, one_call, 32'000}, price());
  EXPECT_TRUE(enough.precharge(2000, 4096));
  EXPECT_EQ(enough.precharge(2000, 4096).error().cap, Cap::usd);
  Ledger short_of(Caps{250'000, usd("0.065429999"), 32'000}, price());
  ASSERT_EQ(one_call, usd("0.06543"));
  EXPECT_THAT(short_of.precharge(2000, 4096).error().what, HasSubstr("0.06543 USD"));
}

TEST(Precharge, ALocalModelCostsNothingAndIsCountedAllTheSame) {
  Ledger ledger(Caps{10'000, Money(), 32'000}, Price{"local", {}, {}, {}, {}});
  call(ledger, {1000, 1000, 0, 0});
  EXPECT_EQ(ledger.spent(), (Spent{2000, Money(), 1}));
  EXPECT_FALSE(ledger.take_warning());
  EXPECT_EQ(ledger.precharge(2000, 8000).error().cap, Cap::tokens);
}

TEST(Precharge, TheNumberOfCallsIsBounded) {
  Ledger ledger(Caps{kHuge, Money::most(), 32'000}, Price{"local", {}, {}, {}, {}});
  for (std::uint64_t i = 0; i < kMaxCalls; ++i) call(ledger, {});
  EXPECT_EQ(ledger.precharge(1, 1).error().cap, Cap::calls);
  EXPECT_TRUE(Ledger::read(ledger.write(), {}, price()));
}

TEST(Reconcile, GivesBackWhatWasNotUsed) {
  Ledger ledger = fresh();
  call(ledger, {700, 300, 100, 50});
  EXPECT_EQ(ledger.spent(), (Spent{1150, cost({700, 300, 100, 50}, price()), 1}));
  EXPECT_FALSE(ledger.overshot());
}

TEST(Reconcile, MoreThanWasSetAsideCountsInFullAndEndsTheBudget) {
  for (const Usage& usage :
       {Usage{1064, 4097, 0, 0}, Usage{0, 5160, 0, 0}, Usage{kHuge, kHuge, kHuge, kHuge}}) {
    Ledger ledger = fresh();
    call(ledger, usage);
    EXPECT_TRUE(ledger.overshot());
    EXPECT_EQ(ledger.precharge(1, 1).error().cap, Cap::overshoot);
    const auto again = Ledger::read(ledger.write(), {}, price());
    ASSERT_TRUE(again) << again.error();
    EXPECT_TRUE(again->overshot()) << "a retry finds it ended";
    EXPECT_GE(ledger.spent().tokens, 5160U);
  }
}

TEST(Forfeit, KeepsAllThatWasSetAside) {
  Ledger ledger = fresh();
  auto token = ledger.precharge(2000, 4096);
  const Spent before = ledger.spent();
  ledger.forfeit(Receipt(*std::move(token)));
  EXPECT_EQ(ledger.spent(), before);
  EXPECT_FALSE(ledger.overshot());
}

TEST(Receipt, SettlesOnceAndATokenThatWasHandedOnIsNone) {
  Ledger ledger = fresh();
  auto token = ledger.precharge(2000, 4096);
  Receipt receipt(*std::move(token));
  EXPECT_EQ(token->call(), 0U);  // NOLINT(bugprone-use-after-move)
  ledger.reconcile(std::move(receipt), {});
  EXPECT_DEATH(ledger.reconcile(std::move(receipt), {}), "");
  EXPECT_DEATH(ledger.forfeit(Receipt(*std::move(token))), "");
  Ledger other = fresh();
  auto foreign = other.precharge(2000, 4096);
  EXPECT_DEATH(ledger.reconcile(Receipt(*std::move(foreign)), {}), "");
}

TEST(Warning, ComesOnceAtFourFifthsOfEitherCap) {
  Ledger by_tokens(Caps{10'000, Money::most(), 32'000}, price());
  call(by_tokens, {1000, 3000, 0, 0});
  EXPECT_FALSE(by_tokens.take_warning());
  call(by_tokens, {999, 3000, 0, 0});
  EXPECT_FALSE(by_tokens.take_warning());
  auto next = by_tokens.precharge(0, 0);
  ASSERT_TRUE(next);
  EXPECT_TRUE(by_tokens.take_warning()) << "what is set aside is gone as well";
  EXPECT_FALSE(by_tokens.take_warning());
  EXPECT_FALSE(Ledger::read(by_tokens.write(), by_tokens.caps(), price())->take_warning());

  Ledger by_money(Caps{250'000, usd("0.10"), 32'000}, price());
  call(by_money, {0, 4096, 0, 0});
  EXPECT_FALSE(by_money.take_warning());
  call(by_money, {0, 1238, 0, 0}, 1300);  // 0.08001 in all
  EXPECT_TRUE(by_money.take_warning());
}

/// Settled, forfeited, over and open.
Ledger sample() {
  Ledger ledger = fresh();
  call(ledger, {700, 300, 100, 50});
  ledger.forfeit(Receipt(*ledger.precharge(2001, 17)));
  call(ledger, {12, 7, 0, 0});
  EXPECT_TRUE(ledger.precharge(5000, 4096));
  return ledger;
}

TEST(LedgerText, RoundTripsToTheByteAndKeepsWhatWasSetAside) {
  for (const Ledger& ledger : {fresh(), sample()}) {
    const std::string text = ledger.write();
    const auto again = Ledger::read(text, ledger.caps(), price());
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(again->write(), text);
    EXPECT_EQ(again->spent(), ledger.spent());
    EXPECT_EQ(again->calls(), ledger.calls());
  }
}

TEST(LedgerText, NoByteCanBeChangedAddedOrLost) {
  const std::string text = sample().write();
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const unsigned flip : {1U, 2U, 16U, 32U, 128U}) {
      std::string bad = text;
      bad[at] = static_cast<char>(static_cast<unsigned char>(bad[at]) ^ flip);
      EXPECT_FALSE(Ledger::read(bad, {}, price())) << at;
    }
    EXPECT_FALSE(Ledger::read(text.substr(0, at), {}, price())) << at;
    EXPECT_FALSE(Ledger::read(text.substr(0, at) + " " + text.substr(at), {}, price())) << at;
  }
  EXPECT_FALSE(Ledger::read(text + "\n", {}, price()));
  EXPECT_THAT(Ledger::read("", {}, price()).error(), HasSubstr("edited or damaged"));
}

std::string with_digest(const std::string& line) {
  hash::Blake3 state("codegenie 2026 budget ledger");
  return line + "\n" + to_hex(state.update(as_bytes(line)).finish()) + "\n";
}

TEST(LedgerText, WhoRecomputesTheDigestMustStillWriteALedger) {
  const std::string call =
      R"({"id":1,"reserved_tokens":9,"reserved_usd":"0.01","state":"open","usage":{"cache_read":0,"cache_write":0,"input":0,"output":0},"usd":"0.00"})";
  const auto file = [](const std::string& calls) {
    return with_digest(R"({"calls":[)" + calls +
                       R"(],"schema":"codegenie/budget/v1","warned":false})");
  };
  ASSERT_TRUE(Ledger::read(file(call), {}, price()));
  const auto with = [&call](const std::string& from, const std::string& to) {
    std::string out = call;
    return out.replace(out.find(from), from.size(), to);
  };
  for (const std::string& bad :
       {file(call + "," + call),
        file(with("\"id\":1", "\"id\":2")),
        file(with("0.01", "0.010")),
        file(with("0.01", "-0.01")),
        file(with("\"open\"", "\"free\"")),
        file(with(":9", ":-9")),
        file(with(":9", ":9.0")),
        file(with(":9", ":9007199254740993")),
        file(with(":9", ":\"9\"")),
        file(with("\"usd\":\"0.00\"", "\"usd\":\"0.01\"")),
        file(with("\"input\":0", "\"input\":1")),
        file(with("{\"id\":1", "{\"a\":1,\"id\":1")),
        file("[]"),
        file("null"),
        with_digest("{}"),
        with_digest("[]"),
        with_digest("null"),
        with_digest(""),
        with_digest("{\"calls\":{}}"),
        with_digest(R"({"calls":[],"schema":"codegenie/budget/v2","warned":false})"),
        with_digest(R"({"calls":[],"schema":"codegenie/budget/v1","warned":0})"),
        with_digest(R"({"calls":[], "schema":"codegenie/budget/v1","warned":false})"),
        with_digest(std::string(1 << 20, '['))}) {
    EXPECT_FALSE(Ledger::read(bad, {}, price())) << bad.substr(0, 300);
  }
}

TEST(Check, TheLedgerTellsWhatTheLogTells) {
  const Ledger ledger = sample();
  EXPECT_TRUE(check(ledger, ledger.calls()));
  for (std::size_t i = 0; i < ledger.calls().size(); ++i) {
    for (int what = 0; what < 4; ++what) {
      std::vector<Call> logged = ledger.calls();
      if (what == 0) logged[i].reserved_usd = usd("9");
      if (what == 1) logged[i].reserved_tokens += 1;
      if (what == 2) logged[i].id += 1;
      if (what == 3 && i + 1 < logged.size()) logged[i].usage.input += 1;
      if (what == 3 && i + 1 == logged.size()) continue;
      const auto checked = check(ledger, logged);
      ASSERT_FALSE(checked) << i << " " << what;
      EXPECT_THAT(checked.error(), HasSubstr("call " + std::to_string(i + 1)));
    }
  }
  EXPECT_FALSE(check(ledger, {})) << "more was spent than is logged";
  EXPECT_FALSE(check(fresh(), ledger.calls())) << "a new ledger in the place of a used one";
}

TEST(Check, AFileOneStepBehindTheLogIsBroughtUpToIt) {
  Ledger ledger = fresh();
  call(ledger, {700, 300, 0, 0});
  const std::string before = ledger.write();
  auto token = ledger.precharge(2000, 4096);
  const std::string open = ledger.write();
  const auto logged_open = ledger.calls();
  ledger.reconcile(Receipt(*std::move(token)), {5, 6, 0, 0});
  const auto logged_settled = ledger.calls();

  const auto read = [](const std::string& text) { return *Ledger::read(text, {}, price()); };
  EXPECT_EQ(check(read(before), logged_open)->write(), open);
  EXPECT_EQ(check(read(open), logged_settled)->write(), ledger.write());
  EXPECT_FALSE(check(read(before), logged_settled)) << "two steps are more than a crash leaves";
  EXPECT_FALSE(check(read(open), std::vector<Call>{logged_open.front()}))
      << "the file is never ahead";
}

TEST(Check, AnEarlierCallThatIsOpenAgainIsNotACrash) {
  Ledger ledger = fresh();
  auto first = ledger.precharge(2000, 4096);
  EXPECT_TRUE(ledger.precharge(2000, 4096));
  const Ledger early = ledger;
  ledger.reconcile(Receipt(*std::move(first)), {5, 6, 0, 0});
  EXPECT_TRUE(check(ledger, ledger.calls()));
  EXPECT_FALSE(check(early, ledger.calls()));
}

}  // namespace
}  // namespace cg::budget
