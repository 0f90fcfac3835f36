#include <algorithm>
#include <array>
#include <concepts>

#include "base/json/canonical.h"
#include "base/json/json.h"
#include "learn/carry/match.h"

// The same way as learn/example: one list of fields, walked to write and to read. What is read
// must also be rules that can be matched, or it is refused here and not when it is needed.

namespace cg::carry {

namespace {

using json::Value;

constexpr std::array<std::string_view, 8> kTakes = {"name",     "own",     "value", "number",
                                                    "function", "package", "made",  "use"};
constexpr std::array<std::string_view, 4> kForms = {"use", "expression", "statements", "import"};
constexpr std::array<std::string_view, 3> kLanguages = {"javascript", "typescript", "tsx"};
constexpr std::size_t kMaxWord = 512;
constexpr std::size_t kMaxItems = 256;

template <class F>
void fields(auto& self, F&& f) requires requires {
  self.takes;
}
{
  f("keys", self.keys);
  f("made", self.made);
  f("member", self.member);
  f("source", self.source);
  f("takes", self.takes);
}
template <class F>
void fields(auto& self, F&& f) requires requires {
  self.places;
}
{
  f("after", self.after);
  f("before", self.before);
  f("form", self.form);
  f("holes", self.holes);
  f("places", self.places);
}
template <class F>
void fields(auto& self, F&& f) requires requires {
  self.rules;
}
{
  f("indent", self.indent);
  f("introduces", self.introduces);
  f("language", self.language);
  f("quote", self.quote);
  f("rules", self.rules);
}
template <class T>
concept Record = requires(T& self) {
  fields(self, [](const char*, auto&) {});
};

template <class T>
Value value_of(const std::vector<T>& items);
Value value_of(const std::string& text) { return text; }
Value value_of(std::uint32_t number) { return number; }
Value value_of(Takes takes) { return name(takes); }
Value value_of(Rule::Form form) { return name(form); }
Value value_of(syntax::Language language) {
  return kLanguages.at(static_cast<std::size_t>(language));
}
template <Record T>
Value value_of(const T& self) {
  Value::Object out;
  fields(self, [&](const char* key, const auto& field) { out.emplace_back(key, value_of(field)); });
  return out;
}
template <class T>
Value value_of(const std::vector<T>& items) {
  Value::Array out;
  for (const T& item : items) out.push_back(value_of(item));
  return out;
}

class Reader {
 public:
  template <Record T>
  void read(const Value& value, T& to) {
    const Value::Object* members = value.as_object();
    if (members == nullptr) return complain("is no object where one is due");
    std::size_t known = 0;
    fields(to, [&](const char* key, auto& field) {
      const Value* found = value.find(key);
      if (found == nullptr) return complain(std::string("lacks ") + key);
      ++known;
      read(*found, field);
    });
    if (known < members->size()) complain("has a key that is not known");
  }
  template <class T>
  void read(const Value& value, std::vector<T>& to) {
    const Value::Array* items = value.as_array();
    if (items == nullptr) return complain("is no list where one is due");
    if (items->size() > kMaxItems) return complain("has more than 256 items");
    to.resize(items->size());
    for (std::size_t i = 0; i < items->size(); ++i) read((*items)[i], to[i]);
  }
  void read(const Value& value, std::string& to) {
    const std::string* text = value.as_string();
    if (text == nullptr) return complain("is no text where one is due");
    if (text->size() > kMaxRuleText) return complain("has a text that is too long");
    to = *text;
  }
  void read(const Value& value, std::uint32_t& to) {
    const auto number = value.as_int();
    if (!number || *number < 0 || *number >= static_cast<std::int64_t>(kMaxRules)) {
      return complain("names a rule that it does not have");
    }
    to = static_cast<std::uint32_t>(*number);
  }
  void read(const Value& value, Takes& to) { read_word(value, to, kTakes); }
  void read(const Value& value, Rule::Form& to) { read_word(value, to, kForms); }
  void read(const Value& value, syntax::Language& to) { read_word(value, to, kLanguages); }

  void complain(std::string what) {
    if (complaint_.empty()) complaint_ = std::move(what);
  }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  template <class E, std::size_t N>
  void read_word(const Value& value, E& to, const std::array<std::string_view, N>& words) {
    const std::string* text = value.as_string();
    const auto found = text == nullptr ? words.end() : std::find(words.begin(), words.end(), *text);
    if (found == words.end()) return complain("has a word that is not known");
    to = static_cast<E>(found - words.begin());
  }
  std::string complaint_;
};

bool is_sorted_set(const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(),
                     [](const auto& word) { return !word.empty() && word.size() <= kMaxWord; }) &&
         std::adjacent_find(words.begin(), words.end(), std::greater_equal<>()) == words.end();
}

/// What is wrong with what the fields say together; empty: nothing.
std::string objection(const Template& read) {
  if (read.rules.empty() || read.rules.size() > kMaxRules) return "has no rules, or too many";
  if (!is_sorted_set(read.introduces)) return "has names that are not in order";
  if (read.quote != "'" && read.quote != "\"") return "has a quotation mark that is none";
  if (read.indent.size() > 16 || read.indent.find_first_not_of(" \t") != std::string::npos) {
    return "has an indentation that is none";
  }
  for (const Rule& rule : read.rules) {
    if (rule.holes.size() > kMaxHoles) return "has too many holes";
    if (!is_sorted_set(rule.places)) return "has places that are not in order";
    for (const Hole& hole : rule.holes) {
      const bool fits = is_sorted_set(hole.keys) && hole.source.size() <= kMaxWord &&
                        hole.member.size() <= kMaxWord &&
                        std::is_sorted(hole.made.begin(), hole.made.end());
      if (!fits) return "has a hole whose keys are not in order";
      for (const std::uint32_t by : hole.made) {
        if (by >= read.rules.size()) return "names a rule that it does not have";
      }
    }
    const auto pattern = Pattern::of(rule, read.language);
    if (!pattern) return "has a rule that " + pattern.error();
  }
  return {};
}

}  // namespace

std::string_view name(Takes takes) { return kTakes.at(static_cast<std::size_t>(takes)); }
std::string_view name(Rule::Form form) { return kForms.at(static_cast<std::size_t>(form)); }

std::string write(const Template& from) {
  auto text = json::canonical(value_of(from));
  return text ? *std::move(text) : std::string();
}

Result<Template, std::string> parse(std::string_view json) {
  json::Limits limits;
  limits.max_bytes = kMaxBytes;
  limits.max_depth = 8;
  limits.max_nodes = 16384;
  const auto value = json::parse_json(json, limits);
  if (!value) return fail(json::describe(value.error()));
  Reader reader;
  Template out;
  reader.read(*value, out);
  if (reader.complaint().empty() && write(out) != json) reader.complain("is not canonical");
  if (reader.complaint().empty()) {
    std::string wrong = objection(out);
    if (!wrong.empty()) reader.complain(std::move(wrong));
  }
  if (!reader.complaint().empty()) return fail("it " + reader.complaint());
  return out;
}

}  // namespace cg::carry
