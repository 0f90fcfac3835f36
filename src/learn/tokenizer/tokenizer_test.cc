#include "learn/tokenizer/tokenizer.h"

#include <gmock/gmock.h>

#include "base/base/text.h"
#include "base/json/json.h"

namespace cg::tokenizer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> words(std::string_view text, const Rules& rules = {}) {
  std::vector<std::string> out;
  each_word(text, rules, [&](std::string_view word) {
    out.push_back(word.empty() ? "(too long)" : std::string(word));
    return true;
  });
  return out;
}

TEST(Words, SpaceSplitsAndPunctuationStandsAlone) {
  EXPECT_THAT(words("a.b  c\t(d)\r\n"), ElementsAre("a", ".", "b", "c", "(", "d", ")"));
  EXPECT_THAT(words("x\u00a0y\u2003z\u3000"), ElementsAre("x", "y", "z"));
  EXPECT_THAT(words("¿qué?"), ElementsAre("¿", "que", "?"));
  EXPECT_THAT(words(""), ElementsAre());
  EXPECT_THAT(words(" \n"), ElementsAre());
}

TEST(Words, ControlCharactersGoAndIdeographsStandAlone) {
  EXPECT_THAT(words(std::string_view("a\0b\x01\x7f\u200b\ufffdc", 13)), ElementsAre("abc"));
  EXPECT_THAT(words("日本語x"), ElementsAre("日", "本", "語", "x"));
  EXPECT_THAT(words("한"), ElementsAre("\u1112\u1161\u11ab"));  // in its letters, as trained
  EXPECT_THAT(words("日本", {.spaces_ideographs = false}), ElementsAre("日本"));
  EXPECT_THAT(words("a\x01z", {.clean = false}), ElementsAre("a\x01z"));
}

TEST(Words, AccentsGoAndCaseFoldsAsTheRulesSay) {
  EXPECT_THAT(words("ÀÉÎ résumé"), ElementsAre("aei", "resume"));
  EXPECT_THAT(words("ÀÉ", {.strips_accents = false}), ElementsAre("àé"));
  EXPECT_THAT(words("ÀÉ", {.lowers = false}), ElementsAre("AE"));
  EXPECT_THAT(words("İ", {.strips_accents = false}), ElementsAre("i\u0307"));
  EXPECT_THAT(words("İ"), ElementsAre("i"));
  EXPECT_THAT(words("ﬁ Ⅳ"), ElementsAre("ﬁ", "ⅳ"));  // compatible forms stay
}

TEST(Words, MarksThatStayComeInCanonicalOrder) {
  // Two spacing marks, of class 226 and 216: the second comes first, however they were written.
  EXPECT_EQ(words("a\U0001D16D\U0001D165b"), words("a\U0001D165\U0001D16Db"));
}

TEST(Words, AMarkOfClassZeroEndsAReordering) {
  // U+034F is dropped, and yet what is behind it never comes before it.
  EXPECT_THAT(words("a\U0001D16D\u034F\U0001D165"), ElementsAre("a\U0001D16D\U0001D165"));
}

TEST(Words, OfPrivateUseTheEndsOfEachRangeGo) {
  EXPECT_THAT(words("a\uE000b\uF8FFc\U000F0000d\U000FFFFDe\U00100000f\U0010FFFDg"),
              ElementsAre("abcdefg"));
  EXPECT_THAT(words("a\uE001\uF8FE\U000F0001\U0010FFFCz"),
              ElementsAre("a\uE001\uF8FE\U000F0001\U0010FFFCz"));
}

