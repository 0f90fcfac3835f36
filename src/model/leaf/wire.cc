#include "model/leaf/wire.h"

#include <algorithm>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "model/leaf/envelope.h"

namespace cg::leaf {

namespace {

using json::Value;

/// Servers cache from about a thousand tokens on; below that the mark only costs bytes.
constexpr std::size_t kWorthCaching = 4096;
constexpr std::uint32_t kAnHour = 3600;
constexpr std::size_t kMaxErrorName = 64;

bool is_lower_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxErrorName &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

Value schema() {
  auto parsed = json::parse_json(proposal::json_schema());
  CG_ASSERT(parsed.has_value());
  return *std::move(parsed);
}

Value text_block(std::string_view text) { return Value::Object{{"type", "text"}, {"text", text}}; }

Value messages_question(const Question& question) {
  Value::Object system = {{"type", "text"}, {"text", question.system}};
  if (question.system.size() >= kWorthCaching) {
    system.emplace_back("cache_control", Value::Object{{"type", "ephemeral"}});
  }
  const Value user =
      Value::Object{{"role", "user"}, {"content", Value::Array{text_block(question.body)}}};
  const Value format = Value::Object{{"type", "json_schema"}, {"schema", schema()}};
  return Value::Object{{"model", question.model},
                       {"max_tokens", question.max_tokens},
                       {"system", Value::Array{Value(std::move(system))}},
                       {"messages", Value::Array{user}},
                       {"output_config", Value::Object{{"format", format}}}};
}

Value chat_question(const Question& question) {
  const Value messages =
      Value::Array{Value::Object{{"role", "system"}, {"content", question.system}},
                   Value::Object{{"role", "user"}, {"content", question.body}}};
  const Value format = Value::Object{
      {"type", "json_schema"},
      {"json_schema", Value::Object{{"name", "plan"}, {"strict", true}, {"schema", schema()}}}};
  return Value::Object{
      {"model", question.model}, {"messages", messages}, {"max_tokens", question.max_tokens},
      {"temperature", 0},        {"stream", false},      {"response_format", format}};
}

bool is_json(std::string_view content_type) {
  const std::string_view type = trim(content_type.substr(0, content_type.find(';')));
  return lower_ascii(type) == "application/json";
}

/// "overloaded_error": the one thing that is taken from an answer that says no.
std::string error_name(std::string_view body) {
  const auto parsed = json::parse_json(body, kEnvelopeLimits);
  if (!parsed) return {};
  const Value* error = parsed->find("error");
  const Value* type = error != nullptr ? error->find("type") : nullptr;
  const std::string* name = type != nullptr ? type->as_string() : nullptr;
  return name != nullptr && is_lower_name(*name) ? *name : std::string();
}

Unreadable said_no(const Raw& raw) {
  Unreadable out{net::FailureKind::status, "status " + std::to_string(raw.status), {}};
  if (raw.status >= 300 && raw.status < 400) out.detail += ", a redirect, is not followed";
  const std::string name = error_name(raw.body);
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
  return json::write_json(wire == net::Wire::messages ? messages_question(question)
                                                      : chat_question(question));
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
  auto envelope = wire == net::Wire::messages ? read_messages(*parsed) : read_chat(*parsed);
  if (!envelope) {
    return fail(
        Unreadable{net::FailureKind::protocol, "the answer has no usable " + envelope.error(), {}});
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
