#include "npm/edit/entry.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::edit {

namespace {

using json::Value;
using npm::EdgeKind;
using registry::Need;
using registry::Release;

std::optional<Value> filled(Value::Object members) {
  if (members.empty()) return std::nullopt;
  return Value(std::move(members));
}

std::optional<Value> text(const std::string& value) {
  if (value.empty()) return std::nullopt;
  return Value(value);
}

std::optional<Value> flag(bool value) {
  if (!value) return std::nullopt;
  return Value(true);
}

bool is_peer(const Need& need) { return npm::is_peer(need.kind); }

template <class Is>
Value::Object needs_of(const Release& release, const Is& is) {
  Value::Object out;
  for (const Need& need : release.needs) {
    if (is(need)) out.emplace_back(need.name, Value(need.range));
  }
  return out;
}

const Value* member(const Value* value, std::string_view key) {
  return value == nullptr ? nullptr : value->find(key);
}

bool has(const Value* object, std::string_view key) { return member(object, key) != nullptr; }

/// Which peers may be missing. A release may say so of names that it does not ask for;
/// that much is not known of the new one, so what the old one said of them stays.
std::optional<Value> peers_meta(const Release& release, const Value* old) {
  Value::Object out;
  const Value* old_meta = member(old, "peerDependenciesMeta");
  for (const Need& need : release.needs) {
    if (!is_peer(need)) continue;
    const Value* said = member(old_meta, need.name);
    const Value* optional = member(said, "optional");
    const bool was = optional != nullptr && optional->as_bool() == true;
    const bool is = need.kind == EdgeKind::peer_optional;
    if (said != nullptr && was == is) {
      out.emplace_back(need.name, *said);
    } else if (is) {
      out.emplace_back(need.name, Value(Value::Object{{"optional", true}}));
    }
  }
  if (old_meta == nullptr || !old_meta->is_object()) return filled(std::move(out));
  for (const auto& [key, said] : *old_meta->as_object()) {
    const std::string& name = key;  // clang 14 captures no structured binding
    const bool asked = has(member(old, "peerDependencies"), name) ||
                       std::any_of(release.needs.begin(), release.needs.end(),
                                   [&](const Need& n) { return is_peer(n) && n.name == name; });
    if (!asked) out.emplace_back(name, said);
  }
  return filled(std::move(out));
}

/// "bin/x" of "./bin/x", "/bin/x" and "bin\x", as npm cleans it.
std::string clean_path(std::string_view path) {
  std::string slashes(path);
  std::replace(slashes.begin(), slashes.end(), '\\', '/');
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(slashes, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string out;
  for (const std::string_view part : parts) out += (out.empty() ? "" : "/") + std::string(part);
  // npm's own way keeps the last slash, too.
  if (!out.empty() && slashes.ends_with('/')) out += '/';
  return out;
}

std::string command_of(std::string_view key) {
  std::string slashes(key);
  std::replace(slashes.begin(), slashes.end(), '\\', '/');
  std::replace(slashes.begin(), slashes.end(), ':', '/');
  while (slashes.ends_with('/')) slashes.pop_back();
  const std::string last = slashes.substr(slashes.rfind('/') + 1);
  return last == "." || last == ".." ? "" : last;
}

std::optional<Value> bin_of(const Release& release) {
  json::ObjectBuilder out;
  for (const auto& [key, path] : release.bin) {
    const std::string command = command_of(key);
    const std::string target = clean_path(path);
    if (!command.empty() && !target.empty() && !out.has(command)) out.add(command, Value(target));
  }
  return filled(std::move(out).take());
}

/// Some are published as a list, whose keys are numbers.
std::optional<Value> engines_of(const Release& release) {
  const auto& engines = release.engines;
  Value::Array items;
  for (std::size_t i = 0; i < engines.size() && engines[i].first == std::to_string(i); ++i) {
    items.emplace_back(engines[i].second);
  }
  if (!items.empty() && items.size() == engines.size()) return Value(std::move(items));
  Value::Object out;
  for (const auto& [key, range] : release.engines) out.emplace_back(key, Value(range));
  return filled(std::move(out));
}

std::optional<Value> list(const std::vector<std::string>& items, const Value* old) {
  if (items.empty()) return std::nullopt;
  // A single one may be published without brackets.
  if (old != nullptr && old->is_string() && items.size() == 1 && *old->as_string() == items[0]) {
    return *old;
  }
  Value::Array out;
  for (const std::string& item : items) out.emplace_back(item);
  return Value(std::move(out));
}

std::optional<Value> bundled_of(const Release& release, const Value* old) {
  const auto in_dependencies = [](const Need& need) { return need.kind == EdgeKind::prod; };
  const auto count = std::count_if(release.needs.begin(), release.needs.end(), in_dependencies);
  const bool all = static_cast<std::size_t>(count) == release.bundled.size();
  if (old != nullptr && old->is_bool() && all && count > 0) return *old;
  return list(release.bundled, old);
}

std::optional<Value> funding_of(const Release& release) {
  const Value& funding = release.funding;
  if (const std::string* url = funding.as_string()) {
    if (url->empty()) return std::nullopt;
    return Value(Value::Object{{"url", *url}});
  }
  const auto* object = funding.as_object();
  const auto* array = funding.as_array();
  const bool empty = (object == nullptr || object->empty()) && (array == nullptr || array->empty());
  return empty ? std::nullopt : std::optional<Value>(funding);
}

/// What metadata without licenses cannot say is still true of the very same release.
std::optional<Value> license_of(const Release& release, const Value* old) {
  const Value* version = member(old, "version");
  const bool same = version != nullptr && *version == Value(release.version);
  if (release.license.empty() && same && has(old, "license")) return *member(old, "license");
  return text(release.license);
}

void append(Fields& fields, Fields more) {
  std::move(more.begin(), more.end(), std::back_inserter(fields));
}

/// What the oldest kind of tree has of dependencies. Ranges that are those of the entry
/// before keep what the tree said of them: a rule of the root may have replaced them.
std::optional<Value> requires_of(const Release& release, const EntryContext& context,
                                 const Value* known) {
  Value::Object out;
  const Value* old = context.old;
  const Value* old_requires = member(old, "requires");
  if (old_requires != nullptr && old_requires->is_bool()) return *old_requires;
  for (const Need& need : release.needs) {
    if (is_peer(need)) continue;
    const Value* known_range = member(member(known, "dependencies"), need.name);
    if (known_range == nullptr) {
      known_range = member(member(known, "optionalDependencies"), need.name);
    }
    const Value* said = member(old_requires, need.name);
    const bool same = known_range != nullptr && *known_range == Value(need.range);
    out.emplace_back(need.name, said != nullptr && same ? *said : Value(need.range));
  }
  const bool peers = std::any_of(release.needs.begin(), release.needs.end(), is_peer);
  const bool empty_one = peers && context.empty_requires;
  const bool had_one =
      old_requires != nullptr && old_requires->is_object() && old_requires->as_object()->empty();
  if (out.empty() && !empty_one && !had_one) return std::nullopt;
  return Value(std::move(out));
}

}  // namespace

std::string_view field_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::dev:
      return "devDependencies";
    case EdgeKind::optional:
      return "optionalDependencies";
    case EdgeKind::peer:
    case EdgeKind::peer_optional:
      return "peerDependencies";
    case EdgeKind::prod:
      break;
  }
  return "dependencies";
}

