// The same questions to node-semver and to us, made up at random from a fixed seed.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>

#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/semver/range.h"
#include "npm/semver/subset.h"
#include "support/support.h"

namespace cg::semver {
namespace {

using json::Value;

// Answers a line per line, by the semver of its first argument. What node returns
// but could not read back, we do not return at all; that counts as null. Where it throws
// although it read its arguments, there is nothing to compare.
constexpr const char* kScript = R"js(
const fs = require('fs');
const lines = fs.readFileSync(0, 'utf8').split('\n').filter(l => l);
const s = require(process.argv[1]);
console.log(require(process.argv[1] + '/package.json').version);
const good = (v, o) => v && s.valid(v, o) ? v : null;
const answer = (op, a, b, o) => {
  switch (op) {
    case 'version': {
      const v = s.parse(a, o);
      return v && [v.version, v.raw, v.prerelease.map(String), v.build];
    }
    case 'compare':
      return s.valid(a, o) && s.valid(b, o) ? [s.compare(a, b, o), s.compareBuild(a, b, o)] : null;
    case 'inc': return good(s.inc(a, b.release, o, b.identifier, b.base), o);
    case 'truncate': return s.truncate(a, b.release, o);
    case 'range': return s.validRange(a, o);
    case 'satisfies': return s.satisfies(a, b, o);
    case 'min': {
      if (!s.validRange(a, o)) return null;
      const v = s.minVersion(a, o);
      return v && good(v.version, o);
    }
    case 'subset': return s.validRange(a, o) && s.validRange(b, o) ? s.subset(a, b, o) : null;
    case 'intersects':
      return s.validRange(a, o) && s.validRange(b, o) ? s.intersects(a, b, o) : null;
    case 'outside':
      return s.valid(a, o) && s.validRange(b, o) ? [s.gtr(a, b, o), s.ltr(a, b, o)] : null;
  }
};
const out = lines.map(line => {
  const { op, a, b, loose, includePrerelease } = JSON.parse(line);
  try { return JSON.stringify(answer(op, a, b, { loose, includePrerelease })); }
  catch (e) { return 'throws'; }
});
console.log(out.join('\n'));
)js";

struct Question {
  std::string op;
  std::string a;
  std::string b;
  Options options;
  Release release = Release::major;
  std::string release_name;
  IdentifierBase base = IdentifierBase::zero;
};

/// Versions and ranges, some of them slightly wrong.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  [[nodiscard]] Question question();

 private:
  [[nodiscard]] std::size_t below(std::size_t limit) { return random_() % limit; }
  [[nodiscard]] bool one_in(std::size_t n) { return below(n) == 0; }
  template <std::size_t N>
  [[nodiscard]] std::string pick(const char* const (&words)[N]) {
    return words[below(N)];
  }
  [[nodiscard]] std::string number();
  [[nodiscard]] std::string identifiers();
  [[nodiscard]] std::string version();
  [[nodiscard]] std::string partial();
  [[nodiscard]] std::string range();
  [[nodiscard]] std::string noise();
  void damage(std::string& text);

  std::mt19937 random_;
};

std::string Generator::number() {
  if (!one_in(12)) return std::to_string(below(one_in(5) ? 30 : 4));
  return pick({"00", "01", "9007199254740990", "9007199254740991", "9007199254740992",
               "99999999999999999", "999999999999999999999", "99999999999999999999999", "10"});
}

std::string Generator::identifiers() {
  std::string out;
  for (std::size_t count = 1 + below(3); count > 0; --count) {
    out += pick({"0", "1", "2", "10", "alpha", "beta", "rc", "x", "a-b", "-", "1a", "0", "1"});
    if (one_in(15)) {
      out += pick({"00", "01", "1e5", "0x1", "Infinity", "9007199254740991", "9007199254740993",
                   "09007199254740992", "99999999999999999999", "-1", "1e-", "0b1"});
    }
    if (count > 1) out += '.';
  }
  return out;
}

