// The stored form of a ledger.
#include <array>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/canonical.h"
#include "base/json/json.h"
#include "model/budget/budget.h"
#include "trust/hash/blake3.h"

namespace cg::budget {

namespace {

using json::Value;

constexpr std::string_view kSchema = "codegenie/budget/v1";
constexpr std::string_view kContext = "codegenie 2026 budget ledger";
constexpr std::array<std::string_view, 3> kStates = {"open", "settled", "forfeited"};
/// A call takes less than 400 bytes.
constexpr json::Limits kLimits{
    .max_bytes = kMaxCalls * 400 + 200, .max_depth = 5, .max_nodes = kMaxCalls * 12 + 10};

std::string digest_line(std::string_view line) {
  return to_hex(hash::Blake3(kContext).update(as_bytes(line)).finish()) + "\n";
}

Value number(std::uint64_t n) { return static_cast<std::int64_t>(n); }

Value to_value(const Call& call) {
  const Usage& usage = call.usage;
  return Value::Object{{"id", number(call.id)},
                       {"reserved_tokens", number(call.reserved_tokens)},
                       {"reserved_usd", call.reserved_usd.str()},
                       {"state", kStates[static_cast<std::size_t>(call.state)]},
                       {"usage", Value::Object{{"cache_read", number(usage.cache_read)},
                                               {"cache_write", number(usage.cache_write)},
                                               {"input", number(usage.input)},
                                               {"output", number(usage.output)}}},
                       {"usd", call.usd.str()}};
}

// What is missing, of another type or out of bounds reads as zero here: read() compares what was
// understood with the text, to the byte.
std::uint64_t number_at(const Value& value, std::string_view key) {
  const Value* member = value.find(key);
  const auto n = member == nullptr ? std::nullopt : member->as_int();
  const auto count = static_cast<std::uint64_t>(n && *n > 0 ? *n : 0);
  return count <= kMostTokens ? count : 0;
}

std::string_view text_at(const Value& value, std::string_view key) {
  const Value* member = value.find(key);
  if (member == nullptr || !member->is_string()) return {};
  return *member->as_string();
}

Money money_at(const Value& value, std::string_view key) {
  return Money::parse(text_at(value, key)).value_or(Money());
}

Call::State state_of(std::string_view word) {
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    if (kStates[i] == word) return static_cast<Call::State>(i);
  }
  return Call::State::open;
}

Call to_call(const Value& value) {
  Call call;
  call.id = number_at(value, "id");
  call.reserved_tokens = number_at(value, "reserved_tokens");
  call.reserved_usd = money_at(value, "reserved_usd");
  call.state = state_of(text_at(value, "state"));
  call.usd = money_at(value, "usd");
  if (const Value* usage = value.find("usage")) {
    call.usage = {number_at(*usage, "input"), number_at(*usage, "output"),
                  number_at(*usage, "cache_write"), number_at(*usage, "cache_read")};
  }
  return call;
}

/// What every ledger keeps to, whoever recomputed its digest.
bool is_sound(const std::vector<Call>& calls) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const bool unused = calls[i].usage == Usage() && calls[i].usd == Money();
    if (calls[i].id != i + 1) return false;
    if (calls[i].state != Call::State::settled && !unused) return false;
  }
  return calls.size() <= kMaxCalls;
}

}  // namespace

std::string Ledger::write() const {
  Value::Array calls;
  for (const Call& call : calls_) calls.push_back(to_value(call));
  const auto line = json::canonical(
      Value::Object{{"calls", std::move(calls)}, {"schema", kSchema}, {"warned", warned_}});
  CG_ASSERT(line.has_value());
  return *line + "\n" + digest_line(*line);
}

Result<Ledger, std::string> Ledger::read(std::string_view text, Caps caps,
                                         std::optional<Price> price) {
  const auto refuse = [](std::string_view why) {
    return fail("the budget's ledger was edited or damaged: " + std::string(why));
  };
  const std::size_t end = text.find('\n');
  if (end == text.npos) return refuse("it is cut off");
  if (text.substr(end + 1) != digest_line(text.substr(0, end))) {
    return refuse("it does not have its digest");
  }
  const auto parsed = json::parse_json(text.substr(0, end), kLimits);
  if (!parsed) return refuse(json::describe(parsed.error()));
  Ledger out(caps, std::move(price));
  if (const Value* calls = parsed->find("calls"); calls != nullptr && calls->is_array()) {
    for (const Value& call : *calls->as_array()) out.calls_.push_back(to_call(call));
  }
  const Value* warned = parsed->find("warned");
  out.warned_ = warned != nullptr && warned->as_bool().value_or(false);
  if (!is_sound(out.calls_)) return refuse("its calls do not follow each other");
  if (out.write() != text) return refuse("it is not spelled as it is written");
  return out;
}

}  // namespace cg::budget
