// package-lock.json 2 and 3: the `packages` map, one entry per folder.
#include "npm/edit/package_lock.h"

#include <algorithm>
#include <set>

#include "npm/edit/splice.h"
#include "npm/npm/tree.h"

namespace cg::edit {

namespace {

using Kind = EditError::Kind;

constexpr std::size_t kFewEntries = 25;

/// Whether the entry at `node` is a copy that a release can take the place of.
bool is_copy(const npm::Node& node) {
  return node.source == npm::Source::registry || node.source == npm::Source::tarball ||
         node.source == npm::Source::git;
}

}  // namespace

npm::NodeId PackageLockEditor::at(std::string_view location) const {
  const auto found = by_location_.find(location);
  return found == by_location_.end() ? npm::kNoNode : found->second;
}

/// That the edit speaks of each place once, and of places that can be meant.
PackageLockEditor::Outcome PackageLockEditor::check() const {
  std::set<std::string_view> touched;
  for (const PutCopy& put : edit_.put) {
    if (put.release == nullptr || npm::folder_name(put.location).empty()) {
      return refuse(Kind::shape, "no copy can be put at", put.location);
    }
    const npm::NodeId id = at(put.location);
    if (id != npm::kNoNode && !is_copy(graph_.node(id))) {
      return refuse(Kind::unsupported, "not a published package:", put.location);
    }
    if (!touched.insert(put.location).second) {
      return refuse(Kind::shape, "two edits of", put.location);
    }
  }
  for (const std::string& location : edit_.removed) {
    const npm::NodeId id = at(location);
    if (id == npm::kNoNode || npm::folder_name(location).empty()) {
      return refuse(Kind::not_found, "nothing to remove at", location);
    }
    if (!touched.insert(location).second) return refuse(Kind::shape, "two edits of", location);
  }
  for (const Reflag& reflag : edit_.reflagged) {
    if (at(reflag.location) == npm::kNoNode || npm::folder_name(reflag.location).empty()) {
      return refuse(Kind::not_found, "no copy at", reflag.location);
    }
    if (!touched.insert(reflag.location).second) {
      return refuse(Kind::shape, "two edits of", reflag.location);
    }
  }
  return Done{};
}

/// Old versions of npm wrote fewer fields. What no entry has is not begun with.
const Habits& PackageLockEditor::habits() {
  if (habits_) return *habits_;
  const auto any_has = [&](std::string_view field) {
    const std::string quoted = "\"" + std::string(field) + "\"";
    bool published = false;
    for (const npm::Node& node : graph_.nodes()) {
      if (!is_copy(node)) continue;
      published = true;
      const std::string_view entry =
          graph_.text().substr(node.entry.begin, node.entry.end - node.entry.begin);
      if (entry.find(quoted) == std::string_view::npos) continue;
      if (splicer_.read(splicer_.value_behind(node.entry.begin)).find(field) != nullptr)
        return true;
    }
    return !published;
  };
  // A short lock shows no habits.
  const bool few = graph_.nodes().size() < kFewEntries;
  habits_ = Habits{.license = any_has("license"), .funding = few || any_has("funding")};
  return *habits_;
}

void PackageLockEditor::set_all(ObjectEdit& edit, const Fields& fields) {
  for (const auto& [key, value] : fields) {
    if (value) {
      edit.set(key, *value);
    } else {
      edit.drop(key);
    }
  }
}

Value PackageLockEditor::old_entry_of(const npm::Node& node) {
  const std::uint32_t value = splicer_.value_behind(node.entry.begin);
  return splicer_.value({node.location, node.entry.begin, value, node.entry.end});
}

EntryContext PackageLockEditor::context_of(const PutCopy& put, const Value* old) {
  const npm::NodeId id = at(put.location);
  const npm::Node* node = id == npm::kNoNode ? nullptr : &graph_.node(id);
  return {npm::folder_name(put.location), put.flags, addresses_.of(*put.release, node), old};
}

void PackageLockEditor::put_existing(const PutCopy& put, const npm::Node& node) {
  Value& old = known_[node.location];
  old = old_entry_of(node);
  const Object entry = splicer_.read(splicer_.value_behind(node.entry.begin));
  ObjectEdit edit(splicer_, entry, ObjectEdit::Order::npm);
  set_all(edit, entry_fields(*put.release, context_of(put, &old), habits()));
  edit.finish();
}

void PackageLockEditor::reflag(const Reflag& reflag, const npm::Node& node) {
  const Object entry = splicer_.read(splicer_.value_behind(node.entry.begin));
  ObjectEdit edit(splicer_, entry, ObjectEdit::Order::npm);
  set_all(edit, flag_fields(reflag.flags));
  edit.finish();
}

PackageLockEditor::Outcome PackageLockEditor::ask(const Ask& ask) {
  const npm::NodeId id = at(ask.importer);
  if (id == npm::kNoNode) return refuse(Kind::not_found, "no entry for", ask.importer);
  const Object entry = splicer_.read(splicer_.value_behind(graph_.node(id).entry.begin));
  const Member* field = entry.find(field_of(ask.kind));
  if (field == nullptr) return refuse(Kind::not_found, "nobody asks for", ask.name);
  const Object asked = splicer_.read(field->value);
  const Member* member = asked.find(ask.name);
  if (member == nullptr) return refuse(Kind::not_found, "nobody asks for", ask.name);
  if (splicer_.value(*member) != Value(ask.from)) {
    return refuse(Kind::shape, "the lock has another range for", ask.name);
  }
  splicer_.change(member->value, member->end, splicer_.print(Value(ask.to), ""));
  return Done{};
}

/// The object of `packages`, whose members the graph knows already.
Object PackageLockEditor::packages_object() {
  Object out;
  if (edit_.removed.size() >= graph_.nodes().size()) {
    // Nothing of it stays: only then it matters where its brackets are.
    const Object root = splicer_.root();
    const Member* packages = root.find("packages");
    if (packages != nullptr) out = splicer_.read(packages->value);
    return out;
  }
  out.members.reserve(graph_.nodes().size());
  for (const npm::Node& node : graph_.nodes()) {
    // Every entry is an object and ends in its bracket.
    out.members.push_back({node.location, node.entry.begin, node.entry.end, node.entry.end});
  }
  return out;
}

PackageLockEditor::Outcome PackageLockEditor::edit_packages() {
  const bool adds = std::any_of(edit_.put.begin(), edit_.put.end(), [&](const PutCopy& put) {
    return at(put.location) == npm::kNoNode;
  });
  for (const PutCopy& put : edit_.put) {
    const npm::NodeId id = at(put.location);
    if (id != npm::kNoNode) put_existing(put, graph_.node(id));
  }
  for (const Reflag& flagged : edit_.reflagged) {
    reflag(flagged, graph_.node(at(flagged.location)));
  }
  for (const Ask& asked : edit_.asks) CG_TRY(ask(asked));
  if (!adds && edit_.removed.empty()) return Done{};
  const Object packages = packages_object();
  ObjectEdit edit(splicer_, packages, ObjectEdit::Order::npm);
  for (const std::string& location : edit_.removed) edit.drop_at(at(location));
  for (const PutCopy& put : edit_.put) {
    if (at(put.location) != npm::kNoNode) continue;
    edit.add(put.location,
             as_value(entry_fields(*put.release, context_of(put, nullptr), habits())));
  }
  edit.finish();
  return Done{};
}

Result<std::string, EditError> PackageLockEditor::run() {
  by_location_.reserve(graph_.nodes().size());
  for (npm::NodeId id = 0; id < graph_.nodes().size(); ++id) {
    by_location_.emplace(graph_.node(id).location, id);
  }
  CG_TRY(check());
  if (graph_.lock_version() != "1") CG_TRY(edit_packages());
  if (graph_.lock_version() != "3") CG_TRY(edit_tree());
  return std::move(splicer_).finish();
}

Result<std::string, EditError> edit_package_lock(const npm::Graph& graph, const LockEdit& edit,
                                                 std::string_view registry) {
  if (edit.empty()) return std::string(graph.text());
  return PackageLockEditor(graph, edit, registry).run();
}

}  // namespace cg::edit
