// Provider: what each kind of model server takes, and how it says what it did. Data: requests are
// written from a row of this table, and answers are read by it.
//
// A server of which nothing is known gets the plainest request there is. Sources, by page and
// section: doc/adr/0055-providers.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "fetch/net/leaf_message.h"

namespace cg::leaf {

/// How an answer is bound to the schema of a plan.
enum class Bound : std::uint8_t {
  output_config,    // "output_config": {"format": …}
  response_format,  // "response_format": {"type": "json_schema", …}
  by_words_alone,   // not at all: the prompt says what a plan looks like
};
/// Where the system text goes.
enum class SystemText : std::uint8_t { blocks_of_their_own, first_message };
/// What a turn's last word means.
enum class Ending : std::uint8_t {
  whole,
  cut,        // at a limit of tokens
  filtered,   // the server would not let it speak, or the model would not
  elsewhere,  // it waits for something that nobody offered: a tool, another turn
};
struct EndingWord {
  std::string_view word;
  Ending ending;
};
/// The names of counts in "usage". Empty: this server has no such count.
struct UsageFields {
  std::string_view input, output, cache_write;
  std::string_view cache_read;         // beside `input`
  std::string_view cache_read_within;  // "prompt_tokens_details.cached_tokens": part of `input`
  bool may_be_missing = false;         // then nobody knows what a call cost
};

struct Provider {
  net::Wire wire;
  std::string_view name;  // for people
  std::string_view path;
  std::string_view max_tokens;  // the name of that field
  Bound bound;
  SystemText system;
  bool marks_cache;   // a long system text is marked as worth keeping
  bool takes_chance;  // "temperature": 0 and "stream": false; newer hosted models refuse the first
  UsageFields usage;
  std::string_view ending_field;
  std::span<const EndingWord> endings;
};

[[nodiscard]] const Provider& provider_of(net::Wire wire);
/// Of a word that is not in the row: elsewhere.
[[nodiscard]] Ending ending_of(const Provider& provider, std::string_view word);

/// Of `model.server` in policy. "llama.cpp", "vllm" and "ollama" bind an answer to a schema;
/// "other" is a server that turns such a request down. Nothing if it is none of these.
[[nodiscard]] std::optional<net::Wire> wire_of_server(std::string_view server);

}  // namespace cg::leaf