Fields flag_fields(const npm::Flags& flags) {
  Fields out;
  out.emplace_back("dev", flag(flags.dev));
  out.emplace_back("optional", flag(flags.optional));
  out.emplace_back("devOptional", flag(flags.dev_optional && !flags.dev && !flags.optional));
  out.emplace_back("peer", flag(flags.peer));
  return out;
}

Fields old_flag_fields(const npm::Flags& flags, Tree tree) {
  Fields out = flag_fields(flags);
  if (tree == Tree::second) return out;
  // Version 1 was made without these two; where a newer npm wrote them nothing is known.
  const bool narrower = flags.dev || flags.optional;
  std::erase_if(out, [&](const auto& field) {
    return !field.second && (field.first == "peer" || (field.first == "devOptional" && !narrower));
  });
  return out;
}

Fields entry_fields(const Release& release, const EntryContext& context, const Habits& habits) {
  const Value* old = context.old;
  Fields out;
  const bool renamed = context.folder != release.name;
  const Value* old_name = member(old, "name");
  if (renamed || old_name == nullptr || *old_name != Value(release.name)) {
    out.emplace_back("name", renamed ? text(release.name) : std::nullopt);
  }
  out.emplace_back("version", Value(release.version));
  out.emplace_back("resolved", context.resolved ? text(*context.resolved) : std::nullopt);
  out.emplace_back("integrity", text(release.integrity));
  append(out, flag_fields(context.flags));
  const auto kind_is = [&](EdgeKind kind) {
    return filled(needs_of(release, [&](const Need& need) { return need.kind == kind; }));
  };
  out.emplace_back("dependencies", kind_is(EdgeKind::prod));
  out.emplace_back("optionalDependencies", kind_is(EdgeKind::optional));
  out.emplace_back("peerDependencies", filled(needs_of(release, is_peer)));
  out.emplace_back("peerDependenciesMeta", peers_meta(release, old));
  out.emplace_back("bin", bin_of(release));
  out.emplace_back("engines", engines_of(release));
  out.emplace_back("os", list(release.os, member(old, "os")));
  out.emplace_back("cpu", list(release.cpu, member(old, "cpu")));
  out.emplace_back("libc", list(release.libc, member(old, "libc")));
  out.emplace_back("bundleDependencies", bundled_of(release, member(old, "bundleDependencies")));
  out.emplace_back("deprecated", text(release.deprecated));
  out.emplace_back("hasInstallScript", flag(release.install_script));
  out.emplace_back("hasShrinkwrap", flag(release.shrinkwrap));
  const bool license = habits.license || has(old, "license");
  out.emplace_back("license", license ? license_of(release, old) : std::nullopt);
  const bool funding = habits.funding || has(old, "funding");
  out.emplace_back("funding", funding ? funding_of(release) : std::nullopt);
  return out;
}

Fields old_entry_fields(const Release& release, const EntryContext& context, Tree tree,
                        const Value* known) {
  Fields out;
  const bool renamed = context.folder != release.name;
  out.emplace_back(
      "version", Value(renamed ? "npm:" + release.name + "@" + release.version : release.version));
  out.emplace_back("resolved", context.resolved ? text(*context.resolved) : std::nullopt);
  out.emplace_back("integrity", text(release.integrity));
  append(out, old_flag_fields(context.flags, tree));
  out.emplace_back("requires", requires_of(release, context, known));
  return out;
}

Value as_value(Fields fields) {
  Value::Object out;
  for (auto& [key, value] : fields) {
    if (value) out.emplace_back(std::move(key), *std::move(value));
  }
  return Value(std::move(out));
}

}  // namespace cg::edit
