// must fail: 'cg::prompt::FencedPromptBody::FencedPromptBody\(std::string\)' is private
//
// No text gets into a prompt beside the fence.
#include "model/prompt/builder.h"

cg::prompt::FencedPromptBody forge(cg::prompt::PromptBuilder builder, const std::string& text) {
#ifdef MUST_FAIL
  static_cast<void>(builder);
  return cg::prompt::FencedPromptBody(text);
#else
  static_cast<void>(text);
  return std::move(builder).build().body;
#endif
}
