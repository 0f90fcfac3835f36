// Answers as models write them: right lines, wrong numbers. Two hundred are made from files of
// this repository, edits that somebody means, and a diff of them with flaws; each is applied as it
// was meant or refused, and never applied otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "base/json/placing.h"
#include "model/proposal/proposal.h"
#include "support/support.h"

namespace cg::proposal {
namespace {

using Texts = std::vector<std::string>;

/// What is wrong with a diff, or with the file that it is for.
enum class Flaw {
  wrong_counts,
  no_counts,     // "@@", "@@ ... @@"
  shifted,       // starts
  no_newline,    // at the end of the answer
  returns,       // CR at the end of each line of the diff
  crlf_file,     // and the diff has none
  lost_blanks,   // of context that is blank
  lost_mark,     // the file ends without a newline, and the diff does not say so
  more_marks,    // the diff says so where it is not
  short_lines,   // no context, or a line of it
  twice,         // the file holds everything twice
  twin,          // or some lines of it, one after the other
  stray_blanks,  // between hunks
  // What no reader should take from here on.
  other_context,
  fuzzed_context,  // a line of it, by a blank or a letter
  backwards,
  prose,
};
constexpr int kFlaws = static_cast<int>(Flaw::prose) + 1;

bool is_hopeless(Flaw flaw) { return flaw >= Flaw::other_context; }

/// Sources that use packages, of this repository.
const char* const kSources[] = {
    "examples/model/serve.mjs",
    "examples/shop/lib/orders.js",
    "examples/shop/lib/pages.js",
    "examples/shop/lib/requests.js",
    "tests/ask/facts/later/formidable-1.2.6-3.5.4/src/upload.js",
    "tests/ask/facts/later/yaml-1.10.2-2.7.0/src/settings.js",
    "tests/ask/facts/upgrades/jose-2.0.5-5.9.6/src/tokens.js",
    "tests/ask/facts/upgrades/strip-ansi-6.0.1-7.1.2/src/table.ts",
    "tests/ask/projects/badges/test/badges.test.js",
    "tests/ask/projects/finder/src/places.ts",
    "tests/ask/projects/invites/src/invite.js",
    "tests/ask/projects/invites/src/session.js",
    "tests/ask/projects/press/src/article.js",
    "tests/ask/projects/press/src/feed.js",
    "tests/ask/projects/rates/src/read.ts",
    "tests/ask/projects/rates/src/write.ts",
    "tests/ask/projects/signout/test/sign.test.js",
    "tests/ask/projects/stripes/src/Table.jsx",
    "tests/ask/world.mjs",
};

/// `count` lines from `line` on make way for others.
struct Edit {
  std::size_t line;
  std::size_t count;
  Texts lines;
};

struct Answer {
  std::string original;
  std::string meant;
  std::string json;
  std::set<Flaw> flaws;
};

/// The same lines may stand in several places.
bool repeats(const Answer& answer) {
  return answer.flaws.contains(Flaw::twice) || answer.flaws.contains(Flaw::twin);
}

class Author {
 public:
  explicit Author(unsigned seed) : random_(seed) {}

