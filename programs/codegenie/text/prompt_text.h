// A question to a model as people and programs read it: every byte of it, and what is not in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json/value.h"
#include "flow/cli/style.h"
#include "flow/history/asked.h"
#include "flow/remediate/remediation.h"
#include "model/prompt/segments.h"

namespace cg::program {

struct PromptPage {
  /// Whether what the gates said to the version alone is in a question that was not sent.
  enum class State { unsent, unsent_without_gates, sent };
  State state = State::unsent;
  std::string workflow;  // that shows it, or that sent it
  unsigned attempt = 1;  // of the model
  std::string package, manifest;
  std::vector<std::string> advisories;
  std::string model;
  std::string system, user;
  std::uint64_t input = 0, output = 0;  // tokens, at most
  std::string usd;                      // at most
  std::string over;                     // why the budget would not let it be sent; empty: it would
  std::vector<prompt::Segment> segments;
  std::vector<std::string> others;  // other questions of the same run, one line each
};

/// The first that would be asked and is the part that is wanted; there must be one.
[[nodiscard]] PromptPage page_of(const remediate::Remediation& done, const job::Showing& showing);

/// One that was sent.
[[nodiscard]] PromptPage page_of(const std::string& workflow, const history::SentPrompt& sent);

[[nodiscard]] std::string prompt_text(const PromptPage& page, const cli::Style& style);
/// `codegenie/prompt/v1`
[[nodiscard]] json::Value prompt_json(const PromptPage& page);

/// What asking a model could come to, as `remediate --dry-run` has it.
[[nodiscard]] std::string asking_text(const remediate::Asking& asking);
[[nodiscard]] json::Value asking_json(const remediate::Asking& asking);

}  // namespace cg::program
