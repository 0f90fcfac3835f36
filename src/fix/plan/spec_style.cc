#include "fix/plan/spec_style.h"

#include <algorithm>

#include "npm/npm/spec.h"

namespace cg::plan {

namespace {

bool is_wildcard(std::string_view part) { return part == "x" || part == "X" || part == "*"; }

/// How many of the three numbers are written, and how the others are.
struct Shape {
  std::size_t numbers = 0;
  std::string_view rest;  // ".x", ".*.*"
  bool plain = false;     // nothing else is there
};

Shape shape_of(std::string_view text) {
  Shape shape;
  std::size_t at = 0;
  while (at < text.size() && shape.numbers < 3) {
    std::size_t end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end == at) break;
    ++shape.numbers;
    at = end;
    const bool more =
        at + 1 < text.size() && text[at] == '.' && text[at + 1] >= '0' && text[at + 1] <= '9';
    if (!more) break;
    ++at;
  }
  shape.rest = text.substr(at);
  if (shape.rest.empty()) {
    shape.plain = shape.numbers > 0;
    return shape;
  }
  if (shape.numbers == 3) {
    // A prerelease or a build goes away with the version it belonged to.
    shape.plain = (shape.rest[0] == '-' || shape.rest[0] == '+') &&
                  shape.rest.find_first_of(" |<>=~^") == std::string_view::npos;
    if (shape.plain) shape.rest = {};
    return shape;
  }
  std::string_view left = shape.rest;
  shape.plain = shape.numbers > 0;
  while (!left.empty() && shape.plain) {
    shape.plain = left.size() >= 2 && left[0] == '.' && is_wildcard(left.substr(1, 1));
    if (shape.plain) left.remove_prefix(2);
  }
  return shape;
}

std::string numbers_of(const semver::Version& version, std::size_t count) {
  if (count >= 3) return version.str();
  std::string out = std::to_string(version.major());
  if (count > 1) out += "." + std::to_string(version.minor());
  return out;
}

}  // namespace

std::string restyle(std::string_view spec, const semver::Version& target) {
  const npm::Spec parsed = npm::parse_spec(spec);
  if (parsed.kind == npm::Spec::Kind::alias) {
    return "npm:" + std::string(parsed.name) + "@" + restyle(parsed.rest, target);
  }
  std::string_view rest = spec;
  std::string prefix;
  while (!rest.empty() && (rest[0] == '^' || rest[0] == '~' || rest[0] == '=' || rest[0] == 'v')) {
    prefix += rest[0];
    rest.remove_prefix(1);
  }
  const Shape shape = shape_of(rest);
  if (!shape.plain) return "^" + target.str();
  return prefix + numbers_of(target, shape.numbers) + std::string(shape.rest);
}

}  // namespace cg::plan
