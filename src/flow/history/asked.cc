#include "flow/history/asked.h"

#include "base/base/text.h"
#include "flow/history/entries.h"
#include "flow/workspace/prompts.h"
#include "trust/hash/blake3.h"

namespace cg::history {

Result<std::vector<Question>, Problem> questions_of(const workspace::Access& access,
                                                    const std::string& workflow) {
  std::vector<Question> out;
  Question next;
  CG_TRY_ASSIGN(const auto problem,
                for_each_entry_of(access, workflow, [&](const audit::Held& held) {
                  const record::Event& event = held.event;
                  if (const auto* reserved = event.as<record::BudgetPrecharged>()) {
                    next.reserved = *reserved;
                  } else if (const auto* invoked = event.as<record::LeafInvoked>()) {
                    next.invoked = *invoked;
                    out.push_back(std::exchange(next, {}));
                  } else {
                    next.made.push_back(event);
                  }
                }));
  if (problem) return fail(*problem);
  return out;
}

Result<SentPrompt, Problem> sent_prompt(const workspace::Access& access, Question question) {
  const hash::Digest& digest = question.invoked.digest;
  CG_TRY_ASSIGN(auto text, workspace::read_prompt(access.workspace, digest));
  if (!text) {
    return fail(Problem{ErrorCode::audit_no_entry,
                        "the question " + hash::blake3_name(digest) + " is not kept any more",
                        {{"folder", access.workspace.home.path_of(workspace::kPrompts)}},
                        "nothing was shown",
                        {"codegenie audit show " + to_hex(digest).substr(0, 12)}});
  }
  SentPrompt out{std::move(question), *std::move(text), {}, {}};
  out.about = prompt::about_of(out.text.user);
  out.segments = prompt::segments_of(out.question.made, out.text.user);
  return out;
}

}  // namespace cg::history
