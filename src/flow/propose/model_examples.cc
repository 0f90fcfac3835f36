// What solved examples are to the proposer: asked for, carried over, and made of what it found out.
#include <utility>

#include "base/base/text.h"
#include "base/json/diff.h"
#include "base/json/json.h"
#include "flow/propose/handing_on.h"
#include "flow/propose/model_proposer.h"
#include "flow/propose/reading.h"

namespace cg::propose {

namespace {

/// As a proposal, so that it is judged by the same rules; nothing if it is too large for one.
std::optional<proposal::Proposal> rewrite_as_said(const std::string& manifest,
                                                  const precedent::Texts& files,
                                                  const precedent::Texts& rewritten) {
  json::Patch patch;
  json::Value::Array paths;
  for (const auto& [path, text] : rewritten) {
    paths.emplace_back(path);
    patch.files.push_back(json::difference(path, files.at(path), text));
  }
  auto parsed =
      proposal::parse(json::write_json(json::Value::Object{{"kind", "callsite_rewrite"},
                                                           {"manifest_path", manifest},
                                                           {"files", std::move(paths)},
                                                           {"diff", json::write_diff(patch)},
                                                           {"rationale", ""}}));
  if (!parsed) return std::nullopt;
  return *std::move(parsed);
}

}  // namespace

Result<Done, Problem> ModelProposer::remember(const Group& group, const semver::Version& from,
                                              const semver::Version& to, const Reading& reading) {
  CG_TRY_ASSIGN(example::Example lesson,
                break_between(situation_, *group.handed_on, from, to, reading, parts_.files()));
  precedents_.about(group.id, std::move(lesson));
  return Done{};
}

/// What an answer of a model teaches, if it passes. Of several parts the first one's prompt stands
/// for all.
std::optional<example::Example> ModelProposer::lesson(const Group& group, const Candidate& made) {
  const example::Example* known = precedents_.lesson_of(group.id);
  if (known == nullptr) return std::nullopt;
  example::Example out = *known;
  precedent::Answer answer;
  answer.kind = made.kind;
  for (const PartAsked& part : parts_.all()) answer.plan += part.diff;
  const Said& first = *parts_.all().front().said;
  if (answer.plan.empty()) answer.plan = proposal::write(first.planned.proposal);
  answer.rewritten = {made.rewritten.begin(), made.rewritten.end()};
  answer.model = first.planned.trace.model;
  answer.prompt = first.planned.prompt;
  precedent::add_answer(out, answer, parts_.files());
  return out;
}

/// Judged as a model's rewrite would be, and tried like one.
std::optional<Answer> ModelProposer::carried(const Group& group, unsigned number,
                                             record::Events& events) {
  const precedent::Texts files = parts_.files();
  const precedent::Carrying found =
      precedents_.carry(group.id, files, api_ ? &*api_ : nullptr, number, events);
  for (const std::string& why : found.refusals) {
    notes_.push_back("a solved example was not carried over: " + why);
  }
  if (!found.carried || found.carried->rewritten.empty()) return std::nullopt;
  PartAsked whole{parts_.all().front().question, files};
  const auto said = rewrite_as_said(group.handed_on->manifest, files, found.carried->rewritten);
  const auto accepted = said ? judge(*said, *group.handed_on, whole)
                             : Result<proposal::Accepted, proposal::Rejection>(fail(
                                   proposal::Rejection{proposal::Reason::changes_nothing, "diff"}));
  if (!accepted) {
    notes_.push_back("a solved example was not carried over: " + found.carried->record + ": " +
                     std::string(proposal::name(accepted.error().reason)));
    return std::nullopt;
  }
  Candidate out;
  out.kind = proposal::kind_of(*accepted);
  out.example = found.carried->record;
  out.rationale = "carried over from " + found.carried->record + ", which workflow " +
                  found.carried->workflow + " proved";
  out.leeway = rewrite_of(group);
  out.rewritten = {found.carried->rewritten.begin(), found.carried->rewritten.end()};
  out.plans = plans_as(situation_, group, out.leeway, plan::kExampleRecipe);
  out.brings = brought_by(situation_, out);
  if (!fixes_all(out.plans)) return std::nullopt;
  watcher_.head("nobody is asked about " + printable(group.handed_on->package) +
                ": solved example " + out.example + " is carried over");
  out.documents = {{"tier/example.json", json::write_json_pretty(json::Value::Object{
                                             {"schema", "codegenie/tier-example/v1"},
                                             {"record", out.example},
                                             {"workflow", found.carried->workflow}})}};
  return Answer(std::move(out));
}

}  // namespace cg::propose
