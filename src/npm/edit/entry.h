// What npm writes of a release into its locks: the fields of one entry.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/value.h"
#include "npm/npm/graph.h"
#include "npm/registry/release.h"

namespace cg::edit {

/// The new value of each field; nothing: the field goes away. Fields that are not named
/// stay as they are.
using Fields = std::vector<std::pair<std::string, std::optional<json::Value>>>;

/// "devDependencies" and the like: where an importer asks.
[[nodiscard]] std::string_view field_of(npm::EdgeKind kind);

/// What an entry is made of besides its release.
struct EntryContext {
  std::string_view folder;              // "b" of "node_modules/a/node_modules/b"
  npm::Flags flags;                     // dev, optional, dev_optional, peer
  std::optional<std::string> resolved;  // nothing: none is written
  const json::Value* old = nullptr;     // the entry that is replaced; null for a new one
  bool empty_requires = false;          // the lock says `"requires": {}` of who has peers alone
};

/// Which fields that old versions of npm left out this lock has.
struct Habits {
  bool license = true;
  bool funding = true;
};

/// An entry of `packages`.
[[nodiscard]] Fields entry_fields(const registry::Release& release, const EntryContext& context,
                                  const Habits& habits);

enum class Tree {
  only,    // lockfileVersion 1
  second,  // lockfileVersion 2, beside `packages`
};
/// An entry of the tree of `dependencies`, without those that lie below it. `known` is
/// the old entry of `packages`, if there is one.
[[nodiscard]] Fields old_entry_fields(const registry::Release& release, const EntryContext& context,
                                      Tree tree, const json::Value* known);

/// dev, optional, devOptional and peer alone.
[[nodiscard]] Fields flag_fields(const npm::Flags& flags);
[[nodiscard]] Fields old_flag_fields(const npm::Flags& flags, Tree tree);

/// A new entry: the fields that have a value.
[[nodiscard]] json::Value as_value(Fields fields);

}  // namespace cg::edit
