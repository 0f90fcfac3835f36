#include "model/leaf/envelope.h"

#include "base/base/text.h"

namespace cg::leaf {

namespace {

using json::Value;
using proposal::Fault;
using proposal::Violation;

/// More than any context has: a server that counts further does not count tokens.
constexpr std::int64_t kMostTokens = 100'000'000;

const std::string* text_at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found != nullptr ? found->as_string() : nullptr;
}

bool is_text(const Value& value, std::string_view key, std::string_view wanted) {
  const std::string* found = text_at(value, key);
  return found != nullptr && *found == wanted;
}

/// `path` as in "prompt_tokens_details.cached_tokens"; null for what is not there.
const Value* at_path(const Value& value, std::string_view path) {
  const std::size_t dot = path.find('.');
  const Value* found = value.find(path.substr(0, dot));
  if (found == nullptr || found->is_null()) return nullptr;
  return dot == std::string_view::npos ? found : at_path(*found, path.substr(dot + 1));
}

enum class Presence { needed, optional };

/// False if it is not a count; one that may be absent or null is then 0.
bool take_count(const Value& usage, std::string_view path, Presence presence, std::uint64_t& out) {
  if (path.empty()) return true;
  const Value* found = at_path(usage, path);
  if (found == nullptr) return presence == Presence::optional;
  const auto count = found->as_int();
  if (!count || *count < 0 || *count > kMostTokens) return false;
  out = static_cast<std::uint64_t>(*count);
  return true;
}

/// False for counts that are none. A server that may leave them out, and does, is not asked to
/// explain: what was set aside counts then.
bool take_usage(const Value& answer, const UsageFields& fields, net::Tokens& out) {
  const Value* usage = answer.find("usage");
  if (usage == nullptr || usage->is_null()) {
    out.known = false;
    return fields.may_be_missing;
  }
  std::uint64_t within = 0;
  if (!take_count(*usage, fields.input, Presence::needed, out.input) ||
      !take_count(*usage, fields.output, Presence::needed, out.output) ||
      !take_count(*usage, fields.cache_write, Presence::optional, out.cache_write) ||
      !take_count(*usage, fields.cache_read, Presence::optional, out.cache_read) ||
      !take_count(*usage, fields.cache_read_within, Presence::optional, within)) {
    return false;
  }
  if (within > out.input) return false;  // a part that is more than the whole
  out.input -= within;
  out.cache_read += within;
  return true;
}

bool take_model(const Value& answer, Envelope& out) {
  const std::string* model = text_at(answer, "model");
  if (model == nullptr) return false;
  out.model = cut_utf8(printable(*model), net::kMaxModel);
  return true;
}

/// Models think aloud if their server lets them; that is no part of what they say.
bool is_thought(const Value& block) {
  return is_text(block, "type", "thinking") || is_text(block, "type", "redacted_thinking");
}

/// The text of all blocks of text as one, or what is wrong with them: none, or another kind.
void take_blocks(const Value::Array& blocks, Envelope& out) {
  bool any = false;
  for (const Value& block : blocks) {
    if (is_thought(block)) continue;
    const std::string* text = is_text(block, "type", "text") ? text_at(block, "text") : nullptr;
    if (text == nullptr) {
      out.violation = Violation{Fault::unknown_kind, "content"};
      return;
    }
    out.text += *text;
    any = true;
  }
  if (!any) out.violation = Violation{Fault::missing_key, "content"};
}

/// What a chat's model thought is in fields of its own, which are not read.
void take_message(const Value& message, Envelope& out) {
  const std::string* text = text_at(message, "content");
  const Value* tools = message.find("tool_calls");
  const bool calls = tools != nullptr && tools->is_array() && !tools->as_array()->empty();
  out.is_refused = text == nullptr && text_at(message, "refusal") != nullptr;
  if (text == nullptr || calls) {
    out.violation = Violation{calls ? Fault::unknown_kind : Fault::missing_key, "content"};
  } else {
    out.text = *text;
  }
}

void take_ending(const Provider& provider, const std::string& word, Envelope& out) {
  switch (ending_of(provider, word)) {
    case Ending::whole:
      return;
    case Ending::cut:
      out.violation = Violation{Fault::too_large, "cut off at max_tokens"};
      return;
    case Ending::filtered:
      out.is_refused = true;
      return;
    case Ending::elsewhere:
      out.violation = Violation{Fault::unknown_kind, std::string(provider.ending_field)};
      return;
  }
}

/// What the model said and the word at its end, or what is missing.
Result<const std::string*, std::string> take_turn(const Provider& provider, const Value& answer,
                                                  Envelope& out) {
  const Value* turn = &answer;
  if (provider.wire == net::Wire::messages) {
    const Value* content = answer.find("content");
    if (content == nullptr || !content->is_array()) return fail(std::string("content"));
    take_blocks(*content->as_array(), out);
  } else {
    const Value* choices = answer.find("choices");
    const Value::Array* list = choices != nullptr ? choices->as_array() : nullptr;
    if (list == nullptr || list->size() != 1) return fail(std::string("choices"));
    turn = &list->front();
    const Value* message = turn->find("message");
    if (message == nullptr || !is_text(*message, "role", "assistant")) {
      return fail(std::string("message"));
    }
    take_message(*message, out);
  }
  const std::string* word = text_at(*turn, provider.ending_field);
  if (word == nullptr) return fail(std::string(provider.ending_field));
  return word;
}

}  // namespace

Result<Envelope, std::string> read_envelope(const Provider& provider, const Value& answer) {
  Envelope out;
  if (provider.wire == net::Wire::messages) {
    if (!is_text(answer, "type", "message")) return fail(std::string("type"));
    if (!is_text(answer, "role", "assistant")) return fail(std::string("role"));
  }
  if (!take_model(answer, out)) return fail(std::string("model"));
  if (!take_usage(answer, provider.usage, out.tokens)) return fail(std::string("usage"));
  CG_TRY_ASSIGN(const std::string* word, take_turn(provider, answer, out));
  take_ending(provider, *word, out);
  return out;
}

}  // namespace cg::leaf
