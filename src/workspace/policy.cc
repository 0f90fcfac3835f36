#include "workspace/policy.h"

#include "base/text.h"
#include "codec/yaml.h"

namespace cg::workspace {

namespace {

constexpr std::string_view kSchema = "codegenie/policy/v1";

Result<Done, PolicyError> apply(Policy& policy, const std::string& key, const codec::Value& value) {
  const std::size_t line = value.position().line;
  if (key != "anchor_within_days") {
    return fail(PolicyError{"unknown key audit." + printable(cut_utf8(key, 40)), line});
  }
  const auto days = value.as_int();
  if (!days || *days < 1 || *days > 365) {
    return fail(PolicyError{"audit.anchor_within_days must be a number from 1 to 365", line});
  }
  policy.anchor_within_days = static_cast<int>(*days);
  return Done{};
}

}  // namespace

std::string policy_text(Preset preset) {
  const std::string days = preset == Preset::strict ? "1" : "7";
  return "# Policy of this workspace. Flags and environment cannot loosen it.\n"
         "schema: " +
         std::string(kSchema) +
         "\n"
         "audit:\n"
         "  # `audit verify` reports a gap when an entry is older than this without an anchor.\n"
         "  anchor_within_days: " +
         days + "\n";
}

Result<Policy, PolicyError> parse_policy(std::string_view yaml) {
  const auto parsed = codec::parse_yaml(yaml);
  if (!parsed) return fail(PolicyError{codec::describe(parsed.error()), parsed.error().at.line});
  Policy policy;
  if (!parsed->is_object()) return fail(PolicyError{"not a mapping", 1});
  for (const auto& [key, value] : *parsed->as_object()) {
    const std::size_t line = value.position().line;
    if (key == "schema") {
      const std::string* name = value.as_string();
      if (name == nullptr || *name != kSchema) {
        return fail(PolicyError{"schema must be " + std::string(kSchema), line});
      }
    } else if (key == "audit" && value.is_object()) {
      for (const auto& [inner, setting] : *value.as_object()) {
        CG_TRY(apply(policy, inner, setting));
      }
    } else {
      return fail(PolicyError{"unknown key " + printable(cut_utf8(key, 40)), line});
    }
  }
  return policy;
}

}  // namespace cg::workspace
