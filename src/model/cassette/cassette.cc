#include "model/cassette/cassette.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/canonical.h"
#include "base/json/json.h"
#include "model/cassette/clean.h"
#include "trust/hash/blake3.h"

namespace cg::cassette {

namespace {

using json::Value;

constexpr std::string_view kSchema = "codegenie/cassette/v1";
constexpr json::Limits kLineLimits{.max_bytes = kMaxFile, .max_depth = 6, .max_nodes = 200};

std::string line_of(const Value& value) {
  const auto line = json::canonical(value);
  CG_ASSERT(line.has_value());  // Recorder::add() lets nothing else in, parse() neither
  return *line + "\n";
}

std::string head_line(const Cassette& cassette) {
  return line_of(Value::Object{
      {"model", cassette.model}, {"schema", kSchema}, {"seed", to_hex(cassette.seed)}});
}

std::string exchange_line(const Exchange& exchange) {
  Value::Array headers;
  for (const auto& [name, value] : exchange.response.headers) {
    headers.push_back(Value::Array{name, value});
  }
  const hash::Digest digest = hash::blake3(as_bytes(exchange.request));
  return line_of(Value::Object{
      {"request", Value::Object{{"body", exchange.request}, {"digest", to_hex(digest)}}},
      {"response", Value::Object{{"body", exchange.response.body},
                                 {"headers", std::move(headers)},
                                 {"status", exchange.response.status}}}});
}

// What is missing or of another type reads as empty here: the line is compared with what was
// understood of it, to the byte.
const Value& at(const Value& value, std::string_view key) {
  static const Value kNothing;
  const Value* member = value.find(key);
  return member == nullptr ? kNothing : *member;
}

std::string text_of(const Value& value) {
  return value.is_string() ? *value.as_string() : std::string();
}

Exchange to_exchange(const Value& value) {
  Exchange out;
  out.request = text_of(at(at(value, "request"), "body"));
  const Value& response = at(value, "response");
  out.response.body = text_of(at(response, "body"));
  const auto status = at(response, "status").as_int().value_or(0);
  out.response.status = static_cast<std::uint16_t>(status >= 100 && status <= 599 ? status : 0);
  const Value& headers = at(response, "headers");
  for (const Value& pair : headers.is_array() ? *headers.as_array() : Value::Array()) {
    const bool is_pair = pair.is_array() && pair.as_array()->size() == 2;
    if (!is_pair) continue;
    out.response.headers.emplace_back(text_of(pair.as_array()->front()),
                                      text_of(pair.as_array()->back()));
  }
  return out;
}

Failure<Error> refuse(Error::Kind kind, std::size_t line, const std::string& what) {
  return fail(Error{kind, "line " + std::to_string(line) + ": " + what});
}

Result<Value, Error> read_line(std::string_view text, std::size_t line) {
  auto parsed = json::parse_json(text, kLineLimits);
  if (parsed) return *std::move(parsed);
  // Without the detail, which may quote the text.
  return refuse(Error::Kind::malformed, line,
                "not JSON (column " + std::to_string(parsed.error().at.column) + ")");
}

Result<Exchange, Error> read_exchange(std::string_view text, std::size_t line) {
  using Kind = Error::Kind;
  CG_TRY_ASSIGN(const Value value, read_line(text.substr(0, text.size() - 1), line));
  Exchange out = to_exchange(value);
  if (out.response.status == 0) return refuse(Kind::malformed, line, "no status from 100 to 599");
  if (std::max(out.request.size(), out.response.body.size()) > kMaxBody) {
    return refuse(Kind::too_large, line, "a body of more than 1 MiB");
  }
  if (exchange_line(out) != text) {
    return refuse(Kind::malformed, line, "not spelled as it is written, or another digest");
  }
  if (!json::parse_json(out.request, {.max_bytes = kMaxBody})) {
    return refuse(Kind::not_text, line, "the request is not JSON");
  }
  const Cleaned clean_one = clean(out);
  if (!clean_one.found.empty() || clean_one.exchange != out) {
    const Found found = clean_one.found.empty() ? Found{"unclean", ""} : clean_one.found.front();
    return refuse(Kind::unclean, line, std::string(found.rule) + " in the " + found.where);
  }
  return out;
}

bool is_model_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 && clean_body(name) == name &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:/-") ==
             std::string_view::npos;
}

Result<Cassette, Error> read_head(std::string_view text) {
  CG_TRY_ASSIGN(const Value value, read_line(text.substr(0, text.size() - 1), 1));
  Cassette out;
  out.model = text_of(at(value, "model"));
  const auto seed = from_hex<32>(text_of(at(value, "seed")));
  if (seed) out.seed = *seed;
  if (!is_model_name(out.model) || head_line(out) != text) {
    return refuse(Error::Kind::malformed, 1, "not the head of a cassette");
  }
  return out;
}

}  // namespace

std::string_view name(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::unreadable:
      return "unreadable";
    case Error::Kind::malformed:
      return "malformed";
    case Error::Kind::unclean:
      return "unclean";
    case Error::Kind::too_large:
      return "too_large";
    case Error::Kind::unpinned:
      return "unpinned";
    case Error::Kind::changed:
      return "changed";
    case Error::Kind::not_text:
      break;
  }
  return "not_text";
}

std::string write(const Cassette& cassette) {
  std::string out = head_line(cassette);
  for (const Exchange& exchange : cassette.exchanges) out += exchange_line(exchange);
  return out;
}

Result<Cassette, Error> parse(std::string_view text) {
  if (text.size() > kMaxFile) return fail(Error{Error::Kind::too_large, "more than 16 MiB"});
  if (text.empty() || text.back() != '\n') {
    return fail(Error{Error::Kind::malformed, "the last line has no end"});
  }
  const std::size_t head = text.find('\n') + 1;
  CG_TRY_ASSIGN(Cassette out, read_head(text.substr(0, head)));
  text.remove_prefix(head);
  for (std::size_t line = 2; !text.empty(); ++line) {
    if (out.exchanges.size() == kMaxExchanges) {
      return refuse(Error::Kind::too_large, line, "more than 1000 exchanges");
    }
    const std::size_t end = text.find('\n') + 1;
    CG_TRY_ASSIGN(Exchange exchange, read_exchange(text.substr(0, end), line));
    out.exchanges.push_back(std::move(exchange));
    text.remove_prefix(end);
  }
  return out;
}

hash::Digest key_of(std::string_view request_body) {
  return hash::blake3(as_bytes(clean_body(request_body)));
}

Tape::Tape(Cassette cassette)
    : cassette_(std::move(cassette)), used_(cassette_.exchanges.size(), false) {
  for (const Exchange& exchange : cassette_.exchanges) {
    keys_.push_back(hash::blake3(as_bytes(exchange.request)));
  }
}

const Response* Tape::next(std::string_view request_body) { return next(key_of(request_body)); }

const Response* Tape::next(const hash::Digest& key) {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (used_[i] || keys_[i] != key) continue;
    used_[i] = true;
    ++used_count_;
    return &cassette_.exchanges[i].response;
  }
  return nullptr;
}

}  // namespace cg::cassette