TEST(Words, AsManyMarksAsThereAreMakeOneWordThatIsTooLong) {
  std::string marks;
  for (int i = 0; i < 100'000; ++i) marks += "\U0001D165";
  EXPECT_THAT(words("a" + marks + " b"), ElementsAre("(too long)", "b"));
  EXPECT_THAT(words(marks.substr(0, 400)), ElementsAre(marks.substr(0, 400)));
}

TEST(Words, AWordThatIsTooLongIsNamedSoAndBadBytesAreNothing) {
  EXPECT_THAT(words(std::string(100, 'a')), ElementsAre(std::string(100, 'a')));
  EXPECT_THAT(words(std::string(101, 'a') + " b"), ElementsAre("(too long)", "b"));
  EXPECT_THAT(words("a\xff\xc3"
                    "b"),
              ElementsAre("ab"));
  EXPECT_THAT(words("a\xed\xa0\x80z"), ElementsAre("az"));  // half a surrogate pair
}

constexpr std::string_view kVocab =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nlo\n##d\n##as\n##h\nlodash\n.\n##dash\n日\n";

Tokenizer small() {
  auto made = Tokenizer::from_vocab(kVocab, {});
  CG_ASSERT(made.has_value());
  return *std::move(made);
}

TEST(Tokenizer, TakesTheLongestPieceFirstAndAWholeWordIsUnknown) {
  const Tokenizer tokens = small();
  EXPECT_EQ(tokens.id_end(), 13U);
  EXPECT_THAT(tokens.ids("", 8), ElementsAre(2, 3));
  EXPECT_THAT(tokens.ids("Lodash.", 8), ElementsAre(2, 9, 10, 3));
  EXPECT_THAT(tokens.ids("lod lodashd", 8), ElementsAre(2, 5, 6, 9, 6, 3));
  EXPECT_THAT(tokens.ids("lox 日", 8), ElementsAre(2, 1, 12, 3));
  EXPECT_THAT(tokens.ids("🚀🔥", 8), ElementsAre(2, 1, 3));
  EXPECT_THAT(tokens.ids(std::string(101, 'a') + ".", 8), ElementsAre(2, 1, 10, 3));
}

TEST(Tokenizer, SpecialTokensAreFoundAsTheyAreWritten) {
  const Tokenizer tokens = small();
  EXPECT_THAT(tokens.ids("[MASK]lo[SEP]", 8), ElementsAre(2, 4, 5, 3, 3));
  EXPECT_THAT(tokens.ids("[mask]", 8), ElementsAre(2, 1, 1, 1, 3));
}

TEST(Tokenizer, NamesMayBeOthersThanTheUsualOnes) {
  const std::string_view vocab = "<pad>\n<unk>\n<s>\n</s>\n[SEP]\nlo\n";
  const Names names{"<unk>", "<s>", "</s>", "<pad>", "[MASK]"};
  const auto made = Tokenizer::from_vocab(vocab, {}, names);
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_THAT(made->ids("lo<s>x", 8), ElementsAre(2, 5, 2, 1, 3));
  EXPECT_THAT(made->ids("[SEP]", 8), ElementsAre(2, 1, 1, 1, 3));  // a word like others
  for (std::string Names::*name :
       {&Names::unknown, &Names::first, &Names::last, &Names::pad, &Names::mask}) {
    Names wrong = names;
    wrong.*name = "<gone>";
    const auto refused = Tokenizer::from_vocab(vocab, {}, wrong);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().what, HasSubstr("no token `<gone>`"));
  }
}

TEST(Tokenizer, CutsBehindTheFirst) {
  const Tokenizer tokens = small();
  EXPECT_THAT(tokens.ids("lodash . . .", 4), ElementsAre(2, 9, 10, 3));
  EXPECT_THAT(tokens.ids("lod", 3), ElementsAre(2, 5, 3));
  EXPECT_THAT(tokens.ids("lodash", 2), ElementsAre(2, 3));
}

TEST(Tokenizer, ALargeTextTakesNoMoreThanItsBeginning) {
  const Tokenizer tokens = small();
  const std::size_t ten = 10U << 20U;
  EXPECT_THAT(tokens.ids(std::string(ten, 'a'), 8), ElementsAre(2, 1, 3));
  EXPECT_THAT(tokens.ids(std::string(ten, '\0'), 8), ElementsAre(2, 3));
  EXPECT_THAT(tokens.ids(std::string(ten, ' ') + ".", 8), ElementsAre(2, 10, 3));
  EXPECT_EQ(tokens.ids(std::string(ten, '.'), 512).size(), 512U);
  std::string specials;
  while (specials.size() < ten) specials += "[SEP]";
  const auto ids = tokens.ids(specials, 8);
  EXPECT_THAT(ids, ElementsAre(2, 3, 3, 3, 3, 3, 3, 3));
  EXPECT_LE(ids.capacity(), 64U);
}

