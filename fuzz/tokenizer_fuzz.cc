// A vocabulary as vocab.txt and as tokenizer.json, up to the first NUL, and what follows as a text:
// any text has ids that fit, the same each time, and a longer maximum only adds behind.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/base/assert.h"
#include "learn/tokenizer/tokenizer.h"

namespace {

using cg::tokenizer::Tokenizer;

void check(const Tokenizer& tokens, std::string_view text) {
  const auto some = tokens.ids(text, 8);
  const auto more = tokens.ids(text, 32);
  CG_ASSERT(some.size() >= 2 && some.size() <= 8 && more.size() <= 32);
  for (const std::uint32_t id : more) CG_ASSERT(id < tokens.id_end());
  CG_ASSERT(some.front() == more.front() && some.back() == more.back());
  CG_ASSERT(std::equal(some.begin(), some.end() - 1, more.begin()));
  CG_ASSERT(tokens.ids(text, 8) == some);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(all.find('\0'), size);
  const std::string_view vocabulary = all.substr(0, end);
  const std::string_view text = all.substr(end);
  if (const auto tokens = Tokenizer::from_json(vocabulary)) {
    check(*tokens, text);
    check(*tokens, all);
  }
  for (const bool plain : {false, true}) {
    const auto tokens =
        Tokenizer::from_vocab(vocabulary, plain ? cg::tokenizer::Rules{false, false, false, false}
                                                : cg::tokenizer::Rules{});
    if (!tokens) {
      CG_ASSERT(!tokens.error().what.empty());
      continue;
    }
    check(*tokens, text);
    check(*tokens, all);
  }
  return 0;
}
