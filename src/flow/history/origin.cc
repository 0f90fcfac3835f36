#include "flow/history/origin.h"

#include "base/base/text.h"
#include "flow/history/workflows.h"

namespace cg::history {

std::optional<hash::Digest> named_plan(std::string_view message) {
  constexpr std::string_view kTrailer = "Codegenie-Plan: ";
  constexpr std::string_view kSha256 = "sha256:";
  std::optional<std::string_view> value;
  for (const std::string_view line : split(message, '\n')) {
    if (!line.starts_with(kTrailer)) continue;
    if (value) return std::nullopt;
    value = line.substr(kTrailer.size());
  }
  if (!value || !value->starts_with(kSha256)) return std::nullopt;
  return hash::parse_digest(value->substr(kSha256.size()));
}

Result<std::vector<Origin>, Problem> origins_of(const workspace::Access& access,
                                                const hash::Digest& plan) {
  CG_TRY_ASSIGN(const Workflows workflows, read_workflows(access));
  if (workflows.problem) return fail(*workflows.problem);
  std::vector<Origin> out;
  for (auto it = workflows.all.rbegin(); it != workflows.all.rend(); ++it) {
    if (it->task != "remediate") continue;
    CG_TRY_ASSIGN(const Story story, read_story(access, *it));
    if (story.problem) return fail(*story.problem);
    for (const record::PlanCommitted& told : story.plans) {
      if (told.plan == plan) out.push_back({it->id, told.commit});
    }
  }
  return out;
}

Result<evidence::Witness, Problem> sound_witness(const workspace::Access& access,
                                                 const std::string& workflow,
                                                 const std::function<void(std::uint64_t)>& at) {
  CG_TRY_ASSIGN(const audit::LogReport log, workspace::verify_log(access, at));
  if (!log.breaks.empty()) return fail(log.breaks.front());
  return evidence::read_witness(access.workspace.home, workflow);
}

}  // namespace cg::history