  Answer write() {
    Answer out;
    for (std::size_t n = 1 + below(3); out.flaws.size() < n;) {
      // Some of those that can only be refused are enough.
      const auto flaw = static_cast<Flaw>(below(kFlaws));
      if (!is_hopeless(flaw) || below(3) == 0) out.flaws.insert(flaw);
    }
    // The order of hunks is believed: where lines stand twice, another one means something else.
    if (repeats(out)) out.flaws.erase(Flaw::backwards);
    has_ = out.flaws;
    Texts lines = source();
    const std::vector<Edit> edits = edits_of(lines);
    const std::string end = has(Flaw::crlf_file) ? "\r\n" : "\n";
    out.original = joined(lines, end);
    out.meant = joined(edited(lines, edits), end);
    if (has(Flaw::lost_mark)) {
      for (std::string* text : {&out.original, &out.meant}) text->resize(text->size() - end.size());
    }
    out.json = json::write_json(json::Value::Object{{"kind", "callsite_rewrite"},
                                                    {"manifest_path", "package.json"},
                                                    {"files", json::Value::Array{"src/a.js"}},
                                                    {"diff", diff(lines, edits)},
                                                    {"rationale", "as asked"}});
    return out;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  bool has(Flaw flaw) const { return has_.contains(flaw); }

  Texts source() {
    std::string text =
        cg::test::read(std::string(CG_SOURCE_DIR) + "/" + kSources[below(std::size(kSources))]);
    if (text.ends_with('\n')) text.pop_back();
    Texts out;
    for (const std::string_view line : split(text, '\n')) out.emplace_back(line);
    if (has(Flaw::twin)) {
      const std::size_t from = below(out.size());
      const std::size_t count = std::min<std::size_t>(1 + below(12), out.size() - from);
      const auto begin = out.begin() + static_cast<std::ptrdiff_t>(from);
      const Texts block(begin, begin + static_cast<std::ptrdiff_t>(count));
      out.insert(begin, block.begin(), block.end());
    }
    if (!has(Flaw::twice)) return out;
    const Texts once = out;
    out.insert(out.end(), once.begin(), once.end());
    return out;
  }

  /// In their order, at least a line apart.
  std::vector<Edit> edits_of(const Texts& lines) {
    std::vector<Edit> out;
    std::size_t from = 0;
    for (std::size_t n = 1 + below(3); n > 0 && from < lines.size(); --n) {
      Edit one{from + below(lines.size() - from), below(3), {}};
      one.count = std::min(one.count, lines.size() - one.line);
      if (one.count == 0 || below(4) != 0) {
        for (std::size_t more = 1 + below(2); more > 0; --more) {
          one.lines.push_back(below(6) == 0 ? "" : "  meant(" + std::to_string(below(1000)) + ");");
        }
      }
      from = one.line + one.count + 1;
      out.push_back(std::move(one));
    }
    return out;
  }

  static Texts edited(const Texts& lines, const std::vector<Edit>& edits) {
    Texts out;
    std::size_t at = 0;
    for (const Edit& one : edits) {
      for (; at < one.line; ++at) out.push_back(lines[at]);
      out.insert(out.end(), one.lines.begin(), one.lines.end());
      at += one.count;
    }
    out.insert(out.end(), lines.begin() + static_cast<std::ptrdiff_t>(at), lines.end());
    return out;
  }

  static std::string joined(const Texts& lines, const std::string& end) {
    std::string out;
    for (const std::string& line : lines) out += line + end;
    return out;
  }

  std::string context(const std::string& line) {
    if (line.empty() && has(Flaw::lost_blanks)) return "\n";
    if (has(Flaw::fuzzed_context) && !line.empty() && below(3) == 0) return " " + fuzzed(line);
    return " " + line + (has(Flaw::other_context) ? " // as I remember it\n" : "\n");
  }

  std::string fuzzed(std::string line) {
    switch (below(4)) {
      case 0:
        return line + " \n";
      case 1:
        return " " + line + "\n";
      case 2:
        return line.substr(1) + "\n";
      default:
        line[below(line.size())] = '~';
        return line + "\n";
    }
  }

  /// One for each edit, so that their context is shared where they are near.
  std::string hunk(const Texts& lines, const Edit& edit, long shift) {
    const std::size_t around = has(Flaw::short_lines) ? below(2) : 3;
    const std::size_t first = edit.line - std::min(edit.line, around);
    const std::size_t end = std::min(edit.line + edit.count + around, lines.size());
    std::string out;
    for (std::size_t i = first; i < edit.line; ++i) out += context(lines[i]);
    for (std::size_t i = edit.line; i < edit.line + edit.count; ++i) out += "-" + lines[i] + "\n";
    for (const std::string& line : edit.lines) out += "+" + line + "\n";
    for (std::size_t i = edit.line + edit.count; i < end; ++i) out += context(lines[i]);
    const bool at_end = end == lines.size();
    if (has(Flaw::more_marks) && !at_end) out += "\\ No newline at end of file\n";
    if (has(Flaw::no_counts)) return (below(2) == 0 ? "@@\n" : "@@ ... @@\n") + out;
    std::size_t olds = end - first;
    std::size_t news = olds - edit.count + edit.lines.size();
    if (has(Flaw::wrong_counts)) {
      olds = below(9);
      news += 1 + below(3);
    }
    auto start = static_cast<long>(first) + 1;
    if (has(Flaw::shifted)) start = std::max(0L, start + static_cast<long>(below(30)) - 15);
    return "@@ -" + std::to_string(start) + "," + std::to_string(olds) + " +" +
           std::to_string(std::max(0L, start + shift)) + "," + std::to_string(news) + " @@\n" + out;
  }

  std::string diff(const Texts& lines, const std::vector<Edit>& edits) {
    Texts hunks;
    long shift = 0;
    for (const Edit& one : edits) {
      hunks.push_back(hunk(lines, one, shift));
      if (has(Flaw::stray_blanks)) hunks.back() += "\n";
      shift += static_cast<long>(one.lines.size()) - static_cast<long>(one.count);
    }
    if (has(Flaw::backwards)) std::reverse(hunks.begin(), hunks.end());
    std::string out = "--- a/src/a.js\n+++ b/src/a.js\n" + joined(hunks, "");
    if (has(Flaw::prose)) out += "That is all that has to change.\n";
    if (has(Flaw::no_newline) && out.ends_with('\n')) out.pop_back();
    return has(Flaw::returns) ? replaced(out, "\n", "\r\n") : out;
  }

  std::mt19937 random_;
  std::set<Flaw> has_;
};

/// "applied", or why not.
std::string outcome(const Answer& answer) {
  const auto said = parse(answer.json);
  if (!said) return said.error().breaks_protocol() ? "violation" : "bad_diff";
  const auto& file = std::get<CallsiteRewrite>(*said).diff.patch().files.front();
  const auto text = json::place(file, answer.original);
  if (!text) {
    const bool several = text.error().kind == json::Misplaced::Kind::ambiguous;
    return several ? "ambiguous" : "does_not_apply";
  }
  EXPECT_EQ(*text, answer.meant) << answer.original << "\n" << answer.json;
  const json::FilePatch own = json::difference("src/a.js", answer.original, *text);
  if (!own.hunks.empty()) {
    EXPECT_EQ(*json::apply_patch(own, answer.original), *text);
  }
  return *text == answer.meant ? "applied" : "misapplied";
}

std::map<std::string, std::size_t> tally(unsigned seed, std::size_t answers) {
  Author author(seed);
  std::map<std::string, std::size_t> out;
  for (std::size_t i = 0; i < answers; ++i) {
    const Answer answer = author.write();
    const std::string came = outcome(answer);
    ++out[came];
    const auto hopeless = std::find_if(answer.flaws.begin(), answer.flaws.end(), is_hopeless);
    // What stands in one place, whatever is said about it, is applied.
    const bool whole = !repeats(answer) && !answer.flaws.contains(Flaw::short_lines) &&
                       hopeless == answer.flaws.end();
    if (whole) ++out["of these well placed"];
    if (whole && came == "applied") ++out["of these well placed, applied"];
  }
  return out;
}

TEST(LooseAnswers, TwoHundredAreAppliedAsTheyWereMeantOrRefused) {
  const auto said = tally(20261203, 200);
  for (const auto& [what, count] : said) {
    std::cout << "loose answers: " << count << " " << what << "\n";
    RecordProperty(what, static_cast<int>(count));
  }
  EXPECT_EQ(said.count("misapplied"), 0U);
  EXPECT_EQ(said.count("violation"), 0U);
  EXPECT_GE(said.at("applied"), 100U);
  EXPECT_GE(said.at("ambiguous"), 5U);
  EXPECT_GE(said.at("does_not_apply"), 5U);
  EXPECT_GE(said.at("bad_diff"), 5U);
}

TEST(LooseAnswers, NorIsOneMisappliedOfManyMore) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto said = tally(seed, 200);
    ASSERT_EQ(said.count("misapplied"), 0U) << seed;
    ASSERT_EQ(said.count("violation"), 0U) << seed;
  }
}

}  // namespace
}  // namespace cg::proposal
