// What holds of every fenced segment, whatever the payload: for fence_fuzz and the property test.
#pragma once

#include <string>
#include <string_view>

#include "base/base/text.h"
#include "model/prompt/fence.h"

namespace cg::prompt {

/// What is wrong, else nothing. Written without the helpers of the module that it judges.
[[nodiscard]] inline std::string_view fault_of(const Fenced& fenced, std::string_view payload,
                                               SourceKind kind, const Nonce& nonce) {
  const std::string_view content = fenced.segment.content();
  const std::string& text = fenced.segment.text();
  const std::string whole = "<UNTRUSTED_INPUT id=" + nonce.hex() + ">\n" + std::string(content) +
                            "\n</UNTRUSTED_INPUT id=" + nonce.hex() + ">";
  if (text != whole) return "the wrapping";
  if (fenced.segment.kind() != kind) return "the kind";
  if (content.size() > cap_of(kind)) return "the cap";
  if (!is_utf8(content)) return "not UTF-8";
  for (const char c : content) {
    const bool control = (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7F;
    if (control) return "a control character";
  }
  const std::string small = lower_ascii(content);
  if (small.find("<untrusted_input") != small.npos) return "an opening";
  if (small.find("</untrusted_input") != small.npos) return "a closing";
  if (small.find(nonce.hex()) != small.npos) return "the nonce";
  if (fenced.events.empty() || fenced.events.back().as<record::FenceCreated>() == nullptr) {
    return "no event";
  }
  const auto& created = *fenced.events.back().as<record::FenceCreated>();
  if (created.bytes != content.size() || created.given != payload.size()) return "the event";
  const bool told = fenced.events.front().as<record::CanaryCollision>() != nullptr;
  if (told != fenced.scan.collided()) return "a collision untold";
  if (fenced.truncated && !content.ends_with("\n[cut]")) return "the cut";
  return {};
}

}  // namespace cg::prompt