TEST(Tokenizer, AVocabularyThatIsNoneIsRefused) {
  const auto error = [](std::string_view text) {
    const auto made = Tokenizer::from_vocab(text, {});
    return made ? "" : made.error().what;
  };
  EXPECT_THAT(error(""), HasSubstr("line 1 is empty"));
  EXPECT_THAT(error("[UNK]\n\n[CLS]\n[SEP]\n"), HasSubstr("line 2 is empty"));
  EXPECT_THAT(error("[UNK]\n[CLS]\n[SEP]\na\na\n"), HasSubstr("`a` is there twice"));
  EXPECT_THAT(error("[CLS]\n[SEP]\n"), HasSubstr("no token `[UNK]`"));
  EXPECT_THAT(error("[UNK]\n[SEP]\n"), HasSubstr("no token `[CLS]`"));
  EXPECT_THAT(error("[UNK]\n[CLS]\n"), HasSubstr("no token `[SEP]`"));
  EXPECT_THAT(error("[UNK]\n\xff\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(error(std::string(kMaxFile + 1, 'a')), HasSubstr("larger than"));
  EXPECT_THAT(error("[UNK]\n[CLS]\n[SEP]\n" + std::string(1001, 'a')), HasSubstr("1000 bytes"));
}

constexpr std::string_view kJson = R"({
 "truncation": {"direction": "Right", "max_length": 16, "strategy": "LongestFirst", "stride": 0},
 "added_tokens": [{"id": 0, "content": "[UNK]", "single_word": false, "lstrip": false,
   "rstrip": false, "normalized": false, "special": true}],
 "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
   "strip_accents": null, "lowercase": false},
 "pre_tokenizer": {"type": "BertPreTokenizer"},
 "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
 "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
   "max_input_chars_per_word": 5, "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "Ab": 3,
   "##c": 4}}})";

std::string with(std::string_view what, std::string_view by) {
  CG_ASSERT(kJson.find(what) != std::string_view::npos);
  return replaced(kJson, what, by);
}

TEST(Tokenizer, ReadsWhatTokenizerJsonSays) {
  const auto made = Tokenizer::from_json(kJson);
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(made->max_length(), 16U);
  EXPECT_THAT(made->ids("Abc Äbc ab Abcccc[UNK]Ab", 16), ElementsAre(1, 3, 4, 0, 0, 0, 0, 3, 2));
  EXPECT_TRUE(Tokenizer::from_json(with(R"("truncation")", R"("unknown")")));
  const auto other = Tokenizer::from_json(with(
      R"({"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]})",
      R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
         {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]"}}]})"));
  ASSERT_TRUE(other) << other.error().what;
  EXPECT_THAT(other->ids("Abc", 16), ElementsAre(1, 3, 4, 2));
}

/// kJson with a template; `tokens` are its special_tokens, `type` the type of the text in it.
std::string with_template(std::string_view tokens, std::string_view type = "0") {
  return with(R"({"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]})",
              R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[CLS]"}},
                 {"Sequence": {"id": "A", "type_id": )" +
                  std::string(type) +
                  R"(}}, {"SpecialToken": {"id": "[SEP]"}}], "special_tokens": )" +
                  std::string(tokens) + "}");
}

TEST(Tokenizer, TheIdsOfAPostProcessorAreTheVocabularys) {
  const auto error = [](const std::string& json) {
    const auto made = Tokenizer::from_json(json);
    return made ? "" : made.error().what;
  };
  constexpr auto* kBoth = R"({"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]},
                              "[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]}})";
  EXPECT_EQ(error(with_template(kBoth)), "");
  EXPECT_THAT(error(with_template(replaced(kBoth, "[2]", "[3]"))), HasSubstr("gives `[SEP]`"));
  EXPECT_THAT(error(with_template(replaced(kBoth, "[1]", "[1, 1]"))), HasSubstr("gives `[CLS]`"));
  EXPECT_THAT(error(with_template(kBoth, "1")), HasSubstr("`type_id`"));
  EXPECT_THAT(error(with("[\"[SEP]\", 2]", "[\"[SEP]\", 3]")), HasSubstr("gives `[SEP]`"));
  EXPECT_THAT(error(with("[\"[CLS]\", 1]", "[\"[CLS]\", \"1\"]")), HasSubstr("gives `[CLS]`"));
}

