// Asked: the questions that a workflow sent to a model, as its log and what was kept tell them.
#pragma once

#include <string>
#include <vector>

#include "flow/workspace/access.h"
#include "model/prompt/kept.h"
#include "model/prompt/segments.h"
#include "trust/record/event.h"

namespace cg::history {

struct Question {
  record::LeafInvoked invoked;
  record::BudgetPrecharged reserved;
  record::Events made;  // of its fences, in their order
};

/// In the order in which they were sent. A Problem if the stream does not hold.
[[nodiscard]] Result<std::vector<Question>, Problem> questions_of(const workspace::Access& access,
                                                                  const std::string& workflow);

/// One of them with its words.
struct SentPrompt {
  Question question;
  prompt::Kept text;
  prompt::About about;
  std::vector<prompt::Segment> segments;
};
/// A Problem if it is not kept any more, or is not the one that the log names.
[[nodiscard]] Result<SentPrompt, Problem> sent_prompt(const workspace::Access& access,
                                                      Question question);

}  // namespace cg::history
