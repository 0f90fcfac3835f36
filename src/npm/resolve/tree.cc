#include "npm/resolve/tree.h"

#include <algorithm>

#include "npm/npm/tree.h"
#include "npm/semver/subset.h"

namespace cg::resolve {

namespace {

constexpr std::string_view kModules = "node_modules/";

}  // namespace

Tree::Tree(const npm::Graph& graph, Rules rules) : graph_(graph), rules_(std::move(rules)) {
  const auto& nodes = graph.nodes();
  copies_.reserve(nodes.size() + 64);
  places_.reserve(nodes.size() * 2);
  name_ids_.reserve(nodes.size() * 2);
  std::unordered_map<std::string_view, CopyId> at;
  at.reserve(nodes.size());
  for (npm::NodeId id = 0; id < nodes.size(); ++id) {
    const npm::Node& node = nodes[id];
    Copy copy;
    copy.package = node.name;
    copy.origin = id;
    copy.source = node.source;
    copy.flags = node.flags;
    copy.target = node.target == npm::kNoNode ? kNone : node.target;
    if (auto version = semver::Version::parse(node.version, {.loose = true})) {
      copy.version = &versions_.emplace_back(*std::move(version));
    }
    copies_.push_back(std::move(copy));
    at.emplace(node.location, id);
    if (node.source == npm::Source::root) root_ = id;
  }
  for (CopyId id = 0; id < nodes.size(); ++id) {
    if (id == root_) continue;
    const std::string_view location = nodes[id].location;
    const std::string_view folder = npm::folder_name(location);
    const CopyId holder = holder_of(location, at);
    copies_[id].holder = holder;
    if (folder.empty() || holder == kNone) continue;
    copies_[id].folder = intern(folder);
    copies_[holder].children.push_back(id);
    named_[copies_[id].folder].push_back(id);
    places_[place_of(holder, copies_[id].folder)] = id;
  }
  find_dictated();
  for (CopyId id = 0; id < nodes.size(); ++id) read_needs(id);
  find_reach();
}

void Tree::find_dictated() {
  for (Copy& copy : copies_) {
    if (!copy.flags.bundled) continue;
    CopyId holder = copy.holder;
    while (holder != kNone && copies_[holder].flags.bundled) holder = copies_[holder].holder;
    copy.dictated = holder != kNone && !copies_[holder].is_importer();
  }
}

CopyId Tree::holder_of(std::string_view location,
                       const std::unordered_map<std::string_view, CopyId>& at) const {
  std::string_view above = location;
  if (!npm::folder_name(location).empty()) {
    above = location.substr(0, location.rfind(kModules));
    if (above.ends_with('/')) above.remove_suffix(1);
    const auto found = at.find(above);
    if (found != at.end()) return found->second;
  }
  // A folder of the repository: whichever package it lies in.
  while (!above.empty()) {
    const std::size_t slash = above.rfind('/');
    above = slash == std::string_view::npos ? std::string_view() : above.substr(0, slash);
    const auto found = at.find(above);
    if (found != at.end()) return found->second;
  }
  return root_;
}

void Tree::read_needs(CopyId id) {
  std::vector<Need>& needs = lists_.emplace_back();
  const auto edges = graph_.edges_of(id);
  needs.reserve(edges.size());
  if (copies_[id].target == kNone) {
    for (const npm::Edge& edge : edges) needs.push_back({intern(edge.name), edge.range, edge.kind});
  }
  copies_[id].needs = &needs;
  index_needs(id);
}

NameId Tree::intern(std::string_view name) {
  const auto found = name_ids_.find(name);
  if (found != name_ids_.end()) return found->second;
  const auto id = static_cast<NameId>(names_.size());
  names_.push_back(kept_.emplace_back(name));
  name_ids_.emplace(names_.back(), id);
  asking_.emplace_back();
  named_.emplace_back();
  return id;
}

void Tree::index_needs(CopyId id) {
  for (const Need& need : *copies_[id].needs) {
    auto& asking = asking_[need.name];
    if (asking.empty() || asking.back() != id) asking.push_back(id);
  }
}

std::string Tree::location(CopyId id) const {
  const Copy& copy = copies_[id];
  if (copy.origin != npm::kNoNode) return std::string(graph_.node(copy.origin).location);
  const std::string above = location(copy.holder);
  return above + (above.empty() ? "" : "/") + std::string(kModules) +
         std::string(names_[copy.folder]);
}

CopyId Tree::child(CopyId holder, NameId folder) const {
  const auto found = places_.find(place_of(holder, folder));
  return found == places_.end() ? kNone : found->second;
}

CopyId Tree::seeks_from(CopyId from, const Need& need) const {
  // An importer has its peers beneath it; everybody else beside it.
  const bool beside = npm::is_peer(need.kind) && !copies_[from].is_importer();
  return beside ? copies_[from].holder : from;
}

CopyId Tree::resolve(CopyId from, const Need& need) const {
  for (CopyId at = seeks_from(from, need); at != kNone; at = copies_[at].holder) {
    const CopyId found = child(at, need.name);
    if (found != kNone) return found;
  }
  return kNone;
}

std::vector<Asker> Tree::askers_named(NameId name) const {
  std::vector<Asker> out;
  // A copy that was taken back left its number behind, and another may have it now.
  std::vector<CopyId> from = asking_[name];
  std::sort(from.begin(), from.end());
  from.erase(std::unique(from.begin(), from.end()), from.end());
  for (const CopyId id : from) {
    if (id >= copies_.size() || copies_[id].gone) continue;
    const auto& needs = *copies_[id].needs;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (needs[i].name == name) out.push_back({id, i});
    }
  }
  return out;
}