/// Tokens of `sizes` letters a, found in a text as they are.
std::string with_added(const std::vector<std::size_t>& sizes) {
  std::string vocab = R"("[UNK]": 0)";
  std::string added;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string token(sizes[i], 'a');
    vocab += ", \"" + token + "\": " + std::to_string(10 + i);
    added += R"({"single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
                 "content": ")" +
             token + "\", \"id\": " + std::to_string(10 + i) + "},";
  }
  return replaced(with(R"("[UNK]": 0)", vocab), "\"added_tokens\": [",
                  "\"added_tokens\": [" + added);
}

TEST(Tokenizer, OfAddedTokensTheLongestIsFound) {
  const auto made = Tokenizer::from_json(with_added({7, 3, 1, 90}));
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_THAT(made->ids(std::string(90 + 7 + 3 + 2, 'a') + "b", 16),
              ElementsAre(1, 13, 10, 11, 12, 12, 0, 2));
  std::vector<std::size_t> sizes;
  for (std::size_t i = 2; i <= 100; ++i) sizes.push_back(i);
  const auto many = Tokenizer::from_json(with_added(sizes));
  ASSERT_TRUE(many) << many.error().what;
  std::string text;
  while (text.size() < (10U << 20U)) text += "aB";  // each begins like all of them
  EXPECT_THAT(many->ids(text, 16), ElementsAre(1, 0, 2));
  const auto long_one = Tokenizer::from_json(with_added({101}));
  ASSERT_FALSE(long_one);
  EXPECT_THAT(long_one.error().what, HasSubstr("more than 100 bytes"));
}

TEST(Tokenizer, AJsonThatAsksForWhatIsNotDoneIsRefused) {
  struct Case {
    std::string json;
    const char* what;
  };
  std::string deep = std::string(40, '[') + std::string(40, ']');
  const std::vector<Case> cases = {
      {"", "line 1"},
      {"{}", "missing"},
      {std::string(kJson.substr(0, 400)), "line"},
      {with("\"##c\": 4", "\"Ab\": 4"), "duplicate key"},
      {with("\"##c\": 4", "\"##c\": 3"), "two tokens have the id 3"},
      {with("\"##c\": 4", "\"##c\": -1"), "an id is no number"},
      {with("\"##c\": 4", "\"##c\": 1000000"), "an id is no number"},
      {with("\"##c\": 4", "\"\": 4"), "a token is empty"},
      {with("\"continuing_subword_prefix\": \"##\"", "\"continuing_subword_prefix\": \"\""),
       "inside of a word"},
      {with("\"unk_token\": \"[UNK]\"", "\"unk_token\": \"[unk]\""), "no token `[unk]`"},
      {with("\"cls\": [\"[CLS]\", 1]", "\"cls\": [\"[cls]\", 1]"), "no token `[cls]`"},
      {with("BertProcessing", "RobertaProcessing"), "at either end"},
      {with("WordPiece", "BPE"), "not WordPiece"},
      {with("\"BertNormalizer\"", "\"Sequence\""), "BertNormalizer"},
      {with("BertPreTokenizer", "ByteLevel"), "BertPreTokenizer"},
      {with("\"lstrip\": false", "\"lstrip\": true"), "`lstrip`"},
      {with("{\"id\": 0, \"content\": \"[UNK]\"", "{\"id\": 9, \"content\": \"[UNK]\""),
       "not the vocabulary's"},
      {with("\"max_length\": 16", "\"max_length\": 1"), "at least 2"},
      {with("\"Right\"", "\"Left\""), "on the left"},
      {with("\"max_input_chars_per_word\": 5", "\"max_input_chars_per_word\": 0"), "1 to 100"},
      {with("\"strip_accents\": null", "\"strip_accents\": " + deep), "deep"},
  };
  for (const Case& one : cases) {
    const auto made = Tokenizer::from_json(one.json);
    ASSERT_FALSE(made) << one.what;
    EXPECT_THAT(made.error().what, HasSubstr(one.what));
  }
}

}  // namespace
}  // namespace cg::tokenizer
