#include "flow/propose/model_means.h"

#include "model/leaf/pins.h"
#include "model/leaf/provider.h"

namespace cg::propose {

namespace {
constexpr std::size_t kMaxPinsFile = 64U << 10U;
constexpr const char* kPinsFile = "policy/leaf-pins.yaml";
}  // namespace

Problem no_model(std::string what) {
  return {ErrorCode::model_setup,
          std::move(what),
          {{"file", "policy/policy.yaml"}},
          "no model was asked",
          {"codegenie explain CG-MODEL-001"}};
}

budget::Caps caps_of(const workspace::Policy& policy) {
  budget::Caps out;
  out.tokens = static_cast<std::uint64_t>(policy.budget_tokens);
  out.usd = policy.budget_usd;
  out.tokens_per_call = static_cast<std::uint64_t>(policy.budget_tokens_per_call);
  return out;
}

Result<std::vector<net::Pin>, Problem> pins_of(const workspace::Access& access, Time now,
                                               std::vector<std::string>& warnings) {
  const auto text = access.workspace.home.read(kPinsFile, kMaxPinsFile);
  if (!text) return std::vector<net::Pin>();
  const auto pins = leaf::parse_pins(*text);
  if (!pins) {
    return fail(Problem{ErrorCode::config_bad,
                        pins.error(),
                        {{"file", kPinsFile}},
                        "no model was asked",
                        {"codegenie key pin --help"}});
  }
  for (const std::string& line : leaf::warnings(*pins, now)) warnings.push_back(line);
  return leaf::current(*pins, now);
}

leaf::Settings settings_of(const workspace::Policy& policy, std::vector<net::Pin> pins) {
  leaf::Settings out;
  const bool local = policy.model_port != 0;
  out.adapter = local ? net::Adapter::loopback : net::Adapter::anthropic;
  if (local) out.wire = leaf::wire_of_server(policy.model_server).value_or(net::Wire::chat);
  out.port = static_cast<std::uint16_t>(policy.model_port);
  out.pins = std::move(pins);
  return out;
}

}  // namespace cg::propose
