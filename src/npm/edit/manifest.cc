// package.json: what is asked for, and the rules that replace it.
#include <algorithm>

#include "npm/edit/edit.h"
#include "npm/edit/entry.h"
#include "npm/edit/splice.h"

namespace cg::edit {

namespace {

using Kind = EditError::Kind;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kSelf = ".";  // in a rule with parts: the package itself

Result<Done, EditError> ask_for(Splicer& splicer, const Object& manifest, const Ask& ask) {
  const Member* field = manifest.find(field_of(ask.kind));
  if (field == nullptr) return refuse(Kind::not_found, "nobody asks for", ask.name);
  const Object asked = splicer.read(field->value);
  const Member* member = asked.find(ask.name);
  if (member == nullptr) return refuse(Kind::not_found, "nobody asks for", ask.name);
  if (splicer.value(*member) != Value(ask.from)) {
    return refuse(Kind::shape, "the manifest has another range for", ask.name);
  }
  splicer.change(member->value, member->end, splicer.print(Value(ask.to), ""));
  return Done{};
}

Value* rule_at(Value::Object& rules, std::string_view key) {
  const auto at = std::find_if(rules.begin(), rules.end(),
                               [&](const auto& member) { return member.first == key; });
  return at == rules.end() ? nullptr : &at->second;
}

void take_away(Value::Object& rules, std::string_view key) {
  std::erase_if(rules, [&](const auto& member) { return member.first == key; });
}

using Keys = std::vector<std::string>::const_iterator;

/// False if there is no such rule to take away.
bool apply_rule(Value::Object& rules, Keys key, Keys end, const std::string& value);

/// At the last key of a path.
bool apply_last(Value::Object& rules, const std::string& key, const std::string& value) {
  Value* at = rule_at(rules, key);
  if (at == nullptr) {
    if (value.empty()) return false;
    rules.emplace_back(key, Value(value));
    return true;
  }
  if (const Value::Object* parts = at->as_object()) {
    const std::vector<std::string> self{std::string(kSelf)};
    Value::Object inner = *parts;
    if (!apply_rule(inner, self.begin(), self.end(), value)) return false;
    *at = Value(std::move(inner));
    if (at->as_object()->empty()) take_away(rules, key);
    return true;
  }
  if (value.empty()) {
    take_away(rules, key);
  } else {
    *at = Value(value);
  }
  return true;
}

bool apply_rule(Value::Object& rules, Keys key, Keys end, const std::string& value) {
  if (key + 1 == end) return apply_last(rules, *key, value);
  Value* at = rule_at(rules, *key);
  Value::Object inner;
  if (at != nullptr && at->is_object()) inner = *at->as_object();
  if (at != nullptr && !at->is_object()) inner.emplace_back(std::string(kSelf), *at);
  if (!apply_rule(inner, key + 1, end, value)) return false;
  if (inner.empty()) {
    take_away(rules, *key);
  } else if (at != nullptr) {
    *at = Value(std::move(inner));
  } else {
    rules.emplace_back(*key, Value(std::move(inner)));
  }
  return true;
}

/// New rules stand behind what they are about.
void add_overrides(ObjectEdit& edit, const Object& manifest, const Value& rules) {
  std::optional<std::size_t> behind;
  for (std::size_t i = 0; i < manifest.members.size(); ++i) {
    const std::string_view key = manifest.members[i].key;
    if (key == "dependencies" || key == "devDependencies") behind = i;
  }
  if (behind) {
    edit.add_behind(*behind, "overrides", rules);
  } else {
    edit.add("overrides", rules);
  }
}

Result<Done, EditError> override_all(Splicer& splicer, const Object& manifest,
                                     const std::vector<OverrideRule>& wanted) {
  if (wanted.empty()) return Done{};
  const Member* member = manifest.find("overrides");
  Value::Object rules;
  if (member != nullptr) {
    const Value had = splicer.value(*member);
    if (!had.is_object()) return refuse(Kind::shape, "not an object:", "overrides");
    rules = *had.as_object();
  }
  for (const OverrideRule& rule : wanted) {
    if (rule.path.empty()) return fail(EditError{Kind::shape, "an override without a key"});
    if (!apply_rule(rules, rule.path.begin(), rule.path.end(), rule.value)) {
      return refuse(Kind::not_found, "no such override:", rule.path.back());
    }
  }
  ObjectEdit edit(splicer, manifest, ObjectEdit::Order::as_is);
  if (rules.empty()) {
    edit.drop("overrides");
  } else if (member != nullptr) {
    edit.set("overrides", Value(std::move(rules)));
  } else {
    add_overrides(edit, manifest, Value(std::move(rules)));
  }
  edit.finish();
  return Done{};
}

}  // namespace

Result<std::string, EditError> edit_manifest(std::string_view text, const ManifestEdit& edit) {
  const std::size_t mark = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::string_view json = text.substr(mark);
  if (text.size() > npm::kMaxManifestBytes) {
    return fail(EditError{Kind::shape, "the manifest is too large"});
  }
  json::JsonReader reader(json);
  const bool object = reader.peek() == json::JsonReader::Kind::object;
  if (!reader.skip() || !reader.finish()) {
    return fail(EditError{Kind::shape, json::describe(reader.error())});
  }
  if (!object) return fail(EditError{Kind::shape, "the manifest is not an object"});
  Splicer splicer(json);
  const Object manifest = splicer.root();
  for (const Ask& ask : edit.asks) CG_TRY(ask_for(splicer, manifest, ask));
  CG_TRY(override_all(splicer, manifest, edit.overrides));
  CG_TRY_ASSIGN(const std::string out, std::move(splicer).finish());
  return std::string(text.substr(0, mark)) + out;
}

}  // namespace cg::edit
