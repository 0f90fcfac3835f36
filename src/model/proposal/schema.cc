#include "model/proposal/proposal.h"

namespace cg::proposal {

// No lengths and no patterns: servers refuse a schema that has them, or leave them out.
const std::string& json_schema() {
  static const std::string text =
      R"({"anyOf":[)"
      R"({"type":"object","properties":{)"
      R"("kind":{"type":"string","const":"dep_bump"},)"
      R"("manifest_path":{"type":"string"},"package":{"type":"string"},)"
      R"("target_version":{"type":"string"},"rationale":{"type":"string"}},)"
      R"("required":["kind","manifest_path","package","target_version","rationale"],)"
      R"("additionalProperties":false},)"
      R"({"type":"object","properties":{)"
      R"("kind":{"type":"string","const":"override"},)"
      R"("manifest_path":{"type":"string"},"package":{"type":"string"},)"
      R"("forced_version":{"type":"string"},"rationale":{"type":"string"}},)"
      R"("required":["kind","manifest_path","package","forced_version","rationale"],)"
      R"("additionalProperties":false},)"
      R"({"type":"object","properties":{)"
      R"("kind":{"type":"string","const":"callsite_rewrite"},)"
      R"("manifest_path":{"type":"string"},)"
      R"("files":{"type":"array","items":{"type":"string"}},)"
      R"("diff":{"type":"string"},"rationale":{"type":"string"}},)"
      R"("required":["kind","manifest_path","files","diff","rationale"],)"
      R"("additionalProperties":false},)"
      R"({"type":"object","properties":{)"
      R"("kind":{"type":"string","const":"refuse"},)"
      R"("reason":{"type":"string","enum":["out_of_scope","insufficient_context","policy_block"]},)"
      R"("rationale":{"type":"string"}},)"
      R"("required":["kind","reason","rationale"],)"
      R"("additionalProperties":false}]})";
  return text;
}

}  // namespace cg::proposal
