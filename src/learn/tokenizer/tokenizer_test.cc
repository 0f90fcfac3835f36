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
