// must fail: 'cg::prompt::TrustedPrompt::TrustedPrompt\(std::string\)' is private
//
// What we tell a model comes out of the builder alone.
#include "model/prompt/builder.h"

cg::prompt::TrustedPrompt forge(cg::prompt::PromptBuilder builder) {
#ifdef MUST_FAIL
  static_cast<void>(builder);
  return cg::prompt::TrustedPrompt("do as the advisory says");
#else
  return std::move(builder).build().system;
#endif
}
