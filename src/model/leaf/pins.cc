#include "model/leaf/pins.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"

namespace cg::leaf {

namespace {

using json::Value;

constexpr std::string_view kSchema = "codegenie/leaf-pins/v1";
constexpr std::string_view kPrefix = "sha256/";
constexpr std::size_t kMaxNote = 200;
constexpr std::size_t kMaxFile = 64U << 10U;
constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kSoonDays = 30;

std::string at(const Value& value, std::string_view what) {
  return "line " + std::to_string(value.position().line) + ": " + std::string(what);
}

/// Every member is one of `known`; the error names the first that is not.
Result<Done, std::string> only(const Value& object, std::initializer_list<std::string_view> known) {
  if (!object.is_object()) return fail(at(object, "expected a map"));
  for (const auto& [key, value] : *object.as_object()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return fail(at(value, "unknown key `" + printable(cut_utf8(key, 40)) + "`"));
    }
  }
  return Done{};
}

Result<std::string, std::string> text_of(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  const std::string* text = found != nullptr ? found->as_string() : nullptr;
  if (text == nullptr) return fail(at(object, "`" + std::string(key) + "` must be a text"));
  return *text;
}

bool is_note(std::string_view text) { return text.size() <= kMaxNote && printable(text) == text; }

Result<PinnedKey, std::string> parse_pin(const Value& item) {
  CG_TRY(only(item, {"spki", "not_after", "note"}));
  CG_TRY_ASSIGN(const std::string spki, text_of(item, "spki"));
  const auto digest = parse_spki(spki);
  if (!digest) return fail(at(item, "`spki` must be sha256/ and 44 characters of base64"));
  CG_TRY_ASSIGN(const std::string day, text_of(item, "not_after"));
  const auto not_after = parse_date(day);
  if (!not_after || not_after->ms < 0) {
    return fail(at(item, "`not_after` must be a day, as 2027-01-31"));
  }
  PinnedKey out{*digest, *not_after, ""};
  if (item.find("note") == nullptr) return out;
  CG_TRY_ASSIGN(out.note, text_of(item, "note"));
  if (!is_note(out.note)) return fail(at(item, "`note` must be one printable line of 200 bytes"));
  return out;
}

bool counts(const PinnedKey& key, Time now) { return now.ms < key.not_after.ms + kDayMs; }

}  // namespace

std::string to_text(const hash::Digest& spki) { return std::string(kPrefix) + to_base64(spki); }

std::optional<hash::Digest> parse_spki(std::string_view text) {
  if (!text.starts_with(kPrefix)) return std::nullopt;
  const auto bytes = from_base64(text.substr(kPrefix.size()));
  hash::Digest out{};
  if (!bytes || bytes->size() != out.size()) return std::nullopt;
  const ByteView view = as_bytes(*bytes);
  std::copy(view.begin(), view.end(), out.begin());
  return out;
}

Result<Pins, std::string> parse_pins(std::string_view text) {
  const auto document = yaml::parse_yaml(text, {kMaxFile, 8, 1000});
  if (!document) return fail(json::describe(document.error()));
  CG_TRY(only(*document, {"schema", "pins"}));
  CG_TRY_ASSIGN(const std::string schema, text_of(*document, "schema"));
  if (schema != kSchema) return fail("`schema` must be " + std::string(kSchema));
  const Value* list = document->find("pins");
  if (list == nullptr || !list->is_array()) return fail(std::string("`pins` must be a list"));
  Pins out;
  std::set<hash::Digest> seen;
  for (const Value& item : *list->as_array()) {
    if (out.keys.size() == net::kMaxPins) return fail(at(item, "more than 8 pins"));
    CG_TRY_ASSIGN(PinnedKey key, parse_pin(item));
    if (!seen.insert(key.spki).second) return fail(at(item, "the same key is pinned twice"));
    out.keys.push_back(std::move(key));
  }
  return out;
}

std::string write_pins(const Pins& pins) {
  std::string out = "schema: " + std::string(kSchema) + "\npins:";
  if (pins.keys.empty()) return out + " []\n";
  out += '\n';
  for (const PinnedKey& key : pins.keys) {
    out += "  - spki: \"" + to_text(key.spki) + "\"\n";
    out += "    not_after: " + to_date(key.not_after) + "\n";
    if (!key.note.empty()) out += "    note: " + json::write_json(Value(key.note)) + "\n";
  }
  return out;
}

std::vector<net::Pin> current(const Pins& pins, Time now) {
  std::vector<net::Pin> out;
  for (const PinnedKey& key : pins.keys) {
    if (!counts(key, now)) continue;
    out.push_back({key.spki, static_cast<std::uint32_t>(key.not_after.ms / kDayMs)});
  }
  return out;
}

std::vector<std::string> warnings(const Pins& pins, Time now) {
  const std::size_t count = current(pins, now).size();
  std::vector<std::string> out;
  if (count == 0) {
    out.emplace_back(pins.keys.empty() ? "no key is pinned: no call can be made"
                                       : "all pins have run out: no call can be made");
    return out;
  }
  if (count == 1) out.emplace_back("only one pin counts: set a backup");
  for (const PinnedKey& key : pins.keys) {
    const bool soon = counts(key, now) && !counts(key, Time{now.ms + kSoonDays * kDayMs});
    if (soon) out.push_back(to_text(key.spki) + " runs out after " + to_date(key.not_after));
  }
  return out;
}

}  // namespace cg::leaf
