// package-lock.json 1 and 2: `dependencies` inside each other, one level per folder.
#include <algorithm>

#include "npm/edit/package_lock.h"
#include "npm/edit/splice.h"

namespace cg::edit {

namespace {

using Kind = EditError::Kind;
using Path = std::vector<std::string_view>;

constexpr std::string_view kModules = "node_modules/";
constexpr std::string_view kInnerModules = "/node_modules/";
constexpr std::size_t kMaxLinks = 4;  // links to folders that are in folders that are linked

/// {"a", "@s/b"} of "node_modules/a/node_modules/@s/b".
Path split_location(std::string_view location) {
  Path out;
  location.remove_prefix(kModules.size());
  for (std::size_t at = location.find(kInnerModules); at != std::string_view::npos;
       at = location.find(kInnerModules)) {
    out.push_back(location.substr(0, at));
    location.remove_prefix(at + kInnerModules.size());
  }
  out.push_back(location);
  return out;
}

}  // namespace

/// The ways to a folder in the tree. What lies in a folder of the user's own is beneath
/// each link to it, and nowhere if there is none.
void PackageLockEditor::each_path(std::string_view location, std::vector<Path>& out,
                                  std::size_t links) const {
  if (location.starts_with(kModules)) return out.push_back(split_location(location));
  const std::size_t inner = location.find(kInnerModules);
  const std::string_view folder = location.substr(0, inner);
  const npm::NodeId target = at(folder);
  if (target == npm::kNoNode || links == kMaxLinks) return;
  for (const npm::Node& node : graph_.nodes()) {
    if (node.source != npm::Source::link || node.target != target) continue;
    std::vector<Path> ways;
    each_path(node.location, ways, links + 1);
    for (Path& way : ways) {
      if (inner != std::string_view::npos) {
        const Path rest = split_location(location.substr(inner + 1));
        way.insert(way.end(), rest.begin(), rest.end());
      }
      out.push_back(std::move(way));
    }
  }
}

void PackageLockEditor::plant(std::string_view location, const Twig& what) {
  std::vector<Path> paths;
  each_path(location, paths, 0);
  for (const Path& path : paths) {
    Twig* twig = &root_;
    for (const std::string_view name : path) {
      twig = &twig->below.try_emplace(std::string(name)).first->second;
      twig->behind_link = twig->behind_link || !location.starts_with(kModules);
    }
    if (what.put != nullptr) twig->put = what.put;
    if (what.flags != nullptr) twig->flags = what.flags;
    twig->removed = twig->removed || what.removed;
    twig->asks.insert(twig->asks.end(), what.asks.begin(), what.asks.end());
  }
}

PackageLockEditor::Outcome PackageLockEditor::edit_tree() {
  for (const PutCopy& put : edit_.put) {
    Twig twig;
    twig.put = &put;
    plant(put.location, twig);
  }
  for (const Reflag& reflag : edit_.reflagged) {
    Twig twig;
    twig.flags = &reflag.flags;
    plant(reflag.location, twig);
  }
  for (const std::string& location : edit_.removed) {
    Twig twig;
    twig.removed = true;
    plant(location, twig);
  }
  for (const Ask& ask : edit_.asks) {
    if (ask.importer.empty() || tree() == Tree::only) continue;
    Twig twig;
    twig.asks.push_back(&ask);
    plant(ask.importer, twig);
  }
  if (root_.below.empty()) return Done{};
  const Object level = top_level();
  if (tree() == Tree::only) learn_alphabet(level);
  if (!level.members.empty()) {
    const std::size_t before = splicer_.count();
    ObjectEdit edit(splicer_, level, ObjectEdit::Order::npm);
    CG_TRY(edit_level(level, root_, edit));
    if (!edit.would_lose_all()) {
      edit.finish();
      return Done{};
    }
    splicer_.forget(before);
  }
  // Nothing of it stays, or it was not found: now the whole lock matters.
  const Object lock = splicer_.root();
  ObjectEdit fields(splicer_, lock, ObjectEdit::Order::npm);
  CG_TRY(edit_below(lock, root_, fields));
  fields.finish();
  return Done{};
}

/// The first versions of npm sorted by bytes.
void PackageLockEditor::learn_alphabet(const Object& level) {
  const auto sorted = [&](const auto& less) {
    return std::is_sorted(level.members.begin(), level.members.end(), less);
  };
  const bool by_bytes = sorted([](const Member& a, const Member& b) { return a.key < b.key; });
  const bool by_words =
      sorted([](const Member& a, const Member& b) { return collate(a.key, b.key) < 0; });
  if (by_bytes && !by_words) splicer_.set_alphabet(Alphabet::bytes);
}

/// Where the tree starts if it follows `packages`, as npm has it; else 0.
std::uint32_t PackageLockEditor::tree_behind_packages() const {
  constexpr std::string_view kKey = "\"dependencies\"";
  if (graph_.nodes().empty()) return 0;
  const std::string_view text = graph_.text();
  std::size_t at = graph_.nodes().back().entry.end;
  for (const std::string_view token : {std::string_view("}"), std::string_view(","), kKey,
                                       std::string_view(":"), std::string_view("{")}) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    if (!text.substr(at).starts_with(token)) return 0;
    at += token.size();
  }
  return static_cast<std::uint32_t>(at - 1);
}