std::vector<Asker> Tree::askers(CopyId id) const {
  std::vector<Asker> out = askers_named(copies_[id].folder);
  std::erase_if(out, [&](const Asker& asker) { return resolve(asker.from, need(asker)) != id; });
  return out;
}

bool Tree::is_within(CopyId id, CopyId holder) const {
  for (; id != kNone; id = copies_[id].holder) {
    if (id == holder) return true;
  }
  return false;
}

void Tree::find_reach() {
  reach_.resize(rules_.size());
  for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
    if (rules_[rule].parents.empty()) continue;
    auto& seen = reach_[rule];
    seen.assign(copies_.size(), false);
    std::vector<CopyId> open;
    for (CopyId id = 0; id < copies_.size(); ++id) {
      if (copies_[id].package != rules_[rule].parents.back()) continue;
      seen[id] = true;
      open.push_back(id);
    }
    while (!open.empty()) {
      const CopyId from = open.back();
      open.pop_back();
      for (const Need& need : *copies_[from].needs) {
        const CopyId to = resolve(from, need);
        if (to == kNone || seen[to]) continue;
        seen[to] = true;
        open.push_back(to);
      }
    }
  }
}

bool Tree::applies(std::size_t index, CopyId from, const Need& need) {
  const Rule& rule = rules_[index];
  if (rule.target != names_[need.name]) return false;
  if (!rule.parents.empty()) {
    if (index >= reach_.size() || from >= reach_[index].size() || !reach_[index][from])
      return false;
  }
  if (rule.key.empty() || rule.key == "*") return true;
  const Want& key = ranges_.get(rule.key);
  const Want& asked = ranges_.get(need.spec);
  if (key.kind != Want::Kind::range) return true;
  if (asked.kind == Want::Kind::range) return semver::intersects(*asked.range, *key.range);
  return asked.kind == Want::Kind::any;
}

const Rule* Tree::rule_for(CopyId from, const Need& need) {
  // The rule with the most parents is the innermost one, which npm finds first.
  const Rule* best = nullptr;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!applies(i, from, need)) continue;
    if (best == nullptr || rules_[i].parents.size() > best->parents.size()) best = &rules_[i];
  }
  return best;
}

std::string_view Tree::value_of(const Rule& rule) const {
  if (!rule.value.starts_with('$') || root_ == kNone) return rule.value;
  const std::string_view name = std::string_view(rule.value).substr(1);
  for (const Need& need : *copies_[root_].needs) {
    if (names_[need.name] == name) return need.spec;
  }
  return rule.value;
}

bool Tree::takes(CopyId from, const Need& need, std::string_view package,
                 const semver::Version& version) {
  const Want* want = &ranges_.get(need.spec);
  if (!rules_.empty()) {
    if (const Rule* rule = rule_for(from, need)) want = &ranges_.get(value_of(*rule));
  }
  const std::string_view asked = want->name.empty() ? names_[need.name] : want->name;
  return asked == package && want->takes(version);
}

bool Tree::fits(CopyId from, const Need& need, CopyId id) {
  const Copy& copy = copies_[id];
  // What the lock says of links, git, tarballs and bundles is npm's business: only that
  // it is still there is ours.
  if (copy.source != npm::Source::registry || copy.dictated) return true;
  if (ranges_.get(need.spec).kind == Want::Kind::fixed) return copy.release == nullptr;
  if (copy.version == nullptr) return true;
  return takes(from, need, copy.package, *copy.version);
}

Copy& Tree::change(CopyId id) {
  journal_.push_back({Undo::What::changed, id, copies_[id], 0, {}});
  return copies_[id];
}