std::string Generator::version() {
  std::string out = one_in(6) ? pick({"v", "=", "v ", "= ", "vv", " ", "=v", "\xC2\xA0"}) : "";
  out += number() + "." + number() + "." + number();
  if (one_in(2)) out += (one_in(10) ? "" : "-") + identifiers();
  if (one_in(6)) out += "+" + identifiers();
  if (one_in(12)) damage(out);
  return out;
}

std::string Generator::partial() {
  std::string out = one_in(8) ? pick({"v", "=", "v ", "= ", "vv", "=v"}) : "";
  const std::size_t parts = one_in(3) ? 1 + below(3) : 3;
  for (std::size_t i = 0; i < parts; ++i) {
    if (i > 0) out += '.';
    out += one_in(6) ? pick({"x", "X", "*", "x"}) : number();
  }
  if (one_in(4)) out += (one_in(8) ? "" : "-") + identifiers();
  if (one_in(10)) out += "+" + identifiers();
  return out;
}

std::string Generator::noise() {
  constexpr std::string_view kAlphabet = "01x*.-+ <>=~^v|a 1.";
  std::string out;
  for (std::size_t count = 1 + below(12); count > 0; --count) {
    out += kAlphabet[below(kAlphabet.size())];
  }
  return out;
}

std::string Generator::range() {
  if (one_in(10)) return noise();
  std::string out;
  for (std::size_t sets = 1 + (one_in(3) ? below(4) : 0); sets > 0; --sets) {
    if (one_in(6)) {
      out += partial() + pick({" - ", " - ", " - ", "- ", " -", "  -  "}) + partial();
    } else {
      for (std::size_t count = 1 + (one_in(2) ? below(3) : 0); count > 0; --count) {
        out += pick({"", "", ">", "<", ">=", "<=", "=", "^", "~", "~>", "^", "~", ">=", "<"});
        if (one_in(8)) out += pick({" ", "  ", "\t", "=", ">", "v", " v", "~", "+b ", "* "});
        if (!one_in(20)) out += partial();
        if (count > 1) out += pick({" ", " ", "  ", "\xC2\xA0", " +b ", "\n"});
      }
    }
    if (sets > 1) out += pick({"||", " || ", "|| ", " ||", "|||", "||||"});
  }
  if (one_in(12)) damage(out);
  return out;
}

void Generator::damage(std::string& text) {
  constexpr std::string_view kAlphabet = "0123xX*.-+ <>=~^v|ab!";
  for (std::size_t count = 1 + below(3); count > 0; --count) {
    const std::size_t at = below(text.size() + 1);
    if (one_in(2) && at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) {
      text.erase(at, 1);
    } else if (at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80) {
      text.insert(at, 1, kAlphabet[below(kAlphabet.size())]);
    }
  }
  if (one_in(10)) text += std::string(1 + below(300), pick({"1", "a", "=", "v"})[0]);
}

Question Generator::question() {
  Question q;
  q.op = pick({"version", "compare", "inc", "truncate", "range", "range", "range", "satisfies",
               "satisfies", "min", "subset", "subset", "intersects", "outside"});
  q.options = {.loose = one_in(2), .include_prerelease = one_in(2)};
  const bool range_first =
      q.op == "range" || q.op == "min" || q.op == "subset" || q.op == "intersects";
  q.a = range_first ? range() : version();
  if (q.op == "compare") {
    q.b = one_in(4) ? q.a + pick({"", "+1", ".1", "-1"}) : version();
  } else if (q.op == "inc" || q.op == "truncate") {
    q.b = one_in(2) ? "" : identifiers();
    q.base = static_cast<IdentifierBase>(below(3));
    q.release_name = pick({"major", "premajor", "minor", "preminor", "patch", "prepatch",
                           "prerelease", "prerelease", "release", "pre"});
    q.release = *parse_release(q.release_name);
  } else if (q.op != "version" && q.op != "range" && q.op != "min") {
    q.b = one_in(8) ? q.a : range();
  }
  return q;
}

Value b_of(const Question& q) {
  if (q.release_name.empty()) return q.b;
  Value base = 0;
  if (q.base == IdentifierBase::one) base = 1;
  if (q.base == IdentifierBase::none) base = false;
  return Value::Object{{"release", q.release_name}, {"identifier", q.b}, {"base", base}};
}

