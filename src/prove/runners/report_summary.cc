#include <array>
#include <optional>

#include "base/base/text.h"
#include "prove/runners/runner.h"
#include "prove/runners/shown.h"

namespace cg::runners {

namespace {

constexpr std::size_t kLooksAt = 64U << 10U;

/// Words of a summary, and what they count.
struct Word {
  std::string_view word;
  Outcome outcome;
};
constexpr std::array<Word, 12> kWords = {{{"passed", Outcome::passed},
                                          {"passing", Outcome::passed},
                                          {"pass", Outcome::passed},
                                          {"failed", Outcome::failed},
                                          {"failing", Outcome::failed},
                                          {"fail", Outcome::failed},
                                          {"cancelled", Outcome::failed},
                                          {"skipped", Outcome::skipped},
                                          {"pending", Outcome::skipped},
                                          {"skip", Outcome::skipped},
                                          {"todo", Outcome::skipped},
                                          {"ok", Outcome::passed}}};

std::optional<Outcome> outcome_of(std::string_view word) {
  for (const Word& known : kWords) {
    if (word == known.word) return known.outcome;
  }
  return std::nullopt;
}

/// Which runner's summary a line belongs to; the numbers of one kind make one summary.
enum class Kind { none, jest, vitest, mocha, tap };

void put(Totals& totals, Outcome outcome, std::uint64_t count) {
  std::uint64_t& field = outcome == Outcome::passed   ? totals.passed
                         : outcome == Outcome::failed ? totals.failed
                                                      : totals.skipped;
  if (count <= 1'000'000'000 - field) field += count;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::string_view word : split(line, ' ')) {
    while (!word.empty() && (word.back() == ',' || word.back() == '|')) word.remove_suffix(1);
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

/// "1 failed, 2 skipped, 3 passed, 6 total"
Totals numbers_of(std::string_view line) {
  Totals out;
  const auto words = words_of(line);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto count = parse_u64(words[i]);
    const auto outcome = outcome_of(words[i + 1]);
    if (count && outcome) put(out, *outcome, *count);
  }
  return out;
}

class SummaryReader {
 public:
  void read(std::string_view line) {
    const std::string_view text = trim(line);
    if (text.starts_with("Tests:")) return whole(Kind::jest, text.substr(6));
    if (text.starts_with("Tests ")) return whole(Kind::vitest, text.substr(6));
    const auto words = words_of(text);
    if (words.size() < 2) return;
    if (words[0] == "#" || words[0] == "\xE2\x84\xB9") return tap(words);
    mocha(words);
  }

  [[nodiscard]] TestRun finish() const {
    TestRun out;
    if (kind_ == Kind::none) return out;
    out.detail = Detail::counts;
    out.totals = totals_;
    return out;
  }

 private:
  void whole(Kind kind, std::string_view line) {
    kind_ = kind;
    totals_ = numbers_of(line);
  }

  /// "# pass 4", one number to a line, passes first.
  void tap(const std::vector<std::string_view>& words) {
    const auto outcome = outcome_of(words[1]);
    const auto count = words.size() == 3 ? parse_u64(words[2]) : std::nullopt;
    if (outcome && count)
      start(Kind::tap, words[1] == "pass" || words[1] == "ok", *outcome, *count);
  }

  /// "12 passing (24ms)", likewise.
  void mocha(const std::vector<std::string_view>& words) {
    const auto count = parse_u64(words[0]);
    const std::string_view word = words[1];
    if (!count || (word != "passing" && word != "failing" && word != "pending")) return;
    start(Kind::mocha, word == "passing", *outcome_of(word), *count);
  }

  void start(Kind kind, bool is_first, Outcome outcome, std::uint64_t count) {
    if (is_first || kind_ != kind) totals_ = {};
    kind_ = kind;
    put(totals_, outcome, count);
  }

  Kind kind_ = Kind::none;
  Totals totals_;
};

}  // namespace

TestRun read_summary(std::string_view output) {
  SummaryReader reader;
  const std::string text = tail(output, kLooksAt);
  for (const std::string_view line : split(text, '\n')) reader.read(line);
  return reader.finish();
}

}  // namespace cg::runners
