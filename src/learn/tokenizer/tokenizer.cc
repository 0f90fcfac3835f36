// A word is taken apart greedily: the longest token that it begins with, then the longest that
// goes on from there. Each step takes at least a byte, as no token is empty, so it ends.
#include "learn/tokenizer/tokenizer.h"

#include <algorithm>
#include <array>

#include "base/base/text.h"

namespace cg::tokenizer {

namespace {

Failure<Error> wrong(std::string what) { return fail(Error{std::move(what)}); }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string quoted(std::string_view token) { return "`" + printable(cut(token, 60)) + "`"; }

}  // namespace

Result<Done, Error> Tokenizer::Table::sort() {
  std::sort(tokens_.begin(), tokens_.end(),
            [](const Token& a, const Token& b) { return a.text < b.text; });
  const auto same =
      std::adjacent_find(tokens_.begin(), tokens_.end(),
                         [](const Token& a, const Token& b) { return a.text == b.text; });
  if (same != tokens_.end()) return wrong("the token " + quoted(same->text) + " is there twice");
  return Done{};
}

const Tokenizer::Token* Tokenizer::Table::find(std::string_view text) const {
  const auto at = std::lower_bound(
      tokens_.begin(), tokens_.end(), text,
      [](const Token& token, std::string_view wanted) { return token.text < wanted; });
  return at != tokens_.end() && at->text == text ? &*at : nullptr;
}

Result<std::uint32_t, Error> Tokenizer::special(std::string_view text) const {
  const Token* token = whole_.find(text);
  if (token == nullptr) return wrong("the vocabulary has no token " + quoted(text));
  return token->id;
}

/// Of `whole_`, where every token is: what follows from it, once it is known to be sound.
Result<Done, Error> Tokenizer::finish(std::string_view unknown) {
  CG_TRY(whole_.sort());
  std::vector<std::uint32_t> ids;
  for (const Token& token : whole_.all()) {
    if (token.text.empty()) return wrong("a token is empty");
    if (token.text.size() > kMaxTokenBytes) return wrong("a token has more than 1000 bytes");
    longest_ = std::max(longest_, token.text.size());
    ids.push_back(token.id);
    if (token.text.size() > prefix_.size() && token.text.starts_with(prefix_)) {
      inside_.add(token.text.substr(prefix_.size()), token.id);
    }
  }
  CG_TRY(inside_.sort());
  std::sort(ids.begin(), ids.end());
  const auto same = std::adjacent_find(ids.begin(), ids.end());
  if (same != ids.end()) return wrong("two tokens have the id " + std::to_string(*same));
  id_end_ = ids.empty() ? 0 : std::size_t{ids.back()} + 1;
  if (id_end_ > kMaxTokens) return wrong("an id is past 1,000,000");
  CG_TRY_ASSIGN(unknown_, special(unknown));
  return Done{};
}

Result<Tokenizer, Error> Tokenizer::from_vocab(std::string_view text, const Rules& rules,
                                               const Names& names) {
  if (text.size() > kMaxFile) return wrong("larger than 32 MiB");
  if (!is_utf8(text)) return wrong("not UTF-8");
  if (text.ends_with('\n')) text.remove_suffix(1);
  Tokenizer out;
  out.rules_ = rules;
  std::uint32_t line = 0;
  for (std::string_view token : split(text, '\n')) {
    if (token.ends_with('\r')) token.remove_suffix(1);
    if (token.empty()) return wrong("line " + std::to_string(line + 1) + " is empty");
    if (line >= kMaxTokens) return wrong("more than 1,000,000 tokens");
    out.whole_.add(std::string(token), line++);
  }
  CG_TRY(out.finish(names.unknown));
  CG_TRY_ASSIGN(out.first_, out.special(names.first));
  CG_TRY_ASSIGN(out.last_, out.special(names.last));
  const Names usual;
  if (names.pad != usual.pad) CG_TRY(out.special(names.pad));
  if (names.mask != usual.mask) CG_TRY(out.special(names.mask));
  for (const std::string& name : {names.unknown, names.first, names.last, names.pad, names.mask}) {
    const Token* token = out.whole_.find(name);
    if (token != nullptr) CG_TRY(out.add_special(*token));
  }
  return out;
}

/// One that is there already, which has the same id, stays once.
Result<Done, Error> Tokenizer::add_special(const Token& token) {
  if (token.text.size() > kMaxSpecialBytes) {
    return wrong("the added token " + quoted(token.text) + " has more than 100 bytes");
  }
  const auto at = std::lower_bound(specials_.begin(), specials_.end(), token,
                                   [](const Token& a, const Token& b) { return a.text < b.text; });
  if (at == specials_.end() || at->text != token.text) specials_.insert(at, token);
  return Done{};
}

/// The longest that `text` begins with. Those that begin as it does are a range of the sorted ones,
/// which gets narrower with each byte and never wider: whatever they share, a place of a text costs
/// no more steps than there are tokens and bytes in one.
const Tokenizer::Token* Tokenizer::special_at(std::string_view text) const {
  const Token* out = nullptr;
  std::size_t low = 0;
  std::size_t high = specials_.size();
  for (std::size_t i = 0; low < high; ++i) {
    if (specials_[low].text.size() == i) out = &specials_[low++];  // the shortest comes first
    if (i == text.size()) break;
    const auto wanted = static_cast<unsigned char>(text[i]);
    const auto byte = [&](std::size_t k) {
      return static_cast<unsigned char>(specials_[k].text[i]);
    };
    while (low < high && byte(low) < wanted) ++low;
    while (low < high && byte(high - 1) > wanted) --high;
  }
  return out;
}

void Tokenizer::add_pieces(std::string_view word, std::vector<std::uint32_t>& out) const {
  const std::size_t before = out.size();
  const bool unknown = word.empty() || characters(word) > max_word_;
  for (std::size_t from = 0; !unknown && from < word.size();) {
    const Table& table = from == 0 ? whole_ : inside_;
    const Token* found = nullptr;
    std::size_t size = std::min(word.size() - from, longest_);
    for (; size > 0 && found == nullptr; size -= found == nullptr ? 1 : 0) {
      const std::size_t end = from + size;
      if (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) continue;
      found = table.find(word.substr(from, size));
    }
    if (found == nullptr) {
      out.resize(before);
      break;
    }
    out.push_back(found->id);
    from += size;
  }
  if (out.size() == before) out.push_back(unknown_);
}

std::vector<std::uint32_t> Tokenizer::ids(std::string_view text, std::size_t max) const {
  CG_ASSERT(max >= 2);
  std::vector<std::uint32_t> out = {first_};
  std::array<bool, 256> may_begin{};
  for (const Token& token : specials_) may_begin[static_cast<unsigned char>(token.text[0])] = true;
  const auto take = [&](std::string_view word) {
    add_pieces(word, out);
    return out.size() < max;
  };
  std::size_t begin = 0;
  bool wanted = out.size() < max;
  for (std::size_t at = 0; wanted && at <= text.size();) {
    const bool over = at == text.size();
    const Token* token = !over && may_begin[static_cast<unsigned char>(text[at])]
                             ? special_at(text.substr(at))
                             : nullptr;
    if (!over && token == nullptr) {
      ++at;
      continue;
    }
    wanted = each_word(text.substr(begin, at - begin), rules_, take) && out.size() < max;
    if (over || !wanted) break;
    out.push_back(token->id);
    at += token->text.size();
    begin = at;
  }
  out.resize(std::min(out.size(), max - 1));
  out.push_back(last_);
  return out;
}

}  // namespace cg::tokenizer
