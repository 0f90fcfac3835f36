#include "checking/model_check.h"

#include "base/base/match.h"
#include "base/base/text.h"
#include "fix/plugin/load.h"
#include "flow/propose/model_means.h"
#include "flow/propose/probe.h"
#include "flow/workspace/recording.h"
#include "model/leaf/provider.h"

namespace cg::program {

namespace {

using leaf::FailureKind;
using propose::Probed;

Finding row_of(const char* what, Status status, std::string detail) {
  return {"model", what, status, std::move(detail)};
}

bool is_local(const Probed& probed) { return probed.settings.adapter == net::Adapter::loopback; }

std::string place_of(const Probed& probed) {
  const leaf::Settings& settings = probed.settings;
  const std::string where =
      is_local(probed) ? std::string(leaf::kLoopbackHost) + ":" + std::to_string(settings.port)
                       : std::string(leaf::kHost);
  return std::string(leaf::provider_of(leaf::wire_of(settings)).name) + " at " + where;
}

std::string words_of(const leaf::Failure& failure) {
  const std::string kind(leaf::name(failure.kind));
  return failure.detail.empty() ? kind : kind + ": " + failure.detail;
}

/// Of a connection that stood: a pin that does not match ends it within the handshake.
void add_connection(const Probed& probed, std::vector<Finding>& out) {
  out.push_back(row_of("reached", Status::ok, place_of(probed)));
  if (is_local(probed)) {
    out.push_back(
        row_of("tls", Status::ok, "none on loopback: in the clear, to this machine alone"));
    out.push_back(row_of("pin", Status::ok, "none on loopback"));
    return;
  }
  out.push_back(row_of("tls", Status::ok, "TLS 1.3 and HTTP/2, by the system's authorities"));
  out.push_back(row_of("pin", Status::ok,
                       counted(probed.settings.pins.size(), "pin counts", "pins count") +
                           ", and the server's chain has one"));
}

void add_failure(const Probed& probed, const leaf::Failure& failure, std::vector<Finding>& out) {
  const std::string why = words_of(failure);
  switch (failure.kind) {
    case FailureKind::no_pin:
      return out.push_back(row_of("pin", Status::fail, why + " (codegenie key pin --from-pem)"));
    case FailureKind::no_key:
      return out.push_back(row_of("key", Status::fail, why + " (codegenie key set anthropic)"));
    case FailureKind::unresolved:
    case FailureKind::unreachable:
    case FailureKind::timeout:
      return out.push_back(row_of("reached", Status::fail, place_of(probed) + ", " + why));
    case FailureKind::tls:
      out.push_back(row_of("reached", Status::ok, place_of(probed)));
      return out.push_back(row_of("tls", Status::fail, why));
    case FailureKind::pin_mismatch:
      out.push_back(row_of("reached", Status::ok, place_of(probed)));
      out.push_back(row_of("tls", Status::ok, "the chain is trusted"));
      return out.push_back(row_of("pin", Status::fail, why));
    case FailureKind::setup:
    case FailureKind::unexpected:
    case FailureKind::not_recorded:
      return out.push_back(row_of("programs", Status::fail, why));
    case FailureKind::rate_limited:
    case FailureKind::server:
    case FailureKind::refused:
    case FailureKind::protocol:
      break;
  }
  add_connection(probed, out);
  const bool key = failure.status == 401 || failure.status == 403;
  if (key) return out.push_back(row_of("key", Status::fail, "turned down: " + why));
  const bool bound =
      leaf::provider_of(leaf::wire_of(probed.settings)).bound == leaf::Bound::response_format;
  const bool turned_down = failure.status == 400 || failure.status == 422;
  out.push_back(
      row_of("answer", Status::fail,
             bound && turned_down ? why + "; if it knows no schema: model.server: other" : why));
}

Finding structured(const Probed& probed, const leaf::Answer& answer) {
  const bool bound =
      leaf::provider_of(leaf::wire_of(probed.settings)).bound != leaf::Bound::by_words_alone;
  const auto* violated = std::get_if<leaf::Violated>(&answer);
  if (violated == nullptr) {
    return row_of("structured output", Status::ok,
                  bound ? "asked for by a schema, and the answer is a plan"
                        : "not asked for (model.server: other); the answer is a plan all the same");
  }
  const std::string fault(proposal::name(violated->violation.fault));
  const std::string& where = violated->violation.where;
  return row_of("structured output", Status::warn,
                "the answer is no plan: " + fault + (where.empty() ? "" : " (" + where + ")"));
}

Finding ending(const leaf::Answer& answer) {
  const auto* violated = std::get_if<leaf::Violated>(&answer);
  const bool cut = violated != nullptr && violated->violation.fault == proposal::Fault::too_large;
  const bool odd = violated != nullptr && (violated->violation.where == "stop_reason" ||
                                           violated->violation.where == "finish_reason");
  if (cut) return row_of("stop reason", Status::warn, violated->violation.where);
  if (odd) return row_of("stop reason", Status::warn, "another than the end of a turn");
  return row_of("stop reason", Status::ok, "the answer is whole");
}

Finding usage(const leaf::Trace& trace) {
  if (!trace.usage_known) {
    return row_of("usage", Status::warn,
                  "not reported: each call counts with all that was set aside for it");
  }
  const budget::Usage& used = trace.usage;
  return row_of("usage", Status::ok,
                grouped(used.input) + " in, " + grouped(used.output) + " out, " +
                    grouped(used.cache_write) + " kept, " + grouped(used.cache_read) + " reused");
}

void add_answer(const Probed& probed, const leaf::Answer& answer, std::vector<Finding>& out) {
  const leaf::Trace& trace = leaf::trace_of(answer);
  add_connection(probed, out);
  out.push_back(row_of("key", Status::ok,
                       trace.key_source == "none" ? "none was needed"
                                                  : "from " + printable(trace.key_source) +
                                                        " into " + printable(trace.key_memory)));
  out.push_back(row_of("model", Status::ok, "calls itself " + printable(trace.model)));
  out.push_back(structured(probed, answer));
  out.push_back(ending(answer));
  out.push_back(usage(trace));
}

std::string seconds(std::chrono::milliseconds took) {
  const auto tenths = took.count() / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

std::string cost_of(const budget::Call& call) {
  const bool known = call.state == budget::Call::State::settled;
  const std::string most = grouped(call.reserved_tokens) + " tokens, $" + call.reserved_usd.str();
  if (!known) return "nobody counted: all that was set aside counts, " + most;
  return grouped(call.usage.tokens()) + " tokens, $" + call.usd.str() + " of " + most;
}

std::vector<Finding> findings_of(const Probed& probed) {
  std::vector<Finding> out;
  for (const std::string& warning : probed.warnings) {
    out.push_back(row_of("pins", Status::warn, warning));
  }
  if (!probed.called) {
    out.push_back(row_of("budget", Status::fail, probed.unaffordable));
    return out;
  }
  const auto* failure = std::get_if<leaf::Failure>(&probed.called->answer);
  if (failure != nullptr) {
    add_failure(probed, *failure, out);
  } else {
    add_answer(probed, probed.called->answer, out);
  }
  const unsigned again = probed.called->retries;
  out.push_back(
      row_of("latency", again == 0 ? Status::ok : Status::warn,
             seconds(probed.took) + (again == 0 ? ""
                                                : ", asked " + counted(again, "time", "times") +
                                                      " again: the server was busy or broken")));
  const bool over = probed.paid->is_over();
  out.push_back(row_of("cost", over ? Status::fail : Status::ok,
                       cost_of(*probed.paid) + (over ? ": more than was set aside" : "")));
  return out;
}

std::string_view worst_of(const std::vector<Finding>& findings) {
  Status worst = Status::ok;
  for (const Finding& f : findings) worst = std::max(worst, f.status);
  return name(worst);
}

}  // namespace

Result<ModelChecked, Problem> check_model(const Access& access, Askable who,
                                          const std::function<void(const std::string&)>& say) {
  CG_TRY_ASSIGN(const workspace::Policy policy, workspace::read_policy(access.workspace));
  const auto nobody = [](const char* why) {
    return ModelChecked{{row_of("policy", Status::warn, std::string("nobody was asked: ") + why)},
                        ""};
  };
  if (policy.max_tier != Tier::llm) return nobody("model.max_tier is not llm");
  if (who == Askable::this_machine && policy.model_port == 0) return nobody("--offline");
  const auto unnamed = [](std::string what) {
    return ModelChecked{{row_of("policy", Status::fail, "nobody was asked: " + std::move(what))},
                        ""};
  };
  if (!policy.model) return unnamed("policy names no model (model.name)");
  if (!workspace::price_of_model(policy)) {
    return unnamed("policy has no price for " + *policy.model + " (model.prices)");
  }
  CG_TRY_ASSIGN(const plugin::Plugins plugins, plugin::load_installed());
  const plugin::Skill* skill = nullptr;
  for (const plugin::Plugin& plugin : plugins.all()) {
    if (skill == nullptr) skill = plugin.find_skill(propose::kSkill);
  }
  if (skill == nullptr) return fail(propose::no_model("no plugin has a skill to ask with"));
  CG_TRY_ASSIGN(workspace::Recording recording, workspace::Recording::start(access, "self_check"));
  const auto probed =
      propose::probe_model(access, policy, *skill, recording, [&](const budget::Call& reserved) {
        say("Asking " + printable(*policy.model) +
            " one harmless question: " + grouped(reserved.reserved_tokens) + " tokens, $" +
            reserved.reserved_usd.str() + " at most");
      });
  if (!probed) {
    static_cast<void>(recording.end("failed"));
    return fail(probed.error());
  }
  ModelChecked out{findings_of(*probed), recording.id()};
  for (const Finding& f : out.findings) {
    recording.events().emplace_back(
        record::CheckRan{f.check + "." + f.what, cut(f.detail, 500), std::string(name(f.status))});
  }
  CG_TRY(recording.end(std::string(worst_of(out.findings))));
  return out;
}

}  // namespace cg::program
