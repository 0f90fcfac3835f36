#include "learn/pinned/settings.h"

#include <algorithm>
#include <array>

#include "base/base/text.h"
#include "base/json/json.h"

namespace cg::pinned {

namespace {

using json::Value;
using tokenizer::Names;
using tokenizer::Rules;
using tokenizer::Tokenizer;

constexpr std::size_t kMaxSettings = 1U << 20U;
constexpr const char* kModules = "modules.json";
constexpr const char* kPooling = "1_Pooling";
constexpr const char* kPrompts = "config_sentence_transformers.json";
constexpr const char* kTokenizer = "tokenizer_config.json";
constexpr const char* kSentence = "sentence_bert_config.json";

std::string quoted(std::string_view text) { return "`" + printable(cut(text, 60)) + "`"; }

/// What a file beside a model says; nothing: it is not there.
Result<std::optional<Value>, Problem> read_beside(const os::Dir& folder, const std::string& path) {
  const auto text = folder.read(path, kMaxSettings);
  if (!text && text.error().kind == os::Error::Kind::not_found) return std::optional<Value>();
  if (!text) return fail(unusable(folder.path_of(path), os::describe(text.error())));
  auto out = json::parse_json(*text, {kMaxSettings, 32, 100'000});
  if (!out) return fail(unusable(folder.path_of(path), json::describe(out.error())));
  return std::optional(*std::move(out));
}

/// Many models write 10^30 for no limit, which is no number that JSON is read with here: null says
/// the same. A quoted name with a colon behind it is a key, wherever it stands.
std::string with_limits_that_fit(std::string text) {
  constexpr std::string_view kKey = "\"model_max_length\"";
  constexpr std::size_t kAlwaysFit = 18;  // digits
  for (std::size_t at = text.find(kKey); at != std::string::npos; at = text.find(kKey, at)) {
    at = text.find_first_not_of(" \t\r\n", at + kKey.size());
    if (at == std::string::npos || text[at] != ':') continue;
    at = text.find_first_not_of(" \t\r\n", at + 1);
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    if (at != std::string::npos && end - at > kAlwaysFit) text.replace(at, end - at, "null");
  }
  return text;
}

Result<std::optional<Value>, Problem> read_object(std::span<const ModelFile> files,
                                                  std::string_view name) {
  const ModelFile* file = find_file(files, name);
  if (file == nullptr) return std::optional<Value>();
  if (file->bytes.size() > kMaxSettings) return fail(unusable(file->name, "larger than 1 MiB"));
  auto out = json::parse_json(with_limits_that_fit(file->bytes), {kMaxSettings, 32, 100'000});
  if (!out) return fail(unusable(file->name, json::describe(out.error())));
  if (!out->is_object()) return fail(unusable(file->name, "it is no object"));
  return std::optional(*std::move(out));
}

/// nullptr where it is null, too: nothing is said then.
const Value* said(const Value& all, std::string_view key) {
  const Value* found = all.find(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

Result<std::optional<bool>, Problem> flag(const Value& all, const char* file,
                                          std::string_view key) {
  const Value* found = said(all, key);
  if (found == nullptr) return std::optional<bool>();
  const auto value = found->as_bool();
  if (!value) return fail(unusable(file, quoted(key) + " is neither true nor false"));
  return value;
}

/// What both files of a tokenizer can say.
struct Shared {
  std::string_view key;
  bool Rules::*rule;
};
constexpr std::array<Shared, 3> kShared = {{{"do_lower_case", &Rules::lowers},
                                            {"strip_accents", &Rules::strips_accents},
                                            {"tokenize_chinese_chars", &Rules::spaces_ideographs}}};

Result<Done, Problem> check_agreement(const Value& settings, const Rules& rules) {
  for (const Shared& one : kShared) {
    CG_TRY_ASSIGN(const std::optional<bool> value, flag(settings, kTokenizer, one.key));
    if (value && *value != rules.*one.rule) {
      return fail(unusable(kTokenizer, "its " + quoted(one.key) + " is " +
                                           (*value ? "true" : "false") +
                                           ", and tokenizer.json does otherwise"));
    }
  }
  return Done{};
}

/// Whether a vocabulary is of the tokenizer that is done here: others of the family take words
/// apart by a dictionary, or by another rule.
bool is_wordpiece(std::string_view tokenizer) {
  if (tokenizer.ends_with("Fast")) tokenizer.remove_suffix(4);
  return tokenizer.empty() || tokenizer.ends_with("BertTokenizer") ||
         tokenizer == "ElectraTokenizer" || tokenizer == "PreTrainedTokenizer";
}

/// What vocab.txt does not say of itself.
Result<Rules, Problem> read_rules(const Value& settings) {
  Rules rules;
  const std::string tokenizer = settings.text("tokenizer_class");
  if (!is_wordpiece(tokenizer)) {
    return fail(unusable(kTokenizer, "its `tokenizer_class` is " + quoted(tokenizer)));
  }
  for (const Shared& one : kShared) {
    CG_TRY_ASSIGN(const std::optional<bool> value, flag(settings, kTokenizer, one.key));
    if (value) rules.*one.rule = *value;
    // Accents go with case unless something is said of them.
    if (one.key == "do_lower_case") rules.strips_accents = rules.lowers;
  }
  CG_TRY_ASSIGN(const std::optional<bool> words, flag(settings, kTokenizer, "do_basic_tokenize"));
  if (words == false) {
    return fail(
        unusable(kTokenizer, "its `do_basic_tokenize` is false: words are taken as they are"));
  }
  return rules;
}

/// "unk_token": "[UNK]", or an object that has it as `content`.
Result<Names, Problem> read_names(const Value& settings) {
  struct Named {
    std::string_view key;
    std::string Names::*name;
  };
  constexpr std::array<Named, 5> kNamed = {{{"unk_token", &Names::unknown},
                                            {"cls_token", &Names::first},
                                            {"sep_token", &Names::last},
                                            {"pad_token", &Names::pad},
                                            {"mask_token", &Names::mask}}};
  Names out;
  for (const Named& one : kNamed) {
    const Value* found = said(settings, one.key);
    if (found == nullptr) continue;
    if (found->is_object()) found = found->find("content");
    const std::string* text = found == nullptr ? nullptr : found->as_string();
    if (text == nullptr) return fail(unusable(kTokenizer, quoted(one.key) + " is no token"));
    out.*one.name = *text;
  }
  return out;
}

/// Sentence encoders are published with how a vector is made of those of all tokens.
Result<Done, Problem> check_pooling(const os::Dir& folder, const std::string& in) {
  const std::string path = in + "/config.json";
  CG_TRY_ASSIGN(const std::optional<Value> all, read_beside(folder, path));
  if (!all) return Done{};
  constexpr std::string_view kMode = "pooling_mode";
  constexpr std::string_view kMean = "pooling_mode_mean_tokens";
  bool mean = false;
  if (const Value::Object* members = all->as_object()) {
    for (const auto& [key, value] : *members) {
      if (!key.starts_with(kMode) || value.is_null() || value.as_bool() == false) continue;
      const bool is_mean = (key == kMean && value.as_bool() == true) ||
                           (key == kMode && value.is_string() && *value.as_string() == "mean");
      if (!is_mean) {
        return fail(unusable(folder.path_of(path), "its vectors are made by " + quoted(key) +
                                                       ", not by the mean of all tokens alone"));
      }
      mean = true;
    }
  }
  if (mean) return Done{};
  return fail(unusable(folder.path_of(path), "its vectors are not the mean of all tokens"));
}

/// A prompt that comes before every text unless somebody asks otherwise.
Result<Done, Problem> check_prompts(const os::Dir& folder) {
  CG_TRY_ASSIGN(const std::optional<Value> all, read_beside(folder, kPrompts));
  const Value* name = all ? said(*all, "default_prompt_name") : nullptr;
  if (name == nullptr) return Done{};
  return fail(unusable(folder.path_of(kPrompts), "its `default_prompt_name` is not null"));
}

}  // namespace

const ModelFile* find_file(std::span<const ModelFile> files, std::string_view name) {
  const auto at = std::find_if(files.begin(), files.end(),
                               [&](const ModelFile& file) { return file.name == name; });
  return at == files.end() ? nullptr : &*at;
}

Problem unusable(const std::string& file, const std::string& found) {
  return {ErrorCode::embed_model,
          "the model cannot be used",
          {{"file", file}, {"found", found}},
          "nothing was made with it, and nothing was changed",
          {"codegenie explain CG-EMBED-002"}};
}

Result<Done, Problem> check_modules(const os::Dir& folder) {
  CG_TRY(check_prompts(folder));
  CG_TRY_ASSIGN(const std::optional<Value> all, read_beside(folder, kModules));
  if (!all) return check_pooling(folder, kPooling);
  const auto refuse = [&](const std::string& found) {
    return fail(unusable(folder.path_of(kModules), found));
  };
  if (!all->is_array()) return refuse("it is no list");
  std::string pooling = kPooling;
  for (const Value& module : *all->as_array()) {
    const std::string type = module.text("type");
    const std::string path = module.text("path");
    if (type.ends_with(".Transformer")) {
      if (!path.empty()) return refuse("its transformer is in " + quoted(path) + ", not beside it");
    } else if (type.ends_with(".Pooling")) {
      if (!path.empty()) pooling = path;
    } else if (!type.ends_with(".Normalize")) {
      return refuse("it has a module " + quoted(type) + ", which is not computed here");
    }
  }
  return check_pooling(folder, pooling);
}

Result<Tokenizer, Problem> read_tokenizer(std::span<const ModelFile> files) {
  CG_TRY_ASSIGN(const std::optional<Value> settings, read_object(files, kTokenizer));
  if (const ModelFile* json = find_file(files, "tokenizer.json")) {
    auto made = Tokenizer::from_json(json->bytes);
    if (!made) return fail(unusable(json->name, made.error().what));
    if (settings) CG_TRY(check_agreement(*settings, made->rules()));
    return *std::move(made);
  }
  const ModelFile* vocab = find_file(files, "vocab.txt");
  if (vocab == nullptr) {
    return fail(unusable("tokenizer.json", "neither it nor vocab.txt is there"));
  }
  Rules rules;
  Names names;
  if (settings) {
    CG_TRY_ASSIGN(rules, read_rules(*settings));
    CG_TRY_ASSIGN(names, read_names(*settings));
  }
  auto made = Tokenizer::from_vocab(vocab->bytes, rules, names);
  if (!made) return fail(unusable(vocab->name, made.error().what));
  return *std::move(made);
}

Result<std::size_t, Problem> read_length(std::span<const ModelFile> files,
                                         const Tokenizer& tokenizer, std::size_t positions) {
  std::size_t out = std::min(positions, tokenizer.max_length().value_or(positions));
  const auto limit = [&](const Value& all, const char* file,
                         std::string_view key) -> Result<Done, Problem> {
    const Value* found = said(all, key);
    if (found == nullptr) return Done{};
    const auto length = found->as_int();
    const bool none = !length && found->as_double() >= 1e9;  // no limit, as a float
    if (!none && (!length || *length < 2)) {
      return fail(unusable(file, quoted(key) + " is not a length of at least 2"));
    }
    if (length) out = std::min(out, static_cast<std::size_t>(*length));
    return Done{};
  };
  CG_TRY_ASSIGN(const std::optional<Value> settings, read_object(files, kTokenizer));
  if (settings) CG_TRY(limit(*settings, kTokenizer, "model_max_length"));
  CG_TRY_ASSIGN(const std::optional<Value> sentence, read_object(files, kSentence));
  if (!sentence) return out;
  // Sentence encoders are run with this one, whatever the files of their tokenizers say.
  if (said(*sentence, "max_seq_length") != nullptr) out = positions;
  CG_TRY(limit(*sentence, kSentence, "max_seq_length"));
  CG_TRY_ASSIGN(const std::optional<bool> lowers, flag(*sentence, kSentence, "do_lower_case"));
  // Over one that lowers by itself the words are the same; only what is written as a special token
  // in a text, and a sigma at the end of a word, would be read otherwise.
  if (lowers == true && !tokenizer.rules().lowers) {
    return fail(unusable(kSentence, "its `do_lower_case` is true, and its tokenizer keeps case"));
  }
  return out;
}

}  // namespace cg::pinned