void Tree::set_place(CopyId holder, NameId folder, CopyId id) {
  const std::uint64_t place = place_of(holder, folder);
  journal_.push_back({Undo::What::placed, child(holder, folder), {}, place, {}});
  if (id == kNone) {
    places_.erase(place);
  } else {
    places_[place] = id;
  }
}

const std::vector<Need>* Tree::needs_of(const registry::Release& release) {
  std::vector<Need>& needs = lists_.emplace_back();
  needs.reserve(release.needs.size());
  for (const registry::Need& need : release.needs) {
    needs.push_back({intern(need.name), need.range, need.kind});
  }
  return &needs;
}

void Tree::put(CopyId id, const registry::Release& release, const semver::Version& version) {
  const std::vector<Need>* needs = needs_of(release);
  Copy& copy = change(id);
  copy.package = release.name;
  copy.version = &version;
  copy.release = &release;
  copy.needs = needs;
  copy.source = npm::Source::registry;
  index_needs(id);
}

CopyId Tree::add(CopyId holder, NameId folder, const registry::Release& release,
                 const semver::Version& version) {
  Copy copy;
  copy.package = release.name;
  copy.folder = folder;
  copy.version = &version;
  copy.holder = holder;
  copy.release = &release;
  copy.needs = needs_of(release);
  const auto id = static_cast<CopyId>(copies_.size());
  copies_.push_back(std::move(copy));
  journal_.push_back({Undo::What::added, id, {}, 0, {}});
  set_place(holder, folder, id);
  change(holder).children.push_back(id);
  named_[folder].push_back(id);
  index_needs(id);
  return id;
}

void Tree::remove(CopyId id) {
  const std::vector<CopyId> children = copies_[id].children;
  for (const CopyId inner : children) {
    if (!copies_[inner].gone) remove(inner);
  }
  Copy& copy = change(id);
  copy.gone = true;
  const CopyId holder = copy.holder;
  set_place(holder, copy.folder, kNone);
  std::erase(change(holder).children, id);
}

void Tree::respec(const Asker& asker, std::string spec) {
  std::vector<Need>& needs = lists_.emplace_back(*copies_[asker.from].needs);
  needs[asker.need].spec = kept_.emplace_back(std::move(spec));
  Copy& copy = change(asker.from);
  copy.needs = &needs;
  copy.respecced = true;
}

void Tree::set_rule(Rule rule) {
  journal_.push_back({Undo::What::ruled, kNone, {}, 0, rules_});
  const auto same = std::find_if(rules_.begin(), rules_.end(),
                                 [&](const Rule& other) { return other.path == rule.path; });
  if (same != rules_.end()) {
    *same = std::move(rule);
  } else {
    rules_.push_back(std::move(rule));
  }
}

void Tree::drop_rule(const std::vector<std::string>& path) {
  journal_.push_back({Undo::What::ruled, kNone, {}, 0, rules_});
  // The value of a rule decides nothing once it is the need's own; its place among the
  // others stays, as what is known about them goes by it.
  for (Rule& rule : rules_) {
    if (rule.path == path) rule.target.clear();
  }
}

std::vector<CopyId> Tree::touched(Mark mark) const {
  std::vector<CopyId> out;
  for (std::size_t i = mark; i < journal_.size(); ++i) {
    const Undo& undo = journal_[i];
    if (undo.what == Undo::What::added) out.push_back(undo.id);
    if (undo.what != Undo::What::changed) continue;
    // A holder that only got or lost a child did not change.
    const Copy& now = copies_[undo.id];
    const bool same = undo.before.release == now.release && undo.before.gone == now.gone &&
                      undo.before.needs == now.needs;
    if (!same) out.push_back(undo.id);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<NameId> Tree::needed_before(Mark mark) const {
  std::vector<NameId> out;
  for (std::size_t i = mark; i < journal_.size(); ++i) {
    const Undo& undo = journal_[i];
    if (undo.what != Undo::What::changed) continue;
    const Copy& now = copies_[undo.id];
    if (undo.before.needs == now.needs && undo.before.gone == now.gone) continue;
    for (const Need& need : *undo.before.needs) out.push_back(need.name);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void Tree::roll_back(Mark mark) {
  while (journal_.size() > mark) {
    Undo& undo = journal_.back();
    switch (undo.what) {
      case Undo::What::changed:
        copies_[undo.id] = std::move(undo.before);
        break;
      case Undo::What::added:
        copies_.pop_back();
        break;
      case Undo::What::placed:
        if (undo.id == kNone) {
          places_.erase(undo.place);
        } else {
          places_[undo.place] = undo.id;
        }
        break;
      case Undo::What::ruled:
        rules_ = std::move(undo.rules);
        break;
    }
    journal_.pop_back();
  }
}

}  // namespace cg::resolve
