// tokenizer.json: the parts that BERT's tokenizers have, and no others.
#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "learn/tokenizer/tokenizer.h"

namespace cg::tokenizer {

namespace {

using json::Value;

constexpr json::Limits kLimits = {kMaxFile, 16, 2 * kMaxTokens};

Failure<Error> refuse(std::string what) { return fail(Error{std::move(what)}); }

/// A member that must be `type`; nothing where it is null or not there.
const Value* part(const Value& all, std::string_view key) {
  const Value* found = all.find(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

Result<bool, Error> flag(const Value& of, std::string_view key) {
  const Value* found = of.find(key);
  const auto value = found == nullptr ? std::nullopt : found->as_bool();
  if (!value) return refuse("`" + std::string(key) + "` is neither true nor false");
  return *value;
}

Result<std::uint32_t, Error> id_of(const Value* value) {
  const auto id = value == nullptr ? std::nullopt : value->as_int();
  if (!id || *id < 0 || *id >= static_cast<std::int64_t>(kMaxTokens)) {
    return refuse("an id is no number from 0 to 999,999");
  }
  return static_cast<std::uint32_t>(*id);
}

Result<Rules, Error> read_rules(const Value& all) {
  const Value* normalizer = part(all, "normalizer");
  if (normalizer == nullptr || normalizer->text("type") != "BertNormalizer") {
    return refuse("its normalizer is not BertNormalizer");
  }
  const Value* splitter = part(all, "pre_tokenizer");
  if (splitter == nullptr || splitter->text("type") != "BertPreTokenizer") {
    return refuse("its pre_tokenizer is not BertPreTokenizer");
  }
  Rules rules;
  CG_TRY_ASSIGN(rules.clean, flag(*normalizer, "clean_text"));
  CG_TRY_ASSIGN(rules.spaces_ideographs, flag(*normalizer, "handle_chinese_chars"));
  CG_TRY_ASSIGN(rules.lowers, flag(*normalizer, "lowercase"));
  rules.strips_accents = rules.lowers;
  if (part(*normalizer, "strip_accents") != nullptr) {
    CG_TRY_ASSIGN(rules.strips_accents, flag(*normalizer, "strip_accents"));
  }
  return rules;
}

Result<std::optional<std::size_t>, Error> read_truncation(const Value& all) {
  const Value* truncation = part(all, "truncation");
  if (truncation == nullptr) return std::optional<std::size_t>();
  const Value* max = truncation->find("max_length");
  const auto length = max == nullptr ? std::nullopt : max->as_int();
  if (!length || *length < 2) return refuse("its truncation has no `max_length` of at least 2");
  if (truncation->text("direction") == "Left") return refuse("it cuts texts on the left");
  return std::optional(static_cast<std::size_t>(*length));
}

/// {"SpecialToken": {"id": "[CLS]", …}} as "[CLS]"; empty for anything else.
std::string special_of(const Value& item) {
  const Value* token = item.find("SpecialToken");
  return token == nullptr ? "" : token->text("id");
}

/// A part of a template may be of another type than the first, with weights of its own.
bool is_of_first_type(const Value& item) {
  for (const char* key : {"SpecialToken", "Sequence"}) {
    const Value* piece = item.find(key);
    const Value* type = piece == nullptr ? nullptr : piece->find("type_id");
    if (type != nullptr && type->as_int() != 0) return false;
  }
  return true;
}

/// A token by what a post-processor calls it, and the id that it has there; nothing: it says none.
struct End {
  std::string name;
  const Value* id = nullptr;
};

/// ["[SEP]", 102]
End end_of_pair(const Value* pair) {
  const Value::Array* items = pair == nullptr ? nullptr : pair->as_array();
  if (items == nullptr || items->size() != 2 || !(*items)[0].is_string()) return {};
  return {*(*items)[0].as_string(), &(*items)[1]};
}

/// "special_tokens": {"[SEP]": {"id": "[SEP]", "ids": [102], "tokens": ["[SEP]"]}}; where `ids` are
/// several, what stands there is no id.
End end_of_template(const Value& ends, std::string name) {
  const Value* all = ends.find("special_tokens");
  const Value* one = all == nullptr ? nullptr : all->find(name);
  const Value* ids = one == nullptr ? nullptr : one->find("ids");
  const Value::Array* list = ids == nullptr ? nullptr : ids->as_array();
  const bool single = list != nullptr && list->size() == 1;
  return {std::move(name), single ? list->data() : ids};
}

}  // namespace

Result<Done, Error> Tokenizer::read_model(const Value& model) {
  if (model.text("type") != "WordPiece") return refuse("its model is not WordPiece");
  const Value* vocab = model.find("vocab");
  if (vocab == nullptr || !vocab->is_object()) return refuse("its model has no `vocab`");
  if (vocab->as_object()->size() > kMaxTokens) return refuse("more than 1,000,000 tokens");
  if (const Value* prefix = model.find("continuing_subword_prefix")) {
    if (!prefix->is_string() || prefix->as_string()->empty()) {
      return refuse("its model marks no tokens as inside of a word");
    }
    prefix_ = *prefix->as_string();
  }
  if (const Value* max = model.find("max_input_chars_per_word")) {
    const auto length = max->as_int();
    if (!length || *length < 1 || *length > static_cast<std::int64_t>(kMaxWord)) {
      return refuse("`max_input_chars_per_word` is not from 1 to 100");
    }
    max_word_ = static_cast<std::size_t>(*length);
  }
  for (const auto& [text, value] : *vocab->as_object()) {
    CG_TRY_ASSIGN(const std::uint32_t id, id_of(&value));
    whole_.add(text, id);
  }
  return finish(model.text("unk_token"));
}

/// Tokens that are looked for in the text as it is given. One that the vocabulary does not have,
/// or has under another id, makes one of the two unreachable.
Result<Done, Error> Tokenizer::read_added(const Value& added) {
  if (!added.is_array() || added.as_array()->size() > kMaxSpecials) {
    return refuse("`added_tokens` is no list of at most 100");
  }
  for (const Value& item : *added.as_array()) {
    const std::string text = item.text("content");
    const Token* known = whole_.find(text);
    CG_TRY_ASSIGN(const std::uint32_t id, id_of(item.find("id")));
    if (known == nullptr || known->id != id) {
      return refuse("the added token `" + printable(cut(text, 60)) +
                    "` is not the vocabulary's of that id");
    }
    for (const char* key : {"single_word", "lstrip", "rstrip", "normalized"}) {
      CG_TRY_ASSIGN(const bool asks, flag(item, key));
      if (asks) return refuse("an added token asks for `" + std::string(key) + "`");
    }
    const std::size_t before = specials_.size();
    CG_TRY(add_special(*known));
    if (specials_.size() == before) return refuse("an added token is there twice");
  }
  return Done{};
}

/// What stands before and behind every text.
Result<Done, Error> Tokenizer::read_ends(const Value& ends) {
  End first;
  End last;
  if (ends.text("type") == "BertProcessing") {
    first = end_of_pair(ends.find("cls"));
    last = end_of_pair(ends.find("sep"));
  } else if (ends.text("type") == "TemplateProcessing") {
    const Value* single = ends.find("single");
    const Value::Array* items = single == nullptr ? nullptr : single->as_array();
    if (items != nullptr && items->size() == 3 && (*items)[1].find("Sequence") != nullptr) {
      if (!std::all_of(items->begin(), items->end(), is_of_first_type)) {
        return refuse("its template has a `type_id` that is not 0");
      }
      first = end_of_template(ends, special_of((*items)[0]));
      last = end_of_template(ends, special_of((*items)[2]));
    }
  }
  if (first.name.empty() || last.name.empty()) {
    return refuse("it does not put one token at either end");
  }
  const auto known = [&](const End& end) -> Result<std::uint32_t, Error> {
    CG_TRY_ASSIGN(const std::uint32_t id, special(end.name));
    if (end.id != nullptr && end.id->as_int() != id) {
      return refuse("its post_processor gives `" + printable(cut(end.name, 60)) +
                    "` another id than the vocabulary");
    }
    return id;
  };
  CG_TRY_ASSIGN(first_, known(first));
  CG_TRY_ASSIGN(last_, known(last));
  return Done{};
}

Result<Tokenizer, Error> Tokenizer::from_json(std::string_view text) {
  const auto all = json::parse_json(text, kLimits);
  if (!all) return refuse(json::describe(all.error()));
  const Value* model = part(*all, "model");
  const Value* ends = part(*all, "post_processor");
  const Value* added = part(*all, "added_tokens");
  if (model == nullptr || ends == nullptr) return refuse("`model` or `post_processor` is missing");
  Tokenizer out;
  CG_TRY_ASSIGN(out.rules_, read_rules(*all));
  CG_TRY_ASSIGN(out.max_length_, read_truncation(*all));
  CG_TRY(out.read_model(*model));
  if (added != nullptr) CG_TRY(out.read_added(*added));
  CG_TRY(out.read_ends(*ends));
  return out;
}

}  // namespace cg::tokenizer
