// Ranges: what a dependent accepts, parsed once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "npm/npm/spec.h"
#include "npm/semver/range.h"

namespace cg::resolve {

/// A spec taken apart. Alias and plain range are the same thing here, but for the name.
struct Want {
  enum class Kind {
    range,  // `range` decides
    any,    // "*", "", or a tag: in a lock that constrains nothing
    fixed,  // git, tarball, folder, workspace: only what is there already will do
    never,  // a range that cannot be read
  };
  Kind kind = Kind::never;
  std::string name;  // of an alias; else empty
  std::optional<semver::Range> range;
  std::string tag;   // of a tag
  std::string text;  // of the range, without the alias

  [[nodiscard]] bool takes(const semver::Version& version) const {
    return kind == Kind::any || (kind == Kind::range && range->test(version));
  }
};

[[nodiscard]] Want parse_want(std::string_view spec);

class Ranges {
 public:
  /// Lives as long as this does.
  [[nodiscard]] const Want& get(std::string_view spec);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::unique_ptr<Want>, Hash, std::equal_to<>> wants_;
};

}  // namespace cg::resolve
