// Tree: a lockfile's folders as something that can be changed, tried and taken back.
//
// npm's own model: a copy lies in the folder of its holder, and a dependency is looked
// for there and then upwards. Copies keep their numbers; one that went away is `gone`.
// Every change is remembered, so a try that leads nowhere costs what it touched.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "npm/npm/graph.h"
#include "npm/registry/release.h"
#include "npm/resolve/copy.h"
#include "npm/resolve/ranges.h"
#include "npm/resolve/rules.h"

namespace cg::resolve {

class Tree {
 public:
  /// `graph` must outlive the tree; so must releases that are put into it.
  Tree(const npm::Graph& graph, Rules rules);

  [[nodiscard]] std::size_t size() const { return copies_.size(); }
  [[nodiscard]] const Copy& copy(CopyId id) const { return copies_[id]; }
  [[nodiscard]] const Need& need(const Asker& asker) const {
    return (*copies_[asker.from].needs)[asker.need];
  }
  [[nodiscard]] std::string_view name(NameId id) const { return names_[id]; }
  [[nodiscard]] NameId intern(std::string_view name);
  [[nodiscard]] std::string location(CopyId id) const;
  [[nodiscard]] const npm::Graph& graph() const { return graph_; }
  [[nodiscard]] Ranges& ranges() { return ranges_; }
  [[nodiscard]] const Rules& rules() const { return rules_; }
  [[nodiscard]] CopyId root() const { return root_; }

  /// The lowest folder in which a need of `from` is looked for.
  [[nodiscard]] CopyId seeks_from(CopyId from, const Need& need) const;
  /// What `from` gets for a need; kNone if nothing.
  [[nodiscard]] CopyId resolve(CopyId from, const Need& need) const;
  /// The child of `holder` in that folder.
  [[nodiscard]] CopyId child(CopyId holder, NameId folder) const;
  /// Everybody who gets this copy.
  [[nodiscard]] std::vector<Asker> askers(CopyId id) const;
  /// Every need of that name, whoever it leads to.
  [[nodiscard]] std::vector<Asker> askers_named(NameId name) const;
  /// The copies in a folder of that name; some may be gone.
  [[nodiscard]] const std::vector<CopyId>& copies_named(NameId name) const { return named_[name]; }
  /// Whether the need of `from` accepts that version of that package. Overrides count.
  [[nodiscard]] bool takes(CopyId from, const Need& need, std::string_view package,
                           const semver::Version& version);
  /// Likewise for the copy it gets now.
  [[nodiscard]] bool fits(CopyId from, const Need& need, CopyId id);
  [[nodiscard]] bool is_within(CopyId id, CopyId holder) const;
  /// The override that decides about this need; null if none does.
  [[nodiscard]] const Rule* rule_for(CopyId from, const Need& need);

  /// Changes. `version` is that of the release and outlives the tree.
  void put(CopyId id, const registry::Release& release, const semver::Version& version);
  CopyId add(CopyId holder, NameId folder, const registry::Release& release,
             const semver::Version& version);
  /// With everything in its folder.
  void remove(CopyId id);
  void respec(const Asker& asker, std::string spec);
  void set_rule(Rule rule);
  void drop_rule(const std::vector<std::string>& path);

  using Mark = std::size_t;
  [[nodiscard]] Mark mark() const { return journal_.size(); }
  /// Copies changed, added or removed since `mark`, each once, ascending.
  [[nodiscard]] std::vector<CopyId> touched(Mark mark) const;
  /// Names of what the copies changed or removed since `mark` needed before.
  [[nodiscard]] std::vector<NameId> needed_before(Mark mark) const;
  void roll_back(Mark mark);

 private:
  struct Undo {
    enum class What { changed, added, placed, ruled };
    What what;
    CopyId id = kNone;
    Copy before;              // of changed
    std::uint64_t place = 0;  // of placed: what stood there before was `id`
    Rules rules;              // of ruled
  };
  [[nodiscard]] static std::uint64_t place_of(CopyId holder, NameId folder) {
    return (std::uint64_t{holder} << 32U) | folder;
  }
  Copy& change(CopyId id);
  void set_place(CopyId holder, NameId folder, CopyId id);
  void index_needs(CopyId id);
  [[nodiscard]] const std::vector<Need>* needs_of(const registry::Release& release);
  [[nodiscard]] CopyId holder_of(std::string_view location,
                                 const std::unordered_map<std::string_view, CopyId>& at) const;
  void read_needs(CopyId id);
  void find_reach();
  void find_dictated();
  [[nodiscard]] bool applies(std::size_t rule, CopyId from, const Need& need);
  [[nodiscard]] std::string_view value_of(const Rule& rule) const;

  const npm::Graph& graph_;
  Rules rules_;
  Ranges ranges_;
  std::vector<Copy> copies_;
  std::deque<std::string> kept_;
  std::deque<std::vector<Need>> lists_;
  std::deque<semver::Version> versions_;
  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, NameId> name_ids_;
  std::unordered_map<std::uint64_t, CopyId> places_;
  std::vector<std::vector<CopyId>> named_;   // by folder: copies that once were there
  std::vector<std::vector<CopyId>> asking_;  // by name: copies that once had such a need
  /// Per rule with parents: the copies that are needed over the innermost one. As the
  /// lock was read: a plan makes no such rules.
  std::vector<std::vector<bool>> reach_;
  std::vector<Undo> journal_;
  CopyId root_ = kNone;
};

}  // namespace cg::resolve
