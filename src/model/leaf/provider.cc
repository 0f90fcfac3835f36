#include "model/leaf/provider.h"

#include <algorithm>
#include <array>

#include "base/base/assert.h"

namespace cg::leaf {

namespace {

using net::Wire;

constexpr std::array kMessagesEndings = {
    EndingWord{"end_turn", Ending::whole},
    EndingWord{"max_tokens", Ending::cut},
    EndingWord{"model_context_window_exceeded", Ending::cut},
    EndingWord{"refusal", Ending::filtered},
    EndingWord{"stop_sequence", Ending::elsewhere},  // we name none
    EndingWord{"tool_use", Ending::elsewhere},
    EndingWord{"pause_turn", Ending::elsewhere},
};
constexpr std::array kChatEndings = {
    EndingWord{"stop", Ending::whole},
    EndingWord{"length", Ending::cut},
    EndingWord{"content_filter", Ending::filtered},
    EndingWord{"tool_calls", Ending::elsewhere},
    EndingWord{"function_call", Ending::elsewhere},
};
constexpr UsageFields kMessagesUsage = {
    "input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "",
    false};
constexpr UsageFields kChatUsage = {
    "prompt_tokens", "completion_tokens", "", "", "prompt_tokens_details.cached_tokens", true};

constexpr std::string_view kChatPath = "/v1/chat/completions";

constexpr std::array kProviders = {
    Provider{Wire::messages, "Messages API", "/v1/messages", "max_tokens", Bound::output_config,
             SystemText::blocks_of_their_own, true, false, kMessagesUsage, "stop_reason",
             kMessagesEndings},
    Provider{Wire::chat, "chat completions", kChatPath, "max_tokens", Bound::response_format,
             SystemText::first_message, false, true, kChatUsage, "finish_reason", kChatEndings},
    Provider{Wire::plain_chat, "plain chat completions", kChatPath, "max_tokens",
             Bound::by_words_alone, SystemText::first_message, false, true, kChatUsage,
             "finish_reason", kChatEndings},
};

}  // namespace

const Provider& provider_of(Wire wire) {
  const auto* found = std::find_if(kProviders.begin(), kProviders.end(),
                                   [&](const Provider& one) { return one.wire == wire; });
  CG_ASSERT(found != kProviders.end());
  return *found;
}

Ending ending_of(const Provider& provider, std::string_view word) {
  for (const EndingWord& one : provider.endings) {
    if (one.word == word) return one.ending;
  }
  return Ending::elsewhere;
}

std::optional<Wire> wire_of_server(std::string_view server) {
  for (const std::string_view known : {"llama.cpp", "vllm", "ollama"}) {
    if (server == known) return Wire::chat;
  }
  if (server == "other") return Wire::plain_chat;
  return std::nullopt;
}

}  // namespace cg::leaf
