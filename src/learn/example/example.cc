#include "learn/example/example.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <utility>

#include "base/base/text.h"
#include "base/json/canonical.h"
#include "base/json/json.h"
#include "trust/hash/blake3.h"

// One list of fields, walked once to write and once to read, so that neither can know a field that
// the other does not. A reader refuses what it does not know, what is missing, and what is longer
// than its bound; what it gives is written back to the very same bytes, or it is refused too.

namespace cg::example {

namespace {

using json::Value;

constexpr std::string_view kContext = "codegenie 2026 solved example v1";
constexpr std::array<std::string_view, 6> kBreaks = {"esm_only",  "path_gone", "name_gone",
                                                     "signature", "options",   "behaviour"};
constexpr std::array<std::string_view, 2> kAuthors = {"model", "person"};
constexpr std::size_t kMaxWord = 512;
constexpr std::size_t kMaxText = 64U << 10U;
constexpr std::size_t kMaxSite = 16U << 10U;
constexpr std::size_t kMaxTemplate = 32U << 10U;
constexpr std::size_t kMaxItems = 256;

template <class F>
void fields(auto& self, F&& f) requires requires {
  self.partition;
}
{
  f("advisory", self.advisory, kMaxWord);
  f("aliases", self.aliases, kMaxWord);
  f("author", self.author, kMaxWord);
  f("breaks", self.breaks, kMaxWord);
  f("changed", self.changed, kMaxWord);
  f("difference", self.difference, kMaxText);
  f("failure", self.failure, kMaxText);
  f("from", self.from, kMaxWord);
  f("gates", self.gates, kMaxWord);
  f("isolation", self.isolation, kMaxWord);
  f("kind", self.kind, kMaxWord);
  f("license", self.license, kMaxWord);
  f("model", self.model, kMaxWord);
  f("package", self.package, kMaxWord);
  f("partition", self.partition, kMaxWord);
  f("plan", self.plan, kMaxText);
  f("prompt", self.prompt, kMaxWord);
  f("sites", self.sites, kMaxSite);
  f("summary", self.summary, kMaxText);
  f("templates", self.templates, kMaxTemplate);
  f("to", self.to, kMaxWord);
  f("weaknesses", self.weaknesses, kMaxWord);
  f("worked", self.worked, kMaxWord);
  f("workflow", self.workflow, kMaxWord);
}
template <class F>
void fields(auto& self, F&& f) requires requires {
  self.build;
}
{
  f("build", self.build, kMaxWord);
  f("language", self.language, kMaxWord);
  f("task", self.task, kMaxWord);
}
template <class F>
void fields(auto& self, F&& f) requires requires {
  self.before;
}
{
  f("after", self.after, kMaxSite);
  f("before", self.before, kMaxSite);
  f("language", self.language, kMaxWord);
}
template <class F>
void fields(auto& self, F&& f) requires requires {
  self.strength;
}
{
  f("gate", self.gate, kMaxWord);
  f("state", self.state, kMaxWord);
  f("strength", self.strength, kMaxWord);
}
template <class T>
concept Record = requires(T& self) {
  fields(self, [](const char*, auto&, std::size_t) {});
};

// To a Value.
template <class T>
Value value_of(const std::vector<T>& items);
Value value_of(const std::string& text) { return text; }
Value value_of(std::same_as<bool> auto yes) { return yes; }
Value value_of(Break kind) { return name(kind); }
Value value_of(Author author) { return name(author); }
Value value_of(const hash::Digest& digest) { return to_hex(digest); }
template <Record T>
Value value_of(const T& self) {
  Value::Object out;
  fields(self, [&](const char* key, const auto& field, std::size_t) {
    out.emplace_back(key, value_of(field));
  });
  return out;
}
template <class T>
Value value_of(const std::vector<T>& items) {
  Value::Array out;
  for (const T& item : items) out.push_back(value_of(item));
  return out;
}

/// From a Value; the first complaint is kept.
class Reader {
 public:
  template <Record T>
  void read(const Value& value, T& to, const std::string& where, std::size_t) {
    const Value::Object* members = value.as_object();
    if (members == nullptr) return complain(where, "is no object");
    std::size_t known = 0;
    fields(to, [&](const char* key, auto& field, std::size_t most) {
      const Value* found = value.find(key);
      const std::string at = where.empty() ? key : where + "." + key;
      if (found == nullptr) return complain(at, "is missing");
      ++known;
      read(*found, field, at, most);
    });
    if (known < members->size()) complain(where, "has a key that is not known");
  }
  template <class T>
  void read(const Value& value, std::vector<T>& to, const std::string& where, std::size_t most) {
    const Value::Array* items = value.as_array();
    if (items == nullptr) return complain(where, "is no list");
    if (items->size() > kMaxItems) return complain(where, "has more than 256 items");
    to.resize(items->size());
    for (std::size_t i = 0; i < items->size(); ++i) {
      read((*items)[i], to[i], where + "[" + std::to_string(i) + "]", most);
    }
  }
  void read(const Value& value, std::string& to, const std::string& where, std::size_t most) {
    const std::string* text = value.as_string();
    if (text == nullptr) return complain(where, "is no text");
    if (text->size() > most) {
      return complain(where, "is longer than " + std::to_string(most) + " bytes");
    }
    to = *text;
  }
  void read(const Value& value, bool& to, const std::string& where, std::size_t) {
    if (!value.is_bool()) return complain(where, "is neither true nor false");
    to = *value.as_bool();
  }
  void read(const Value& value, Break& to, const std::string& where, std::size_t) {
    read_name(value, to, kBreaks, where);
  }
  void read(const Value& value, Author& to, const std::string& where, std::size_t) {
    read_name(value, to, kAuthors, where);
  }
  void read(const Value& value, hash::Digest& to, const std::string& where, std::size_t most) {
    std::string text;
    read(value, text, where, most);
    if (!complaint_.empty()) return;
    const std::optional<hash::Digest> digest = hash::parse_digest(text);
    if (!digest) return complain(where, "is no digest");
    to = *digest;
  }

  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  void complain(const std::string& where, std::string_view what) {
    if (complaint_.empty()) complaint_ = (where.empty() ? "it" : where) + " " + std::string(what);
  }

