#include "model/rewrite/rewrite.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "model/canary/scan.h"
#include "model/rewrite/checks.h"
#include "model/rewrite/identifiers.h"
#include "model/rewrite/outside.h"
#include "model/rewrite/texts.h"
#include "model/rewrite/words.h"

namespace cg::rewrite {

namespace {

/// Names that mean something without a declaration: who declares one takes it away from all
/// that stands in its scope, or pretends that it is harmless.
constexpr std::string_view kGlobals[] = {
    "eval",        "Function",      "require",        "module",    "exports",     "process",
    "globalThis",  "global",        "window",         "self",      "top",         "document",
    "fetch",       "Reflect",       "Proxy",          "Object",    "Buffer",      "setTimeout",
    "setInterval", "setImmediate",  "queueMicrotask", "Worker",    "WebAssembly", "XMLHttpRequest",
    "WebSocket",   "importScripts", "arguments",      "undefined", "NaN",         "Promise",
    "JSON",        "Array",         "Symbol",         "__dirname", "__filename",  "console"};

using Keys = std::map<std::string, std::size_t, std::less<>>;  // how often

std::size_t line_at(std::string_view text, std::uint32_t at) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + at, '\n'));
}

/// One text with everything that is compared.
struct Reading {
  File file;
  Origins origins;
  Items items;
  bool cut = false;  // it was too much work

