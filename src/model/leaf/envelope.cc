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

enum class Presence { needed, optional };

/// False if it is not a count; one that may be absent or null is then 0.
bool take_count(const Value* usage, std::string_view key, Presence presence, std::uint64_t& out) {
  const Value* found = usage != nullptr ? usage->find(key) : nullptr;
  if (found == nullptr || found->is_null()) return presence == Presence::optional;
  const auto count = found->as_int();
  if (!count || *count < 0 || *count > kMostTokens) return false;
  out = static_cast<std::uint64_t>(*count);
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
void take_content(const Value::Array& blocks, Envelope& out) {
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

/// `done` is the word for an answer that is whole, `cut` for one at its limit.
void take_ending(const std::string& reason, std::string_view done, std::string_view cut,
                 Envelope& out) {
  if (reason == done) return;
  if (reason == cut) {
    out.violation = Violation{Fault::too_large, "cut off at max_tokens"};
  } else if (reason == "refusal" || reason == "content_filter") {
    out.violation = Violation{Fault::not_json, "refused"};
  } else {
    out.violation = Violation{Fault::unknown_kind, "stop_reason"};
  }
}

}  // namespace

Result<Envelope, std::string> read_messages(const Value& answer) {
  Envelope out;
  if (!is_text(answer, "type", "message")) return fail(std::string("type"));
  if (!is_text(answer, "role", "assistant")) return fail(std::string("role"));
  if (!take_model(answer, out)) return fail(std::string("model"));
  const Value* usage = answer.find("usage");
  if (!take_count(usage, "input_tokens", Presence::needed, out.tokens.input) ||
      !take_count(usage, "output_tokens", Presence::needed, out.tokens.output) ||
      !take_count(usage, "cache_creation_input_tokens", Presence::optional,
                  out.tokens.cache_write) ||
      !take_count(usage, "cache_read_input_tokens", Presence::optional, out.tokens.cache_read)) {
    return fail(std::string("usage"));
  }
  const Value* content = answer.find("content");
  if (content == nullptr || !content->is_array()) return fail(std::string("content"));
  const std::string* reason = text_at(answer, "stop_reason");
  if (reason == nullptr) return fail(std::string("stop_reason"));
  take_content(*content->as_array(), out);
  take_ending(*reason, "end_turn", "max_tokens", out);
  return out;
}

Result<Envelope, std::string> read_chat(const Value& answer) {
  Envelope out;
  if (!take_model(answer, out)) return fail(std::string("model"));
  const Value* usage = answer.find("usage");
  if (!take_count(usage, "prompt_tokens", Presence::needed, out.tokens.input) ||
      !take_count(usage, "completion_tokens", Presence::needed, out.tokens.output)) {
    return fail(std::string("usage"));
  }
  const Value* choices = answer.find("choices");
  const Value::Array* list = choices != nullptr ? choices->as_array() : nullptr;
  if (list == nullptr || list->size() != 1) return fail(std::string("choices"));
  const Value* message = list->front().find("message");
  if (message == nullptr || !is_text(*message, "role", "assistant")) {
    return fail(std::string("message"));
  }
  const std::string* reason = text_at(list->front(), "finish_reason");
  if (reason == nullptr) return fail(std::string("finish_reason"));
  const std::string* text = text_at(*message, "content");
  const Value* tools = message->find("tool_calls");
  const bool calls = tools != nullptr && tools->is_array() && !tools->as_array()->empty();
  if (text == nullptr || calls) {
    out.violation = Violation{calls ? Fault::unknown_kind : Fault::missing_key, "content"};
  } else {
    out.text = *text;
  }
  take_ending(*reason, "stop", "length", out);
  return out;
}

}  // namespace cg::leaf
