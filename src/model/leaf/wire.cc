#include "model/leaf/wire.h"

#include <algorithm>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "model/leaf/envelope.h"
#include "model/leaf/provider.h"

namespace cg::leaf {

namespace {

using json::Value;

/// Servers cache from about a thousand tokens on; below that the mark only costs bytes.
constexpr std::size_t kWorthCaching = 4096;
constexpr std::uint32_t kAnHour = 3600;
constexpr std::size_t kMaxErrorName = 64;
/// A refusal by the server's filter, in our words: see proposal::Refuse.
constexpr auto kFiltered = proposal::RefusalReason::policy_block;
constexpr const char* kFilteredWords = "the server's filter ended the answer";

bool is_error_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxErrorName &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

Value schema() {
  auto parsed = json::parse_json(proposal::json_schema());
  CG_ASSERT(parsed.has_value());
  return *std::move(parsed);
}

Value text_block(std::string_view text) { return Value::Object{{"type", "text"}, {"text", text}}; }

/// A member, where a row of the table has it.
using Member = std::optional<std::pair<std::string, Value>>;

Value system_blocks(const Provider& provider, const Question& question) {
  Value::Object block = {{"type", "text"}, {"text", question.system}};
  if (provider.marks_cache && question.system.size() >= kWorthCaching) {
    block.emplace_back("cache_control", Value::Object{{"type", "ephemeral"}});
  }
  return Value::Array{Value(std::move(block))};
}

Value turns(const Provider& provider, const Question& question) {
  if (provider.system == SystemText::blocks_of_their_own) {
    return Value::Array{
        Value::Object{{"role", "user"}, {"content", Value::Array{text_block(question.body)}}}};
  }
  return Value::Array{Value::Object{{"role", "system"}, {"content", question.system}},
                      Value::Object{{"role", "user"}, {"content", question.body}}};
}

Member bound_by(const Provider& provider) {
  switch (provider.bound) {
    case Bound::output_config:
      return {{"output_config", Value::Object{{"format", Value::Object{{"type", "json_schema"},
                                                                       {"schema", schema()}}}}}};
    case Bound::response_format:
      return {{"response_format",
               Value::Object{
                   {"type", "json_schema"},
                   {"json_schema",
                    Value::Object{{"name", "plan"}, {"strict", true}, {"schema", schema()}}}}}};
    case Bound::by_words_alone:
      break;
  }
  return std::nullopt;
}

/// The order of members is part of the bytes, and so of what a recording is found by.
Value question_of(const Provider& provider, const Question& question) {
  const std::pair<std::string, Value> most{provider.max_tokens, question.max_tokens};
  Value::Object out = {{"model", question.model}};
  if (provider.system == SystemText::blocks_of_their_own) {
    out.push_back(most);
    out.emplace_back("system", system_blocks(provider, question));
    out.emplace_back("messages", turns(provider, question));
  } else {
    out.emplace_back("messages", turns(provider, question));
    out.push_back(most);
  }
  if (provider.takes_chance) {
    out.emplace_back("temperature", 0);
    out.emplace_back("stream", false);
  }
  if (auto member = bound_by(provider)) out.push_back(*std::move(member));
  return out;
}

bool is_json(std::string_view content_type) {
  const std::string_view type = trim(content_type.substr(0, content_type.find(';')));
  return lower_ascii(type) == "application/json";
}

std::string name_at(const Value* value, std::string_view key) {
  const Value* found = value != nullptr ? value->find(key) : nullptr;
  const std::string* name = found != nullptr ? found->as_string() : nullptr;
  return name != nullptr && is_error_name(*name) ? *name : std::string();
}

/// "overloaded_error": the one thing that is taken from an answer that says no, and the code
/// behind it where there is one. Some servers have it in "error", some in the whole.
std::string error_name(const Value& answer) {
  const Value* error = answer.find("error");
  std::string name = name_at(error, "type");
  if (name.empty() && error == nullptr) name = name_at(&answer, "type");
  const Value* details = error != nullptr ? error->find("details") : nullptr;
  const std::string code = name_at(details, "error_code");
  return code.empty() || name.empty() ? name : name + ", " + code;
}

Unreadable said_no(const Raw& raw) {
  Unreadable out{net::FailureKind::status, "status " + std::to_string(raw.status), {}};
  if (raw.status >= 300 && raw.status < 400) out.detail += ", a redirect, is not followed";
  const auto parsed = json::parse_json(raw.body, kEnvelopeLimits);
  const std::string name = parsed ? error_name(*parsed) : std::string();
  if (!name.empty()) out.detail += ": " + name;
  out.retry_after_s = parse_retry_after(raw.retry_after);
  return out;
}

bool is_secret_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/// Everything that starts like one of their keys, as far as it goes on.
std::string without_prefixed(std::string_view text, std::string_view prefix) {
  std::string out;
  for (;;) {
    const std::size_t at = text.find(prefix);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += "REDACTED";
    text.remove_prefix(at + prefix.size());
    const auto* end = std::find_if_not(text.begin(), text.end(), is_secret_char);
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  }
}

}  // namespace

bool is_model_name(std::string_view text) {
  return !text.empty() && text.size() <= net::kMaxModel &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_secret_char(c) || c == '.' || c == ':' || c == '/' || c == '@';
         });
}

std::string write_question(net::Wire wire, const Question& question) {
  return json::write_json(question_of(provider_of(wire), question));
}

std::optional<std::uint32_t> parse_retry_after(std::string_view text) {
  const auto seconds = text.size() <= 9 ? parse_u64(text) : std::nullopt;
  if (!seconds) return std::nullopt;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(*seconds, kAnHour));
}

Result<Heard, Unreadable> read_answer(net::Wire wire, const Raw& raw) {
  if (raw.status != 200) return fail(said_no(raw));
  if (!is_json(raw.content_type)) {
    return fail(Unreadable{net::FailureKind::protocol, "the answer is not application/json", {}});
  }
  const auto parsed = json::parse_json(raw.body, kEnvelopeLimits);
  if (!parsed) {
    return fail(Unreadable{net::FailureKind::protocol,
                           "the answer is not JSON: " + json::describe_what(parsed.error()),
                           {}});
  }
  auto envelope = read_envelope(provider_of(wire), *parsed);
  const Value* error = parsed->find("error");
  if (!envelope && error != nullptr && error->is_object()) {  // no, with a status that says yes
    const std::string name = error_name(*parsed);
    return fail(Unreadable{net::FailureKind::protocol,
                           "the answer is an error" + (name.empty() ? name : ": " + name),
                           {}});
  }
  if (!envelope) {
    return fail(
        Unreadable{net::FailureKind::protocol, "the answer has no usable " + envelope.error(), {}});
  }
  if (envelope->is_refused) {
    return Heard{envelope->model, envelope->tokens, proposal::Refuse{kFiltered, kFilteredWords}};
  }
  if (envelope->violation) return Heard{envelope->model, envelope->tokens, *envelope->violation};
  auto plan = proposal::parse(envelope->text);
  if (!plan) return Heard{envelope->model, envelope->tokens, plan.error()};
  return Heard{envelope->model, envelope->tokens, *std::move(plan)};
}

std::string without_secrets(std::string_view text, std::string_view key) {
  std::string out = key.empty() ? std::string(text) : replaced(text, key, "REDACTED");
  for (const std::string_view prefix : {"sk-ant-", "claude_"}) out = without_prefixed(out, prefix);
  return out;
}

}  // namespace cg::leaf