/// The first level of the tree, without reading what is before it. Empty if it is not
/// found like that; its brackets may be unknown.
Object PackageLockEditor::top_level() {
  Object out;
  if (tree() == Tree::second) {
    const std::uint32_t at = tree_behind_packages();
    return at == 0 ? out : splicer_.read(at);
  }
  for (const npm::Node& node : graph_.nodes()) {
    if (node.source == npm::Source::root) continue;
    const std::string_view name = node.location.substr(kModules.size());
    if (name.find(kInnerModules) != std::string_view::npos) continue;
    // The value is looked for when it is needed.
    out.members.push_back({name, node.entry.begin, 0, node.entry.end});
  }
  return out;
}

/// npm writes it unless it was told to leave peers alone.
bool PackageLockEditor::has_empty_requires() {
  if (!empty_requires_) {
    empty_requires_ = graph_.text().find("\"requires\": {}") != std::string_view::npos;
  }
  return *empty_requires_;
}

/// The `dependencies` of an entry, which come and go with their last member.
PackageLockEditor::Outcome PackageLockEditor::edit_below(const Object& entry, const Twig& twig,
                                                         ObjectEdit& fields) {
  if (twig.below.empty()) return Done{};
  const Member* member = entry.find("dependencies");
  if (member == nullptr) {
    Value::Object made;
    for (const auto& [name, below] : twig.below) {
      if (below.put == nullptr) continue;
      CG_TRY_ASSIGN(Value value, new_entry(name, below));
      made.emplace_back(name, std::move(value));
    }
    if (!made.empty()) fields.set("dependencies", Value(std::move(made)));
    return Done{};
  }
  const Object level = splicer_.read(member->value);
  ObjectEdit edit(splicer_, level, ObjectEdit::Order::npm);
  CG_TRY(edit_level(level, twig, edit));
  if (edit.would_be_empty() && !level.members.empty()) {
    fields.drop("dependencies");
  } else {
    edit.finish();
  }
  return Done{};
}

PackageLockEditor::Outcome PackageLockEditor::edit_level(const Object& level, const Twig& twig,
                                                         ObjectEdit& edit) {
  for (const auto& [name, below] : twig.below) {
    const Member* member = level.find(name);
    if (member != nullptr && below.removed) {
      CG_TRY(check_all_goes(*member, below));
      edit.drop(name);
    } else if (member != nullptr) {
      CG_TRY(edit_entry(*member, below));
    } else if (below.put != nullptr) {
      CG_TRY_ASSIGN(const Value value, new_entry(name, below));
      edit.add(name, value);
    } else if (!below.removed && !below.behind_link) {
      return refuse(Kind::shape, "the tree of `dependencies` lacks", name);
    }
  }
  return Done{};
}

/// An entry holds those that lie below it: it cannot go without them.
PackageLockEditor::Outcome PackageLockEditor::check_all_goes(const Member& member,
                                                             const Twig& twig) {
  const Object entry = splicer_.read(value_of(member));
  const Member* dependencies = entry.find("dependencies");
  if (dependencies == nullptr) return Done{};
  for (const Member& inner : splicer_.read(dependencies->value).members) {
    const auto below = twig.below.find(inner.key);
    if (below == twig.below.end() || !below->second.removed) {
      return refuse(Kind::shape, "would go with what holds it:", inner.key);
    }
    CG_TRY(check_all_goes(inner, below->second));
  }
  return Done{};
}

/// In the entry of a link: what the folder of the user's own asks for.
void PackageLockEditor::requires_for(const Object& entry, const Twig& twig) {
  const Member* member = entry.find("requires");
  if (member == nullptr || twig.asks.empty()) return;
  const Object asked = splicer_.read(member->value);
  for (const Ask* ask : twig.asks) {
    const Member* range = asked.find(ask->name);
    if (range == nullptr || splicer_.value(*range) != Value(ask->from)) continue;
    splicer_.change(range->value, range->end, splicer_.print(Value(ask->to), ""));
  }
}

PackageLockEditor::Outcome PackageLockEditor::edit_entry(const Member& member, const Twig& twig) {
  const Object entry = splicer_.read(value_of(member));
  ObjectEdit fields(splicer_, entry, ObjectEdit::Order::npm);
  if (twig.put != nullptr) {
    // Without what lies below it, which may be large.
    Value::Object old;
    for (const Member& field : entry.members) {
      if (field.key != "dependencies") old.emplace_back(field.key, splicer_.value(field));
    }
    const Value before(std::move(old));
    const auto known = known_.find(twig.put->location);
    EntryContext context = context_of(*twig.put, &before);
    context.folder = member.key;
    context.empty_requires = has_empty_requires();
    set_all(fields, old_entry_fields(*twig.put->release, context, tree(),
                                     known == known_.end() ? nullptr : &known->second));
  } else if (twig.flags != nullptr) {
    set_all(fields, old_flag_fields(*twig.flags, tree()));
  }
  requires_for(entry, twig);
  CG_TRY(edit_below(entry, twig, fields));
  fields.finish();
  return Done{};
}

Result<Value, EditError> PackageLockEditor::new_entry(std::string_view name, const Twig& twig) {
  EntryContext context = context_of(*twig.put, nullptr);
  context.folder = name;
  context.empty_requires = has_empty_requires();
  Fields fields = old_entry_fields(*twig.put->release, context, tree(), nullptr);
  Value::Object below;
  for (const auto& [inner, inner_twig] : twig.below) {
    if (inner_twig.put == nullptr) {
      return refuse(Kind::shape, "the tree of `dependencies` lacks", inner);
    }
    CG_TRY_ASSIGN(Value value, new_entry(inner, inner_twig));
    below.emplace_back(inner, std::move(value));
  }
  if (!below.empty()) fields.emplace_back("dependencies", Value(std::move(below)));
  return as_value(std::move(fields));
}

}  // namespace cg::edit
