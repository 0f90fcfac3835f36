#include "model/cassette/clean.h"

#include <algorithm>
#include <array>

#include "base/base/text.h"
#include "base/json/json.h"
#include "model/secrets/secrets.h"

namespace cg::cassette {

namespace {

using json::Value;
using secrets::find_secrets;
using secrets::is_key_char;
using secrets::is_secret_name;
using secrets::kFiltered;
using secrets::scrub;
using secrets::Secret;

constexpr std::array<std::string_view, 3> kKept = {"content-type", "request-id", "retry-after"};
constexpr std::array<std::string_view, 7> kSecretHeaders = {
    "anthropic-api-key", "authorization", "cookie",      "proxy-authorization",
    "set-cookie",        "x-api-key",     "x-auth-token"};
constexpr std::size_t kLongRun = 40;

/// Collects what was found, and where.
class Finds {
 public:
  explicit Finds(std::vector<Found>& out, std::string part) : out_(out), part_(std::move(part)) {}
  void note(std::string_view rule, const std::string& where) {
    if (out_.size() < kMaxFinds) out_.push_back({rule, part_ + " " + where});
  }

 private:
  std::vector<Found>& out_;
  std::string part_;
};

std::string scrubbed(const std::string& text, const std::string& where, Finds& finds) {
  const std::vector<Secret> found = find_secrets(text);
  if (found.empty()) return text;
  for (const Secret& secret : found) finds.note(secret.rule, where);
  return scrub(text);
}

/// `at` is a JSON pointer, made of keys that were looked at before.
Value cleaned(const Value& value, const std::string& at, Finds& finds);

Value cleaned_object(const Value& value, const std::string& at, Finds& finds) {
  Value::Object out;
  for (const auto& [key, member] : *value.as_object()) {
    const std::vector<Secret> in_key = find_secrets(key);
    if (!in_key.empty()) {
      finds.note(in_key.front().rule, "a name in " + at);
      return kFiltered;
    }
    const std::string below = at + "/" + printable(cut_utf8(key, 40));
    const bool is_mark = member.is_string() && *member.as_string() == kFiltered;
    if (is_secret_name(key) && !is_mark) {
      finds.note("secret-field", below);
      out.emplace_back(key, kFiltered);
    } else {
      out.emplace_back(key, cleaned(member, below, finds));
    }
  }
  return out;
}

Value cleaned(const Value& value, const std::string& at, Finds& finds) {
  if (const std::string* text = value.as_string()) return scrubbed(*text, at, finds);
  if (value.is_object()) return cleaned_object(value, at, finds);
  if (!value.is_array()) return value;
  Value::Array out;
  for (const Value& item : *value.as_array()) {
    out.push_back(cleaned(item, at + "/" + std::to_string(out.size()), finds));
  }
  return out;
}

constexpr int kMaxRounds = 8;

/// JSON is cleaned string by string and keeps its bytes where nothing was found; anything
/// else is one text.
std::string clean_once(const std::string& body, Finds& finds) {
  const auto parsed = json::parse_json(body, {.max_bytes = kMaxBody});
  if (!parsed) return scrubbed(body, "body", finds);
  const Value value = cleaned(*parsed, "", finds);
  return value == *parsed ? body : json::write_json(value);
}

/// Again, until nothing changes: a text may become JSON when what kept it from being some is
/// taken out.
std::string clean_body(std::string body, std::string part, std::vector<Found>& out) {
  Finds finds(out, std::move(part));
  for (int round = 0; round < kMaxRounds; ++round) {
    std::string next = clean_once(body, finds);
    if (next == body) return body;
    body = std::move(next);
  }
  return std::string(kFiltered);
}

bool is_one_of(std::string_view name, const auto& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_long_run(std::string_view value) {
  std::size_t run = 0;
  for (const char c : value) {
    const bool belongs = is_key_char(c) || c == '+' || c == '/' || c == '=';
    run = belongs ? run + 1 : 0;
    if (run >= kLongRun) return true;
  }
  return false;
}

bool is_printable_ascii(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

std::string clean_value(const std::string& value, const std::string& name, Finds& finds) {
  if (value.size() > 200 || !is_printable_ascii(value)) {
    finds.note("odd-header", name);
    return std::string(kFiltered);
  }
  if (has_long_run(value)) {
    finds.note("long-header", name);
    return std::string(kFiltered);
  }
  return scrubbed(value, name, finds);
}

std::vector<Header> clean_headers(const std::vector<Header>& headers, std::vector<Found>& out) {
  Finds finds(out, "response header");
  std::vector<Header> kept;
  for (const auto& [spelled, value] : headers) {
    const std::string name = lower_ascii(spelled);
    if (is_one_of(name, kKept)) {
      if (name != spelled) finds.note("header-case", name);
      kept.emplace_back(name, clean_value(value, name, finds));
    } else if (is_one_of(name, kSecretHeaders)) {
      finds.note("secret-header", name);
    } else {
      finds.note("other-header", printable(cut_utf8(scrub(name), 40)));
    }
  }
  return kept;
}

}  // namespace

std::string clean_body(std::string_view body) {
  std::vector<Found> ignored;
  return clean_body(std::string(body), "", ignored);
}

Cleaned clean(Exchange exchange) {
  Cleaned out;
  out.exchange.request = clean_body(std::move(exchange.request), "request", out.found);
  out.exchange.response.status = exchange.response.status;
  out.exchange.response.headers = clean_headers(exchange.response.headers, out.found);
  out.exchange.response.body = clean_body(std::move(exchange.response.body), "response", out.found);
  return out;
}

}  // namespace cg::cassette