std::string line_of(const Question& q) {
  return json::write_json(Value::Object{{"op", q.op},
                                        {"a", q.a},
                                        {"b", b_of(q)},
                                        {"loose", q.options.loose},
                                        {"includePrerelease", q.options.include_prerelease}});
}

Value texts(const Identifiers& identifiers) {
  Value::Array out;
  for (const std::string_view identifier : identifiers) out.emplace_back(identifier);
  return out;
}

int sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

Value about_version(const Question& q, const Version& version) {
  if (q.op == "version") {
    // By the canonical spelling, because node makes numbers of numeric identifiers.
    const auto canonical = version.truncated(Release::prerelease);
    return Value::Array{version.str(), version.raw(), texts(canonical->prerelease()),
                        texts(version.build())};
  }
  if (q.op == "compare") {
    const auto other = Version::parse(q.b, q.options);
    if (!other) return {};
    return Value::Array{sign(version.compare(*other)), sign(version.compare_build(*other))};
  }
  if (q.op == "inc") {
    const auto next = version.incremented(q.release, q.b, q.base, q.options);
    return next ? Value(next->str()) : Value();
  }
  if (q.op == "truncate") {
    const auto cut = version.truncated(q.release);
    return cut ? Value(cut->str()) : Value();
  }
  const auto range = Range::parse(q.b, q.options);
  if (q.op == "satisfies") return range && satisfies(version, *range);
  if (!range) return {};
  return Value::Array{is_outside(version, *range, Side::above),
                      is_outside(version, *range, Side::below)};
}

Value about_range(const Question& q, const Range& range) {
  if (q.op == "range") return range.str().empty() ? "*" : range.str();
  if (q.op == "min") {
    const auto version = min_version(range);
    return version ? Value(version->str()) : Value();
  }
  const auto other = Range::parse(q.b, q.options);
  if (!other) return {};
  // Node answers this before it looks at the ranges.
  if (q.op == "subset") return q.a == q.b || subset(range, *other);
  return intersects(range, *other);
}

std::string answer(const Question& q) {
  const auto range = Range::parse(q.a, q.options);
  if (q.op == "range" || q.op == "min" || q.op == "subset" || q.op == "intersects") {
    return json::write_json(range ? about_range(q, *range) : Value());
  }
  const auto version = Version::parse(q.a, q.options);
  if (!version) return q.op == "satisfies" ? "false" : "null";
  return json::write_json(about_version(q, *version));
}

TEST(Differential, NodeGivesTheSameAnswers) {
  if (!std::filesystem::exists(CG_NODE_SEMVER)) GTEST_SKIP() << test::kNoPackages;
  constexpr std::size_t kQuestions = 6000;
  Generator generator(20'240'607);
  std::vector<Question> questions;
  std::string input;
  for (std::size_t i = 0; i < kQuestions; ++i) {
    questions.push_back(generator.question());
    input += line_of(questions.back()) + "\n";
  }
  const test::Ran ran = test::run({"node", "-e", kScript, CG_NODE_SEMVER}, {}, input);
  const auto lines = split(ran.out, '\n');
  ASSERT_EQ(ran.exit, 0) << ran.err;
  ASSERT_EQ(lines.size(), kQuestions + 2);

  std::size_t threw = 0;
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // all, and not null
  for (std::size_t i = 0; i < kQuestions; ++i) {
    const std::string_view expected = lines[i + 1];
    auto& [all, telling] = counts[questions[i].op];
    if (expected == "throws") {
      ++threw;
      continue;
    }
    ++all;
    telling += expected == "null" || expected == "false" ? 0U : 1U;
    EXPECT_EQ(answer(questions[i]), expected) << line_of(questions[i]);
  }
  for (const auto& [op, count] : counts) {
    std::cout << op << ": " << count.first << " answers compared, " << count.second
              << " of them neither null nor false\n";
    EXPECT_GT(count.second, 0U);
  }
  std::cout << "semver " << lines[0] << " threw " << threw << " times\n";
  EXPECT_LT(threw, kQuestions / 100);
}

}  // namespace
}  // namespace cg::semver
