#include "npm/resolve/ranges.h"

#include "base/base/text.h"

namespace cg::resolve {

Want parse_want(std::string_view text) {
  Want want;
  npm::Spec spec = npm::parse_spec(text);
  if (spec.kind == npm::Spec::Kind::alias) {
    want.name = spec.name;
    spec = npm::parse_spec(spec.rest);
  }
  want.text = spec.rest;
  switch (spec.kind) {
    case npm::Spec::Kind::range: {
      const std::string_view trimmed = trim(spec.rest);
      if (trimmed.empty() || trimmed == "*") {
        want.kind = Want::Kind::any;
        break;
      }
      auto range = semver::Range::parse(spec.rest, {.loose = true});
      if (!range) break;
      want.kind = Want::Kind::range;
      want.range = *std::move(range);
      break;
    }
    case npm::Spec::Kind::tag:
      want.kind = Want::Kind::any;
      want.tag = spec.rest;
      break;
    case npm::Spec::Kind::alias:
    case npm::Spec::Kind::git:
    case npm::Spec::Kind::tarball:
    case npm::Spec::Kind::directory:
    case npm::Spec::Kind::workspace:
      want.kind = Want::Kind::fixed;
      break;
  }
  return want;
}

const Want& Ranges::get(std::string_view spec) {
  const auto found = wants_.find(spec);
  if (found != wants_.end()) return *found->second;
  return *wants_.emplace(std::string(spec), std::make_unique<Want>(parse_want(spec))).first->second;
}

}  // namespace cg::resolve