  Reading(File parsed, const Change& change)
      : file(std::move(parsed)), origins(file, change.package, change.language) {
    Work work;
    for (Items more : {outside_items(file, origins, change.package, work), word_items(file, work),
                       check_items(file, origins, work), text_items(file, work)}) {
      std::move(more.begin(), more.end(), std::back_inserter(items));
    }
    cut = work.over();
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
};

Keys keys_of(const Items& items, Item::Rule rule) {
  Keys out;
  for (const Item& item : items) {
    if (item.rule == rule) ++out[item.key];
  }
  return out;
}

/// Exports of the package that are new to this file, but there.
std::optional<Breach> judge_reached(const Item& item, const Change& change) {
  if (change.api == nullptr) return Breach::not_exported;
  const auto surface = change.api->surface(item.reached->subpath);
  if (!surface) return Breach::not_exported;
  const std::string& member = item.reached->member;
  // import('x') is a promise before it is the module.
  const bool promise = member == "then" || member == "catch" || member == "finally";
  const bool has =
      member.empty() || promise || !surface->complete || surface->names.contains(member);
  if (has) return std::nullopt;
  return Breach::not_exported;
}

/// Items of the new text that the old one has not. Another call says least of what is wrong.
std::optional<Finding> find_new(const Items& before, const Items& after, const Change& change) {
  const Keys known = keys_of(before, Item::Rule::known);
  Keys left = keys_of(before, Item::Rule::counted);
  std::optional<Finding> call;
  for (const Item& item : after) {
    std::optional<Breach> breach;
    if (item.rule == Item::Rule::known && !known.contains(item.key)) {
      breach = item.reached ? judge_reached(item, change) : item.breach;
    } else if (item.rule == Item::Rule::counted) {
      std::size_t& more = left[item.key];
      if (more == 0) breach = item.breach;
      if (more > 0) --more;
    }
    if (!breach || (call && breach == Breach::other_call)) continue;
    const Finding found{*breach, line_at(change.after, item.at)};
    if (*breach != Breach::other_call) return found;
    call = found;
  }
  return call;
}

/// Items that had to stay, likewise.
std::optional<Finding> find_gone(const Items& before, const Items& after, const Change& change) {
  Keys left = keys_of(after, Item::Rule::kept);
  for (const auto& [key, more] : keys_of(after, Item::Rule::spare)) left[key] += more;
  std::optional<Finding> call;
  for (const Item& item : before) {
    if (item.rule != Item::Rule::kept) continue;
    std::size_t& more = left[item.key];
    if (more > 0) {
      --more;
      continue;
    }
    const Finding found{item.breach, line_at(change.before, item.at)};
    if (item.breach != Breach::other_call) return found;
    if (!call) call = found;
  }
  return call;
}

/// What each name is declared as: a path, or nothing for what is the file's own.
std::map<std::string, std::set<std::string>, std::less<>> declared_in(const Reading& reading) {
  std::map<std::string, std::set<std::string>, std::less<>> out;
  const auto& bindings = reading.file.scopes.bindings();
  for (Index i = 0; i < bindings.size(); ++i) {
    out[std::string(reading.file.syntax.text_of(bindings[i].name))].insert(
        reading.origins.of_binding(i));
  }
  return out;
}

std::set<std::string_view> free_names(const Reading& reading) {
  std::set<std::string_view> out;
  const File& file = reading.file;
  for (Index i = 1; i < file.syntax.nodes().size(); ++i) {
    const Kind kind = file.kind(i);
    if (kind != Kind::identifier && kind != Kind::shorthand_property_identifier) continue;
    if (!file.erased[i] && !file.scopes.is_declaration(i) && file.binding_of(i) == kNone) {
      out.insert(file.syntax.text_of(i));
    }
  }
  return out;
}

/// A name that meant something outside, and is declared as something else now.
std::optional<Finding> find_captured(const Reading& before, const Reading& after,
                                     const Change& change) {
  const auto old_names = declared_in(before);
  const std::set<std::string_view> free = free_names(before);
  const auto is_outside = [&](const std::string& path) {
    return !path.empty() && !before.origins.is_package_path(path);
  };
  const auto& bindings = after.file.scopes.bindings();
  for (Index i = 0; i < bindings.size(); ++i) {
    const std::string_view name = after.file.syntax.text_of(bindings[i].name);
    const auto old = old_names.find(name);
    bool captured = false;
    if (old == old_names.end()) {
      captured = free.contains(name) ||
                 std::find(std::begin(kGlobals), std::end(kGlobals), name) != std::end(kGlobals);
    } else {
      captured = std::any_of(old->second.begin(), old->second.end(), is_outside) &&
                 !old->second.contains(after.origins.of_binding(i));
    }
    if (captured) {
      const std::uint32_t at = after.file.syntax.at(bindings[i].name).begin;
      return Finding{Breach::captured_name, line_at(change.after, at)};
    }
  }
  return std::nullopt;
}

/// Orders that the old text does not give as often. The source is read by models too: by ours in
/// the next attempt, and by whatever a reviewer uses.
std::optional<Finding> find_orders(const Change& change) {
  std::map<std::string_view, std::size_t> left;
  for (const canary::Hit& hit : canary::scan(change.before, SourceKind::source_snippet).hits)
    ++left[hit.pattern];
  for (const canary::Hit& hit : canary::scan(change.after, SourceKind::source_snippet).hits) {
    std::size_t& more = left[hit.pattern];
    if (more == 0) {
      const auto at = static_cast<std::uint32_t>(hit.span.begin);
      return Finding{Breach::carries_orders, line_at(change.after, at)};
    }
    --more;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Breach breach) {
  constexpr std::string_view kNames[] = {
      "not_understood",  "new_global",    "new_import",    "not_exported",   "dynamic_code",
      "other_call",      "outside_write", "captured_name", "disguised_name", "changed_check",
      "silenced_checks", "new_address",   "carries_orders"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Breach::carries_orders) + 1);
  return kNames[static_cast<std::size_t>(breach)];
}

std::optional<Finding> find_breach(const Change& change) {
  auto old_file = File::parse(change.before, change.language);
  auto new_file = File::parse(change.after, change.language);
  if (!old_file || !new_file || old_file->syntax.broken() || new_file->syntax.broken()) {
    return Finding{Breach::not_understood, 0};
  }
  const Reading before(*std::move(old_file), change);
  const Reading after(*std::move(new_file), change);
  if (before.cut || after.cut) return Finding{Breach::not_understood, 0};
  const Identifiers old_names = identifiers_of(before.file);
  if (const auto at = find_disguised(old_names, identifiers_of(after.file))) {
    return Finding{Breach::disguised_name, line_at(change.after, *at)};
  }
  if (auto found = find_new(before.items, after.items, change)) return found;
  if (auto found = find_captured(before, after, change)) return found;
  if (auto found = find_gone(before.items, after.items, change)) return found;
  return find_orders(change);
}

}  // namespace cg::rewrite
