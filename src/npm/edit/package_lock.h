// The editor behind edit_package_lock(). Private to this module.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "npm/edit/address.h"
#include "npm/edit/edit.h"
#include "npm/edit/entry.h"
#include "npm/edit/splice.h"

namespace cg::edit {

class PackageLockEditor {
 public:
  PackageLockEditor(const npm::Graph& graph, const LockEdit& edit, std::string_view registry)
      : graph_(graph), edit_(edit), splicer_(graph.text()), addresses_(graph, registry) {}
  [[nodiscard]] Result<std::string, EditError> run();

 private:
  using Outcome = Result<Done, EditError>;
  /// What happens at one folder of the tree of `dependencies`, and below it.
  struct Twig {
    const PutCopy* put = nullptr;
    const npm::Flags* flags = nullptr;
    bool removed = false;
    bool behind_link = false;  // on the way through a link, which the tree may leave out
    std::vector<const Ask*> asks;
    std::map<std::string, Twig, std::less<>> below;
  };

  [[nodiscard]] npm::NodeId at(std::string_view location) const;
  [[nodiscard]] Outcome check() const;
  [[nodiscard]] Outcome edit_packages();
  [[nodiscard]] Object packages_object();
  void put_existing(const PutCopy& put, const npm::Node& node);
  void reflag(const Reflag& reflag, const npm::Node& node);
  [[nodiscard]] Outcome ask(const Ask& ask);
  [[nodiscard]] Value old_entry_of(const npm::Node& node);
  [[nodiscard]] EntryContext context_of(const PutCopy& put, const Value* old);
  [[nodiscard]] const Habits& habits();
  static void set_all(ObjectEdit& edit, const Fields& fields);

  // package_lock_old.cc
  [[nodiscard]] Outcome edit_tree();
  [[nodiscard]] Object top_level();
  [[nodiscard]] std::uint32_t tree_behind_packages() const;
  [[nodiscard]] std::uint32_t value_of(const Member& member) {
    return member.value != 0 ? member.value : splicer_.value_behind(member.begin);
  }
  void learn_alphabet(const Object& level);
  [[nodiscard]] bool has_empty_requires();
  void each_path(std::string_view location, std::vector<std::vector<std::string_view>>& out,
                 std::size_t links) const;
  void plant(std::string_view location, const Twig& what);
  [[nodiscard]] Outcome edit_level(const Object& level, const Twig& twig, ObjectEdit& edit);
  [[nodiscard]] Outcome edit_below(const Object& entry, const Twig& twig, ObjectEdit& fields);
  [[nodiscard]] Outcome edit_entry(const Member& member, const Twig& twig);
  [[nodiscard]] Outcome check_all_goes(const Member& member, const Twig& twig);
  [[nodiscard]] Result<Value, EditError> new_entry(std::string_view name, const Twig& twig);
  void requires_for(const Object& entry, const Twig& twig);
  [[nodiscard]] Tree tree() const {
    return graph_.lock_version() == "1" ? Tree::only : Tree::second;
  }

  const npm::Graph& graph_;
  const LockEdit& edit_;
  Splicer splicer_;
  Addresses addresses_;
  std::optional<Habits> habits_;
  std::map<std::string_view, Value> known_;  // entries of `packages` before the edit
  std::unordered_map<std::string_view, npm::NodeId> by_location_;
  std::optional<bool> empty_requires_;
  Twig root_;
};

}  // namespace cg::edit
