// Entries and references of pnpm-lock.yaml. Private to this module.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "npm/edit/blocks.h"
#include "npm/edit/flat_tree.h"
#include "npm/edit/pnpm_text.h"
#include "npm/lockfile/pnpm_key.h"

namespace cg::edit {

/// What the keys of the lock will be.
class PnpmNames {
 public:
  PnpmNames(const FlatTree& tree, lockfile::PnpmFormat format) : tree_(tree), format_(format) {}

  [[nodiscard]] lockfile::PnpmFormat format() const { return format_; }
  /// The key of an entry that is not gone.
  [[nodiscard]] std::string key(npm::NodeId id) const;
  /// How a dependent that calls it `name` refers to it.
  [[nodiscard]] std::string reference(std::string_view name, npm::NodeId id) const;
  /// The entry that `name: reference` meant before; kNoNode for links.
  [[nodiscard]] npm::NodeId meant(std::string_view name, std::string_view reference) const;

 private:
  const FlatTree& tree_;
  lockfile::PnpmFormat format_;
};

/// Entries that are written anew, in `packages` and in `snapshots`.
class PnpmEntry {
 public:
  /// Lines in `dropped` are flags that no longer hold.
  PnpmEntry(const FlatTree& tree, const PnpmNames& names, const PnpmText& text,
            const std::set<std::size_t>& dropped, npm::NodeId id)
      : tree_(tree),
        names_(names),
        text_(text),
        dropped_(dropped),
        id_(id),
        eol_(line_end(text.text())) {}

  /// The entry at `line`. Flags and fields that we do not know stay.
  [[nodiscard]] Result<std::string, EditError> package(std::size_t line) const;
  [[nodiscard]] Result<std::string, EditError> snapshot(std::size_t line) const;

 private:
  using Fields = std::vector<std::pair<int, std::string>>;
  void keep_fields(std::size_t line, Fields& fields) const;
  void facts(Fields& fields) const;
  void needs(Fields& fields) const;
  void peers(Fields& fields) const;
  [[nodiscard]] Result<Done, EditError> resolution(std::size_t line, Fields& fields) const;
  [[nodiscard]] std::string text_of(Fields fields) const;
  [[nodiscard]] std::string block(std::string_view field, npm::EdgeKind kind) const;

  const FlatTree& tree_;
  const PnpmNames& names_;
  const PnpmText& text_;
  const std::set<std::size_t>& dropped_;
  npm::NodeId id_;
  std::string_view eol_;
};

}  // namespace cg::edit
