// What the readers of both kinds of yarn.lock share. Private to this module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "npm/lockfile/lock.h"

namespace cg::lockfile {

inline constexpr auto kNone = std::string_view::npos;

/// "@s/name@^1.0.0": who is asked for, and how. Both empty if there is no name.
struct YarnDescriptor {
  std::string_view name;
  std::string_view range;
};
[[nodiscard]] YarnDescriptor parse_descriptor(std::string_view text);

/// The real name behind a range of the form "npm:real@^1.0.0"; empty if it is no alias.
[[nodiscard]] std::string_view aliased_name(std::string_view range);

/// The `resolutions` of the root's manifest: rules that replace what a package asks for.
class Resolutions {
 public:
  explicit Resolutions(const std::vector<Manifest>& manifests);

  /// How far above the package the rule's parent may be: "parent/name" or
  /// "parent/**/name". Who stands far above is not looked for, so a rule of that kind
  /// is good only where the lock has nothing else.
  enum class Parent { near, far };

  /// The range that `parent` gets instead of `range` for `name`; nullptr if no rule
  /// says so.
  [[nodiscard]] const std::string* find(Parent distance, std::string_view parent,
                                        std::string_view name, std::string_view range) const;

 private:
  struct Rule {
    std::string name;
    std::string range;   // empty: any
    std::string parent;  // empty: any
    Parent distance = Parent::near;
    std::string value;
  };
  std::vector<Rule> rules_;  // by name
};

/// The manifest of the folder "packages/a", "" or "." for the root; nullptr if not given.
[[nodiscard]] const Manifest* manifest_at(const std::vector<Manifest>& manifests,
                                          std::string_view folder);

// yarn_classic.cc and yarn_berry.cc: they fill `builder`.
[[nodiscard]] Result<Done, LockError> read_yarn_classic(GraphBuilder& builder,
                                                        const std::vector<Manifest>& manifests);
[[nodiscard]] Result<Done, LockError> read_yarn_berry(GraphBuilder& builder,
                                                      const std::vector<Manifest>& manifests);

}  // namespace cg::lockfile