 private:
  template <class E, std::size_t N>
  void read_name(const Value& value, E& to, const std::array<std::string_view, N>& names,
                 const std::string& where) {
    const std::string* text = value.as_string();
    const auto found = text == nullptr ? names.end() : std::find(names.begin(), names.end(), *text);
    if (found == names.end()) return complain(where, "is none of the known words");
    to = static_cast<E>(found - names.begin());
  }
  std::string complaint_;
};

}  // namespace

std::string_view name(Break kind) { return kBreaks.at(static_cast<std::size_t>(kind)); }
std::string_view name(Author author) { return kAuthors.at(static_cast<std::size_t>(author)); }

std::string write(const Example& example) {
  auto text = json::canonical(value_of(example));
  return text ? *std::move(text) : std::string();
}

Result<Example, std::string> parse(std::string_view json) {
  json::Limits limits;
  limits.max_bytes = kMaxBytes;
  limits.max_depth = 8;
  limits.max_nodes = 8 * kMaxItems;
  const auto value = json::parse_json(json, limits);
  if (!value) return fail(json::describe(value.error()));
  Reader reader;
  Example out;
  reader.read(*value, out, "", kMaxText);
  if (reader.complaint().empty() && write(out) != json) reader.complain("", "is not canonical");
  if (!reader.complaint().empty()) return fail(reader.complaint());
  return out;
}

std::string id_of(const Example& example) {
  hash::Blake3 digest(kContext);
  digest.update(as_bytes(write(example)));
  return "rec-" + to_hex(digest.finish()).substr(0, 24);
}

Aspects aspects_of(const Example& example) {
  Aspects out{example.summary, example.difference, {}};
  for (const Site& site : example.sites) out.usage += site.before + "\n";
  return out;
}

}  // namespace cg::example
